"""How many runs a measurement makes, and which levers it tries, by what has been seen so far."""

from typing import Any

import pytest

from tests.analysis.factories import machine, process, run, sample
from warp_mcp import workflows
from warp_mcp.models.run import SampleRecording
from warp_mcp.workflows import planning
from warp_mcp.workflows.levers import parse_lever
from warp_mcp.workflows.planning import MeasurementPlan, planned_runs


@pytest.mark.parametrize(
    ("asked", "runs"),
    [
        ({}, 6),
        ({"samples": 1}, 2),
        ({"samples": 1, "levers": ["max_unroll=4", "mode=debug"]}, 6),
        ({"levers": ["max_unroll=4", "mode=debug"]}, 18),
        ({"levers": ["max_unroll=4"], "outputs": True}, 16),
        ({"samples": 1, "outputs": True, "steady_state": True}, 7),
    ],
)
def test_runs_of_levers_and_passes_are_planned_from_the_beginning(asked: dict[str, Any], runs: int) -> None:
    assert planned_runs(workflows.make_request(["python"], **asked)) == runs


def auto(monkeypatch: pytest.MonkeyPatch, unchanged: SampleRecording, *found: str) -> tuple[list[str], str]:
    """What is tried within 25 s where the findings point to these, and what is said of the others."""
    choices = [(parse_lever(text), 1.0) for text in found]
    monkeypatch.setattr(planning, "choose_levers", lambda report: choices)  # pyright: ignore
    request = workflows.make_request(["python"], levers=["auto"], lever_budget_s=25.0)
    plan = MeasurementPlan(request, machine())
    tried = [lever.text for lever in plan.levers(unchanged)]
    return tried, " ".join(f"{one.code}: {one.message} {one.next}" for one in plan.warnings)


NINE_SECONDS = sample(process(), cold=run(2000.0), warm=run(1000.0))
"""A program with which one lever takes so long: three cold runs and three warm."""


def test_levers_that_all_fit_into_their_time_need_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    assert auto(monkeypatch, NINE_SECONDS, "max_unroll=4", "mode=debug") == (
        ["max_unroll=4", "mode=debug"],
        "",
    )


def test_levers_that_do_not_fit_into_their_time_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, said = auto(monkeypatch, NINE_SECONDS, "max_unroll=4", "mode=debug", "lineinfo=true")
    assert tried == ["max_unroll=4", "mode=debug"]
    assert said == (
        "levers_not_tried: The time for levers (25 s) holds 2 of the 3 that the findings point to, of about "
        "9 s each. Not tried: `lineinfo=true`. Give --lever-budget 30 for 3 levers."
    )


def test_a_time_that_holds_none_of_the_levers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = sample(process(), cold=run(20000.0), warm=run(10000.0))
    tried, said = auto(monkeypatch, slow, "max_unroll=4")
    assert tried == [] and "holds none of the 1 that the findings point to" in said
    assert "Not tried: `max_unroll=4`." in said


def test_findings_that_point_to_no_lever_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, said = auto(monkeypatch, NINE_SECONDS)
    assert tried == [] and said.startswith("levers_not_tried: No lever was chosen: no finding")


def test_a_first_sample_that_failed_is_told_as_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = NINE_SECONDS.model_copy(update={"warm": None, "warm_recording": None})
    assert auto(monkeypatch, failed)[1].startswith("levers_not_chosen: ")
