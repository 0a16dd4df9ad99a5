"""Reports of measurements whose probe was killed: how far they got, read when somebody asks for them."""

import re
from pathlib import Path

from warp_mcp import storage
from warp_mcp.analysis import build_report
from warp_mcp.errors import ProbeError, UnreadableReport
from warp_mcp.models.recording import Recording
from warp_mcp.models.report import Report
from warp_mcp.models.run import RunResult, SampleRecording
from warp_mcp.workflows.measuring import recorded

INJECTED = "pass.json"
"""Beside the records of a run in which something was changed on purpose."""


def recover_abandoned() -> list[Report]:
    """Make and keep the reports of measurements whose probe was killed; those of which nothing is left go."""
    found: list[Report] = []
    for report_id in storage.abandoned_runs():
        try:
            found.append(_recover(report_id))
        except ProbeError:
            # Nothing was recorded, or the place is full: the first has nothing to lose, the second stays.
            continue
    return found


def _recover(report_id: str) -> Report:
    """The report of one, as far as it got. Raises `UnreadableReport` when that is nothing."""
    try:
        measurement, records = storage.read_run(report_id)
        samples = [*measurement.samples, *_under_way(records, measurement.samples)]
        if not recorded(samples):
            raise UnreadableReport(
                "lost_run", f"Of the run {report_id} nothing was recorded.", "Measure again."
            )
    except UnreadableReport:
        storage.forget_run(report_id)
        raise
    request, machine = measurement.request, measurement.machine
    created_at = storage.created_at(storage.now())
    report = build_report(
        request,
        samples,
        machine,
        report_id=report_id,
        created_at=created_at,
        probe_killed=True,
        extras=measurement.extras,
    )
    storage.save_report(report)
    storage.forget_run(report_id)
    return report


def _under_way(records: Path, kept: list[SampleRecording]) -> list[SampleRecording]:
    """The sample that was being made when the probe was killed, from the records its guard saved.

    Nothing when that is the last one kept: then the probe was killed before the records were removed. Nothing
    either when something had been injected: the runs of a lever are none of the unchanged program.
    """
    from warp_mcp.reading import read_recording

    cold, warm = records / "cold", records / "warm"
    if not cold.is_dir() or (cold / INJECTED).exists():
        return []
    recording = read_recording(str(cold), "")
    if kept and _processes(kept[-1].cold_recording) == _processes(recording):
        return []
    cache = _cache_of(recording)
    begun = warm.is_dir() and any(warm.iterdir())
    return [
        SampleRecording(
            cold=_cut_short(str(cold)),
            cold_recording=recording.model_copy(update={"cache_dir": cache}),
            warm=_cut_short(str(warm)) if begun else None,
            warm_recording=read_recording(str(warm), cache) if begun else None,
        )
    ]


def _processes(recording: Recording) -> set[tuple[int, float]]:
    """Who recorded: process numbers, each with the time it began at."""
    return {(process.pid, process.started_ms) for process in recording.processes}


def _cache_of(recording: Recording) -> str:
    """The isolated cache of the run, which is gone: by the place in it that Warp settled on."""
    paths = [event.path or "" for process in recording.processes for event in process.cache]
    ours = [re.match(r".*/warp-mcp-[^/]+/kernels", path) for path in paths]
    return next((match[0] for match in ours if match), "")


def _cut_short(record_dir: str) -> RunResult:
    """A run of a sample that was not over: nobody is left who saw how it ended, nor how long it took."""
    return RunResult(
        outcome="cancelled",
        exit_code=None,
        wall_ms=None,
        stdout_tail="",
        stderr_tail="",
        stopped_by="probe_killed",
        processes=[],
        left_running=0,
        foreign_load=0.0,
        record_dir=record_dir,
        cache_dir="",
    )
