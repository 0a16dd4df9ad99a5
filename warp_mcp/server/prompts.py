"""The prompts `diagnose` and `report`. What they say is in `presentation/prompt_texts.py`."""

from collections.abc import Mapping
from typing import Annotated, Any, cast

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS
from pydantic import Field

from warp_mcp.presentation.prompt_texts import diagnose_text, report_text
from warp_mcp.server.completions import register_completions

ARGUMENTS = {"diagnose": ("command", "goal"), "report": ("baseline", "candidate")}
"""What each prompt takes."""


def register_prompts(server: MCPServer[Any]) -> None:
    """Add the prompts, and completion of their arguments, to a server."""
    server.prompt(
        name="diagnose",
        title="Diagnose a cold start",
        description="The whole loop for one command: measure, explain, edit, compare, record, report.",
    )(diagnose)
    server.prompt(
        name="report",
        title="Write up a change",
        description="What a report on a change of the cold start has to say, and what it must not.",
    )(report)
    register_completions(server)
    server.middleware.append(_asking)


def diagnose(
    command: Annotated[str, Field(description="The command the user waits for; asked for when empty.")] = "",
    goal: Annotated[str, Field(description="What the user wants, such as a start under 5 s.")] = "",
) -> str:
    """The loop for a command."""
    return diagnose_text(command, goal)


def report(
    baseline: Annotated[
        str, Field(description="Report before the change: id, label or `latest`.")
    ] = "before",
    candidate: Annotated[str, Field(description="Report after the change.")] = "after",
) -> str:
    """How to write up a change."""
    return report_text(baseline, candidate)


async def _asking(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Refuse by name what the SDK would answer with an internal error."""
    if ctx.method == "prompts/get":
        _check(ctx.params or {})
    return await call_next(ctx)


def _check(params: Mapping[str, Any]) -> None:
    name: object = params.get("name")
    given: object = params.get("arguments") or {}
    if not isinstance(name, str) or not isinstance(given, Mapping):
        return  # malformed, which the SDK says
    if name not in ARGUMENTS:
        raise _refused("unknown_prompt", "There is no such prompt.", f"There are: {', '.join(ARGUMENTS)}.")
    unknown = [str(one)[:40] for one in cast(Mapping[object, object], given) if one not in ARGUMENTS[name]]
    if unknown:
        takes = f"It takes: {', '.join(ARGUMENTS[name])}."
        raise _refused("unknown_argument", f"{name} has no argument {', '.join(unknown[:5])}.", takes)


def _refused(code: str, message: str, following: str) -> MCPError:
    data = {"code": code, "message": message, "next": following}
    return MCPError(INVALID_PARAMS, f"{message} {following}", data)
