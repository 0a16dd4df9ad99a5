"""Results of tools. Both channels carry the whole answer: some clients show a model only one of them."""

import json
import shlex
from collections.abc import Sequence
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.base import Model
from warp_mcp.presentation.page import clean
from warp_mcp.server.door import step_for_tools

MOST_CHARACTERS = 1600
"""Of a message or a next step: with both and their quoting an error stays far below 1,500 tokens."""

SCHEMA = "Correct that and call the tool again; its input schema has all names and types."


def success(summary: Model, text: str) -> CallToolResult:
    """The answer, which says the same in both channels."""
    content = summary.model_dump(mode="json")
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=content)


def failure(error: ProbeError) -> CallToolResult:
    """An error result that a model can act on, in the usual size whatever was asked."""
    message, step = bounded(error.message), bounded(step_for_tools(error))
    content = {"code": error.code, "message": message, "next": step}
    text = f"{message}\nnext: {step}\ncode: {error.code}"
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=content, is_error=True
    )


KINDS = {
    "list": "a list",
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "dict": "an object of texts",
    "model": "an object",
}
"""What an argument has to be, by the beginning of the type of its error."""


def _fault(error: Any) -> str:
    """One thing that is wrong with the arguments, in words of ours."""
    place, kind = ".".join(map(str, error["loc"])), str(error["type"])
    if kind == "missing":
        return f"{place} is missing."
    if kind == "extra_forbidden":
        return f"{place} is not known."
    wanted = next((words for name, words in KINDS.items() if kind.startswith(name)), "of another kind")
    return f"{place} has to be {wanted}{_as_in(kind, error['input'])}."


def _as_in(kind: str, given: object) -> str:
    """What was meant, where one text stands for a list."""
    if not kind.startswith("list") or not isinstance(given, str):
        return ""
    try:
        return f": {json.dumps(shlex.split(given), ensure_ascii=False)}"
    except ValueError:  # a quotation mark without its partner
        return ""


def bounded(words: str) -> str:
    """A sentence without control characters, cut in the middle when a name in it has no end."""
    words = clean(words)
    if len(words) <= MOST_CHARACTERS:
        return words
    return f"{words[: MOST_CHARACTERS // 2]} … {words[-MOST_CHARACTERS // 2 :]}"


def cause_of(error: ToolError, tools: Sequence[str]) -> ProbeError:
    """The failure a tool reports, from however the SDK wrapped it."""
    cause = error.__cause__
    if isinstance(cause, ProbeError):
        return cause
    if isinstance(cause, ValidationError):
        return UsageError("bad_argument", " ".join(_fault(error) for error in cause.errors()[:3]), SCHEMA)
    if cause is None:
        return UsageError("unknown_tool", str(error), f"The tools are: {', '.join(tools)}.")
    message = f"Internal error: {type(cause).__name__}: {cause}"
    return ProbeError("internal", message, "This is a fault of warp-mcp: report it, with what was asked.")
