"""Measuring over the protocol: progress, patience, joining, queueing, cancelling."""

import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from mcp_types import CallToolResult

from tests.server.clients import (
    QUICK,
    SAMPLES,
    child_of,
    over_stdio,
    stubborn,
    text_of,
    told,
    wait_until_gone,
)
from warp_mcp import workflows
from warp_mcp.server.patience import patience_s


def test_a_measurement_over_stdio_sends_progress_that_grows_and_answers() -> None:
    seen: list[float] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        seen.append(progress)

    async def session() -> CallToolResult:
        async with over_stdio() as client:
            arguments = {"command": QUICK, "cwd": "/", "samples": 1, "label": "quick"}
            return await client.call_tool("measure", arguments, progress_callback=on_progress)

    result = anyio.run(session)

    assert not result.is_error
    assert seen and seen == sorted(set(seen))
    assert workflows.find("quick").samples[0].outcome == "completed"


def test_the_loop_over_stdio_measure_measure_compare() -> None:
    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio() as client:
            command = [sys.executable, "adds_kernel_after_load.py"]
            for label in ("before", "after"):
                arguments = {"command": command, "cwd": str(SAMPLES), "samples": 1, "label": label}
                measured = await client.call_tool("measure", arguments)
            return measured, await client.call_tool("compare", {"baseline": "before", "candidate": "after"})

    measured, compared = anyio.run(session)

    assert measured.structured_content is not None
    assert measured.structured_content["status"] == "completed"
    assert "CS-1" in [line["mechanism"] for line in measured.structured_content["fired"]]
    assert "adds_kernel_after_load.py:" in measured.structured_content["roots"][0]["where"]
    assert text_of(measured).startswith("You wait ")
    assert compared.structured_content is not None
    assert compared.structured_content["verdict"] == "unverified"
    assert compared.structured_content["workload"] == "preserved"


def test_a_cancelled_call_ends_its_program_and_leaves_a_server_that_answers(tmp_path: Path) -> None:
    async def session() -> CallToolResult:
        async with over_stdio() as client:

            async def measure() -> None:
                with scope:
                    await client.call_tool("measure", {"command": stubborn(tmp_path), "cwd": "/"})

            async def cancel() -> None:
                child = await anyio.to_thread.run_sync(child_of, tmp_path)
                scope.cancel()
                await anyio.to_thread.run_sync(wait_until_gone, child)

            scope = anyio.CancelScope()
            async with anyio.create_task_group() as group:
                group.start_soon(measure)
                group.start_soon(cancel)
            return await client.call_tool("measure", {"command": QUICK, "cwd": "/", "samples": 1})

    assert not anyio.run(session).is_error


# --- Patience: a run outlives the call that started it ---

WAITS = [sys.executable, "-c", "import time; time.sleep(2)"]
FOREVER = [sys.executable, "-c", "import time; time.sleep(1000)"]


def test_a_call_whose_patience_is_over_answers_running_and_its_run_can_be_joined() -> None:
    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio() as client:
            arguments = {"command": WAITS, "cwd": "/", "samples": 1, "wait_s": 0.5, "label": "slow"}
            first = await client.call_tool("measure", arguments)
            run_id = told(first)["run_id"]
            return first, await client.call_tool("measure", {"run_id": run_id, "wait_s": 60.0})

    first, second = anyio.run(session)

    assert told(first)["status"] == "running"
    assert told(first)["run_id"] in text_of(first)
    assert told(first)["run_id"] in " ".join(told(first)["next"])
    assert told(first)["progress"]["total"] == 2
    assert told(second)["status"] == "nothing_of_warp"
    assert told(second)["report_id"] == told(first)["run_id"]
    assert workflows.find("slow").report_id == told(first)["run_id"]


def test_asking_for_a_finished_run_again_costs_nothing_and_says_the_same() -> None:
    async def session() -> list[CallToolResult]:
        async with over_stdio() as client:
            first = await client.call_tool("measure", {"command": QUICK, "cwd": "/", "samples": 1})
            again = [
                await client.call_tool("measure", {"run_id": told(first)["report_id"]}) for _ in range(2)
            ]
            return [first, *again]

    first, *again = anyio.run(session)

    assert [told(one) for one in again] == [told(first)] * 2


def test_a_report_of_another_server_can_be_asked_for_by_its_id() -> None:
    async def measured() -> CallToolResult:
        async with over_stdio() as client:
            return await client.call_tool("measure", {"command": QUICK, "cwd": "/", "samples": 1})

    async def asked(run_id: str) -> CallToolResult:
        async with over_stdio() as client:
            return await client.call_tool("measure", {"run_id": run_id})

    first = anyio.run(measured)

    assert told(anyio.run(asked, told(first)["report_id"])) == told(first)


def test_a_run_is_ended_by_its_id(tmp_path: Path) -> None:
    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio() as client:
            arguments = {"command": stubborn(tmp_path), "cwd": "/", "wait_s": 0.0}
            first = await client.call_tool("measure", arguments)
            child = await anyio.to_thread.run_sync(child_of, tmp_path)
            ended = await client.call_tool("measure", {"run_id": told(first)["run_id"], "cancel": True})
            await anyio.to_thread.run_sync(wait_until_gone, child)
            return first, ended

    first, ended = anyio.run(session)

    assert told(first)["status"] == "running"
    assert told(ended)["status"] == "cancelled"


