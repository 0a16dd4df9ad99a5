"""The tools: what is listed, what is refused and how, and that both channels say the same."""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.factories import a_report
from tests.server.clients import QUICK, Raw, call, era, over_stdio, text_of, told
from warp_mcp import storage, workflows
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.server import build_server
from warp_mcp.server.policy import Policy

MANY_LEVERS = [f"max_unroll={number}" for number in range(200)]
SNAPSHOTS = Path(__file__).parent / "snapshots"
ABOUT_THE_SERVER = re.compile(r"--(no-measure|allow-root|allow-command)\b")
"""Options that the server was started with: facts, which an agent may tell the user."""


def of_the_command_line(step: str) -> bool:
    """Whether a next step needs a command line."""
    return "--" in ABOUT_THE_SERVER.sub("", step) or re.search(r"warp-mcp \w", step) is not None


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
    ("measure", {"command": QUICK, "cwd": "/", "options": {"banana": 1}}, "bad_argument"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"levers": "auto"}}, "bad_argument"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"levers": ["fast_mth=true"]}}, "bad_lever"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"against": "nowhere"}}, "no_reports"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"lever_budget_s": -1.0}}, "bad_value"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"outputs_budget_mb": 0.0}}, "bad_value"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"outputs_budget_mb": 9.0}}, "option_without_use"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"rehearsals": 3}}, "option_without_use"),
    ("measure", {"command": QUICK, "cwd": "/", "options": {"levers": MANY_LEVERS}}, "too_many_levers"),
    ("measure", {"command": QUICK, "run_id": "r-1"}, "command_or_run"),
    ("measure", {"run_id": "r-1"}, "no_such_run"),
    ("measure", {"run_id": "../../etc/passwd"}, "no_such_run"),
    ("measure", {"command": QUICK}, "no_cwd"),
    ("measure", {"command": QUICK, "cwd": "/tmp\0x"}, "relative_cwd"),
    ("measure", {"command": QUICK, "cwd": "/", "cancel": True}, "cancel_needs_run"),
    ("measure", {"command": QUICK, "cwd": "/", "wait_s": -1.0}, "bad_value"),
    ("measure", {"run_id": "r-1", "wait_s": 3601.0}, "bad_value"),
    ("measure", {"command": ["a\0b"], "cwd": "/"}, "bad_command"),
    ("measure", {"command": ["./no-such-command"], "cwd": "/"}, "command_not_found"),
    ("measure", {"command": QUICK, "cwd": "/", "label": ""}, "bad_label"),
    ("measure", {"command": QUICK, "cwd": "/", "label": "latest"}, "bad_label"),
    ("measure", {"command": QUICK, "cwd": "/", "env": {"A=B": "x"}}, "bad_environment"),
    ("compare", {"baseline": "", "candidate": "latest"}, "no_such_report"),
    ("compare", {"baseline": "/no/such.json", "candidate": "latest"}, "no_such_file"),
    ("compare", {"baseline": __file__, "candidate": "latest"}, "not_json"),
    ("compare", {"baseline": sys.executable, "candidate": "latest"}, "not_text"),
    ("compare", {"baseline": str(SNAPSHOTS / "measure.json"), "candidate": "latest"}, "not_a_report"),
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


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (
            {"command": "python 'my app.py' --n 3"},
            'command has to be a list: ["python", "my app.py", "--n", "3"].',
        ),
        ({"command": "echo 'open"}, "command has to be a list."),
        ({"command": 3}, "command has to be a list."),
        (
            {"command": QUICK, "options": {"rehearse_cuda": "sm_90"}},
            'options.rehearse_cuda has to be a list: ["sm_90"].',
        ),
    ],
)
def test_a_text_in_the_place_of_a_list_is_answered_with_the_list_that_was_meant(
    arguments: dict[str, Any], meant: str
) -> None:
    assert told(call("measure", {"cwd": "/", **arguments}))["message"] == meant


def test_an_argument_at_the_top_that_belongs_into_the_options_is_sent_there() -> None:
    answer = told(call("measure", {"command": QUICK, "cwd": "/", "rehearse_cuda": ["sm_90"]}))

    assert answer["next"].startswith("rehearse_cuda belongs into options. It takes: ")


def test_it_is_the_same_over_real_stdio() -> None:
    async def session() -> list[CallToolResult]:
        async with over_stdio() as client:
            return [await client.call_tool(name, arguments) for name, arguments, _ in REFUSED]

    results = anyio.run(session)

    assert [told(result)["code"] for result in results] == [code for _, _, code in REFUSED]
    assert all(result.is_error for result in results)


def test_no_next_step_needs_a_command_line() -> None:
    none_kept = [told(call(name, arguments)) for name, arguments, _ in REFUSED]
    storage.save_report(a_report())
    one_kept = [told(call(name, arguments)) for name, arguments, _ in REFUSED]
    one_kept.append(told(call("compare", {"baseline": "nowhere", "candidate": "latest"})))

    for answer in (*none_kept, *one_kept):
        steps = [answer["next"]] if "code" in answer else answer["next"]
        assert not [step for step in steps if of_the_command_line(step)], answer
    assert "r-20261201-101530-ab12 (before)" in one_kept[-1]["next"]


@pytest.mark.parametrize(
    ("policy", "cwd"),
    [
        (Policy.of([], [], measuring=False), "/"),
        (Policy.of([str(SNAPSHOTS)], [], measuring=True), "/"),
        (Policy.of([], ["/no/such/*"], measuring=True), "/"),
    ],
    ids=["no measuring", "roots", "commands"],
)
def test_no_next_step_of_a_server_with_limits_needs_a_command_line(policy: Policy, cwd: str) -> None:
    answer = told(call("measure", {"command": QUICK, "cwd": cwd}, policy=policy))

    assert "code" in answer and not of_the_command_line(answer["next"]), answer


