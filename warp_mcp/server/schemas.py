"""A tool from a function, with schemas that cost a client as little as they can."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, cast

from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations

from warp_mcp.errors import UsageError


def make_tool(function: Callable[..., Awaitable[Any]], title: str, annotations: ToolAnnotations) -> Tool:
    """The tool: described by the function's docstring, closed against arguments it does not have."""
    description = inspect.cleandoc(function.__doc__ or "")
    tool = Tool.from_function(function, title=title, description=description, annotations=annotations)
    tool.parameters = {**_untitled(tool.parameters), "additionalProperties": False}
    tool.fn_metadata.output_schema = _or_error(tool.fn_metadata.output_schema or {})
    return tool


ALWAYS = ("answer", "status", "verdict", "created", "next")
"""What a client may rely on in every answer that has it. Listing all that is always there would cost as much
again as the names themselves."""


def _or_error(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an answer or an error: clients in TypeScript hold an error result against it, too.

    Of the answer the names and types at its top are told. What lies below is for who reads it: told whole,
    it would cost every session as much as the four tools together.
    """
    properties = {name: _top(part) for name, part in schema.get("properties", {}).items()}
    required = [name for name in schema.get("required", []) if name in ALWAYS]
    names = ("code", "message", "next")
    error = {"properties": {name: {"type": "string"} for name in names}, "required": list(names)}
    return {
        "type": "object",
        "anyOf": [{"properties": properties, "required": required}, error],
    }


def _top(part: dict[str, Any]) -> dict[str, Any]:
    """One property: its type, its values where they are few, nothing of what lies below."""
    options = [one for one in part.get("anyOf", [part]) if one.get("type") != "null"]
    kinds = [_kind(one) for one in options]
    if len(options) < len(part.get("anyOf", [part])):
        kinds.append("null")
    values = options[0].get("enum") if len(options) == 1 and "null" not in kinds else None
    return {"type": kinds[0] if len(kinds) == 1 else kinds, **({"enum": values} if values else {})}


def _kind(part: dict[str, Any]) -> str:
    return "object" if "$ref" in part else str(part.get("type", "string"))


def refuse_unknown(name: str, arguments: dict[str, Any], schema: dict[str, Any]) -> None:
    """Raises `UsageError` for arguments that a tool does not have: the SDK would drop them in silence."""
    known = sorted(schema.get("properties", {}))
    unknown = sorted(set(arguments) - set(known))
    if unknown:
        message = f"{name} has no argument {', '.join(unknown)}."
        raise UsageError(
            "unknown_argument", message, f"{_within(unknown, schema)}It takes: {', '.join(known)}."
        )


def _within(unknown: list[str], schema: dict[str, Any]) -> str:
    """Where arguments that stand at the top belong; empty for those that are nowhere."""
    places = {
        inner: outer
        for outer, part in schema.get("properties", {}).items()
        for option in (part, *part.get("anyOf", []))
        for inner in schema.get("$defs", {})
        .get(option.get("$ref", "").rpartition("/")[2], {})
        .get("properties", {})
    }
    found = [f"{one} belongs into {places[one]}" for one in unknown if one in places]
    return f"{'; '.join(found)}. " if found else ""


def _untitled(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without titles that only repeat names, and without "or null": a third less to pay.

    What may be null may be left out; a client that sends null all the same is understood. Nor is it told
    that what is left out is empty, off or none.
    """
    kept = {key: part for key, part in schema.items() if key != "title"}
    if "default" in kept and not kept["default"]:
        del kept["default"]
    if "description" in kept and kept["description"] is None:
        del kept["description"]
    options = kept.get("anyOf", [])
    if len(options) == 2 and options[1] == {"type": "null"} and _is_plain(options[0]):
        del kept["anyOf"]
        kept |= options[0]
    return {key: _part(key, part, _untitled) for key, part in kept.items()}


def _is_plain(option: dict[str, Any]) -> bool:
    return isinstance(option.get("type"), str) or "$ref" in option


def _part(key: str, part: Any, strip: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    if key in ("properties", "$defs"):
        return {name: strip(inner) for name, inner in part.items()}
    if isinstance(part, dict):
        return strip(cast(dict[str, Any], part))
    if isinstance(part, list):
        return [_part("", inner, strip) for inner in cast(list[Any], part)]
    return part
