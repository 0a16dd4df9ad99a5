"""At whatever moment the probe is killed, nothing of a sample is left, and its records can be read."""

import os
import runpy
import secrets
import signal
import subprocess
import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.running.conftest import (
    STUBBORN_FAMILY,
    Program,
    guard_of,
    measure,
    nothing_recorded,
    pids_in,
    supervisor_of,
    wait_for,
)
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import RunResult
from warp_mcp.running.guarding import SCRIPT
from warp_mcp.running.isolation import remove_stale

ROOT = str(Path(__file__).parents[2])
LIMIT_S = 10.0
"""Until a test gives up; what is promised is 6 s, on a machine that is not busy."""
STEPS = """
import os
step = os.path.basename(os.environ["WARP_MCP_RECORD_DIR"])
with open(os.path.join(os.environ["WARP_MCP_RECORD_DIR"], "mine.jsonl"), "w") as file:
    file.write(step)
if step == {stays_in!r}:
{family}
"""
PROBE = """
import os, pathlib, signal, sys
sys.path.insert(0, {root!r})
from tests.running.conftest import measure, nothing_recorded

def die(reached):
    if reached == {moment!r}:
        os.kill(os.getpid(), signal.SIGKILL)

def read(result):
    die("reading " + os.path.basename(result.record_dir))
    return nothing_recorded(result)

measure({command!r}, pathlib.Path({cwd!r}), samples=2, read=read, rescue_dir={rescue!r},
        on_sample=lambda samples: die("a sample is over"))
"""
DIES_MAKING_DIRECTORIES = """
import os, signal, sys
sys.path.insert(0, {root!r})
from warp_mcp.running import isolation

setattr({owner}, {name!r}, lambda *_: os.kill(os.getpid(), signal.SIGKILL))
with isolation.sample_directories("made-by-halves"):
    pass
"""


@pytest.fixture
def rescued(tmp_path: Path) -> Path:
    """Where records are copied to."""
    path = tmp_path / "rescued"
    path.mkdir()
    return path


def steps(program: Program, stays_in: str = "") -> list[str]:
    """A program that records which step it is, and lives on with a stubborn family in one of them."""
    return program(STEPS.format(stays_in=stays_in, family=textwrap.indent(STUBBORN_FAMILY, "    ")))


def probe_of(
    command: list[str], cwd: Path, rescued: Path, moment: str = "never"
) -> "subprocess.Popen[bytes]":
    """A probe that measures a command, and kills itself at a moment."""
    text = PROBE.format(root=ROOT, command=command, cwd=str(cwd), rescue=str(rescued), moment=moment)
    return subprocess.Popen([sys.executable, "-c", text])


def left_of(temp: Path) -> list[str]:
    """Directories and processes of samples: targets, by their records, and guards, by their directory."""
    left = [path.name for path in temp.iterdir()]
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            said = [*process.cmdline(), process.environ().get("WARP_MCP_RECORD_DIR", "")]
            if any(text.startswith(f"{temp}/warp-mcp-") for text in said):
                left.append(f"{process.pid}: {' '.join(process.cmdline())}")
    return left


def nothing_is_left(temp: Path) -> bool:
    return wait_for(lambda: left_of(temp) == [], LIMIT_S)


def rescued_steps(rescued: Path) -> dict[str, str]:
    """What the program had recorded in each step."""
    return {path.parent.name: path.read_text(encoding="utf-8") for path in rescued.glob("*/mine.jsonl")}


@pytest.mark.parametrize(("step", "steps_begun"), [("cold", ["cold"]), ("warm", ["cold", "warm"])])
@pytest.mark.parametrize("with_supervisor", [False, True], ids=["alone", "with its supervisor"])
def test_a_probe_killed_in_a_run(
    program: Program,
    tmp_path: Path,
    pids: Path,
    temp: Path,
    rescued: Path,
    step: str,
    steps_begun: list[str],
    with_supervisor: bool,
) -> None:
    probe = probe_of(steps(program, stays_in=step), tmp_path, rescued)
    assert wait_for(lambda: len(pids_in(pids)) == 4)
    assert left_of(temp), "the test sees what is there"
    os.kill(probe.pid, signal.SIGSTOP)
    if with_supervisor:
        supervisor_of(probe.pid).kill()
    probe.kill()
    probe.wait()
    assert nothing_is_left(temp), left_of(temp)
    assert rescued_steps(rescued) == {one: one for one in steps_begun}


