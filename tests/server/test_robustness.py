"""Whatever arrives on standard input: a proper answer or a clean refusal, and the server lives on."""

import json

import anyio
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

from tests.server.clients import PATIENCE_S, Raw, call, era, text_of, told
from warp_mcp.server import build_server


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe\x00",
        b'{"jsonrpc": "1.0", "id": 5, "method": "tools/list"}',
        b'{"id": 5}',
        b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "x", "arguments": [1]}}',
        b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"arguments": {}}}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}',
        b"[" * 10_000,
        b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "compare", "arguments": '
        b'{"baseline": "\\ud800", "candidate": "x"}}}',
    ],
    ids=range(13),
)
def test_a_line_that_is_no_request_does_not_end_the_server(raw: Raw, line: bytes) -> None:
    raw.write(line)

    assert [tool["name"] for tool in raw.ask("tools/list", {}, 77)["result"]["tools"]]


def test_an_unknown_method_is_refused_with_a_protocol_error(raw: Raw) -> None:
    assert raw.ask("tools/fly", {}, 1)["error"]["code"] == -32601


def test_a_megabyte_of_arguments_is_answered_in_the_usual_size(raw: Raw) -> None:
    arguments = {"baseline": "x" * 1_000_000, "candidate": "y" * 1_000_000}

    result = raw.ask("tools/call", {"name": "compare", "arguments": arguments}, 1)["result"]

    assert result["isError"]
    assert len(json.dumps(result["structuredContent"])) / 4 < 1500
    assert len(result["content"][0]["text"]) / 4 < 1500


def test_many_calls_leave_nothing_behind(raw: Raw) -> None:
    process = psutil.Process(raw.process.pid)

    def ask(number: int) -> None:
        name, arguments = [
            ("explain_mechanism", {"mechanism": "CS-3"}),
            ("compare", {"baseline": "a", "candidate": "b"}),
            ("measure", {"run_id": "r-nothing"}),
        ][number % 3]
        raw.ask("tools/call", {"name": name, "arguments": arguments}, number)

    for number in range(1, 51):
        ask(number)
    files, memory = process.num_fds(), process.memory_info().rss
    for number in range(51, 251):
        ask(number)

    assert process.num_fds() <= files + 2
    assert process.memory_info().rss < memory + 20_000_000
    assert process.children() == []


# --- Any arguments at all ---

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
NAMES = {
    # No `command`: what a command does when it runs is tried elsewhere, not with random words.
    "measure": ["run_id", "cwd", "env", "samples", "timeout_s", "wait_s", "label", "options", "cancel", "x"],
    "compare": ["baseline", "candidate", "x"],
    "explain_mechanism": ["mechanism", "report", "part", "x"],
    "ledger_append": ["project", "what", "where", "scope", "status", "why", "how_to_take", "how_to_undo",
                      "layer", "verify", "baseline", "candidate", "estimate", "key"],
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(data=st.data())
def test_any_arguments_get_an_answer_or_an_error_with_code_message_and_next(
    name: str, data: st.DataObject
) -> None:
    arguments = data.draw(st.dictionaries(st.sampled_from(NAMES[name]), VALUES, max_size=5))

    result = call(name, arguments)

    if result.is_error:
        assert set(told(result)) == {"code", "message", "next"}
        assert told(result)["code"] != "internal", told(result)
        assert "pydantic" not in text_of(result) and "Traceback" not in text_of(result)


def test_forty_calls_at_once_are_all_answered() -> None:
    async def session() -> list[bool]:
        answers: list[bool] = []

        async def one(client: Client, number: int) -> None:
            result = await client.call_tool("explain_mechanism", {"mechanism": f"CS-{number % 13 + 1}"})
            answers.append(result.is_error or False)

        async with Client(build_server(), mode=era()) as client:
            async with anyio.create_task_group() as group:
                for number in range(40):
                    group.start_soon(one, client, number)
        return answers

    assert anyio.run(session) == [False] * 40


def test_the_server_leaves_when_its_standard_input_closes_with_nothing_under_way(raw: Raw) -> None:
    assert raw.process.stdin is not None
    raw.process.stdin.close()

    assert raw.process.wait(PATIENCE_S) == 0
