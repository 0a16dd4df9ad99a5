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
from warp_mcp.workflows import ledger_levers as levers


def ledger_tool(policy: Policy) -> Callable[..., Awaitable[Any]]:
    """The tool within a server's limits."""

    async def ledger_append(
        context: Context[Any, Any],
        project: Annotated[str, Field(description="Its absolute directory.")],
        why: Annotated[str, Field(description="Why it was declined or left unverified.")],
        report: Annotated[
            str | None,
            Field(description="With lever: the report that priced it."),
        ] = None,
        lever: Annotated[str | None, Field(description="As in the report's levers.")] = None,
        what: Annotated[str, Field(description="The option, one sentence.")] = "",
        where: Annotated[str, Field(description="file:line, module or setting.")] = "",
        scope: Annotated[str, Field(description="Reach: kernel, module, process, every importer.")] = "",
        status: Annotated[str, Field(description="declined, deferred or applied_unverified.")] = "",
        how_to_take: Annotated[str, Field(description="The edit that takes it.")] = "",
        how_to_undo: Annotated[str, Field(description="The edit that reverts it.")] = "",
        layer: Annotated[str | None, Field(description="What is unverified, such as gradients.")] = None,
        verify: Annotated[list[str] | None, Field(description="What still must be verified.")] = None,
        baseline: Annotated[
            str | None, Field(description="Report without it, for a computed effect.")
        ] = None,
        candidate: Annotated[str | None, Field(description="Report with it.")] = None,
        estimate: Annotated[str | None, Field(description="Effect in words, kept as an estimate.")] = None,
        key: Annotated[str | None, Field(description="Same key, same entry.")] = None,
        path: Annotated[str | None, Field(description="A team's own .jsonl file.")] = None,
    ) -> Annotated[CallToolResult, LedgerAnswer]:
        """Record an option that was declined, deferred, or applied without being fully verified.

        Use it when a fix would cost speed, numbers or a capability and the user said no or could not be
        asked; not for fixes that are applied and verified.
        """
        if not os.path.isabs(os.path.expanduser(project)):
            raise UsageError(
                "relative_project", f"project {project!r} is not absolute.", "Give the whole path."
            )

        def check(chosen: Path) -> None:
            policy.check_path(chosen, "ledgers, projects or reports")

        texts: dict[str, str] = {
            "what": what,
            "where": where,
            "scope": scope,
            "status": status,
            "why": why,
            "how_to_take": how_to_take,
            "how_to_undo": how_to_undo,
        }
        check_sources(report, lever, baseline or candidate or estimate)

        def append() -> LedgerAppended:
            common: dict[str, Any] = {
                "layer": layer,
                "key": key,
                "project": project,
                "path": path,
                "check_path": check,
            }
            if report and lever:
                return levers.append_lever(report, lever, verify=verify or (), **texts, **common)
            effect: dict[str, Any] = {"baseline": baseline, "candidate": candidate, "estimate": estimate}
            return ledger.append(**texts, verify=verify or (), **effect, **common)

        appended = await anyio.to_thread.run_sync(append)
        await notify_ledger(context, appended.entry.project)
        answer = ledger_summary(appended)
        return success(answer, ledger_summary_text(answer))

    return ledger_append


def check_sources(report: str | None, lever: str | None, effect: str | None) -> None:
    """Raises `UsageError`: a report without its lever, or a lever beside another effect."""
    if bool(report) != bool(lever):
        given, missing = ("report", "lever") if report else ("lever", "report")
        raise UsageError(
            "missing", f"{given} is given and {missing} is not.", "Give both: levers are in the report."
        )
    if lever and effect:
        raise UsageError(
            "two_effects",
            "A lever's effect is in its report; another was given beside it.",
            "Leave out baseline, candidate and estimate.",
        )
