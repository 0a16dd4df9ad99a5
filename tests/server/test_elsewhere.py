"""Runs that are asked for in another server than their own, and runs that are ended before their end."""

import sys
import time
from pathlib import Path

import anyio
from mcp_types import CallToolResult

from tests.server.clients import PATIENCE_S, over_stdio, text_of, told
from warp_mcp import workflows

WAITS = [sys.executable, "-c", "import time; time.sleep(2)"]
FOREVER = [sys.executable, "-c", "import time; time.sleep(1000)"]
SLOW_AFTER_TWO = """
import pathlib, sys, time
runs = pathlib.Path(sys.argv[1])
with runs.open("a") as stream:
    stream.write("x")
if len(runs.read_text()) > 2:
    time.sleep(1000)
"""


async def until_begun(run_id: str) -> None:
    """Until the run has begun and can be looked at."""
    deadline = time.monotonic() + PATIENCE_S
    while workflows.request_elsewhere(run_id) is None:
        assert time.monotonic() < deadline, "the run never began"
        await anyio.sleep(0.05)


def test_a_run_of_another_server_can_be_waited_for_but_not_ended() -> None:
    async def session() -> list[CallToolResult]:
        async with over_stdio() as one, over_stdio() as other:
            arguments = {"command": WAITS, "cwd": "/", "samples": 1, "label": "slow"}
            run_id = told(await one.call_tool("measure", {**arguments, "wait_s": 0.0}))["run_id"]
            await until_begun(run_id)
            asked = [{"wait_s": 0.0}, {"cancel": True}, {"wait_s": 60.0}, {}]
            return [await other.call_tool("measure", {"run_id": run_id, **more}) for more in asked]

    running, ended, waited, again = anyio.run(session)

    assert told(running)["status"] == "running" and "another server" in told(running)["answer"]
    assert (told(running)["cwd"], told(running)["interpreter"]) == ("/", sys.executable)
    assert told(running)["run_id"] in " ".join(told(running)["next"])
    assert ended.is_error and told(ended)["code"] == "runs_elsewhere"
    assert told(waited)["samples"] == ["completed"]
    assert told(waited)["report_id"] == told(running)["run_id"] == workflows.find("slow").report_id
    assert told(again) == told(waited)


def test_waiting_for_a_run_of_another_server_sends_progress() -> None:
    said: list[str | None] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        said.append(message)

    async def session() -> None:
        async with over_stdio() as one, over_stdio() as other:
            first = await one.call_tool("measure", {"command": FOREVER, "cwd": "/", "wait_s": 0.0})
            await until_begun(told(first)["run_id"])
            asked = {"run_id": told(first)["run_id"], "wait_s": 1.0}
            await other.call_tool("measure", asked, progress_callback=on_progress)

    anyio.run(session)

    assert said and "another server" in (said[0] or "")


def test_a_run_of_another_server_that_leaves_no_report_is_told_from_one_that_never_was() -> None:
    results: list[CallToolResult] = []

    async def session() -> None:
        async with over_stdio() as one, over_stdio() as other:
            first = await one.call_tool("measure", {"command": FOREVER, "cwd": "/", "wait_s": 0.0})
            run_id = told(first)["run_id"]
            await until_begun(run_id)

            async def wait() -> None:
                results.append(await other.call_tool("measure", {"run_id": run_id, "wait_s": 60.0}))

            async with anyio.create_task_group() as group:
                group.start_soon(wait)
                await anyio.sleep(1.0)
                await one.call_tool("measure", {"run_id": run_id, "cancel": True})
            results.append(await other.call_tool("measure", {"run_id": run_id}))

    anyio.run(session)

    assert [told(one)["code"] for one in results] == ["no_report", "no_such_run"]


def test_a_run_that_was_cancelled_after_a_sample_says_so_and_what_there_is(tmp_path: Path) -> None:
    runs = tmp_path / "runs"

    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio() as client:
            command = [sys.executable, "-c", SLOW_AFTER_TWO, str(runs)]
            first = await client.call_tool("measure", {"command": command, "cwd": "/", "wait_s": 0.0})
            run_id = told(first)["run_id"]
            deadline = time.monotonic() + PATIENCE_S
            while not runs.exists() or len(runs.read_text()) < 3:
                assert time.monotonic() < deadline, "the third run never began"
                await anyio.sleep(0.05)
            ended = await client.call_tool("measure", {"run_id": run_id, "cancel": True})
            return ended, await client.call_tool("measure", {"run_id": run_id})

    ended, again = anyio.run(session)

    assert told(ended)["status"] == "cancelled"
    assert [words.split(",")[0] for words in told(ended)["samples"]] == ["completed", "cancelled"]
    assert "1 sample is complete" in told(ended)["answer"] and told(ended)["answer"] in text_of(ended)
    assert told(ended)["report_id"] == workflows.find("latest").report_id
    assert told(again) == told(ended)
