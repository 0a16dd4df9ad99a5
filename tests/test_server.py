"""The server as its clients meet it: over real stdio, in both eras of the protocol, and when it goes away."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult

from tests.factories import a_report
from warp_mcp import storage, workflows
from warp_mcp.server import build_server

ERAS = ("legacy", "auto")
QUICK = [sys.executable, "-c", "pass"]
SAMPLES = Path(__file__).parent / "samples"
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
    (block,) = result.content
    return block.text  # type: ignore[union-attr]


@asynccontextmanager
async def over_stdio(mode: str) -> AsyncGenerator[Client, None]:
    """A client of a real server process, with the little environment that real clients give one."""
    env = {name: os.environ[name] for name in ("WARP_MCP_STATE_DIR", "TMPDIR") if name in os.environ}
    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=env)
    async with Client(server, mode=mode) as client:  # type: ignore[arg-type]
        yield client


def call(name: str, arguments: dict[str, Any], mode: str = "auto") -> CallToolResult:
    """One call to a server in memory."""

    async def session() -> CallToolResult:
        async with Client(build_server(), mode=mode) as client:  # type: ignore[arg-type]
            return await client.call_tool(name, arguments)

    return anyio.run(session)


# --- Tools ---


@pytest.mark.parametrize("mode", ERAS)
def test_there_are_two_tools_with_closed_schemas_that_a_model_can_afford(mode: str) -> None:
    async def session() -> list[Any]:
        async with Client(build_server(), mode=mode) as client:  # type: ignore[arg-type]
            return (await client.list_tools()).tools

    tools = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in anyio.run(session)]

    assert [tool["name"] for tool in tools] == ["measure", "compare"]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)
    assert all("outputSchema" in tool for tool in tools)
    assert "runs for real" in tools[0]["description"]
    assert len(json.dumps(tools, separators=(",", ":"))) / 4 < 2500


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("measure", {"command": QUICK, "cwd": "/", "bogus": 1}, "unknown_argument"),
        ("measure", {"cwd": "/"}, "bad_argument"),
        ("measure", {"command": "python x.py", "cwd": "/"}, "bad_argument"),
        ("measure", {"command": QUICK, "cwd": "/", "samples": "2"}, "bad_argument"),
        ("measure", {"command": QUICK, "cwd": "/", "samples": 0}, "bad_value"),
        ("measure", {"command": [], "cwd": "/"}, "no_command"),
        ("measure", {"command": QUICK, "cwd": "relative"}, "relative_cwd"),
        ("measure", {"command": QUICK, "cwd": "/no/such"}, "directory_not_found"),
        ("measure", {"command": ["no-such-command"], "cwd": "/"}, "command_not_found"),
        (
            "measure",
            {"command": QUICK, "cwd": "/", "until_output": "x", "stop_after_launches": 1},
            "two_stops",
        ),
        ("compare", {"baseline": "latest", "candidate": "latest"}, "no_reports"),
        ("compare", {"baseline": "latest"}, "bad_argument"),
        ("explain", {}, "unknown_tool"),
    ],
)
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


@pytest.mark.parametrize("mode", ERAS)
def test_a_comparison_is_the_same_verdict_in_both_channels(mode: str) -> None:
    storage.save_report(a_report())

    result = call("compare", {"baseline": "before", "candidate": "latest"}, mode)

    assert result.structured_content is not None
    assert result.structured_content["verdict"] == "inconclusive"
    assert text_of(result).splitlines()[0] == result.structured_content["answer"]


# --- Over real stdio ---


@pytest.mark.parametrize("mode", ERAS)
def test_a_measurement_over_stdio_sends_progress_that_grows_and_answers(mode: str) -> None:
    seen: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async def session() -> CallToolResult:
        async with over_stdio(mode) as client:
            arguments = {"command": QUICK, "cwd": "/", "samples": 1, "label": "quick"}
            return await client.call_tool("measure", arguments, progress_callback=on_progress)

    result = anyio.run(session)

    assert not result.is_error
    assert seen and seen == sorted(set(seen))
    assert workflows.find("quick").samples[0].outcome == "completed"


def test_the_loop_over_stdio_measure_measure_compare() -> None:
    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio("auto") as client:
            command = [sys.executable, "adds_kernel_after_load.py"]
            for label in ("before", "after"):
                arguments = {"command": command, "cwd": str(SAMPLES), "samples": 1, "label": label}
                measured = await client.call_tool("measure", arguments)
            return measured, await client.call_tool("compare", {"baseline": "before", "candidate": "after"})

    measured, compared = anyio.run(session)

    assert measured.structured_content is not None
    assert measured.structured_content["status"] == "completed"
    assert [line["mechanism"] for line in measured.structured_content["fired"]] == ["CS-1"]
    assert "adds_kernel_after_load.py:" in measured.structured_content["rebuilds"][0]["causes"][0]
    assert text_of(measured).startswith("You wait ")
    assert compared.structured_content is not None
    assert compared.structured_content["verdict"] == "unverified"
    assert compared.structured_content["workload"] == "preserved"


def test_a_cancelled_call_ends_its_program_and_leaves_a_server_that_answers(tmp_path: Path) -> None:
    async def session() -> CallToolResult:
        async with over_stdio("auto") as client:
            async with anyio.create_task_group() as group:
                arguments = {"command": stubborn(tmp_path), "cwd": "/"}
                group.start_soon(client.call_tool, "measure", arguments)
                child = await anyio.to_thread.run_sync(child_of, tmp_path)
                group.cancel_scope.cancel()
            await anyio.to_thread.run_sync(wait_until_gone, child)
            return await client.call_tool("measure", {"command": QUICK, "cwd": "/", "samples": 1})

    assert not anyio.run(session).is_error


# --- Going away ---


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


@pytest.fixture
def raw() -> Generator[Raw, None, None]:
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    client = Raw(process)
    client.handshake()
    yield client
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


@pytest.mark.parametrize(
    "event", ["stdin closes", signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL]
)
def test_when_the_server_goes_away_nothing_it_started_lives_on(
    raw: Raw, tmp_path: Path, event: str | int
) -> None:
    raw.call(stubborn(tmp_path), 1)
    child = child_of(tmp_path)

    if isinstance(event, int):
        raw.process.send_signal(event)
    elif raw.process.stdin is not None:
        raw.process.stdin.close()

    raw.process.wait(PATIENCE_S)
    wait_until_gone(child)


def test_an_idle_server_ends_at_a_signal_and_says_which(raw: Raw) -> None:
    raw.process.send_signal(signal.SIGTERM)

    assert raw.process.wait(PATIENCE_S) == 128 + signal.SIGTERM


def test_standard_output_holds_the_protocol_alone_whatever_the_program_prints(raw: Raw) -> None:
    noise = "import os; [os.write(fd, b'\\xff\\x00{not json}\\n' * 1000) for fd in (1, 2)]"

    raw.call([sys.executable, "-c", noise], 1)

    assert raw.answer(1)["result"]["structuredContent"]["samples"] == ["completed"]


def test_the_server_imports_neither_warp_nor_numpy() -> None:
    script = (
        "import sys\nfrom warp_mcp.cli import main\n"
        "try:\n    main(['serve'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('warp', 'numpy') if name in sys.modules], file=sys.stderr)\n"
    )

    result = subprocess.run(
        [sys.executable, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )

    assert result.stderr.splitlines()[-1] == "[]"
    assert result.stdout == ""
