"""Nothing lives on when the probe itself dies. The moments at which that can be are in `test_guarding.py`."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.running.conftest import (
    STUBBORN_FAMILY,
    Program,
    alive,
    cold,
    guard_of,
    pids_in,
    supervisor_of,
    wait_for,
)

MEASURES = """
import sys, pathlib
sys.path.insert(0, {root!r})
from tests.running.conftest import measure
measure({command!r}, pathlib.Path({cwd!r}))
"""


def _measuring(command: list[str], cwd: Path) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[2])
    text = MEASURES.format(root=root, command=command, cwd=str(cwd))
    return subprocess.Popen([sys.executable, "-c", text], env={**os.environ})


def test_nothing_is_left_when_the_probe_is_killed(
    program: Program, tmp_path: Path, pids: Path, temp: Path
) -> None:
    probe = _measuring(program(STUBBORN_FAMILY), tmp_path)
    assert wait_for(lambda: len(pids_in(pids)) == 4)
    probe.send_signal(signal.SIGKILL)
    probe.wait()
    assert wait_for(lambda: not [pid for pid in pids_in(pids) if alive(pid)], 5.0)
    assert wait_for(lambda: list(temp.iterdir()) == [], 5.0)


def test_header_folders_of_a_target_go_with_it_when_the_probe_is_killed(
    program: Program, tmp_path: Path, pids: Path, temp: Path
) -> None:
    body = """
        import json, os, tempfile, time
        headers = tempfile.mkdtemp(prefix="wp_pch_")
        os.mkdir(os.path.join(os.path.dirname(headers), "__nvrtc_auto_pch_1_0"))
        line = json.dumps({"e": "headers", "path": headers}, separators=(",", ":")) + "\\n"
        records = os.environ["WARP_MCP_RECORD_DIR"]
        open(os.path.join(records, "0-1.jsonl"), "w").write('{"e":"headers",damaged}\\n')
        open(os.path.join(records, "1-1.jsonl"), "w").write(line)
        time.sleep(100)
    """
    probe = _measuring(program(textwrap.dedent(body)), tmp_path)
    assert wait_for(lambda: any(path.name.startswith("wp_pch_") for path in temp.iterdir()))
    assert wait_for(lambda: list(temp.rglob("1-1.jsonl")) != [])
    probe.send_signal(signal.SIGKILL)
    probe.wait()
    assert wait_for(lambda: list(temp.iterdir()) == [], 5.0)


def test_nothing_is_left_when_the_probe_is_terminated(
    program: Program, tmp_path: Path, pids: Path, temp: Path
) -> None:
    probe = _measuring(program(STUBBORN_FAMILY), tmp_path)
    assert wait_for(lambda: len(pids_in(pids)) == 4)
    probe.terminate()
    probe.wait()
    assert wait_for(lambda: not [pid for pid in pids_in(pids) if alive(pid)], 5.0)


def test_nothing_is_left_when_probe_supervisor_and_guard_are_killed_once_the_next_run_begins(
    program: Program, tmp_path: Path, pids: Path, temp: Path
) -> None:
    probe = _measuring(program(STUBBORN_FAMILY), tmp_path)
    assert wait_for(lambda: len(pids_in(pids)) == 4)
    os.kill(probe.pid, signal.SIGSTOP)
    ours = [supervisor_of(probe.pid), guard_of(probe.pid)]
    for one in ours:
        one.kill()
    probe.kill()
    probe.wait()
    # A guard on its way out still holds the lock that tells it is there.
    assert wait_for(lambda: not any(alive(one.pid) for one in ours))
    assert [pid for pid in pids_in(pids) if alive(pid)], "nobody was there to end them"
    assert cold(["true"], tmp_path).outcome == "completed"
    assert wait_for(lambda: not [pid for pid in pids_in(pids) if alive(pid)], 5.0)
    assert list(temp.iterdir()) == []
