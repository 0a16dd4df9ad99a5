"""Standard input line by line: what cannot be read is answered here, the rest goes to the SDK.

The SDK drops a line that is no message without a word, takes a request whose id is an object for a
notification, and replaces bytes that are no UTF-8; a client would wait for its answer for ever. The answers
go through the SDK's own writer, so that no two lines mix.
"""

import contextlib
import fcntl
import io
import json
import os
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from typing import Any, BinaryIO, cast

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

NEXT = 'Send one request as one line: {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}.'
Id = int | str | None


@contextlib.asynccontextmanager
async def checked_stdio() -> AsyncGenerator[tuple[Any, Any], None]:
    """The SDK's streams over stdio, behind a check of every line that comes in."""
    with _own_stdin() as stdin:
        lines = CheckedLines(stdin)
        # It wants an open text file, and does nothing but to read lines from it.
        async with stdio_server(stdin=cast(Any, lines)) as (read, write):
            lines.answer = write.send
            yield read, write


@contextlib.contextmanager
def _own_stdin() -> Generator[BinaryIO, None, None]:
    """Standard input from a descriptor of our own: whatever else reads descriptor 0 finds its end."""
    try:
        own = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3)
    except OSError:  # there is none: a client that has left already
        yield io.BytesIO()
        return
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        # A thread may wait on this descriptor to the end of the process, so it is never closed.
        yield os.fdopen(own, "rb", closefd=False)
    finally:
        os.dup2(own, 0)


class CheckedLines:
    """The lines that are messages. Each of the others is refused through `answer`."""

    def __init__(self, stdin: BinaryIO) -> None:
        self._stdin = anyio.wrap_file(stdin)
        self.answer: Callable[[SessionMessage], Awaitable[None]]

    async def __aiter__(self) -> AsyncIterator[str]:
        """Until standard input is closed. Blank lines are nothing."""
        async for line in self._stdin:
            if not line.strip():
                continue
            refusal = refusal_of(line)
            if refusal is None:
                yield line.decode()
                continue
            # A client that has gone away is told to us by the end of standard input.
            with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                await self.answer(SessionMessage(refusal))


def refusal_of(line: bytes) -> JSONRPCError | None:
    """The answer to a line that is no message; `None` for one that is."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return _refusal(PARSE_ERROR, "not_utf8", "This line is not text in UTF-8.", None)
    try:
        message = jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        return _unread(text)
    # It takes any id that is none of its kind for no id at all.
    if isinstance(message, JSONRPCNotification) and "id" in json.loads(text):
        return _refusal(INVALID_REQUEST, "bad_id", "An id is a whole number or a text.", None)
    return None


def _unread(text: str) -> JSONRPCError:
    """What is wrong with a line that the SDK cannot read."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _refusal(PARSE_ERROR, "not_json", "This line is not one whole value of JSON.", None)
    if isinstance(value, list):
        return _refusal(INVALID_REQUEST, "batch", "Batches are not served.", None)
    if not isinstance(value, dict):
        return _refusal(INVALID_REQUEST, "not_a_request", "A request is an object.", None)
    message = cast(dict[str, Any], value)
    return _refusal(INVALID_REQUEST, "not_a_request", _fault(message), _usable_id(message))


def _fault(message: dict[str, Any]) -> str:
    """The first thing that keeps an object from being a message, in a sentence."""
    if message.get("jsonrpc") != "2.0":
        return '"jsonrpc" has to be "2.0".'
    if "method" not in message:
        return "A request has a method; an answer has a result, which is an object, or an error."
    if not isinstance(message["method"], str):
        return "The method has to be a text."
    if not isinstance(message.get("params") or {}, dict):
        return "params has to be an object."
    return "A text in it has half a character (a lone surrogate), or it is nested too deep."


def _usable_id(message: dict[str, Any]) -> Id:
    """The id to answer with. That of a broken answer is one of ours: none of the client's is meant by it."""
    found = message.get("id")
    if "method" not in message and ("result" in message or "error" in message):
        return None
    if isinstance(found, str):
        return found if found.isascii() or not any("\ud800" <= mark <= "\udfff" for mark in found) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _refusal(number: int, code: str, message: str, answered: Id) -> JSONRPCError:
    data = {"code": code, "message": message, "next": NEXT}
    error = ErrorData(code=number, message=f"{message} {NEXT}", data=data)
    return JSONRPCError(jsonrpc="2.0", id=answered, error=error)
