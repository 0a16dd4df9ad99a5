"""Structured content keeps to the tool's output schema, errors too.

Clients made with the TypeScript SDK (1.x; the inspector too) check all structured content against the schema,
that of an error result too; what does not keep to it reaches the model as a protocol error, without the code,
the message and the next step.
"""

import sys
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp_types import CallToolResult, Tool

from tests.factories import a_report
from warp_mcp import storage
from warp_mcp.server import build_server

ERAS = ("legacy", "auto")


def asked(name: str, arguments: dict[str, Any], mode: str) -> tuple[Tool, CallToolResult]:
    """The tool as it is listed, and its answer."""

    async def session() -> tuple[Tool, CallToolResult]:
        async with Client(build_server(), mode=mode) as client:  # type: ignore[arg-type]
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            return tools[name], await client.call_tool(name, arguments)

    return anyio.run(session)


def faults(tool: Tool, result: CallToolResult) -> list[str]:
    """What the tool's own schema has to say against an answer."""
    assert tool.output_schema is not None and tool.output_schema["type"] == "object"
    Draft202012Validator.check_schema(tool.output_schema)
    validator = Draft202012Validator(tool.output_schema)
    return [error.message for error in validator.iter_errors(result.structured_content)]


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("measure", {"command": [sys.executable], "cwd": "relative"}),
        ("measure", {"command": ["no-such-command"], "cwd": "/"}),
        ("measure", {"bogus": 1}),
        ("compare", {"baseline": "nothing", "candidate": "nowhere"}),
        ("compare", {"baseline": 1}),
        ("explain_mechanism", {"mechanism": "banana"}),
        ("explain_mechanism", {"mechanism": "CS-3", "report": "nowhere"}),
        ("ledger_append", {}),
    ],
)
def test_an_error_keeps_to_the_output_schema(name: str, arguments: dict[str, Any], mode: str) -> None:
    tool, result = asked(name, arguments, mode)

    assert result.is_error
    assert faults(tool, result) == []


@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("measure", {"command": [sys.executable, "-c", "pass"], "cwd": "/", "samples": 1}),
        ("compare", {"baseline": "before", "candidate": "latest"}),
    ],
)
def test_an_answer_keeps_to_the_output_schema(name: str, arguments: dict[str, Any], mode: str) -> None:
    storage.save_report(a_report())

    tool, result = asked(name, arguments, mode)

    assert not result.is_error, result.content
    assert faults(tool, result) == []