def test_cancelling_a_call_that_only_waits_leaves_the_run_alone() -> None:
    async def session() -> CallToolResult:
        async with over_stdio() as client:
            first = await client.call_tool(
                "measure", {"command": WAITS, "cwd": "/", "samples": 1, "wait_s": 0.0}
            )
            with anyio.move_on_after(0.5):
                await client.call_tool("measure", {"run_id": told(first)["run_id"], "wait_s": 60.0})
            return await client.call_tool("measure", {"run_id": told(first)["run_id"], "wait_s": 60.0})

    assert told(anyio.run(session))["samples"] == ["completed"]


def test_a_second_measurement_queues_and_says_so() -> None:
    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio() as client:
            first = await client.call_tool("measure", {"command": FOREVER, "cwd": "/", "wait_s": 1.0})
            second = await client.call_tool("measure", {"command": QUICK, "cwd": "/", "wait_s": 1.0})
            for one in (second, first):
                await client.call_tool("measure", {"run_id": told(one)["run_id"], "cancel": True})
            return first, second

    first, second = anyio.run(session)

    assert told(first)["status"] == "running"
    assert told(second)["status"] == "queued"
    assert "Another measurement of yours is running" in text_of(second)


def test_two_servers_measure_one_after_the_other() -> None:
    results: list[CallToolResult] = []

    async def measure() -> None:
        async with over_stdio() as client:
            arguments = {"command": QUICK, "cwd": "/", "samples": 1, "wait_s": 60.0}
            results.append(await client.call_tool("measure", arguments))

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(measure)
            group.start_soon(measure)

    anyio.run(both)

    assert [told(one)["samples"] for one in results] == [["completed"]] * 2
    assert len({told(one)["report_id"] for one in results}) == 2


def test_a_cancelled_measurement_can_be_read_as_far_as_it_got() -> None:
    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio() as client:
            command = [sys.executable, str(SAMPLES / "builds_then_waits.py")]
            arguments = {"command": command, "cwd": "/", "wait_s": 0.0, "samples": 1}
            first = await client.call_tool("measure", arguments)
            run_id = told(first)["run_id"]
            while "launches" not in await _built(client, run_id):
                pass
            return first, await client.call_tool("measure", {"run_id": run_id, "cancel": True})

    first, ended = anyio.run(session)

    assert told(ended)["report_id"] == told(first)["run_id"]
    assert [line["status"] for line in told(ended)["modules"]] == ["compiled"]
    assert [warning["code"] for warning in told(ended)["warnings"]].count("cut_short") == 1


async def _built(client: Any, run_id: str) -> str:
    """ "launches" once the record of the run tells of its first launch."""
    await client.call_tool("measure", {"run_id": run_id, "wait_s": 0.2})
    for path in Path(os.environ.get("TMPDIR", tempfile.gettempdir())).glob("warp-mcp-*/cold/*.jsonl"):
        text = path.read_text(encoding="utf-8", errors="replace")
        if "builds_then_waits" in text and "first_launch" in text:
            return "launches"
    return ""


def test_the_answer_echoes_directory_interpreter_and_warp() -> None:
    async def session() -> CallToolResult:
        async with over_stdio() as client:
            command = [sys.executable, "launches_once.py"]
            return await client.call_tool(
                "measure", {"command": command, "cwd": str(SAMPLES), "samples": 1, "wait_s": 120.0}
            )

    answer = told(anyio.run(session))

    assert (answer["cwd"], answer["interpreter"]) == (str(SAMPLES), sys.executable)
    assert answer["warp"].count(".") >= 2


def test_without_a_recorded_process_the_answer_names_what_ran_and_that_warp_is_unknown(
    tmp_path: Path,
) -> None:
    tool = tmp_path / "bin" / "tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    tool.chmod(0o755)
    arguments = {
        "command": ["tool"],
        "cwd": str(tmp_path),
        "samples": 1,
        "env": {"PATH": f"{tool.parent}:/bin"},
    }

    async def session() -> tuple[CallToolResult, CallToolResult]:
        async with over_stdio() as client:
            first = await client.call_tool("measure", {**arguments, "wait_s": 0.0})
            return first, await client.call_tool(
                "measure", {"run_id": told(first)["run_id"], "wait_s": 120.0}
            )

    first, last = anyio.run(session)

    assert told(first)["interpreter"] == told(last)["interpreter"] == str(tool)
    assert told(last)["warp"] == "unknown" and "Warp unknown" in text_of(last)


@pytest.mark.parametrize(
    ("name", "seconds"), [("claude-code", 600.0), ("Cursor", 240.0), ("something else", 25.0)]
)
def test_the_patience_of_a_call_follows_the_clients_name(name: str, seconds: float) -> None:
    params = SimpleNamespace(client_info=SimpleNamespace(name=name))
    context: Any = SimpleNamespace(
        request_context=SimpleNamespace(session=SimpleNamespace(client_params=params))
    )

    assert patience_s(None, context) == seconds
    assert patience_s(7.0, context) == 7.0


def test_a_variable_sets_the_patience_for_clients_that_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    context: Any = SimpleNamespace(
        request_context=SimpleNamespace(session=SimpleNamespace(client_params=None))
    )
    monkeypatch.setenv("WARP_MCP_WAIT_S", "3")

    assert patience_s(None, context) == 3.0
