"""Ending a real Warp program at a launch; what the recorder counted is the witness."""

import sys
from pathlib import Path

import pytest

from tests.running.conftest import measure
from warp_mcp.models.command import StopCondition
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import RunResult, SampleRecording
from warp_mcp.reading import read_recording

PRELUDE = """
import os, subprocess, sys, threading
import warp as wp

@wp.kernel
def step(a: wp.array(dtype=float)):
    a[0] = a[0] + 1.0

a = wp.zeros(1, device="cpu")

def launch(times=1):
    for _ in range(times):
        wp.launch(step, 1, inputs=[a], device="cpu")
"""


def read(result: RunResult) -> Recording:
    return read_recording(result.record_dir, result.cache_dir)


def measured(tmp_path: Path, body: str, launches: int, env: dict[str, str] | None = None) -> SampleRecording:
    program = tmp_path / "program.py"
    program.write_text(PRELUDE + body, encoding="utf-8")
    stop = StopCondition(after_launches=launches)
    command = [sys.executable, str(program)]
    return measure(command, tmp_path, read=read, stop=stop, timeout_s=120.0, env=env)[0]


def counted(recording: Recording | None) -> list[int]:
    assert recording is not None
    return sorted(process.launches for process in recording.processes)


def test_an_endless_program_ends_at_exactly_its_nth_launch_cold_and_warm(tmp_path: Path, temp: Path) -> None:
    body = """
for n in range(10**9):
    print("launch", n + 1)
    launch()
"""
    sample = measured(tmp_path, body, 7)
    assert sample.warm is not None
    for run in (sample.cold, sample.warm):
        assert (run.outcome, run.stopped_by, run.exit_code) == ("completed", "after_launches", 0)
        assert run.stdout_tail.endswith("launch 7\n"), "buffered output is not lost"
    assert counted(sample.cold_recording) == counted(sample.warm_recording) == [7]
    assert list(temp.iterdir()) == [], "neither caches nor header folders of Warp"


def test_recorded_commands_and_launches_from_threads_count(tmp_path: Path) -> None:
    body = """
command = wp.launch(step, 1, inputs=[a], device="cpu", record_cmd=True)
command.launch(); command.launch()
thread = threading.Thread(target=launch, args=(3,)); thread.start(); thread.join()
launch(10**9)
"""
    assert counted(measured(tmp_path, body, 8).cold_recording) == [8]


def test_a_replayed_graph_counts_as_the_launches_it_replays(tmp_path: Path) -> None:
    body = """
launch()
with wp.ScopedCapture(device="cpu") as capture:
    launch(4)
while True:
    wp.capture_launch(capture.graph)
"""
    assert counted(measured(tmp_path, body, 6).cold_recording) == [9]


def test_a_program_that_launches_less_often_ends_by_itself(tmp_path: Path) -> None:
    run = measured(tmp_path, "launch(3); sys.exit(4)", 5).cold
    assert (run.outcome, run.stopped_by, run.exit_code) == ("failed", "none", 4)


def test_a_child_that_reaches_the_limit_ends_the_whole_program(tmp_path: Path) -> None:
    body = """
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "child"])
    import time; time.sleep(300)
launch(10**9)
"""
    sample = measured(tmp_path, body, 5)
    assert (sample.cold.outcome, sample.cold.stopped_by) == ("completed", "after_launches")
    assert counted(sample.cold_recording) == [0, 5]


def test_the_users_own_sitecustomize_still_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "sitecustomize.py").write_text("import sys; sys.mine = 'ran'", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(own))
    body = """
import sitecustomize
print(sys.mine, os.path.dirname(sitecustomize.__file__), [p for p in sys.path if "warp_mcp" in p], flush=True)
launch(10)
"""
    run = measured(tmp_path, body, 2).cold
    assert f"ran {own} []\n" in run.stdout_tail


def test_where_a_module_was_loaded_is_still_the_users_line(tmp_path: Path) -> None:
    sample = measured(tmp_path, "launch(9)", 2)
    (process,) = sample.cold_recording.processes
    wheres = [load.where for load in process.loads if load.name == "__main__"]
    line = PRELUDE.splitlines().index('        wp.launch(step, 1, inputs=[a], device="cpu")') + 1
    assert wheres == [f"{tmp_path / 'program.py'}:{line}"]
    assert process.problems == []