def test_what_a_program_still_records_when_it_is_asked_to_end_is_rescued(
    program: Program, tmp_path: Path, pids: Path, temp: Path, rescued: Path
) -> None:
    body = """
        import os, signal, sys, time
        def last_words(*_):
            time.sleep(0.3)
            with open(os.path.join(os.environ["WARP_MCP_RECORD_DIR"], "mine.jsonl"), "w") as file:
                file.write("asked")
            sys.exit()
        signal.signal(signal.SIGTERM, last_words)
        open(os.path.join(os.environ["PIDS"], str(os.getpid())), "w").close()
        time.sleep(300)
    """
    probe = probe_of(program(textwrap.dedent(body)), tmp_path, rescued)
    assert wait_for(lambda: len(pids_in(pids)) == 1)
    probe.kill()
    probe.wait()
    assert nothing_is_left(temp), left_of(temp)
    assert rescued_steps(rescued) == {"cold": "asked"}


@pytest.mark.parametrize(
    ("moment", "steps_begun"),
    [
        ("reading cold", ["cold"]),
        ("reading warm", ["cold", "warm"]),
        ("a sample is over", ["cold", "warm"]),
    ],
)
def test_a_probe_killed_when_no_run_is_made(
    program: Program, tmp_path: Path, temp: Path, rescued: Path, moment: str, steps_begun: list[str]
) -> None:
    probe = probe_of(steps(program), tmp_path, rescued, moment)
    assert probe.wait() == -signal.SIGKILL
    assert nothing_is_left(temp), left_of(temp)
    assert rescued_steps(rescued) == {one: one for one in steps_begun}


@pytest.mark.parametrize(
    ("owner", "name"),
    [("os", "mkdir"), ("isolation", "_own"), ("isolation", "_fill"), ("isolation", "remove_tree")],
)
def test_a_probe_killed_while_it_makes_or_removes_the_directories(temp: Path, owner: str, name: str) -> None:
    text = DIES_MAKING_DIRECTORIES.format(root=ROOT, owner=owner, name=name)
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == -signal.SIGKILL
    assert nothing_is_left(temp), left_of(temp)


def test_parts_that_the_program_made_read_only_go_too(
    program: Program, tmp_path: Path, temp: Path, rescued: Path
) -> None:
    body = """
        import os, pathlib
        inner = pathlib.Path(os.environ["WARP_CACHE_PATH"], "inner")
        inner.mkdir()
        (inner / "file").touch()
        inner.chmod(0o500)
    """
    probe_of(program(textwrap.dedent(body)), tmp_path, rescued, "reading cold").wait()
    assert nothing_is_left(temp), left_of(temp)


def test_a_guard_does_not_end_when_it_is_asked_to(
    program: Program, tmp_path: Path, pids: Path, temp: Path, rescued: Path
) -> None:
    probe = probe_of(steps(program, stays_in="cold"), tmp_path, rescued)
    assert wait_for(lambda: len(pids_in(pids)) == 4)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        guard_of(probe.pid).send_signal(number)
    probe.kill()
    probe.wait()
    assert nothing_is_left(temp), left_of(temp)
    assert rescued_steps(rescued) == {"cold": "cold"}


def test_a_new_measurement_leaves_alone_what_a_guard_still_has_to_rescue(
    program: Program, tmp_path: Path, pids: Path, temp: Path, rescued: Path
) -> None:
    probe = probe_of(steps(program, stays_in="cold"), tmp_path, rescued)
    assert wait_for(lambda: len(pids_in(pids)) == 4)
    guard = guard_of(probe.pid)
    guard.suspend()
    probe.kill()
    probe.wait()
    assert remove_stale() == []
    guard.resume()
    assert nothing_is_left(temp), left_of(temp)
    assert rescued_steps(rescued) == {"cold": "cold"}


def test_where_there_is_no_proc_the_process_library_finds_what_is_marked() -> None:
    run_id = secrets.token_hex(8)
    marked = subprocess.Popen(["sleep", "300"], env={**os.environ, "WARP_MCP_RUN_ID": run_id + "1"})
    finds = runpy.run_path(SCRIPT)["WITHOUT_PROC"]
    try:
        subprocess.run([sys.executable, "-I", "-c", finds, run_id], check=True)
        assert wait_for(lambda: marked.poll() == -signal.SIGKILL, LIMIT_S)
    finally:
        marked.kill()
        marked.wait()


def test_without_its_guard_a_measurement_goes_on(program: Program, tmp_path: Path, temp: Path) -> None:
    def read(result: RunResult) -> Recording:
        if result.record_dir.endswith("cold"):
            guard_of(os.getpid()).kill()
        return nothing_recorded(result)

    (sample,) = measure(program("pass"), tmp_path, read=read)
    assert sample.warm is not None and sample.warm.outcome == "completed"
    assert left_of(temp) == []


def test_after_an_ordinary_measurement_no_records_are_rescued(
    program: Program, tmp_path: Path, temp: Path, rescued: Path
) -> None:
    measure(steps(program), tmp_path, rescue_dir=str(rescued))
    assert left_of(temp) == []
    assert list(rescued.iterdir()) == []
