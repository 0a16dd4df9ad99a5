"""A server that was started with limits keeps to them, whatever the arguments."""

import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import CallToolResult

from tests.factories import a_report
from tests.server.clients import QUICK, call, era, over_stdio, text_of, told
from warp_mcp import storage
from warp_mcp.server import build_server
from warp_mcp.server.policy import Policy

ENTRY: dict[str, Any] = {
    "what": "backward off",
    "where": "app.py:3",
    "scope": "module",
    "status": "declined",
    "why": "training needs it",
    "how_to_take": "set it",
    "how_to_undo": "unset it",
}


PYTHONS = [f"{os.path.realpath(os.path.dirname(sys.executable))}/python*", os.path.realpath(sys.executable)]
"""The interpreter as it is called, and what its links lead to."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "allowed"
    path.mkdir()
    return path


def within(root: Path) -> Policy:
    return Policy.of([str(root)], [], measuring=True)


def code(result: CallToolResult) -> str:
    assert result.is_error, text_of(result)
    return str(told(result)["code"])


def test_a_directory_outside_the_roots_is_refused_and_one_inside_is_measured(root: Path) -> None:
    inside = {"command": QUICK, "cwd": str(root), "samples": 1, "wait_s": 60.0}

    assert code(call("measure", {**inside, "cwd": str(root.parent)}, policy=within(root))) == "outside_roots"
    assert not call("measure", inside, policy=within(root)).is_error


def test_a_symbolic_link_does_not_lead_out_of_the_roots(root: Path) -> None:
    (root / "out").symlink_to(root.parent)

    result = call("measure", {"command": QUICK, "cwd": str(root / "out")}, policy=within(root))

    assert code(result) == "outside_roots"


def test_report_files_outside_the_roots_are_refused_without_a_word_of_their_content(root: Path) -> None:
    secret = root.parent / "secret.json"
    secret.write_text('{"schema": "hunter2"}', encoding="utf-8")

    for name, arguments in (
        ("compare", {"baseline": str(secret), "candidate": "latest"}),
        ("explain_mechanism", {"mechanism": "CS-1", "report": str(secret)}),
    ):
        result = call(name, arguments, policy=within(root))
        assert code(result) == "outside_roots"
        assert "hunter2" not in text_of(result)


def test_kept_reports_can_be_used_whatever_the_roots(root: Path) -> None:
    storage.save_report(a_report())

    assert not call("compare", {"baseline": "before", "candidate": "latest"}, policy=within(root)).is_error


@pytest.mark.parametrize("name", ["team.jsonl", "deep/../../team.jsonl"])
def test_a_ledger_outside_the_roots_is_refused(root: Path, name: str) -> None:
    (root / "deep").mkdir()
    path = root.parent / "team.jsonl" if "/" not in name else root / name

    result = call("ledger_append", {**ENTRY, "project": str(root), "path": str(path)}, policy=within(root))

    assert code(result) == "outside_roots"
    assert not (root.parent / "team.jsonl").exists()


def test_a_ledger_inside_the_roots_is_written(root: Path) -> None:
    result = call(
        "ledger_append",
        {**ENTRY, "project": str(root), "path": str(root / "team.jsonl")},
        policy=within(root),
    )

    assert not result.is_error, text_of(result)
    assert (root / "team.jsonl").exists()


def test_only_commands_that_match_are_run(root: Path) -> None:
    policy = Policy.of([], PYTHONS, measuring=True)

    assert not call("measure", {"command": QUICK, "cwd": "/", "samples": 1}, policy=policy).is_error
    assert (
        code(call("measure", {"command": ["/bin/sh", "-c", "true"], "cwd": "/"}, policy=policy))
        == "command_refused"
    )


def test_a_path_that_climbs_out_of_an_allowed_directory_does_not_match(root: Path) -> None:
    policy = Policy.of([], [f"{root}/*"], measuring=True)
    climbing = f"{root}/../../../../../../../../../../bin/sh"

    assert (
        code(call("measure", {"command": [climbing, "-c", "true"], "cwd": "/"}, policy=policy))
        == "command_refused"
    )


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "LD_PRELOAD",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "DYLD_INSERT_LIBRARIES",
        "BASH_ENV",
        "CUDA_INJECTION64_PATH",
    ],
)
def test_variables_that_decide_what_is_run_are_refused_with_a_limit_on_commands(name: str) -> None:
    policy = Policy.of([], ["*"], measuring=True)
    arguments = {"command": QUICK, "cwd": "/", "samples": 1, "env": {name: "/tmp/evil"}}

    assert code(call("measure", arguments, policy=policy)) == "variable_refused"


def test_a_link_to_something_else_does_not_match_by_its_name(root: Path) -> None:
    (root / "python3").symlink_to("/bin/sh")
    policy = Policy.of([], [f"{root}/python*"], measuring=True)

    result = call("measure", {"command": [str(root / "python3"), "-c", "true"], "cwd": "/"}, policy=policy)

    assert code(result) == "command_refused"


def test_what_is_approved_is_what_is_run(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative entry of PATH, or a directory called ~, would mean another file to whoever runs it."""
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", "/no/such/home")  # the real one may hold the temp directory
    tool = root / "~" / "tool"
    tool.parent.mkdir()
    for path in (root / "sh", tool):
        path.write_text("#!/bin/sh\nexit 9\n")
        path.chmod(0o755)
    policy = Policy.of([], ["/bin/*", "/usr/bin/*", f"{os.path.expanduser('~')}/*"], measuring=True)

    by_name = call(
        "measure", {"command": ["sh", "-c", "exit 7"], "cwd": str(root), "samples": 1}, policy=policy
    )
    by_home = call("measure", {"command": ["~/tool"], "cwd": str(root), "samples": 1}, policy=policy)

    assert "exit code 7" in text_of(by_name)
    assert code(by_home) == "command_refused"


