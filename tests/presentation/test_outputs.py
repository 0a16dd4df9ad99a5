"""What launches computed, as people and models are told it."""

import pytest

from tests.factories import a_comparison, a_report
from warp_mcp.models.comparison import OutputComparison, OutputDifference
from warp_mcp.models.outputs import Outputs, Unstable
from warp_mcp.presentation.compare_summary import compare_summary, compare_summary_text
from warp_mcp.presentation.comparison_text import comparison_text
from warp_mcp.presentation.outputs_markdown import outputs_comparison, outputs_report
from warp_mcp.presentation.report_text import report_text

FIRST = OutputDifference(
    launch=3, kernel="scale", array="y", what="y after launch 3 of scale: the candidate did not write it"
)
STATUSES = [
    (OutputComparison(status="identical", compared=7), "Identical: 7 arrays"),
    (
        OutputComparison(status="within_tolerance", compared=7, tolerance=1e-5),
        "within the tolerance: 7 arrays",
    ),
    (
        OutputComparison(
            status="incomplete",
            compared=7,
            uncovered=["large", "small", "odd"],
            uncovered_why={
                "large": "did not fit into the budget",
                "small": "did not fit into the budget",
                "odd": "left no record of any array",
            },
        ),
        "Identical as far as recorded: 7 arrays compared; `large` and `small`, which changed, did not fit "
        "into the budget; `odd`, which changed, left no record of any array.",
    ),
    (
        OutputComparison(status="incomplete", compared=7, differing=2, uncovered=["large"]),
        "Equal within the tolerance as far as recorded: 7 arrays compared; `large`, which changed, was not",
    ),
    (OutputComparison(status="different", first_difference=FIRST, differences=[FIRST]), FIRST.what),
    (OutputComparison(status="not_deterministic"), "does not compute the same twice"),
    (OutputComparison(notes=["only the outputs of the candidate were recorded"]), "only the outputs"),
]


@pytest.mark.parametrize(("outputs", "words"), STATUSES)
def test_each_status_is_said_everywhere(outputs: OutputComparison, words: str):
    comparison = a_comparison(outputs=outputs.model_dump())
    text = " ".join(comparison_text(comparison).split())
    assert words in text
    assert words in "\n".join(outputs_comparison(outputs))
    assert words in compare_summary(comparison).outputs
    assert f"outputs: {compare_summary(comparison).outputs}" in compare_summary_text(
        compare_summary(comparison)
    )


def test_outputs_that_lack_the_changed_kernel_are_no_good_news():
    outputs = OutputComparison(status="incomplete", compared=7, uncovered=["large"])
    text = comparison_text(a_comparison(outputs=outputs.model_dump()))
    assert "? Identical as far as recorded" in text
    assert "✓ Identical" not in text


def test_nothing_is_said_where_outputs_were_not_asked_for():
    assert outputs_comparison(OutputComparison()) == outputs_report(None) == []
    assert "compute" not in comparison_text(a_comparison()).partition("Not checked")[0]
    assert "What the launches computed" not in report_text(a_report())


def test_a_report_says_what_was_left_out_and_that_the_program_differs_from_itself():
    outputs = Outputs(
        passes=2,
        budget_bytes=10_000,
        hashed_bytes=9_000,
        records=[],
        left_out=3,
        unstable=[Unstable(number=2, kernel="scale", array="y")],
    )
    text = " ".join(report_text(a_report(outputs=outputs.model_dump())).split())
    assert "Left out: 3 launches; the budget is 10 kB a pass." in text
    assert (
        "does not agree with itself: 1 array differs from pass to pass, first y after launch 2 of scale"
        in text
    )
