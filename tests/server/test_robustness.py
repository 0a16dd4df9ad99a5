"""Whatever arrives on standard input: a proper answer or a clean refusal, and the server lives on."""

import json
from typing import Any

import anyio
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

from tests.server.clients import PATIENCE_S, Raw, call, era, raw_client, text_of, told
from warp_mcp.server import build_server

REQUEST = b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "compare", "arguments": '
UNREAD: dict[str, tuple[bytes, int, int | str | None]] = {
    "no JSON": (b"not json", -32700, None),
    "a cut line": (b"{", -32700, None),
    "a batch without requests": (b"[]", -32600, None),
    "a batch": (b'[{"jsonrpc": "2.0", "id": 5, "method": "ping"}]', -32600, None),
    "null": (b"null", -32600, None),
    "a text": (b'"text"', -32600, None),
    "an empty object": (b"{}", -32600, None),
    "no UTF-8": (b"\xff\xfe\x00", -32700, None),
    "no UTF-8 in a text": (REQUEST + b'{"baseline": "\xff", "candidate": "x"}}}', -32700, None),
    "an older JSON-RPC": (b'{"jsonrpc": "1.0", "id": 5, "method": "tools/list"}', -32600, 5),
    "no JSON-RPC": (b'{"id": "five", "method": "tools/list"}', -32600, "five"),
    "only an id": (b'{"id": 5}', -32600, 5),
    "params in a list": (b'{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": [1]}', -32600, 5),
    "a notification with params in a list": (
        b'{"jsonrpc": "2.0", "method": "x", "params": [1]}',
        -32600,
        None,
    ),
    "a method that is no text": (b'{"jsonrpc": "2.0", "id": 5, "method": 7}', -32600, 5),
    "an id that is an object": (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', -32600, None),
    "an id that is a fraction": (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
    "an id that is null": (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
    "an id that is half a character": (
        b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}',
        -32600,
        None,
    ),
    "a broken answer": (b'{"jsonrpc": "2.0", "id": 5, "result": [1]}', -32600, None),
    "endless nesting": (b"[" * 10_000, -32700, None),
    "half a character": (REQUEST + b'{"baseline": "\\ud800", "candidate": "x"}}}', -32600, 5),
}
"""A line, and the code and the id of its answer."""


def test_a_line_that_is_no_request_is_answered_and_does_not_end_the_server(raw: Raw) -> None:
    for what, (line, code, number) in UNREAD.items():
        raw.write(line)
        answer = raw.next_message()
        assert (answer["error"]["code"], answer["id"]) == (code, number), what
        assert set(answer["error"]["data"]) == {"code", "message", "next"}

    assert [tool["name"] for tool in raw.ask("tools/list", {}, 77)["result"]["tools"]]


def test_a_line_that_is_no_request_may_be_the_first() -> None:
    with raw_client(greets=False) as client:
        for line, code, number in UNREAD.values():
            client.write(line)
            answer = client.next_message()
            assert (answer["error"]["code"], answer["id"]) == (code, number)
        client.greet()

        assert [tool["name"] for tool in client.ask("tools/list", {}, 77)["result"]["tools"]]


@pytest.mark.parametrize("line", [b"", b"  \t", b"\r"])
def test_a_blank_line_is_nothing(raw: Raw, line: bytes) -> None:
    raw.write(line)
    raw.send("tools/list", {}, 7)

    assert raw.next_message()["id"] == 7


def test_answers_to_unread_lines_and_to_requests_do_not_mix(raw: Raw) -> None:
    for number in range(1, 101):
        raw.send("tools/list", {}, number)
        raw.write(b'{"id": %d}' % (1000 + number))

    ids = [raw.next_message()["id"] for _ in range(200)]

    assert sorted(ids) == [*range(1, 101), *range(1001, 1101)]


@pytest.mark.parametrize(
    ("params", "code"),
    [({"name": "x", "arguments": [1]}, -32602), ({"arguments": {}}, -32602)],
    ids=["arguments in a list", "no name"],
)
def test_a_request_with_the_wrong_params_is_refused_with_a_protocol_error(
    raw: Raw, params: dict[str, Any], code: int
) -> None:
    assert raw.ask("tools/call", params, 5)["error"]["code"] == code


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
