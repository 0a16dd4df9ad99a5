"""However a program ends, what was recorded is kept, nothing lives on, and its own words are shown."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.situations.measuring import PROBE, Measured, Probe, alive, python
from tests.situations.situation import Situation, holds


def _shows(words: str):
    def check(measured: Measured) -> None:
        assert words in measured.sample["stderr_tail"] + measured.sample["stdout_tail"]
        assert words in measured.text

    return check


TABLE = [
    Situation(
        "sys.exit(3)",
        python("exits_with_three"),
        launches=10,
        exit=5,
        outcome="failed",
        exit_code=3,
        also=_shows("tolerance exceeded"),
    ),
    Situation(
        "an exception",
        python("raises"),
        launches=10,
        exit=5,
        outcome="failed",
        exit_code=1,
        also=_shows("the mesh has no faces"),
    ),
    Situation("os._exit", python("leaves_by_os_exit"), launches=10),
    Situation(
        "a signal", python("dies_by_signal"), launches=10, exit=5, outcome="failed", exit_code=-signal.SIGTERM
    ),
    Situation(
        "a crash in native code",
        python("crashes_in_native_code"),
        launches=10,
        exit=5,
        outcome="failed",
        exit_code=-signal.SIGSEGV,
    ),
    Situation(
        "an error before Warp is imported",
        python("fails_before_warp"),
        launches=0,
        builds=0,
        modules=0,
        exit=5,
        outcome="failed",
        exit_code=1,
        also=_shows("cannot open scene.usd"),
    ),
    Situation(
        "the end of a program that only initialises Warp",
        python("imports_warp_only"),
        launches=0,
        builds=0,
        modules=0,
        exit=6,
    ),
    Situation(
        "the end of a program without Warp", python("without_warp"), launches=0, builds=0, modules=0, exit=6
    ),
    Situation(
        "its five hundredth launch is not reached",
        python("launches_once"),
        options=("--stop-after-launches", "500"),
        launches=3,
    ),
    Situation(
        "the launch it is stopped at",
        python("never_ends"),
        options=("--stop-after-launches", "40"),
        builds=2,
        modules=2,
        launches=40,
        exit_code=None,
    ),
    Situation(
        "the line it is stopped at",
        python("never_ends"),
        options=("--until-output", "frame 9 done"),
        builds=2,
        modules=2,
        launches=None,
        exit_code=None,
    ),
    Situation(
        "silence of the compiler",
        python("never_ends"),
        options=("--stop-when-quiet", "2"),
        builds=2,
        modules=2,
        launches=None,
        exit_code=None,
    ),
]


@pytest.mark.parametrize("situation", TABLE, ids=lambda situation: situation.says)
def test_the_report_is_right_when_a_program_ends_by(situation: Situation, probe: Probe) -> None:
    if situation.options:
        measured = probe.measure(*situation.command, options=situation.options)
        assert measured.sample["outcome"] == "completed", measured.sample
        assert measured.process.returncode == 0
        assert measured.sample["warm"]["compiled"] == []
        assert measured.builds() == situation.builds
        assert situation.launches in (None, measured.launches["total"])
        assert measured.launches["total"] > 0
        assert probe.leftovers() == []
    else:
        holds(situation, probe)


def pids(path: Path) -> list[int]:
    return [int(line) for line in path.read_text(encoding="utf-8").split()]


def test_a_time_out_ends_the_whole_family_and_keeps_what_was_recorded(probe: Probe, tmp_path: Path) -> None:
    noted = tmp_path / "pids"

    measured = probe.measure(
        *python("never_ends", "crowd", str(noted)), samples=3, options=("--timeout", "15")
    )

    assert measured.process.returncode == 5
    assert [sample["outcome"] for sample in measured.report["samples"]] == ["timed_out"]
    assert measured.builds() == 2
    assert measured.launches["total"] > 0
    assert "--stop-after-launches" in measured.text
    assert len(pids(noted)) == 3
    assert [pid for pid in pids(noted) if alive(pid)] == []
    assert probe.leftovers() == []


def test_ctrl_c_ends_the_whole_family_and_leaves_nothing(probe: Probe, tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    command = [str(PROBE), "measure", "--samples", "1", "--", *python("never_ends", "crowd", str(noted))]
    process = subprocess.Popen(command, env=probe.environment, cwd=tmp_path, start_new_session=True)
    deadline = time.monotonic() + 120
    while not (noted.exists() and len(pids(noted)) == 3) and time.monotonic() < deadline:
        time.sleep(0.1)

    os.kill(process.pid, signal.SIGINT)

    assert process.wait(timeout=60) == 130
    assert len(pids(noted)) == 3
    assert [pid for pid in pids(noted) if alive(pid)] == []
    assert probe.leftovers() == []


def test_a_probe_that_is_killed_takes_its_target_with_it(probe: Probe, tmp_path: Path) -> None:
    noted = tmp_path / "pids"
    command = [str(PROBE), "measure", "--samples", "1", "--", *python("never_ends", "crowd", str(noted))]
    process = subprocess.Popen(command, env=probe.environment, cwd=tmp_path, start_new_session=True)
    deadline = time.monotonic() + 120
    while not (noted.exists() and len(pids(noted)) == 3) and time.monotonic() < deadline:
        time.sleep(0.1)

    process.kill()
    process.wait(timeout=60)

    while any(alive(pid) for pid in pids(noted)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(pids(noted)) == 3
    assert [pid for pid in pids(noted) if alive(pid)] == []


def test_a_kill_in_the_middle_of_a_build_keeps_what_was_begun(probe: Probe) -> None:
    measured = probe.measure(*python("ends_in_the_middle_of_a_build"))

    assert measured.sample["outcome"] == "failed"
    assert measured.sample["exit_code"] == -signal.SIGKILL
    assert measured.launches["total"] == 0
    assert any("long_kernel" in json.dumps(entry["kernels"]) for entry in measured.modules(None)), (
        measured.report["modules"]
    )
