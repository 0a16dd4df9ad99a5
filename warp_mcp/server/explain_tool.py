"""The tool `explain_mechanism`."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import anyio.to_thread
from mcp_types import CallToolResult
from pydantic import Field

from warp_mcp import workflows
from warp_mcp.models.answers import ExplainAnswer
from warp_mcp.presentation import explain_summary, explain_summary_text
from warp_mcp.server.answers import success
from warp_mcp.server.compare_tool import check_report
from warp_mcp.server.policy import Policy


def explain_tool(policy: Policy) -> Callable[..., Awaitable[Any]]:
    """The tool within a server's limits."""

    async def explain_mechanism(
        mechanism: Annotated[
            str,
            Field(
                description="CS-1 to CS-13, a slug, words, or a topic: measurement, option-deadlines, "
                "module-boundaries, reporting, trade-offs, known-unknowns."
            ),
        ],
        report: Annotated[
            str | None, Field(description="Report id or label: adds this program's own evidence.")
        ] = None,
        part: Annotated[
            str | None, Field(description="One part: words of its heading, or its number.")
        ] = None,
    ) -> Annotated[CallToolResult, ExplainAnswer]:
        """Explain one cause of slow Warp start-ups: signal, why, fix with code, when it does not apply.

        Use it for each mechanism that fired, before editing, with the report; and to read the reference where
        resources cannot be read.
        """
        if report is not None:
            check_report(policy, report)
        return await anyio.to_thread.run_sync(_explain, mechanism, report, part)

    return explain_mechanism


def _explain(mechanism: str, report: str | None, part: str | None) -> CallToolResult:
    explanation = workflows.explain(mechanism, report)
    asked = [workflows.part_of(explanation, part)] if part is not None else None
    answer = explain_summary(explanation, asked)
    return success(answer, explain_summary_text(answer))
