"""What is told of a result that could not be written: it is answered once, and points to nothing."""

from warp_mcp.models.finding import Warning
from warp_mcp.models.summary import CompareSummary, MeasureSummary
from warp_mcp.server.answers import bounded
from warp_mcp.server.door import step_for_tools
from warp_mcp.workflows import WriteFailed


def unkept_report(summary: MeasureSummary, problem: WriteFailed) -> MeasureSummary:
    """The summary with what could not be written; without the ways to a report that is not kept."""
    step = bounded(step_for_tools(problem))
    warning = Warning(code=problem.code, message=bounded(problem.message), next=step)
    warned = summary.model_copy(update={"warnings": [warning, *summary.warnings]})
    if problem.kept:
        return warned
    lost = "This report could not be kept: nothing can be compared with it, and no tool can read it again."
    others = [one for one in summary.next if summary.report_id not in one]
    return warned.model_copy(
        update={"report_id": "", "resource": "", "next": [f"{lost} {step} Then measure again.", *others]}
    )


def unkept_comparison(summary: CompareSummary, problem: WriteFailed) -> CompareSummary:
    """The same for a comparison, which can be made again from its reports."""
    step = bounded(step_for_tools(problem))
    lost = f"This comparison could not be kept. {step} Then compare again."
    return summary.model_copy(
        update={
            "comparison_id": "",
            "resource": "",
            "warnings": [f"{problem.code}: {bounded(problem.message)}", *summary.warnings],
            "next": [lost, *(one for one in summary.next if summary.comparison_id not in one)],
        }
    )
