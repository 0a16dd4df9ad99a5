"""What one more one-kernel module costs for a program: read where it is known, measured where it is not."""

import threading

from warp_mcp import storage
from warp_mcp.analysis.floor import (
    FloorTarget,
    dominant,
    floor_target,
    made_when_busy,
    make_floor,
    options_not_set,
)
from warp_mcp.errors import CannotWrite, ProbeError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.finding import Warning
from warp_mcp.models.floor import Floor
from warp_mcp.models.report import Report
from warp_mcp.models.run import RunResult
from warp_mcp.storage.floors import floor_path, read_floor, save_floor
from warp_mcp.workflows.measuring import OnProgress, read_records

CODE = "floor_not_measured"


def floor_for(
    report: Report, request: MeasureRequest, cancel: threading.Event, on_progress: OnProgress
) -> tuple[Floor | None, Warning | None]:
    """The floor for the module of `report` that takes longest in one build, or why there is none.

    It is measured once and kept; one from a busy machine is measured again when the machine is idle. To be
    called while the lock of measurements is held: nothing else may be measured beside it. Raises nothing for
    runs that fail.
    """
    module = dominant(report.modules)
    if module is None:
        return None, _warning("nothing was built", "Measure a command that compiles a module.")
    target = floor_target(module)
    if module.device.startswith("aot:"):
        return None, _warning(
            f"the module that takes longest was built ahead of time, for {module.device[4:]}",
            "Measure a command that builds it for a device of this machine.",
        )
    executable = report.environment.executable
    if executable is None:
        return None, _warning("the program's interpreter is not known", "See the other warnings.")
    path = floor_path(report.environment.fingerprint, target.device, target.block_dim, target.options)
    known = read_floor(path)
    if known is not None and not (made_when_busy(known) and _is_idle(report)):
        return known, None
    try:
        floor, warning = _measured(report, request, executable, target, cancel, on_progress)
    except ProbeError as error:
        return None, _warning(error.message.rstrip("."), error.next_step)
    if floor is not None and warning is None:
        try:
            save_floor(path, floor)
        except CannotWrite as error:
            return floor, Warning(code="floor_not_kept", message=error.message, next=error.next_step)
    return floor, warning


def _is_idle(report: Report) -> bool:
    """Whether nothing else took much of the machine while the samples were made."""
    return all(warning.code != "machine_busy" for warning in report.warnings)


def _measured(
    report: Report,
    request: MeasureRequest,
    executable: str,
    target: FloorTarget,
    cancel: threading.Event,
    on_progress: OnProgress,
) -> tuple[Floor | None, Warning | None]:
    from warp_mcp.running.floor import RUNS, floor_runs  # as `measuring` does: the process library is slow

    runs = floor_runs(
        request, executable, target._asdict(), read=read_records, on_progress=on_progress, cancel=cancel
    )
    if cancel.is_set():
        return None, _warning("the measurement was cancelled", "Measure again with --floor.")
    if not runs or runs[-1][0].outcome != "completed":
        return None, _failed(runs[-1][0] if runs else None, target.device)
    if options := options_not_set(runs):
        return None, _warning(
            f"options of the program could not be set alone: {', '.join(options)}",
            "Nothing is to be done: estimates stand in for it.",
        )
    floor = make_floor(
        target,
        runs,
        fingerprint=report.environment.fingerprint,
        measured_at=storage.created_at(storage.now()),
    )
    if floor is None or len(floor.first_ms.values) < RUNS:
        return None, _warning(
            "the recorder saw too little of its builds", "See what `warp-mcp doctor` says of the interpreter."
        )
    return floor, None


def _failed(run: RunResult | None, device: str) -> Warning:
    last = (run.stderr_tail.strip().splitlines() or [""])[-1] if run else ""
    how = f" ({run.outcome.replace('_', ' ')}{': ' + last if last else ''})" if run else ""
    return _warning(
        f"one-kernel modules could not be built on {device}{how}",
        "Check that the device is there and that the interpreter starts without the program; "
        "estimates stand in for the floor until then.",
    )


def _warning(why: str, hint: str) -> Warning:
    return Warning(code=CODE, message=f"What one more module costs was not measured: {why}.", next=hint)
