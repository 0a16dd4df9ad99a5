"""A measurement that was cut short can be read as far as it got, however it was cut short."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from warp_mcp import storage, workflows
from warp_mcp.models.report import Report
from warp_mcp.presentation import measure_summary, report_text

SAMPLES = Path(__file__).parent / "samples"
PROBE = [sys.executable, "-m", "warp_mcp"]
PATIENCE_S = 60.0
WAITS_WHEN_WARM = """
import os, time
from pathlib import Path
import warp as wp

@wp.kernel
def add(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0

x = wp.zeros(8, dtype=float, device="cpu")
warm = any(Path(os.environ["WARP_CACHE_PATH"]).rglob("wp_*"))
wp.launch(add, dim=8, inputs=[x], device="cpu")
time.sleep(1000 if warm else 0)
"""
DIES_ONCE_A_SAMPLE_IS_KEPT = """
import os, signal, sys
from warp_mcp import storage
from warp_mcp.cli import main

keep = storage.OpenRun.keep

def keep_and_die(run, measurement):
    keep(run, measurement)
    if measurement.samples:
        os.kill(os.getpid(), signal.SIGKILL)

storage.OpenRun.keep = keep_and_die
main(sys.argv[1:])
"""


@pytest.fixture
def temp(tmp_path: Path) -> Path:
    """A temp directory of the test's own."""
    path = tmp_path / "temp"
    path.mkdir()
    return path


def measuring(temp: Path, *program: str, run: str = "cold") -> "subprocess.Popen[str]":
    """A measurement of a program that never ends, once the program has launched something."""
    command = [*PROBE, "measure", "--label", "cut", "--", sys.executable, *program]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(temp)},
    )
    until = time.monotonic() + PATIENCE_S
    while not launched(temp, run):
        assert process.poll() is None and time.monotonic() < until, "it never launched anything"
        time.sleep(0.05)
    return process


def launched(temp: Path, run: str) -> bool:
    """Whether a record in the temp directory tells of a first launch in this run."""
    records = temp.glob(f"warp-mcp-*/{run}/*.jsonl")
    return any('"first_launch"' in path.read_text(encoding="utf-8", errors="replace") for path in records)