@contextmanager
def another_measurement() -> Generator[None, None, None]:
    """Something that a run has to queue behind."""
    with storage.measurement_lock(lambda message: None, threading.Event()) as held:
        assert held
        yield


def queued_then(arguments: dict[str, Any], policy: Policy, exchange: Callable[[], object]) -> CallToolResult:
    """The answer for a run that had to queue, and for which something was exchanged meanwhile."""

    async def session() -> CallToolResult:
        async with Client(build_server(policy=policy), mode=era()) as client:
            with another_measurement():
                last = await client.call_tool("measure", {**arguments, "samples": 1, "wait_s": 0.2})
                asked = {"run_id": told(last)["run_id"]}
                while told(last)["status"] != "queued":
                    assert told(last)["status"] == "running"
                    last = await client.call_tool("measure", {**asked, "wait_s": 0.2})
                exchange()
            return await client.call_tool("measure", {**asked, "wait_s": 60.0})

    return anyio.run(session)


def test_a_directory_that_became_a_link_while_the_run_was_queued_is_refused(root: Path) -> None:
    inside = root / "project"
    inside.mkdir()
    outside = root.parent / "outside"
    outside.mkdir()
    command = [sys.executable, "-c", "open('was_here', 'w')"]

    def exchange() -> None:
        inside.rename(root / "moved")
        inside.symlink_to(outside)

    result = queued_then({"command": command, "cwd": str(inside)}, within(root), exchange)

    assert code(result) == "outside_roots"
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("where", ["the file", "its directory"])
def test_an_executable_that_was_exchanged_while_the_run_was_queued_is_refused(root: Path, where: str) -> None:
    tool, other, witness = root / "bin" / "tool", root / "other" / "tool", root / "was_here"
    for path, text in ((tool, "exit 0"), (other, f"touch {witness}")):
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
    policy = Policy.of([], [f"{root}/bin/*"], measuring=True)

    def exchange() -> None:
        if where == "the file":
            tool.unlink()
            tool.symlink_to(other)
        else:
            tool.parent.rename(root / "moved")
            tool.parent.symlink_to(other.parent)

    result = queued_then({"command": [str(tool)], "cwd": "/"}, policy, exchange)

    assert code(result) == "command_refused"
    assert not witness.exists()


def test_a_run_for_which_nothing_was_exchanged_is_run_after_it_was_queued(root: Path) -> None:
    policy = Policy.of([str(root)], PYTHONS, measuring=True)

    result = queued_then({"command": QUICK, "cwd": str(root)}, policy, lambda: None)

    assert told(result)["samples"] == ["completed"]


def test_a_run_id_is_an_id_and_never_a_file(root: Path) -> None:
    (root.parent / "other.json").write_text(storage.to_json(a_report()), encoding="utf-8")

    result = call("measure", {"run_id": str(root.parent / "other.json")}, policy=within(root))

    assert code(result) == "no_such_run"


def test_a_server_that_does_not_measure_still_explains_and_compares() -> None:
    policy = Policy.of([], [], measuring=False)

    assert code(call("measure", {"command": QUICK, "cwd": "/"}, policy=policy)) == "measuring_is_off"
    assert not call("explain_mechanism", {"mechanism": "CS-3"}, policy=policy).is_error


def test_the_flags_of_the_command_line_reach_the_server(root: Path) -> None:
    async def session() -> list[CallToolResult]:
        async with over_stdio("--allow-root", str(root), "--no-measure") as client:
            return [
                await client.call_tool("measure", {"command": QUICK, "cwd": str(root)}),
                await client.call_tool("compare", {"baseline": "/etc/passwd", "candidate": "latest"}),
            ]

    assert [code(one) for one in anyio.run(session)] == ["measuring_is_off", "outside_roots"]
