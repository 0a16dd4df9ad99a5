"""Runs of another server or a terminal: looked at until they are over, never ended from here."""

from typing import Any

import anyio
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult

from warp_mcp import workflows
from warp_mcp.errors import UnreadableReport, UsageError
from warp_mcp.models.progress import Progress
from warp_mcp.models.report import Report
from warp_mcp.presentation import elsewhere_summary, run_summary_text
from warp_mcp.server.answers import success
from warp_mcp.server.runs import LOOK_S, unknown_run
from warp_mcp.server.telling import Teller


async def wait_elsewhere(
    run_id: str, budget_s: float, context: Context[Any, Any], *, cancel: bool
) -> Report | CallToolResult:
    """The report of a run that is none of this server's; `running` while it is not over within the budget.

    Raises `UsageError`: there is no such run, it left no report, or it was to be ended from here.
    """
    waited = workflows.runs_elsewhere(run_id)
    if waited and cancel:
        raise UsageError(
            "runs_elsewhere",
            f"The run {run_id} is under way in another server or terminal and can be ended only there.",
            "Wait for it with its run_id alone, or ask the user to end it where it was started.",
        )
    if waited and not await _over(run_id, budget_s, context):
        request = workflows.request_elsewhere(run_id)
        interpreter = workflows.shown_words(request.command)[0] if request else ""
        summary = elsewhere_summary(run_id, interpreter, request.cwd if request else "")
        return success(summary, run_summary_text(summary))
    try:
        return await anyio.to_thread.run_sync(workflows.find_kept, run_id)
    except UnreadableReport as error:
        raise (_without_report(run_id) if waited else unknown_run(run_id)) from error


async def _over(run_id: str, budget_s: float, context: Context[Any, Any]) -> bool:
    """Wait until no living process measures this; False when the time is over first."""
    teller, begun = Teller(context), anyio.current_time()
    with anyio.move_on_after(budget_s):
        while workflows.runs_elsewhere(run_id):
            await teller.tell(_sign_of_life(anyio.current_time() - begun))
            await anyio.sleep(LOOK_S)
    return not workflows.runs_elsewhere(run_id)


def _sign_of_life(elapsed_s: float) -> Progress:
    return Progress(
        step="waiting",
        sample=0,
        samples=0,
        done=0,
        total=0,
        elapsed_s=elapsed_s,
        remaining_s=None,
        message="The run is under way in another server or terminal.",
    )


def _without_report(run_id: str) -> UsageError:
    return UsageError(
        "no_report",
        f"The run {run_id} is over and left no report: it was cancelled, or could not be started.",
        "Measure again; where it was started it was said why.",
    )
