"""Clients of the server for the tests: in memory, over real stdio, and one that writes its lines itself."""

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import psutil
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from warp_mcp.server import build_server
from warp_mcp.server.policy import Policy

ERAS = ("legacy", "auto")
"""The protocol with a handshake, and the one without, which clients choose when both sides have it."""

_era = ["auto"]


def speak(era: str) -> None:
    """Choose the era of all clients that follow; `conftest.py` runs every test in both."""
    _era[0] = era


def era() -> Any:
    """The era of this test, as the SDK's client takes it."""
    return _era[0]


QUICK = [sys.executable, "-c", "pass"]
SAMPLES = Path(__file__).parents[1] / "samples"
COMMAND = [sys.executable, "-m", "warp_mcp", "serve"]
STUBBORN = """
import os, pathlib, signal, sys, time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()))
time.sleep(100)
"""
PATIENCE_S = 20.0
"""Until a test gives up; what is promised is 5 s, on a machine that is not busy."""


def text_of(result: CallToolResult) -> str:
    """The one block of text of an answer."""
    (block,) = result.content
    return block.text  # type: ignore[union-attr]


def told(result: CallToolResult) -> dict[str, Any]:
    """The structured content of an answer."""
    assert result.structured_content is not None
    return result.structured_content


@asynccontextmanager
async def over_stdio(*flags: str) -> AsyncGenerator[Client, None]:
    """A client of a real server process, with the little environment that real clients give one."""
    env = {name: os.environ[name] for name in ("WARP_MCP_STATE_DIR", "TMPDIR") if name in os.environ}
    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *flags], env=env)
    async with Client(server, mode=era()) as client:
        yield client


def call(name: str, arguments: dict[str, Any], *, policy: Policy | None = None) -> CallToolResult:
    """One call to a server in memory."""

    async def session() -> CallToolResult:
        async with Client(build_server(policy=policy), mode=era()) as client:
            return await client.call_tool(name, arguments)

    return anyio.run(session)


def stubborn(directory: Path) -> list[str]:
    """A program that ignores every polite request to end, and writes its process id into a file."""
    return [sys.executable, "-c", STUBBORN, str(directory / "pid")]


def child_of(directory: Path) -> psutil.Process:
    """The stubborn program, once it runs."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with suppress(OSError, ValueError):
            return psutil.Process(int((directory / "pid").read_text(encoding="utf-8")))
        time.sleep(0.05)
    raise AssertionError("the program never started")


def wait_until_gone(child: psutil.Process) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with suppress(psutil.NoSuchProcess):
            if child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
                time.sleep(0.05)
                continue
        return
    raise AssertionError(f"process {child.pid} lives on")


META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
"""What every request of the newer era carries, in place of a handshake."""


class Raw:
    """A client that writes its lines itself: it can vanish like a real one, and write what none would."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process

    def greet(self) -> None:
        """Begin the session as clients of the era do."""
        if era() == "legacy":
            info = {"name": "raw", "version": "1"}
            hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
            self.ask("initialize", hello, 0)
            self.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        else:
            self.ask("server/discover", {}, 0)  # the first message decides on the era

    def write(self, line: bytes) -> None:
        """One line, whatever is in it."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, params: dict[str, Any], number: int) -> None:
        """A request."""
        if era() != "legacy":
            params = {**params, "_meta": META}
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.write(json.dumps(message).encode())

    def next_message(self) -> dict[str, Any]:
        """The next line, which has to be JSON."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server closed its standard output"
        return json.loads(line)

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to a request. Every line before it has to be JSON too."""
        while True:
            message = self.next_message()
            if message.get("id") == number:
                return message

    def ask(self, method: str, params: dict[str, Any], number: int) -> dict[str, Any]:
        """A request and its answer."""
        self.send(method, params, number)
        return self.answer(number)

    def call(self, command: list[str], number: int) -> None:
        """Start to measure a command."""
        arguments = {"command": command, "cwd": "/", "samples": 1, "wait_s": 60.0}
        self.send("tools/call", {"name": "measure", "arguments": arguments}, number)


@contextmanager
def raw_client(*flags: str, greets: bool = True) -> Generator[Raw, None, None]:
    """Such a client of a real server process, which is killed at the end."""
    process = subprocess.Popen(
        [*COMMAND, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    client = Raw(process)
    try:
        if greets:
            client.greet()
        yield client
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
