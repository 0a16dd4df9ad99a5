"""Run samples, make the report, keep it. No output, no statistics."""

import threading
import time
from collections.abc import Callable
from typing import Literal

from warp_mcp import storage
from warp_mcp.analysis import build_report
from warp_mcp.errors import CannotWrite, ProbeError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.finding import Warning
from warp_mcp.models.progress import Progress
from warp_mcp.models.recording import Recording
from warp_mcp.models.report import Report
from warp_mcp.models.run import ArmRecording, PassKind, PassRecording, RunResult, SampleRecording
from warp_mcp.models.sampling import Sampling
from warp_mcp.workflows.outcomes import Interrupted, WriteFailed
from warp_mcp.workflows.planning import MeasurementPlan, planned_runs
from warp_mcp.workflows.rehearsing import check_rehearsal

OnProgress = Callable[[Progress], None]
Recheck = Callable[[], None]
"""Raises what is to be answered when the request may no longer be carried out."""


class _Steps:
    """Progress of one measurement: what the runs tell, and what comes before and behind them."""

    def __init__(self, on_progress: OnProgress, planned: int, samples: int) -> None:
        self.tell, self._started_s = on_progress, time.monotonic()
        self._runs, self._samples = planned, samples

    def waiting(self, message: str) -> None:
        """Another measurement is in the way."""
        self._say("waiting", message, 0, None)

    def running(self, progress: Progress) -> None:
        """Of a run; how many there are is known better with each."""
        self._runs = progress.total
        self.tell(progress)

    def analysing(self) -> None:
        """All runs are made."""
        self._say("analysing", "Working out the report.", self._runs, 0.0)

    def _say(
        self, step: Literal["waiting", "analysing"], message: str, done: int, remaining_s: float | None
    ) -> None:
        self.tell(
            Progress(
                step=step,
                sample=self._samples if done else 0,
                samples=self._samples,
                done=done,
                total=self._runs,
                elapsed_s=time.monotonic() - self._started_s,
                remaining_s=remaining_s,
                message=message,
            )
        )


def new_run_id() -> str:
    """An id for a measurement to come: its report will have it."""
    return storage.new_id("r", storage.now())


def measure(
    request: MeasureRequest,
    on_progress: OnProgress,
    cancel: threading.Event,
    *,
    run_id: str | None = None,
    recheck: Recheck = lambda: None,
    against: Report | None = None,
) -> Report:
    """Run the samples, make the report, keep it. When cancelled, of what was recorded by then.

    With `against`, samples are made as long as more could change the verdict of a comparison with it.
    `recheck` is called when no other measurement is in the way any more, right before anything is started.

    Raises `Interrupted` when cancelled before anything was recorded, `WriteFailed` (with the report) when it
    could not be kept or a further sample could not be set up, and what the running of the command raises.
    """
    steps = _Steps(on_progress, planned_runs(request, against), request.samples)
    report_id = run_id or new_run_id()
    with storage.open_run(report_id) as run:
        measurement, cut_short = _run(request, steps, cancel, run, recheck, against)
        rehearsed = [sample for arm in measurement.extras.rehearsals for sample in arm.samples]
        if cancel.is_set() and not recorded([*measurement.samples, *rehearsed]):
            raise Interrupted(
                "cancelled", "Cancelled before anything was recorded; nothing was kept.", "Measure again."
            )
        steps.analysing()
        report = _analyse(measurement, report_id, storage.created_at(storage.now()))
        try:
            storage.save_report(report)
        except CannotWrite as error:
            raise WriteFailed(error, report) from error
    if cut_short is not None:
        raise WriteFailed(cut_short, report, kept=True)
    return report


def recorded(samples: list[SampleRecording]) -> bool:
    """Whether there is something to tell: a complete run, or one that was cut short after it had Warp."""
    return any(
        sample.cold.outcome == "completed"
        or any(process.warp_version is not None for process in sample.cold_recording.processes)
        for sample in samples
    )


def _run(
    request: MeasureRequest,
    steps: _Steps,
    cancel: threading.Event,
    run: storage.OpenRun,
    recheck: Recheck,
    against: Report | None,
) -> tuple[storage.Measurement, CannotWrite | None]:
    """What was measured, and why not all samples could be made."""
    # Imported when something is run: `compare` and `list` start without the process library.
    from warp_mcp import running

    waited = False

    def wait(message: str) -> None:
        nonlocal waited
        waited = True
        steps.waiting(message)

    with storage.measurement_lock(wait, cancel) as held:
        if not held:
            raise _never_began(waited=waited)
        recheck()
        machine = running.describe_machine(request)
        check_rehearsal(request, machine)
        measurement = storage.Measurement(request=_shown(request), machine=machine, samples=[])
        run.keep(measurement)
        plan = MeasurementPlan(request, machine, against)
        cut_short = None

        def keep(series: list[ArmRecording]) -> None:
            run.keep(_with_warnings(storage.with_series(measurement, series), plan.warnings))

        try:
            series = running.measure_samples(
                request,
                read=running.Readers(
                    read_records, read_pass, read_problems, read_changed, read_not_rehearsed
                ),
                on_progress=steps.running,
                cancel=cancel,
                plan=plan,
                on_sample=keep,
                rescue_dir=run.records,
            )
        except running.SamplesCutShort as error:
            series, cut_short = error.series, error
        measurement = _with_sampling(storage.with_series(measurement, series), plan.sampling(series))
        measurement = _with_warnings(measurement, plan.warnings)
        if request.floor and cut_short is None:
            measurement = _with_floor(measurement, request, cancel, steps.tell)
    if running.lacked_warp(measurement.samples):
        machine = machine.model_copy(update={"interpreters": running.interpreters_with_warp(request)})
    return measurement.model_copy(update={"machine": machine}), cut_short


