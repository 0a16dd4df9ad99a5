"""The tool `compare`."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from warp_mcp import workflows
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.summary import CompareSummary
from warp_mcp.presentation import compare_summary, compare_summary_text
from warp_mcp.server.answers import success
from warp_mcp.server.policy import Policy
from warp_mcp.server.resources import notify_new_comparison
from warp_mcp.server.unkept import unkept_comparison


def compare_tool(policy: Policy) -> Callable[..., Awaitable[Any]]:
    """The tool within a server's limits."""

    async def compare(
        context: Context[Any, Any],
        baseline: Annotated[str, Field(description="Report id, unique prefix, label, `latest`, or file.")],
        candidate: Annotated[str, Field(description="The same, after the change.")],
    ) -> Annotated[CallToolResult, CompareSummary]:
        """Say whether the candidate starts with less compilation than the baseline, and if that is certain.

        Use it after every change, on reports of one command and machine. `improved` and `regressed` are said
        only outside the noise, for the same launches, with a recorded cause; else `inconclusive`, `invalid`
        (not the same work) or `unverified`. Tell the user what next_checks lists: nobody checked that.
        """
        for reference in (baseline, candidate):
            check_report(policy, reference)
        summary = await anyio.to_thread.run_sync(_compare, baseline, candidate)
        if summary.comparison_id:
            await notify_new_comparison(context, summary.comparison_id)
        return success(summary, compare_summary_text(summary))

    return compare


def check_report(policy: Policy, reference: str) -> None:
    """Raises `Refused` when a name means a file outside the server's limits; kept reports never are."""
    if not policy.roots:
        return
    path = workflows.report_file(reference)
    if path is not None:
        policy.check_path(path, "report files")


def _compare(baseline: str, candidate: str) -> CompareSummary:
    try:
        return compare_summary(workflows.compare(baseline, candidate))
    except workflows.WriteFailed as error:
        if not isinstance(error.value, Comparison):
            raise
        return unkept_comparison(compare_summary(error.value), error)