def gone(processes: list[psutil.Process], temp: Path) -> bool:
    """Whether within some seconds nothing of a measurement runs or lies in the temp directory."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        alive = [one for one in processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]
        if not alive and not list(temp.iterdir()):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_was_built_before_a_measurement_was_cut_short_is_kept(
    number: signal.Signals, temp: Path, own_state_dir: Path
) -> None:
    process = measuring(temp, str(SAMPLES / "builds_then_waits.py"))
    children = psutil.Process(process.pid).children(recursive=True)

    process.send_signal(number)
    process.communicate(timeout=PATIENCE_S)

    assert gone(children, temp)
    report = workflows.find("cut")
    assert [sample.outcome for sample in report.samples] == ["cancelled"]
    assert [(module.name, module.status) for module in report.modules] == [("__main__", "compiled")]
    assert report.launches.total == 1
    assert report.isolation.ok, report.isolation.violations
    assert [warning.code for warning in report.warnings if warning.code == "cut_short"]
    assert list((own_state_dir / "runs").iterdir()) == []
    killed = number is signal.SIGKILL
    assert (report.samples[0].stopped_by == "probe_killed") == killed
    assert (report.samples[0].cold_wall_ms is None) == killed
    assert ("program" in [part.name for part in report.wall_parts]) != killed
    assert report.metrics == {}


def test_a_report_of_a_killed_probe_says_how_far_it_got_and_to_measure_again(temp: Path) -> None:
    process = measuring(temp, str(SAMPLES / "builds_then_waits.py"))
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    assert gone(children, temp)

    report = workflows.find("cut")
    told = measure_summary(report)
    text = " ".join(report_text(report).split())

    sentence = (
        "cut short because the probe was killed, in the cold run of sample 1 of 3: no sample is complete"
    )
    assert sentence in told.answer and text.count(sentence) == 1
    assert told.samples == ["cut short by the end of the probe"]
    assert told.next == ["Measure again: `measure` with the same arguments and label `cut`"]
    assert "Measure again, to the end: warp-mcp measure --label cut --" in text
    assert "cancelled" not in text and "%" not in text.split("Findings")[0]


def test_a_probe_that_was_killed_in_a_warm_run_leaves_what_both_runs_recorded(
    temp: Path, tmp_path: Path
) -> None:
    program = tmp_path / "waits_when_warm.py"
    program.write_text(WAITS_WHEN_WARM, encoding="utf-8")
    process = measuring(temp, str(program), run="warm")
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    assert gone(children, temp)

    report = workflows.find("cut")

    (sample,) = report.samples
    assert sample.warm is not None
    assert (sample.outcome, sample.warm.outcome, sample.warm.wall_ms) == ("cancelled", "cancelled", None)
    assert sample.warm.compiled == [] and sample.warm.module_ms > 0
    (warning,) = [one for one in report.warnings if one.code == "cut_short"]
    assert "in the warm run of sample 1 of 3" in warning.message


WAITS_WITHOUT_BACKWARD = WAITS_WHEN_WARM.replace(
    "1000 if warm else 0", "0 if wp.config.enable_backward else 1000"
)


def test_the_runs_of_a_lever_under_way_are_not_taken_for_those_of_the_unchanged_program(
    temp: Path, tmp_path: Path
) -> None:
    program = tmp_path / "waits_without_backward.py"
    program.write_text(WAITS_WITHOUT_BACKWARD, encoding="utf-8")
    command = [*PROBE, "measure", "--samples", "1", "--label", "cut", "--lever", "enable_backward=false"]
    process = subprocess.Popen(
        [*command, "--", sys.executable, str(program)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(temp)},
    )
    until = time.monotonic() + PATIENCE_S
    while not (list(temp.glob("warp-mcp-*/cold/pass.json")) and launched(temp, "cold")):
        assert process.poll() is None and time.monotonic() < until, "the lever was never tried"
        time.sleep(0.05)
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait(timeout=PATIENCE_S)
    assert gone(children, temp)

    report = workflows.find("cut")

    assert [sample.outcome for sample in report.samples] == ["completed"]
    assert report.launches.total == 1 and report.modules[0].options["enable_backward"] == "True"


def test_a_sample_kept_right_before_the_kill_is_there_once(temp: Path) -> None:
    program = str(SAMPLES / "launches_once.py")
    dies = subprocess.run(
        [
            sys.executable,
            "-c",
            DIES_ONCE_A_SAMPLE_IS_KEPT,
            "measure",
            "--label",
            "cut",
            "--",
            sys.executable,
            program,
        ],
        env={**os.environ, "TMPDIR": str(temp)},
        check=False,
        capture_output=True,
    )
    assert dies.returncode == -signal.SIGKILL
    assert gone([], temp)

    assert [sample.outcome for sample in workflows.find("cut").samples] == ["completed"]


def test_a_killed_measurement_is_in_the_list(temp: Path) -> None:
    process = measuring(temp, str(SAMPLES / "builds_then_waits.py"))
    children = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    assert gone(children, temp)

    listed = subprocess.run([*PROBE, "list", "--json"], capture_output=True, text=True, check=True)

    assert [entry["label"] for entry in json.loads(listed.stdout)] == ["cut"]


def test_of_a_killed_measurement_that_recorded_nothing_nothing_is_left(own_state_dir: Path) -> None:
    left = storage.state_dir() / "runs" / "r-20261201-101530-ab12"
    left.mkdir(parents=True)

    assert workflows.kept_reports() == []
    assert list((own_state_dir / "runs").iterdir()) == []


def test_a_measurement_under_way_is_not_taken_for_an_abandoned_one() -> None:
    with storage.open_run("r-20261201-101530-ab12"):
        assert storage.run_is_open("r-20261201-101530-ab12")
        assert workflows.kept_reports() == []
        assert storage.abandoned_runs() == []
    assert not storage.run_is_open("r-20261201-101530-ab12")


def test_the_environment_that_was_passed_is_not_kept(tmp_path: Path, own_state_dir: Path) -> None:
    command = [sys.executable, "-c", "import time; time.sleep(0.1)"]
    request = workflows.make_request(command, cwd=str(tmp_path), env={"TOKEN": "hunter2"}, samples=1)
    kept: list[str] = []

    def look(progress: object) -> None:
        kept.extend(path.read_text(encoding="utf-8") for path in own_state_dir.rglob("measurement.json"))

    report: Report = workflows.measure(request, look, threading.Event())

    assert kept
    assert not any("hunter2" in text for text in [*kept, report.model_dump_json()])