def _with_floor(
    measurement: storage.Measurement,
    request: MeasureRequest,
    cancel: threading.Event,
    on_progress: OnProgress,
) -> storage.Measurement:
    """What one more module costs, for the module of this measurement that takes longest."""
    from warp_mcp.workflows.floors import floor_for

    if cancel.is_set():
        return measurement
    report = build_report(request, measurement.samples, measurement.machine, report_id="", created_at="")
    floor, warning = floor_for(report, request, cancel, on_progress)
    measurement = _with_warnings(measurement, [warning] if warning else [])
    return measurement.model_copy(update={"extras": measurement.extras.model_copy(update={"floor": floor})})


def _with_warnings(measurement: storage.Measurement, warnings: list[Warning]) -> storage.Measurement:
    told = {"warnings": [*measurement.extras.warnings, *warnings]}
    return measurement.model_copy(update={"extras": measurement.extras.model_copy(update=told)})


def _with_sampling(measurement: storage.Measurement, sampling: Sampling | None) -> storage.Measurement:
    extras = measurement.extras.model_copy(update={"sampling": sampling})
    return measurement.model_copy(update={"extras": extras})


def _never_began(*, waited: bool) -> Interrupted:
    when = "while waiting for another measurement" if waited else "before anything was measured"
    return Interrupted("cancelled", f"Cancelled {when}.", "Measure again.")


def _shown(request: MeasureRequest) -> MeasureRequest:
    """The request as it may be kept: without what looks like a secret."""
    from warp_mcp import running

    told: dict[str, object] = {
        "command": running.masked(request.command),
        "cwd": running.printable(request.cwd),
        "env": dict.fromkeys(request.env, ""),
    }
    told["label"] = running.printable(request.label) if request.label is not None else None
    return request.model_copy(update=told)


def _analyse(measurement: storage.Measurement, report_id: str, created_at: str) -> Report:
    """The report; when it cannot be made, what was recorded is kept instead."""
    request, samples, machine = measurement.request, measurement.samples, measurement.machine
    try:
        return build_report(
            request,
            samples,
            machine,
            report_id=report_id,
            created_at=created_at,
            extras=measurement.extras,
        )
    except Exception as error:
        raise _kept_recordings(report_id, measurement, error) from error


def read_records(run: RunResult) -> Recording:
    """What the processes of a run recorded."""
    from warp_mcp.reading import read_recording

    return read_recording(run.record_dir, run.cache_dir)


def read_pass(kind: PassKind, run: RunResult) -> PassRecording:
    """What was seen in a pass beside the samples."""
    from warp_mcp.reading import read_outputs, read_times, read_trace

    if kind == "compile_trace":
        return PassRecording(kind=kind, run=run, trace=read_trace(run.record_dir))
    if kind == "outputs":
        return PassRecording(kind=kind, run=run, outputs=read_outputs(run.record_dir))
    return PassRecording(kind=kind, run=run, times=read_times(run.record_dir))


def read_not_rehearsed(run: RunResult) -> list[tuple[str, str]]:
    """What a rehearsal could not do, and why."""
    from warp_mcp.reading import read_rehearsal

    return read_rehearsal(run.record_dir)


def read_changed(run: RunResult) -> list[str]:
    """Options for the process that a lever gave another value in a run."""
    from warp_mcp.reading import read_lever_changes

    return read_lever_changes(run.record_dir)


def read_problems(run: RunResult) -> list[str]:
    """What of a lever could not be applied in a run."""
    from warp_mcp.reading import read_lever_problems

    return read_lever_problems(run.record_dir)


def _kept_recordings(report_id: str, measurement: storage.Measurement, error: Exception) -> ProbeError:
    what = f"The report could not be worked out ({type(error).__name__}: {error})."
    try:
        path = storage.save_recordings(report_id, measurement)
    except CannotWrite as unwritable:
        return ProbeError("analysis_failed", f"{what} {unwritable.message}", unwritable.next_step)
    return ProbeError(
        "analysis_failed",
        f"{what} What was recorded is kept in {path}.",
        "This is a fault of warp-mcp: report it, with that file.",
    )
