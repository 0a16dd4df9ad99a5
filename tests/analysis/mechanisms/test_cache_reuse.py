"""CS-2: a warm run that compiles, and why."""

from typing import Any

from tests.analysis.factories import (
    CACHE,
    config,
    kernel,
    load,
    machine,
    process,
    recording,
    report,
    run,
    sample,
)
from tests.analysis.mechanisms.found import of
from warp_mcp.models.recording import CacheEvent
from warp_mcp.models.run import SampleRecording


def event(kind: Any, path: str | None = None, where: str | None = None) -> CacheEvent:
    return CacheEvent(kind=kind, t_ms=1.0, path=path, where=where, via=None)


def twice(cold: dict[str, Any], warm: dict[str, Any]) -> SampleRecording:
    """A cold run and a warm run that built, too."""
    return sample(process(**cold), warm=run(1000.0), warm_recording=recording(process(**warm)))


def test_a_warm_run_that_compiles_nothing_rules_it_out() -> None:
    found = of("CS-2", sample(process(loads=[load()])))

    assert (found.status, found.evidence) == ("ruled_out", {"warm_runs": 1, "warm_builds": 0})


def test_the_line_that_clears_the_cache_is_the_reason_and_the_cost_is_what_the_warm_run_built() -> None:
    cleared = event("cleared_kernels", where="app.py:3")
    found = of("CS-2", twice({"loads": [load()]}, {"loads": [load(ms=180.0)], "cache": [cleared]}))

    assert (found.status, found.where, found.cost_ms, found.cost_kind) == (
        "fired",
        "app.py:3",
        180.0,
        "measured",
    )
    assert "clear_kernel_cache()" in found.title
    assert "app.py:3" in found.fix


def test_a_cache_that_is_switched_off_is_named_with_its_line() -> None:
    off = config("cache_kernels", "True", "False", where="app.py:4")
    found = of("CS-2", twice({"loads": [load()]}, {"loads": [load()], "config": [off]}))

    assert found.evidence["reasons"] == ["warp.config.cache_kernels is switched off (app.py:4)"]


def test_a_cache_directory_that_moves_is_named_with_the_line_that_sets_it() -> None:
    def run_in(path: str) -> dict[str, Any]:
        set_at = config("kernel_cache_dir", "None", path, where="app.py:5")
        return {"loads": [load()], "config": [set_at], "cache": [event("directory", path)]}

    found = of("CS-2", twice(run_in("/tmp/a"), run_in("/tmp/b")))

    assert found.evidence["reasons"] == ["the cache directory is another one in every run (app.py:5)"]


def test_the_isolated_directories_of_the_probe_are_not_a_moving_cache() -> None:
    inside = {"loads": [load()], "cache": [event("directory", f"{CACHE}/1.19.0")]}
    found = of("CS-2", twice(inside, inside))

    assert found.status == "fired"
    assert found.evidence["reasons"] == [
        "what the first start built was gone from the cache when the second began"
    ]


def test_a_value_that_differs_between_the_runs_is_named() -> None:
    def stamped(value: str, hash: str) -> dict[str, Any]:
        return {"kernels": [kernel(constants={"STAMP": value})], "loads": [load(hash)]}

    found = of("CS-2", twice(stamped("1", "aa"), stamped("2", "bb")))

    assert found.evidence["reasons"] == ["`STAMP` in kernel add has another value in every run (app.py:10)"]
    assert found.where == "app.py:10"


def test_a_kernel_that_has_another_name_in_each_run_is_named() -> None:
    found = of(
        "CS-2",
        twice(
            {"kernels": [kernel(name="k_3f")], "loads": [load("aa")]},
            {"kernels": [kernel(name="k_9c")], "loads": [load("bb")]},
        ),
    )

    assert found.evidence["reasons"] == ["kernel k_9c has another name in every run (app.py:10)"]


def test_a_unique_module_is_found_again_by_its_name_without_the_hash() -> None:
    def unique(tag: str, value: str) -> dict[str, Any]:
        return {"kernels": [kernel(constants={"N": value})], "loads": [load(tag, name=f"k_{tag}")]}

    found = of("CS-2", twice(unique("01234567", "1"), unique("89abcdef", "2")))

    assert found.evidence["reasons"] == ["`N` in kernel add has another value in every run (app.py:10)"]


def test_a_build_that_fails_in_every_run_says_nothing_of_the_cache() -> None:
    failed = load("bb", status="error", error="Error: no")
    found = of("CS-2", twice({"loads": [load(), failed]}, {"loads": [load(status="cached"), failed]}))

    assert found.status == "ruled_out"


def test_without_a_warm_run_nothing_can_be_told() -> None:
    found = of("CS-2", sample(process(loads=[load()]), warm=None, warm_recording=None))

    assert (found.status, found.evidence["reason"]) == ("not_reached", "no warm run completed")


def test_a_variable_that_switches_off_the_drivers_cache_is_named() -> None:
    both = {"loads": [load()]}
    made = report(twice(both, both), on=machine(variables={"CUDA_CACHE_DISABLE": "1"}))
    found = next(one for one in made.findings if one.mechanism == "CS-2")

    assert found.evidence["reasons"] == ["CUDA_CACHE_DISABLE is set, so the driver compiles PTX anew"]
