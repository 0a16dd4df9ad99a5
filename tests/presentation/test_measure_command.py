"""The command that makes a report like a given one asks for all that the report was asked for."""

import re
import shlex
from typing import Any

import pytest

from tests.factories import a_comparison, a_report, a_sample
from tests.lever_made import a_lever
from tests.rehearsal_made import a_rehearsal, a_rehearsed_run
from warp_mcp.cli.measuring import measure
from warp_mcp.models.report import Report
from warp_mcp.presentation.comparison_markdown import comparison_markdown
from warp_mcp.presentation.measure_command import measure_command
from warp_mcp.presentation.report_text import report_text

OUTPUTS = {"passes": 2, "budget_bytes": 2**30, "hashed_bytes": 8, "records": [], "left_out": 0}
STEADY = {"passes": 3, "kernels": [], "too_few": 0}
SAMPLING = {"against": "r-1", "least": 5, "most": 9, "made": 6, "stopped": "settled", "why": "It is settled."}
WORKERS = {"wait_ms": 1.0, "work_ms": 1.0, "builds": 1, "duplicates": 0, "peak_builds": 1}


def options(report: Report, **how: Any) -> list[str]:
    """The options beside the label."""
    words = shlex.split(" ".join(measure_command(report, None, "x", **how)))
    return words[4 : words.index("--")]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, []),
        ({"outputs": OUTPUTS}, ["--outputs"]),
        ({"outputs": {**OUTPUTS, "budget_bytes": 2**19}}, ["--outputs", "--outputs-budget", "0.5"]),
        ({"steady_state": STEADY}, ["--steady-state"]),
        ({"samples": [a_sample()]}, []),
        ({"samples": [a_sample()] * 5}, ["--samples", "5"]),
        ({"samples": [a_sample()] * 6, "sampling": SAMPLING}, ["--samples", "5", "--against", "r-1"]),
        ({"samples": [a_sample()] * 6, "sampling": {**SAMPLING, "against": "unchanged", "least": 3}}, []),
        ({"stop": "until_output all is ready"}, ["--until-output", "all is ready"]),
        (
            {"levers": [a_lever(), a_lever("made by me:max_unroll=4")]},
            ["--lever", "enable_backward=false", "--lever", "made by me:max_unroll=4"],
        ),
        (
            {"rehearsal": a_rehearsal(workers=[{"workers": n, **WORKERS} for n in (1, 4)])},
            [
                *("--rehearse-cuda", "sm_90", "--rehearsals", "3", "--rehearse-workers", "4"),
                "--no-compile-trace",
            ],
        ),
        (
            {"rehearsal": a_rehearsal(runs=[a_rehearsed_run(outcome="failed", exit_code=1)])},
            ["--rehearse-cuda", "sm_90"],
        ),
        (
            {"rehearsal": a_rehearsal(compile_trace={"modules": []})},
            ["--rehearse-cuda", "sm_90", "--rehearsals", "3"],
        ),
    ],
)
def test_all_that_a_report_was_asked_for_is_asked_for_again(asked: dict[str, Any], says: list[str]) -> None:
    assert options(a_report(**asked)) == says


def test_the_command_line_has_each_of_these_options() -> None:
    everything = a_report(
        outputs={**OUTPUTS, "budget_bytes": 1},
        steady_state=STEADY,
        samples=[a_sample()] * 5,
        sampling=SAMPLING,
        levers=[a_lever()],
        rehearsal=a_rehearsal(workers=[{"workers": 2, **WORKERS}]),
        stop="after_launches 5",
    )
    known = {name for parameter in measure.params for name in parameter.opts}

    used = {word for word in options(everything) if word.startswith("--")}

    assert used <= known and len(used) == 11


def test_a_budget_comes_back_as_the_same_number_of_bytes() -> None:
    for budget in (1, 1_000_003, 2**20, 5 * 2**30 + 1):
        words = options(a_report(outputs={**OUTPUTS, "budget_bytes": budget}))

        assert round(float(words[words.index("--outputs-budget") + 1]) * 2**20) == budget


def test_after_an_edit_the_outputs_are_recorded_again_and_the_levers_are_not_tried_again() -> None:
    report = a_report(outputs=OUTPUTS, steady_state=STEADY, levers=[a_lever()])

    steps = " ".join(report_text(report).split("Measure again:")[1].replace("\\\n", " ").split())

    assert steps.startswith("warp-mcp measure --label after --outputs --steady-state -- python app.py")


def test_a_page_repeats_what_its_verdict_rested_on() -> None:
    asked: dict[str, Any] = {"outputs": OUTPUTS, "steady_state": STEADY, "levers": [a_lever()]}
    first, second = a_report(**asked), a_report(**asked, report_id="r-20261201-101545-ab13", label="after")

    repeat = comparison_markdown(a_comparison(), first, second).split("## How to repeat it")[1]

    assert re.search(
        "measure --label again --outputs --steady-state --lever enable_backward=false -- python", repeat
    )
