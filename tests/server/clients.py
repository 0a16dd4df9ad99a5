"""Clients of the server for the tests: in memory, over real stdio, and one that writes its lines itself."""

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import psutil
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from warp_mcp.server import build_server
from warp_mcp.server.policy import Policy

ERAS = ("legacy", "auto")
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
async def over_stdio(mode: str, *flags: str) -> AsyncGenerator[Client, None]:
    """A client of a real server process, with the little environment that real clients give one."""
    env = {name: os.environ[name] for name in ("WARP_MCP_STATE_DIR", "TMPDIR") if name in os.environ}
    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], *flags], env=env)
    async with Client(server, mode=mode) as client:  # type: ignore[arg-type]
        yield client


def call(
    name: str, arguments: dict[str, Any], mode: str = "auto", policy: Policy | None = None
) -> CallToolResult:
    """One call to a server in memory."""

    async def session() -> CallToolResult:
        async with Client(build_server(policy=policy), mode=mode) as client:  # type: ignore[arg-type]
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


class Raw:
    """A client that writes lines itself, and so can vanish like a real one."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def send(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def answer(self, number: int) -> dict[str, Any]:
        """The answer to a request. Every line before it has to be JSON too."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == number:
                return message
        raise AssertionError("the server closed its standard output")

    def handshake(self) -> None:
        info = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "raw", "version": "1"},
        }
        self.send("initialize", info, 0)
        self.answer(0)
        self.send("notifications/initialized", {})

    def call(self, command: list[str], number: int) -> None:
        arguments = {"command": command, "cwd": "/", "samples": 1}
        self.send("tools/call", {"name": "measure", "arguments": arguments}, number)
