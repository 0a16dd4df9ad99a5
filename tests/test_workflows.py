"""The layers together: what is kept when something goes wrong, and in which order things are told."""

import json
import os
import sys
import threading
from pathlib import Path

import pytest

import warp_mcp.running
from tests.factories import a_report
from tests.storage.test_files import disk_full
from warp_mcp import storage, workflows
from warp_mcp.errors import CannotWrite, ProbeError, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.progress import Progress
from warp_mcp.running import SamplesCutShort
from warp_mcp.workflows import measuring


def quick(*arguments: str, samples: int = 1) -> MeasureRequest:
    """A program that ends at once and never touches Warp."""
    return workflows.make_request([sys.executable, "-c", "pass", *arguments], samples=samples)


def quiet(progress: Progress) -> None:
    """Progress that nobody looks at."""


def test_a_report_is_made_kept_and_found_again() -> None:
    report = workflows.measure(quick(), quiet, threading.Event())

    assert [sample.outcome for sample in report.samples] == ["completed"]
    assert workflows.find(report.report_id) == report
    assert Path(workflows.where_kept(report)).is_file()


def test_the_steps_are_told_in_order() -> None:
    seen: list[str] = []

    workflows.measure(quick(samples=2), lambda progress: seen.append(progress.step), threading.Event())

    steps = [step for index, step in enumerate(seen) if index == 0 or seen[index - 1] != step]
    assert steps == ["cold", "warm", "cold", "warm", "analysing"]


def test_a_secret_among_the_arguments_is_in_no_file(own_state_dir: Path) -> None:
    workflows.measure(quick("--token", "hunter2", "--api-key=sesame"), quiet, threading.Event())

    kept = "".join(path.read_text(encoding="utf-8") for path in own_state_dir.rglob("*.json"))
    assert "hunter2" not in kept and "sesame" not in kept
    assert "--token" in kept


def test_a_report_that_cannot_be_worked_out_leaves_everything_that_was_recorded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no module at all")

    monkeypatch.setattr(measuring, "build_report", broken)

    with pytest.raises(ProbeError, match="no module at all") as raised:
        workflows.measure(quick(), quiet, threading.Event())

    path = Path(raised.value.message.rsplit(" kept in ", 1)[1].rstrip("."))
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert raised.value.exit_code == 70
    assert kept["samples"][0]["cold"]["outcome"] == "completed"
    assert kept["request"]["command"][0] == sys.executable


def test_a_full_disk_does_not_lose_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    request = quick()
    monkeypatch.setattr(os, "fsync", disk_full)

    with pytest.raises(workflows.WriteFailed, match="No space left") as raised:
        workflows.measure(request, quiet, threading.Event())

    assert raised.value.exit_code == 74
    assert raised.value.value.samples[0].outcome == "completed"  # type: ignore[union-attr]


def test_samples_made_before_a_further_one_could_not_be_set_up_become_a_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measure_samples = warp_mcp.running.measure_samples

    def cut_short(*arguments: object, **options: object) -> None:
        full = CannotWrite("temp_full", "The temp directory is full.", "Free some space.")
        raise SamplesCutShort(full, measure_samples(*arguments, **options))  # type: ignore[arg-type]

    monkeypatch.setattr(warp_mcp.running, "measure_samples", cut_short)

    with pytest.raises(workflows.WriteFailed, match="temp directory is full") as raised:
        workflows.measure(quick(), quiet, threading.Event())

    assert workflows.find("latest") == raised.value.value


def test_a_measurement_cancelled_before_a_sample_was_complete_keeps_nothing(own_state_dir: Path) -> None:
    cancel = threading.Event()
    cancel.set()

    with pytest.raises(workflows.Interrupted) as raised:
        workflows.measure(quick(), quiet, cancel)

    assert raised.value.exit_code == 130
    assert list(own_state_dir.rglob("*.json")) == []


def test_a_measurement_waits_for_another_one_and_says_so() -> None:
    cancel = threading.Event()
    seen: list[Progress] = []
    levers = ["max_unroll=4", "mode=debug"]
    with_levers = workflows.make_request(quick().command, samples=1, levers=levers, outputs=True)

    def on_progress(progress: Progress) -> None:
        seen.append(progress)
        cancel.set()

    with storage.measurement_lock(lambda message: None, threading.Event()):
        with pytest.raises(workflows.Interrupted, match="waiting"):
            workflows.measure(with_levers, on_progress, cancel)

    assert seen[0].step == "waiting"
    assert (seen[0].done, seen[0].total) == (0, 3 * 2 + 3 * 2), "three arms, one sample each, two passes"
    assert f"process {os.getpid()}" in seen[0].message


def test_a_comparison_is_kept_and_names_both_reports(own_state_dir: Path) -> None:
    for number, label in ((1, "before"), (2, "after")):
        storage.save_report(a_report(report_id=f"r-20261201-10153{number}-ab12", label=label))

    comparison = workflows.compare("before", "latest")

    assert (comparison.baseline_label, comparison.candidate_label) == ("before", "after")
    kept = json.loads(Path(workflows.where_kept(comparison)).read_text(encoding="utf-8"))
    assert kept["schema"] == "warp-mcp/comparison/1"
    assert kept["comparison_id"] == comparison.comparison_id


def test_a_comparison_that_cannot_be_kept_is_still_made(monkeypatch: pytest.MonkeyPatch) -> None:
    storage.save_report(a_report())
    monkeypatch.setattr(os, "fsync", disk_full)

    with pytest.raises(workflows.WriteFailed) as raised:
        workflows.compare("latest", "latest")

    assert raised.value.value.verdict == "inconclusive"  # type: ignore[union-attr]


def test_pruning_says_what_goes_and_a_dry_run_removes_nothing() -> None:
    for number in range(3):
        storage.save_report(a_report(report_id=f"r-2026120{number + 1}-101530-ab12"))

    would_go = workflows.prune(keep=1, dry_run=True)

    assert [entry.report_id for entry in would_go] == ["r-20261202-101530-ab12", "r-20261201-101530-ab12"]
    assert len(workflows.kept_reports()) == 3
    assert workflows.prune(keep=1) == would_go
    assert len(workflows.kept_reports()) == 1


def test_a_directory_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert workflows.make_request(["python"], cwd="sub").cwd == str(tmp_path / "sub")
    assert workflows.make_request(["python"]).cwd == str(tmp_path)


@pytest.mark.parametrize(
    "options",
    [
        {"samples": 0},
        {"samples": 10_000},
        {"timeout_s": 0.0},
        {"timeout_s": -1.0},
        {"label": ""},
        {"label": "latest"},
        {"label": "a\nb"},
        {"label": "x" * 81},
    ],
)
def test_a_value_out_of_range_is_refused_with_what_is_allowed(options: dict[str, object]) -> None:
    with pytest.raises(UsageError) as raised:
        workflows.make_request(["python"], **options)  # type: ignore[arg-type]

    assert raised.value.exit_code == 2
    assert raised.value.next_step


@pytest.mark.parametrize("options", [{"after_launches": 0}, {"when_quiet_s": 0.0}, {"until_output": ""}])
def test_a_stop_condition_out_of_range_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        workflows.stop_condition(**options)  # type: ignore[arg-type]


def test_two_stop_conditions_exclude_each_other() -> None:
    with pytest.raises(UsageError, match="Only one stop condition"):
        workflows.stop_condition(after_launches=3, until_output="ready")


def test_no_command_is_refused_with_how_to_write_one() -> None:
    with pytest.raises(UsageError) as raised:
        workflows.make_request([])

    assert "warp-mcp measure -- python" in raised.value.next_step
