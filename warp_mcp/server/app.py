"""The tools and what they take; each calls one workflow. How an answer looks is in `answers.py`."""

import inspect
import os
import threading
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, cast

import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field

from warp_mcp import __version__, workflows
from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.progress import Progress
from warp_mcp.models.report import Report
from warp_mcp.models.summary import CompareSummary, MeasureSummary
from warp_mcp.presentation import (
    compare_summary,
    compare_summary_text,
    measure_summary,
    measure_summary_text,
)
from warp_mcp.server.answers import cause_of, failure, success
from warp_mcp.server.runs import Runs

INSTRUCTIONS = """Measures why a program that uses NVIDIA Warp starts slowly, and whether a change helped.
The loop: measure (label "before"), read which modules were built again and at which line, edit the program,
measure (label "after"), compare. Tell the user what compare lists as not checked."""

Seconds = Annotated[float, Field(strict=True)]
Whole = Annotated[int, Field(strict=True)]


class WarpServer(MCPServer[Any]):
    """Answers every failure with a code, a message and the next step, and refuses unknown arguments."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        """Call a tool. What it cannot do is an error result, never a protocol error."""
        tools = {tool.name: tool for tool in await self.list_tools()}
        try:
            if name in tools:
                _refuse_unknown(name, arguments, tools[name].input_schema)
            return await super().call_tool(name, arguments, context)
        except ProbeError as error:
            return failure(error)
        except ToolError as error:
            return failure(cause_of(error, sorted(tools)))


def _refuse_unknown(name: str, arguments: dict[str, Any], schema: dict[str, Any]) -> None:
    known = sorted(schema.get("properties", {}))
    unknown = sorted(set(arguments) - set(known))
    if unknown:
        message = f"{name} has no argument {', '.join(unknown)}."
        raise UsageError("unknown_argument", message, f"It takes: {', '.join(known)}.")


def build_server(runs: Runs | None = None) -> MCPServer[Any]:
    """A server with its tools, for stdio or for a client in memory."""
    return WarpServer(
        "warp-mcp",
        title="Warp cold start",
        instructions=INSTRUCTIONS,
        version=__version__,
        log_level="WARNING",
        tools=[
            _tool(
                _measure_tool(runs or Runs()), "Measure a cold start", ToolAnnotations(open_world_hint=True)
            ),
            _tool(
                compare, "Compare two reports", ToolAnnotations(read_only_hint=True, open_world_hint=False)
            ),
        ],
    )


def _tool(function: Callable[..., Awaitable[Any]], title: str, annotations: ToolAnnotations) -> Tool:
    description = inspect.cleandoc(function.__doc__ or "")
    tool = Tool.from_function(function, title=title, description=description, annotations=annotations)
    tool.parameters = {**_untitled(tool.parameters), "additionalProperties": False}
    tool.fn_metadata.output_schema = _untitled(tool.fn_metadata.output_schema or {})
    return tool


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without the titles that only repeat its names: a fifth of what every session pays for it."""
    return {key: _untitled_part(key, part) for key, part in schema.items() if key != "title"}


def _untitled_part(key: str, part: Any) -> Any:
    if key in ("properties", "$defs"):
        return {name: _untitled(inner) for name, inner in part.items()}
    if isinstance(part, dict):
        return _untitled(cast(dict[str, Any], part))
    if isinstance(part, list):
        return [_untitled_part("", inner) for inner in cast(list[Any], part)]
    return part


def _measure_tool(runs: Runs) -> Callable[..., Awaitable[Any]]:
    async def measure(
        context: Context[Any, Any],
        command: Annotated[list[str], Field(description="Argument vector, interpreter first; no shell.")],
        cwd: Annotated[str, Field(description="Absolute directory to run it in.")],
        env: Annotated[dict[str, str] | None, Field(description="Variables to add.")] = None,
        samples: Annotated[Whole, Field(description="Cold runs; a verdict needs 3.")] = 3,
        timeout_s: Annotated[Seconds, Field(description="Limit for each single run.")] = 900.0,
        label: Annotated[str | None, Field(description="A name to compare by.")] = None,
        stop_after_launches: Annotated[Whole | None, Field(description="End it at its N-th launch.")] = None,
        stop_when_quiet_s: Annotated[
            Seconds | None, Field(description="End it when nothing was built for so long.")
        ] = None,
        until_output: Annotated[str | None, Field(description="End it at a line with this text.")] = None,
    ) -> Annotated[CallToolResult, MeasureSummary]:
        """Run a command with empty kernel caches, then with warm ones, and say what its start-up builds.

        The command runs for real, `samples` times cold and as often warm, which takes that long. Says how
        long the user waits, how much of it is compilation, which modules were built again, why, and at
        which file:line. A program that does not end by itself needs one of the stop conditions.
        """
        if not os.path.isabs(os.path.expanduser(cwd)):
            raise UsageError("relative_cwd", f"cwd {cwd!r} is relative.", "Give the absolute directory.")
        stop = workflows.stop_condition(stop_after_launches, stop_when_quiet_s, until_output)
        request = workflows.make_request(
            command, cwd=cwd, env=env, samples=samples, timeout_s=timeout_s, label=label, stop=stop
        )
        return await _measure(request, context, runs)

    return measure


async def _measure(request: MeasureRequest, context: Context[Any, Any], runs: Runs) -> CallToolResult:
    def work(on_progress: Callable[[Progress], None], cancel: threading.Event) -> Report:
        return workflows.measure(request, on_progress, cancel)

    problem = None
    try:
        report = await runs.in_thread(work, context)
    except workflows.WriteFailed as error:
        if not isinstance(error.value, Report):
            raise
        report, problem = error.value, error
    summary = measure_summary(report)
    return success(summary, measure_summary_text(summary), problem)


async def compare(
    baseline: Annotated[str, Field(description="Report id, unique prefix, label, `latest`, or file.")],
    candidate: Annotated[str, Field(description="The same, of the report made after the change.")],
) -> Annotated[CallToolResult, CompareSummary]:
    """Say whether the candidate starts with less compilation than the baseline, and whether to trust that.

    `improved` and `regressed` are said only outside the noise, for the same launches, with a recorded cause;
    else `inconclusive`, `invalid` (not the same work) or `unverified`.
    """
    return await anyio.to_thread.run_sync(_compare, baseline, candidate)


def _compare(baseline: str, candidate: str) -> CallToolResult:
    problem = None
    try:
        comparison = workflows.compare(baseline, candidate)
    except workflows.WriteFailed as error:
        if not isinstance(error.value, Comparison):
            raise
        comparison, problem = error.value, error
    summary = compare_summary(comparison)
    return success(summary, compare_summary_text(summary), problem)
