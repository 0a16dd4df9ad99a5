"""Runs of small real programs, each test with a temp directory of its own."""

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from warp_mcp.models.command import MeasureRequest, StopCondition
from warp_mcp.models.progress import Progress
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import ArmRecording, RunResult, SampleRecording
from warp_mcp.running import Readers, measure_samples

Program = Callable[[str], list[str]]


def nothing_recorded(result: RunResult) -> Recording:
    """A reader for tests that are not about records."""
    return Recording(processes=[], damaged=[], cache_dir=result.cache_dir, lto_artifacts=0)


def measure(
    command: list[str],
    cwd: Path,
    *,
    read: Callable[[RunResult], Recording] = nothing_recorded,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    cancel: threading.Event | None = None,
    samples: int = 1,
    timeout_s: float = 60.0,
    env: dict[str, str] | None = None,
    stop: StopCondition | None = None,
    on_sample: Callable[[list[ArmRecording]], None] = lambda series: None,
    rescue_dir: str | None = None,
) -> list[SampleRecording]:
    """Measure as a user would."""
    request = MeasureRequest(
        command=command,
        cwd=str(cwd),
        samples=samples,
        timeout_s=timeout_s,
        env=env or {},
        stop=stop or StopCondition(),
    )
    (unchanged,) = measure_samples(
        request,
        read=Readers(read),
        on_progress=on_progress,
        cancel=cancel or threading.Event(),
        on_sample=on_sample,
        rescue_dir=rescue_dir,
    )
    return unchanged.samples


def cold(command: list[str], cwd: Path, **request: object) -> RunResult:
    """The cold run of a single sample."""
    return measure(command, cwd, **request)[0].cold  # pyright: ignore[reportArgumentType]


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def guard_of(probe: int) -> psutil.Process:
    """The guard of the sample that a probe is making."""
    return next(one for one in psutil.Process(probe).children() if "guard" in " ".join(one.cmdline()))


def supervisor_of(probe: int) -> psutil.Process:
    """The supervisor of the run that a probe is making."""
    return next(one for one in psutil.Process(probe).children() if one.cmdline()[-1].endswith("supervisor"))


def wait_for(condition: Callable[[], bool], limit_s: float = 30.0) -> bool:
    """Wait until something holds; False when it did not within the limit."""
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def pids_in(directory: Path) -> list[int]:
    """Process numbers that programs left as the names of files."""
    return [int(path.name) for path in directory.iterdir()]


@pytest.fixture(autouse=True)
def temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The system temp directory as this test sees it."""
    directory = tmp_path / "temp"
    directory.mkdir()
    monkeypatch.setenv("TMPDIR", str(directory))
    return directory


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory in which programs leave their process numbers; $PIDS in theirs."""
    directory = tmp_path / "pids"
    directory.mkdir()
    monkeypatch.setenv("PIDS", str(directory))
    return directory


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Writes a Python program and returns the command that runs it."""

    def write(text: str) -> list[str]:
        path = tmp_path / "program.py"
        path.write_text(text, encoding="utf-8")
        return [sys.executable, str(path)]

    return write


STUBBORN_FAMILY = """
import os, signal, sys, time

def stay(name):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    open(os.path.join(os.environ["PIDS"], str(os.getpid())), "w").close()
    time.sleep(300)

if os.fork() == 0:           # a grandchild that ignores SIGTERM
    if os.fork() == 0:
        stay("grandchild")
    stay("child")
if os.fork() == 0:           # a daemon: own session, forked twice
    os.setsid()
    if os.fork() == 0:
        stay("daemon")
    os._exit(0)
stay("parent")
"""
"""Four processes that do their best to live on."""
