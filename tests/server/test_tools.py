"""The tools: what is listed, what is refused and how, and that both channels say the same."""

import json
import os
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.factories import a_report
from tests.server.clients import QUICK, call, era, over_stdio, text_of, told
from warp_mcp import storage, workflows
from warp_mcp.server import build_server

SNAPSHOTS = Path(__file__).parent / "snapshots"


def listed() -> list[dict[str, Any]]:
    """tools/list, as it goes over the wire."""

    async def session() -> list[Any]:
        async with Client(build_server(), mode=era()) as client:
            return (await client.list_tools()).tools

    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in anyio.run(session)]


def test_the_surface_of_each_tool_is_the_committed_one() -> None:
    """A change of it is seen in review: `UPDATE_SNAPSHOTS=1 python -m pytest tests/server/test_tools.py`."""
    for tool in listed():
        path = SNAPSHOTS / f"{tool['name']}.json"
        text = json.dumps(tool, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        if os.environ.get("UPDATE_SNAPSHOTS"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, tool["name"]


def test_there_are_four_tools_with_closed_schemas_that_a_model_can_afford() -> None:
    tools = listed()

    assert [tool["name"] for tool in tools] == ["measure", "compare", "explain_mechanism", "ledger_append"]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)
    assert all("outputSchema" in tool for tool in tools)
    assert "runs for real" in tools[0]["description"]
    assert all("Use it" in tool["description"] for tool in tools)
    for tool in tools:
        for name, argument in tool["inputSchema"]["properties"].items():
            assert argument.get("description"), (tool["name"], name)
        assert {"readOnlyHint", "openWorldHint"} <= set(tool["annotations"]) and tool["title"]
    assert len(json.dumps(tools, separators=(",", ":"))) / 4 < 2500


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("measure", {"command": QUICK, "cwd": "/", "bogus": 1}, "unknown_argument"),
    ("measure", {"cwd": "/"}, "command_or_run"),
    ("measure", {"command": "python x.py", "cwd": "/"}, "bad_argument"),
    ("measure", {"command": QUICK, "cwd": "/", "samples": "2"}, "bad_argument"),
    ("measure", {"command": QUICK, "cwd": "/", "samples": 0}, "bad_value"),
    ("measure", {"command": [], "cwd": "/"}, "no_command"),
    ("measure", {"command": QUICK, "cwd": "relative"}, "relative_cwd"),
    ("measure", {"command": QUICK, "cwd": "/no/such"}, "directory_not_found"),
    ("measure", {"command": ["no-such-command"], "cwd": "/"}, "command_not_found"),
    (
        "measure",
        {"command": QUICK, "cwd": "/", "options": {"until_output": "x", "stop_after_launches": 1}},
        "two_stops",
    ),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"levers": []}}, "bad_argument"),
    ("measure", {"command": QUICK, "run_id": "r-1"}, "command_or_run"),
    ("measure", {"run_id": "r-1"}, "no_such_run"),
    ("measure", {"run_id": "../../etc/passwd"}, "no_such_run"),
    ("measure", {"command": QUICK}, "no_cwd"),
    ("measure", {"command": QUICK, "cwd": "/tmp\0x"}, "relative_cwd"),
    ("measure", {"command": QUICK, "cwd": "/", "cancel": True}, "cancel_needs_run"),
    ("measure", {"command": QUICK, "cwd": "/", "wait_s": -1.0}, "bad_value"),
    ("explain_mechanism", {"mechanism": "banana"}, "unknown_mechanism"),
    ("explain_mechanism", {"mechanism": "CS-3", "part": "banana"}, "no_such_part"),
    ("explain_mechanism", {"mechanism": "CS-3", "report": "nowhere"}, "no_reports"),
    ("ledger_append", {"project": "/"}, "bad_argument"),
    ("compare", {"baseline": "latest", "candidate": "latest"}, "no_reports"),
    ("compare", {"baseline": "latest"}, "bad_argument"),
    ("explain", {}, "unknown_tool"),
]


@pytest.mark.parametrize(("name", "arguments", "code"), REFUSED)
def test_what_cannot_be_done_is_an_error_result_with_code_message_and_next_step(
    name: str, arguments: dict[str, Any], code: str
) -> None:
    result = call(name, arguments)

    assert result.is_error
    assert result.structured_content is not None
    assert set(result.structured_content) == {"code", "message", "next"}
    assert result.structured_content["code"] == code
    for words in result.structured_content.values():
        assert words and words in text_of(result)


def test_it_is_the_same_over_real_stdio() -> None:
    async def session() -> list[CallToolResult]:
        async with over_stdio() as client:
            return [await client.call_tool(name, arguments) for name, arguments, _ in REFUSED]

    results = anyio.run(session)

    assert [told(result)["code"] for result in results] == [code for _, _, code in REFUSED]
    assert all(result.is_error for result in results)


def test_a_crash_of_ours_is_an_error_result_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(workflows, "compare", broken)

    result = call("compare", {"baseline": "a", "candidate": "b"})

    assert result.is_error
    assert result.structured_content is not None and result.structured_content["code"] == "internal"
    assert "RuntimeError: no idea" in text_of(result)


def test_a_report_that_could_not_be_kept_is_answered_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def disk_full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_full)

    result = call("measure", {"command": QUICK, "cwd": "/", "samples": 1})

    assert not result.is_error
    assert "No space left on device" in text_of(result)
    assert result.structured_content is not None and result.structured_content["status"] == "nothing_of_warp"


def test_a_comparison_is_the_same_verdict_in_both_channels() -> None:
    storage.save_report(a_report())

    result = call("compare", {"baseline": "before", "candidate": "latest"})

    assert result.structured_content is not None
    assert result.structured_content["verdict"] == "inconclusive"
    assert text_of(result).splitlines()[0] == result.structured_content["answer"]
