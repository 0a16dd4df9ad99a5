"""Child processes are recorded like their parents, and those that cannot be are never silence."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.situations.measuring import Measured, Probe, alive, marked, python
from tests.situations.situation import Situation, holds


def _one_entry(measured: Measured) -> None:
    assert len(measured.modules(None)) == 1, "one identity is one entry, whichever process built it"


def _incomplete(measured: Measured) -> None:
    assert measured.launches["complete"] is False


TABLE = [
    Situation(
        "children run one after the other, the second on the first one's build",
        python("spawns_children"),
        launches=4,
        distinct=1,
        processes=3,
        also=_one_entry,
    ),
    Situation(
        "two processes build the same module: two builds, no rebuild",
        python("builds_in_two_processes"),
        launches=4,
        distinct=1,
        processes=3,
        builds=2,
        also=_one_entry,
        warns=("builds_overlapped",),
    ),
    Situation(
        "a process forks after building", python("forks_after_building"), launches=6, distinct=1, processes=2
    ),
]


@pytest.mark.parametrize("situation", TABLE, ids=lambda situation: situation.says)
def test_the_report_is_right_when(situation: Situation, probe: Probe) -> None:
    holds(situation, probe)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_every_worker_of_multiprocessing_is_recorded_and_none_is_warned_of(method: str, probe: Probe) -> None:
    measured = probe.measure(*python("uses_multiprocessing", method))

    assert measured.sample["outcome"] == "completed", measured.sample
    assert "DeprecationWarning" not in measured.sample["stderr_tail"]
    assert measured.launches["total"] == 7
    assert measured.builds() in (1, 2, 3), "whoever finds the cache empty builds"
    assert len(measured.report["processes"]) >= 3
    assert all(entry["attached"] for entry in measured.report["processes"]), measured.report["processes"]
    assert measured.report["rebuilds"] == []


def test_a_daemon_that_leaves_the_process_group_is_recorded_and_ended(probe: Probe, tmp_path: Path) -> None:
    pid_file = tmp_path / "daemon.pid"

    holds(Situation("daemon", python("starts_a_daemon", str(pid_file)), launches=5, processes=3), probe)

    assert not alive(int(pid_file.read_text(encoding="utf-8")))


def test_a_child_with_a_scrubbed_environment_is_said_with_its_line(probe: Probe) -> None:
    measured = probe.measure(*python("scrubs_child_environment"))

    assert measured.process.returncode == 0
    assert [entry["attached"] for entry in measured.report["processes"]].count(False) == 1
    assert measured.report["isolation"]["ok"] is False
    assert any(
        marked("scrubs_child_environment", "child") in text
        for text in measured.report["isolation"]["violations"]
    )
    warnings = measured.warnings()
    assert "isolation_escaped" in warnings or "recorder_not_attached" in warnings
    _incomplete(measured)


def test_a_child_of_isolated_python_is_said(probe: Probe) -> None:
    holds(
        Situation(
            "isolated",
            python("starts_isolated_child"),
            processes=2,
            unattached=1,
            warns=("recorder_not_attached",),
            also=_incomplete,
        ),
        probe,
    )


def test_a_child_that_drops_the_cache_path_escapes_isolation(probe: Probe) -> None:
    measured = probe.measure(*python("drops_cache_path_in_child"))

    assert measured.report["isolation"]["ok"] is False
    assert "isolation_escaped" in measured.warnings()
    assert any(str(probe.root / "home") in text for text in measured.report["isolation"]["violations"])
    assert measured.launches["total"] == 1


def interpreter_that_warns_of_forks() -> str | None:
    """A Python from 3.12 on, which warns of forks with several threads; null where none is found."""
    names = ("python3", "python3.12", "python3.13", "python3.14")
    asked = "import sys; raise SystemExit(sys.version_info < (3, 12))"
    for candidate in (sys.executable, *(shutil.which(name) for name in names)):
        if (
            candidate
            and subprocess.run([candidate, "-c", asked], capture_output=True, check=False).returncode == 0
        ):
            return candidate
    return None


def test_a_program_that_forks_is_not_warned_of_threads_it_does_not_have(probe: Probe) -> None:
    interpreter = interpreter_that_warns_of_forks()
    if interpreter is None:
        pytest.skip("no Python 3.12 or later is found here")
    code = "import os; child = os.fork(); child or os._exit(0); os.waitpid(child, 0); print('forked')"

    measured = probe.measure(interpreter, "-W", "error", "-c", code)

    assert (measured.sample["outcome"], measured.sample["stderr_tail"]) == ("completed", "")
    assert [entry["attached"] for entry in measured.report["processes"]] == [True, True]


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads through /proc")
def test_the_recorder_adds_no_thread_to_the_program(probe: Probe) -> None:
    code = "import os, warp as wp; wp.init(); print('tasks', len(os.listdir('/proc/self/task')))"
    bare = os.popen(f"'{sys.executable}' -c \"{code}\"").read().splitlines()[-1]  # noqa: S605

    measured = probe.measure(sys.executable, "-c", code)

    assert bare.startswith("tasks") and bare in measured.sample["stdout_tail"]
