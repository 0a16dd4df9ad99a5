"""CS-8: first loads of CPU modules side by side, with the status of the release."""

import pytest

from tests.analysis.factories import load, process, run, seen
from tests.analysis.mechanisms.found import finding
from warp_mcp.models.recording import LoadRecord, ProcessRecord


def first_loads(second: LoadRecord, **changes: str) -> ProcessRecord:
    return process(loads=[load("aa", 1000, 200, name="a", thread=1, where="app.py:31"), second], **changes)


def test_overlapping_first_loads_in_two_threads_fire_without_a_cost() -> None:
    found = finding("CS-8", first_loads(load("bb", 1100, 200, name="b", thread=2)))

    assert (found.status, found.cost_ms, found.cost_kind) == ("fired", None, None)
    assert found.evidence["modules"] == ["a", "b"]
    assert found.where == "app.py:31"


def test_loads_from_the_cache_count_too() -> None:
    found = finding("CS-8", first_loads(load("bb", 1100, 200, name="b", thread=2, status="cached")))

    assert found.status == "fired"


@pytest.mark.parametrize(
    "second",
    [
        load("bb", 1300, 200, name="b", thread=2),
        load("bb", 1100, 50, name="b", thread=1, within=True),
        load("bb", 1100, 200, name="b", thread=2, device="cuda:0"),
        load("aa", 1100, 200, name="a", thread=2),
    ],
    ids=["one after the other", "within another of its thread", "on CUDA", "the same module"],
)
def test_what_is_no_concurrent_first_load_rules_it_out(second: LoadRecord) -> None:
    assert finding("CS-8", first_loads(second)).status == "ruled_out"


def test_two_processes_have_a_compiler_each() -> None:
    one, other = (process(pid=i, loads=[load(name=f"m{i}", thread=i)]) for i in (1, 2))
    both = run(processes=[seen(1), seen(2)])

    assert finding("CS-8", one, other, cold=both).status == "ruled_out"


def test_the_title_tells_the_status_of_the_release() -> None:
    second = load("bb", 1100, 200, name="b", thread=2)

    assert "can be lost" in finding("CS-8", first_loads(second, warp_version="1.12.1")).title
    assert "locks its CPU compiler" in finding("CS-8", first_loads(second, warp_version="1.19.0")).title


def test_a_run_on_cuda_alone_does_not_reach_it() -> None:
    assert finding("CS-8", process(loads=[load(device="cuda:0")])).status == "not_reached"
