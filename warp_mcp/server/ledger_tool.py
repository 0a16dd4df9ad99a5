"""The tool `ledger_append`."""

import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from warp_mcp.errors import UsageError
from warp_mcp.models.answers import LedgerAnswer
from warp_mcp.models.ledger import LedgerAppended
from warp_mcp.presentation import ledger_summary, ledger_summary_text
from warp_mcp.server.answers import success
from warp_mcp.server.policy import Policy
from warp_mcp.server.resources import notify_ledger
from warp_mcp.workflows import ledger


def ledger_tool(policy: Policy) -> Callable[..., Awaitable[Any]]:
    """The tool within a server's limits."""

    async def ledger_append(
        context: Context[Any, Any],
        project: Annotated[str, Field(description="Absolute directory of the project.")],
        what: Annotated[str, Field(description="The option, one sentence.")],
        where: Annotated[str, Field(description="file:line, module or setting it goes to.")],
        scope: Annotated[
            str, Field(description="How far it reaches: kernel, module, process, every importer.")
        ],
        status: Annotated[str, Field(description="declined, deferred or applied_unverified.")],
        why: Annotated[str, Field(description="Why it was declined or left unverified.")],
        how_to_take: Annotated[str, Field(description="The edit that takes it.")],
        how_to_undo: Annotated[str, Field(description="The edit that reverts it.")],
        layer: Annotated[
            str | None, Field(description="With applied_unverified: what is unverified, such as gradients.")
        ] = None,
        verify: Annotated[list[str] | None, Field(description="What still must be verified.")] = None,
        baseline: Annotated[
            str | None, Field(description="Report without it; the effect is computed.")
        ] = None,
        candidate: Annotated[str | None, Field(description="Report with it.")] = None,
        estimate: Annotated[
            str | None, Field(description="Effect in words when there are no reports; kept as an estimate.")
        ] = None,
        key: Annotated[str | None, Field(description="Same key, same entry: safe to repeat.")] = None,
        path: Annotated[
            str | None, Field(description="A team's own .jsonl file; default: kept per project.")
        ] = None,
    ) -> Annotated[CallToolResult, LedgerAnswer]:
        """Record an option that was declined, deferred, or applied without being fully verified.

        Use it when a fix would cost speed, numbers or a capability and the user said no or could not be
        asked; not for fixes that are applied and verified. Entries are only ever appended.
        """
        if not os.path.isabs(os.path.expanduser(project)):
            raise UsageError(
                "relative_project", f"project {project!r} is not absolute.", "Give the whole path."
            )

        def check(chosen: Path) -> None:
            policy.check_path(chosen, "ledgers, projects or reports")

        def append() -> LedgerAppended:
            return ledger.append(
                what=what,
                where=where,
                scope=scope,
                status=status,
                why=why,
                how_to_take=how_to_take,
                how_to_undo=how_to_undo,
                layer=layer,
                verify=verify or (),
                baseline=baseline,
                candidate=candidate,
                estimate=estimate,
                key=key,
                project=project,
                path=path,
                check_path=check,
            )

        appended = await anyio.to_thread.run_sync(append)
        await notify_ledger(context, appended.entry.project)
        answer = ledger_summary(appended)
        return success(answer, ledger_summary_text(answer))

    return ledger_append
