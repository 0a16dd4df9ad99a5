"""The order of runs, with a runner that only says how each would end."""

import threading
from pathlib import Path

import pytest

from tests.running.conftest import Program, measure, nothing_recorded
from tests.running.fake_runner import FakeRunner
from warp_mcp.errors import CannotWrite
from warp_mcp.models.command import StopCondition
from warp_mcp.models.progress import Progress
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import RunResult
from warp_mcp.running.plan import Readers
from warp_mcp.running.progress import Ticker
from warp_mcp.running.samples import FixedPlan
from warp_mcp.running.series import SamplesCutShort, Series


def go(runner: FakeRunner, samples: int, cancel: threading.Event | None = None) -> list[str]:
    """Outcomes of the cold runs."""
    ticker = Ticker(samples, lambda _: None)
    series = Series(runner, FixedPlan(samples), Readers(runner.read), ticker, cancel or threading.Event())
    (unchanged,) = series.run()
    return [one.cold.outcome for one in unchanged.samples]


SAMPLE = ["made", "cold", "read", "warm", "read", "removed"]


def test_every_cold_run_is_read_and_followed_by_its_warm_run() -> None:
    runner = FakeRunner()
    assert go(runner, 3) == ["completed"] * 3
    assert runner.log == SAMPLE * 3


def test_a_cold_run_that_failed_has_no_warm_run_and_the_next_sample_is_tried() -> None:
    runner = FakeRunner("failed")
    assert go(runner, 2) == ["failed", "completed"]
    assert runner.log == ["made", "cold", "read", "removed", *SAMPLE]


def test_no_further_sample_is_tried_after_a_time_out() -> None:
    runner = FakeRunner("timed_out")
    assert go(runner, 3) == ["timed_out"]
    assert runner.log == ["made", "cold", "read", "removed"]


def test_a_time_out_of_a_warm_run_ends_the_series_too() -> None:
    runner = FakeRunner("completed", "timed_out")
    assert go(runner, 3) == ["completed"]
    assert runner.log == SAMPLE


def test_a_cancelled_run_is_the_last_one() -> None:
    assert go(FakeRunner("completed", "completed", "cancelled"), 3) == ["completed", "cancelled"]


def test_nothing_is_run_after_a_cancel() -> None:
    cancel = threading.Event()
    cancel.set()
    runner = FakeRunner()
    assert go(runner, 3, cancel) == []
    assert runner.log == []


def test_what_was_measured_is_not_lost_when_the_disk_fills_up() -> None:
    with pytest.raises(SamplesCutShort, match="disk is full") as caught:
        go(FakeRunner(room_for=2), 3)
    assert len(caught.value.series[0].samples) == 2
    assert caught.value.exit_code == 74


def test_a_disk_that_is_full_from_the_start_is_just_that() -> None:
    with pytest.raises(CannotWrite) as caught:
        go(FakeRunner(room_for=0), 3)
    assert not isinstance(caught.value, SamplesCutShort)


SHOWS_CACHES = """
import os
for name in ("WARP_CACHE_PATH", "WARP_CACHE_ROOT", "CUDA_CACHE_PATH"):
    path = os.environ[name]
    print(name, len(os.listdir(path)), oct(os.stat(os.path.dirname(path)).st_mode & 0o777))
    open(os.path.join(path, "filled"), "w").close()
"""


def test_each_cold_run_has_empty_caches_and_the_warm_run_finds_them_filled(
    program: Program, tmp_path: Path, temp: Path
) -> None:
    samples = measure(program(SHOWS_CACHES), tmp_path, samples=2)
    names = ("WARP_CACHE_PATH", "WARP_CACHE_ROOT", "CUDA_CACHE_PATH")
    for sample in samples:
        assert sample.cold.stdout_tail.splitlines() == [f"{name} 0 0o700" for name in names]
        assert sample.warm is not None
        assert sample.warm.stdout_tail.splitlines() == [f"{name} 1 0o700" for name in names]
    assert samples[0].cold.cache_dir != samples[1].cold.cache_dir
    assert list(temp.iterdir()) == []


def test_records_are_read_while_they_exist(program: Program, tmp_path: Path) -> None:
    command = program("import os; open(os.path.join(os.environ['WARP_MCP_RECORD_DIR'], 'mine'), 'w').close()")
    found: list[tuple[bool, bool]] = []

    def read(result: RunResult) -> Recording:
        found.append((Path(result.record_dir, "mine").exists(), Path(result.cache_dir).is_dir()))
        return nothing_recorded(result)

    measure(command, tmp_path, read=read)
    assert found == [(True, True), (True, True)]


def test_directories_are_removed_when_reading_fails(program: Program, tmp_path: Path, temp: Path) -> None:
    def read(result: RunResult) -> Recording:
        raise ValueError("unreadable")

    with pytest.raises(ValueError, match="unreadable"):
        measure(program("pass"), tmp_path, read=read)
    assert list(temp.iterdir()) == []


def test_progress_is_made_in_steps(program: Program, tmp_path: Path) -> None:
    said: list[Progress] = []
    measure(program("import time; time.sleep(1.2)"), tmp_path, on_progress=said.append)
    steps = [(one.step, one.done) for one in said]
    assert list(dict.fromkeys(steps)) == [("cold", 0), ("cold", 1), ("warm", 1), ("warm", 2)]
    assert steps.count(("cold", 0)) >= 2, "a sign of life within the step"
    assert said[0].remaining_s is None and said[-1].remaining_s == 0.0


def test_a_program_that_never_ends_completes_at_a_line_of_its_output(
    program: Program, tmp_path: Path
) -> None:
    body = "import time\nfor n in range(10_000): print('line', n); time.sleep(0.01)"
    (sample,) = measure(program(body), tmp_path, stop=StopCondition(until_output="line 20"))
    for run in (sample.cold, sample.warm):
        assert run is not None
        assert (run.outcome, run.stopped_by, run.exit_code) == ("completed", "until_output", None)
        assert "line 20\n" in run.stdout_tail
