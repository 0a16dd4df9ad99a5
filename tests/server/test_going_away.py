"""When the server or a call goes away, for whatever reason, nothing that was started lives on.

The table of ways to go away, each in the middle of three kinds of programs: one that ignores every polite
request and has a child, a grandchild and a daemon in a session of its own, one in the middle of a cold build,
and one whose build is done. What a run recorded until then can be read afterwards.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import psutil
import pytest

from tests.server.clients import PATIENCE_S, SAMPLES, Raw, raw_client, wait_until_gone
from warp_mcp import workflows

EVENTS = ("stdin closes", "SIGTERM", "SIGINT", "SIGHUP", "SIGKILL", "the call is cancelled")
"""A client that times out sends a cancellation, too, or ends the server by one of the others."""
BUSY_S = 60.0
"""Until a program on a busy machine is where the test wants it."""


@pytest.fixture
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The temp directory of the server, and of nobody else."""
    path = tmp_path / "temp"
    path.mkdir()
    monkeypatch.setenv("TMPDIR", str(path))
    return path


@pytest.fixture
def client(temp: Path, both_eras: None) -> Generator[Raw, None, None]:
    with raw_client() as one:
        yield one


def go_away(client: Raw, event: str) -> None:
    """Let it happen, and wait for the end of the server, where it ends."""
    if event == "the call is cancelled":
        client.write(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}')
        return
    if event == "stdin closes":
        assert client.process.stdin is not None
        client.process.stdin.close()
    else:
        client.process.send_signal(getattr(signal, event))
    client.process.wait(PATIENCE_S)


def until(happened: Callable[[], bool], limit_s: float, what: str) -> None:
    deadline = time.monotonic() + limit_s
    while not happened():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def records(temp: Path) -> str:
    """Everything that the processes of the run have recorded so far."""
    paths = temp.glob("warp-mcp-*/cold/*.jsonl")
    return "".join(path.read_text(encoding="utf-8", errors="replace") for path in paths)


@pytest.mark.parametrize("event", EVENTS)
def test_of_a_stubborn_family_nobody_lives_on(client: Raw, temp: Path, tmp_path: Path, event: str) -> None:
    family = tmp_path / "pids"
    client.call([sys.executable, str(SAMPLES / "starts_a_family.py"), str(family)], 1)
    until(lambda: family.exists() and len(family.read_text().split()) == 4, BUSY_S, "the family is not whole")
    members = [psutil.Process(int(pid)) for pid in family.read_text().split()]

    go_away(client, event)

    for member in members:
        wait_until_gone(member)
    until(lambda: not list(temp.iterdir()), PATIENCE_S, f"left in the temp directory: {list(temp.iterdir())}")


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    ("program", "reached", "modules"),
    [
        (
            "builds_for_long.py",
            lambda text: text.count('"build_begin"') == 2,
            {"__main__": "compiled", "large": "error"},
        ),
        ("builds_then_waits.py", lambda text: "first_launch" in text, {"__main__": "compiled"}),
    ],
    ids=["in the middle of a build", "after a build"],
)
def test_what_was_built_until_then_can_be_read_afterwards(
    client: Raw, temp: Path, event: str, program: str, reached: Callable[[str], bool], modules: dict[str, str]
) -> None:
    client.call([sys.executable, str(SAMPLES / program)], 1)
    until(lambda: reached(records(temp)), BUSY_S, "the program did not get there")
    children = psutil.Process(client.process.pid).children(recursive=True)

    go_away(client, event)

    for child in children:
        wait_until_gone(child)
    until(lambda: not list(temp.iterdir()), PATIENCE_S, f"left in the temp directory: {list(temp.iterdir())}")
    until(lambda: bool(workflows.kept_reports()), PATIENCE_S, "no report is kept")
    report = workflows.find("latest")
    assert [sample.outcome for sample in report.samples] == ["cancelled"]
    assert {module.name: module.status for module in report.modules} == modules
    if event == "the call is cancelled":
        assert client.ask("tools/list", {}, 2)["result"]["tools"]


def test_a_kill_between_two_runs_leaves_nothing_and_loses_nothing(
    client: Raw, temp: Path, tmp_path: Path
) -> None:
    let_go = tmp_path / "go"
    waits = f'"$0" "$1"; until [ -e "{let_go}" ]; do sleep 0.05; done'
    client.call(["sh", "-c", waits, sys.executable, str(SAMPLES / "launches_once.py")], 1)
    until(lambda: '"first_launch"' in records(temp), BUSY_S, "the program did not get there")
    children = psutil.Process(client.process.pid).children()
    (supervisor,) = [child for child in children if child.cmdline()[-1].endswith("supervisor")]
    client.process.send_signal(signal.SIGSTOP)
    let_go.touch()
    wait_until_gone(supervisor)  # the cold run is over, and nobody has begun the warm one

    go_away(client, "SIGKILL")

    for child in children:
        wait_until_gone(child)
    until(lambda: not list(temp.iterdir()), PATIENCE_S, f"left in the temp directory: {list(temp.iterdir())}")
    assert workflows.kept_reports(), "no report is kept"
    report = workflows.find("latest")
    assert [sample.outcome for sample in report.samples] == ["cancelled"]
    assert {module.name: module.status for module in report.modules} == {"__main__": "compiled"}


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
