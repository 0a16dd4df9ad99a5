"""Builds are listed however they come about: cached, compiled, failed, forced, ahead of time, never used."""

import pytest

from tests.situations.measuring import Measured, Probe, marked, python
from tests.situations.situation import Situation, holds


def _loaded_at(name: str, marker: str):
    def check(measured: Measured) -> None:
        assert measured.modules()[0]["loaded_at"].endswith(marked(name, marker))

    return check


def _warm_run_is_cached(measured: Measured) -> None:
    assert measured.sample["warm"]["compiled"] == []
    assert measured.sample["warm"]["outcome"] == "completed"
    (entry,) = measured.modules()
    assert entry["phases"]["native_compile_ms"]["ms"] > 0
    assert entry["source_bytes"] > 0
    assert entry["options"]["fast_math"] == "False"
    assert entry["defined_at"].endswith(marked("launches_once", "add_one"))


def _ahead_of_time(device: str):
    def check(measured: Measured) -> None:
        assert [entry["device"] for entry in measured.modules()] == [device]

    return check


def _warm_builds_again(measured: Measured) -> None:
    assert measured.sample["warm"]["compiled"] == ["__main__"]
    assert measured.report["structure"]["warm_compiled"] == ["__main__"]


def _late(measured: Measured) -> None:
    warning = measured.warnings()["option_arrived_too_late"]
    assert "enable_backward" in warning["message"]
    assert marked("sets_global_option_too_late", "assignment") in warning["message"] + warning["next"]
    assert "warp." not in warning["message"].replace("warp.config", ""), (
        "Warp's own modules are not the user's concern"
    )


TABLE = [
    Situation(
        "it is compiled, and cached for the warm run",
        python("launches_once"),
        launches=3,
        also=_warm_run_is_cached,
    ),
    Situation("force_load asks for it", python("forces_load"), also=_loaded_at("forces_load", "load")),
    Situation("load_module asks for it", python("loads_module"), also=_loaded_at("loads_module", "load")),
    Situation(
        "two threads build side by side",
        python("loads_modules_side_by_side"),
        builds=2,
        modules=2,
        launches=2,
        warns=("builds_overlapped",),
    ),
    Situation(
        "it is built ahead of time for the CPU",
        python("builds_ahead_of_time", "cpu"),
        launches=0,
        also=_ahead_of_time("aot:cpu"),
    ),
    Situation(
        "it is built ahead of time for a GPU that is not here",
        python("builds_ahead_of_time", "90"),
        launches=0,
        also=_ahead_of_time("aot:sm_90"),
    ),
    Situation(
        "it is built and never launched",
        python("builds_and_never_launches"),
        builds=2,
        modules=2,
        warns=("built_never_launched",),
    ),
    Situation(
        "the same kernel is declared again and again",
        python("redeclares_a_kernel"),
        launches=30,
        distinct=1,
        warns=("kernels_redeclared",),
    ),
    Situation(
        "the program clears the cache, so that the warm run builds again",
        python("clears_its_cache"),
        also=_warm_builds_again,
    ),
    Situation(
        "a global option arrives too late",
        python("sets_global_option_too_late"),
        warns=("option_arrived_too_late",),
        also=_late,
    ),
]


@pytest.mark.parametrize("situation", TABLE, ids=lambda situation: situation.says)
def test_a_build_is_listed_when(situation: Situation, probe: Probe) -> None:
    holds(situation, probe)


def test_compilation_being_a_small_part_is_the_headline(probe: Probe) -> None:
    building = probe.measure(*python("mostly_waits", "0")).sample["cold_wall_ms"] / 1000

    measured = probe.measure(*python("mostly_waits", f"{4 * building:.0f}"))

    assert measured.report["warnings"][0]["code"] == "compilation_is_minor"
    parts = {part["name"]: part["ms"] for part in measured.report["wall_parts"]}
    assert parts["program"] > parts["compilation"]


def test_a_failed_build_ends_the_program_and_is_listed_with_its_error(probe: Probe) -> None:
    measured = probe.measure(*python("fails_to_build"))

    assert measured.process.returncode == 5
    assert measured.sample["outcome"] == "failed"
    assert [(entry["status"], "no_such_function" in entry["error"]) for entry in measured.modules(None)] == [
        ("error", True)
    ]
    assert "build_failed" in measured.warnings()
    assert measured.launches["total"] == 0


def test_a_failed_build_that_the_program_catches_is_listed_and_its_launches_do_not_count(
    probe: Probe,
) -> None:
    measured = probe.measure(*python("falls_back_after_failed_build"))

    assert measured.process.returncode == 0
    assert sorted(entry["status"] for entry in measured.modules(None)) == ["compiled", "error"]
    assert "build_failed" in measured.warnings()
    assert measured.launches["total"] == 3
    assert {entry["kernel"] for entry in measured.launches["by_signature"]} == {"simple"}
    assert measured.report["rebuilds"] == []