def test_no_next_step_of_an_explanation_needs_a_command_line() -> None:
    storage.save_report(a_report())

    for label in MECHANISMS:
        answer = told(call("explain_mechanism", {"mechanism": label, "report": "before"}))
        assert not [step for step in answer["next"] if of_the_command_line(step)], answer["next"]


def test_no_next_step_of_a_state_directory_that_cannot_be_used_needs_a_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARP_MCP_STATE_DIR", str(tmp_path / "file" / "state"))

    answer = told(call("measure", {"command": QUICK, "cwd": "/", "samples": 1}))

    assert answer["code"] == "state_dir_not_writable"
    assert "WARP_MCP_STATE_DIR" in answer["next"] and not of_the_command_line(answer["next"])


def test_warnings_of_a_report_name_arguments_of_the_tool_and_leave_the_users_words_alone() -> None:
    hint = (
        "Add --stop-after-launches N or `--stop-when-quiet S`; else a larger --timeout. Run: x --samples-of 3"
    )
    storage.save_report(a_report(warnings=[{"code": "timed_out", "message": "m --timeout", "next": hint}]))

    (warning,) = told(call("measure", {"run_id": "r-20261201-101530-ab12"}))["warnings"]

    assert warning["next"] == (
        "Add stop_after_launches N or `stop_when_quiet_s S`; else a larger timeout_s. Run: x --samples-of 3"
    )


def test_after_a_time_out_nothing_needs_a_command_line() -> None:
    sleeping = [sys.executable, "-c", "import time; time.sleep(60)"]

    answer = told(call("measure", {"command": sleeping, "cwd": "/", "timeout_s": 1.0, "wait_s": 60.0}))

    steps = [*answer["next"], *(warning["next"] for warning in answer["warnings"])]
    assert "timed_out" in [warning["code"] for warning in answer["warnings"]]
    assert not [step for step in steps if of_the_command_line(step)]


WITH_COMMAND: dict[str, Any] = {
    "cwd": "/",
    "env": {"A": "1"},
    "samples": 5,
    "timeout_s": 60.0,
    "label": "x",
    "options": {"until_output": "x"},
}


@pytest.mark.parametrize("name", WITH_COMMAND)
def test_what_goes_with_a_command_is_refused_by_name_beside_a_run(name: str) -> None:
    result = call("measure", {"run_id": "r-1", name: WITH_COMMAND[name]})

    assert told(result)["code"] == "only_with_command"
    assert told(result)["message"].startswith(name)


def test_all_that_goes_with_a_command_is_named_at_once_and_defaults_are_nothing() -> None:
    storage.save_report(a_report())
    defaults = {"samples": 3, "timeout_s": 900.0, "env": {}, "options": {}}

    refused = told(call("measure", {"run_id": "r-1", **WITH_COMMAND}))
    kept = call("measure", {"run_id": "r-20261201-101530-ab12", **defaults})

    assert refused["message"].startswith(f"{', '.join(WITH_COMMAND)} cannot be given with run_id")
    assert not kept.is_error


NO_SECONDS = (float("inf"), float("-inf"), float("nan"), 1e308, 10**400, 604_801.0, 0, 0.0, -1.0)


def test_seconds_that_nobody_can_wait_are_refused_with_a_sentence(raw: Raw) -> None:
    """Over the wire: JSON has no such numbers, but who writes it can."""
    for number, seconds in enumerate(NO_SECONDS, start=1):
        for given, most in (
            ({"timeout_s": seconds}, "604800 (7 days)"),
            ({"options": {"stop_when_quiet_s": seconds}}, "604800 (7 days)"),
            ({"wait_s": seconds or -1.0}, "3600"),
        ):
            arguments = {"command": QUICK, "cwd": "/", **given}
            answer = raw.ask("tools/call", {"name": "measure", "arguments": arguments}, number)["result"]
            told = answer["structuredContent"]
            assert answer["isError"], given
            if told["code"] != "bad_argument":  # more digits than a number of the machine has
                assert told["code"] == "bad_value", given
                assert most in told["message"] + told["next"], told


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
    answer = told(result)
    assert (answer["status"], answer["resource"], answer["report_id"]) == ("nothing_of_warp", "", "")
    assert [warning["code"] for warning in answer["warnings"]][0] == "cannot_write"
    assert "No space left on device" in answer["warnings"][0]["message"]
    assert "could not be kept" in answer["next"][0] and "space" in answer["next"][0]
    assert "No space left on device" in text_of(result) and answer["next"][0] in text_of(result)
    assert "warp-compile://" not in text_of(result) + json.dumps(answer)


def test_a_comparison_that_could_not_be_kept_is_answered_with_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    storage.save_report(a_report())

    def disk_full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", disk_full)

    result = call("compare", {"baseline": "before", "candidate": "latest"})

    answer = told(result)
    assert not result.is_error and answer["verdict"] == "inconclusive"
    assert (answer["comparison_id"], answer["resource"]) == ("", "")
    assert "No space left on device" in answer["warnings"][0] and answer["warnings"][0] in text_of(result)
    assert "could not be kept" in answer["next"][0] and answer["next"][0] in text_of(result)
    assert "warp-compile://comparisons" not in text_of(result) + json.dumps(answer)


def test_a_comparison_is_the_same_verdict_in_both_channels() -> None:
    storage.save_report(a_report())

    result = call("compare", {"baseline": "before", "candidate": "latest"})

    assert result.structured_content is not None
    assert result.structured_content["verdict"] == "inconclusive"
    assert text_of(result).splitlines()[0] == result.structured_content["answer"]
