"""Which builds are looked into: the dearest of each large module, within a bound, and why others are not."""

from typing import Any

from tests.analysis.factories import load, process, recording
from warp_mcp.analysis.trace_choice import LINKED, MOST_MODULES, MOST_MS, TOO_LONG, choose_builds
from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.recording import LoadRecord, LtoPart

ON_CUDA = {"device": "cuda:0", "block_dim": 256}


def a_load(name: str, ms: float, hash: str = "0123456789", **changes: Any) -> LoadRecord:
    return load(hash, ms=ms, name=name, **{**ON_CUDA, **changes})


def chosen(*loads: LoadRecord, arch: int = 90) -> list[TraceTarget]:
    return choose_builds(recording(process(loads=list(loads))), arch)


def test_the_largest_modules_are_chosen_by_compiler_time_and_small_ones_are_not() -> None:
    targets = chosen(a_load("small", 100.0), a_load("large", 900.0), a_load("middle", 400.0))

    assert [one.module for one in targets] == ["large", "middle"]
    assert targets[0].timed_cpu_ms == targets[0].all_cpu_ms == 810.0, "of the phase, not of the load"
    assert {one.not_traced for one in targets} == {None}


def test_of_a_module_built_several_times_the_dearest_build_stands_for_all() -> None:
    (target,) = chosen(
        a_load("app", 300.0, "aaaaaaaaaa"),
        a_load("app", 500.0, "bbbbbbbbbb", block_dim=128),
        a_load("app", 200.0, "cccccccccc"),
    )

    assert (target.source, target.block_dim, target.builds) == ("wp_app_bbbbbbb.cu", 128, 3)
    assert (target.timed_cpu_ms, target.all_cpu_ms) == (450.0, 900.0)


def test_no_more_than_a_few_are_chosen() -> None:
    assert len(chosen(*(a_load(f"m{number}", 100.0) for number in range(5)))) == MOST_MODULES


def test_what_was_not_compiled_for_this_architecture_here_is_no_choice() -> None:
    assert chosen(a_load("app", 100.0, device="cpu")) == []
    assert chosen(a_load("app", 100.0, status="cached")) == []
    assert chosen(a_load("app", 100.0, finished=False)) == []
    assert chosen(a_load("app", 100.0, phases={})) == []
    ahead = a_load("app", 100.0, device="aot:sm_80")
    assert (chosen(ahead), len(chosen(ahead, arch=80))) == ([], 1)


def test_a_module_with_links_is_named_and_not_built_again() -> None:
    (target,) = chosen(a_load("tiles", 900.0, lto={"forward": LtoPart(count=1, wall_ms=5.0)}))

    assert target.not_traced == LINKED


def test_what_would_take_longer_than_the_bound_is_named_and_leaves_room_for_others() -> None:
    targets = chosen(a_load("huge", 1.2 * MOST_MS), a_load("one", MOST_MS), a_load("two", MOST_MS / 2))

    assert [(one.module, one.not_traced) for one in targets] == [
        ("huge", TOO_LONG),
        ("one", None),
        ("two", TOO_LONG),
    ]
