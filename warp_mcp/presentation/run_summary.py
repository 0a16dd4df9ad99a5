"""What an agent is told of a measurement that is not over, or that ended before anything was recorded."""

from warp_mcp.models.progress import Progress
from warp_mcp.models.summary import MeasureSummary, RunProgress
from warp_mcp.presentation.progress_text import progress_text

ONE_AT_A_TIME = "Do not start the same measurement again: only one runs at a time."


def running_summary(run_id: str, interpreter: str, cwd: str, progress: Progress | None) -> MeasureSummary:
    """The answer for a run that is still under way, with the words that fetch the rest."""
    queued = progress is not None and progress.step == "waiting"
    said = progress_text(progress).rstrip(".") if progress is not None else "it has just been started"
    return MeasureSummary(
        status="queued" if queued else "running",
        run_id=run_id,
        answer=f"{'Queued' if queued else 'Still running'}: {said}. Nothing is lost by waiting for it again.",
        cwd=cwd,
        interpreter=interpreter,
        progress=_progress(progress),
        next=[
            f'Call measure with run_id "{run_id}" alone to wait for the rest; add "cancel": true to end it.',
            ONE_AT_A_TIME,
        ],
    )


def _progress(progress: Progress | None) -> RunProgress | None:
    if progress is None:
        return None
    return RunProgress(
        done=progress.done,
        total=progress.total,
        elapsed_s=round(progress.elapsed_s, 1),
        remaining_s=None if progress.remaining_s is None else round(progress.remaining_s, 1),
    )


def cancelled_summary(run_id: str, interpreter: str, cwd: str) -> MeasureSummary:
    """The answer for a run that was ended before it had recorded anything."""
    return MeasureSummary(
        status="cancelled",
        run_id=run_id,
        answer="Cancelled before anything was recorded; nothing of it runs any more and nothing was kept.",
        cwd=cwd,
        interpreter=interpreter,
        next=["Measure again when it suits."],
    )


def elsewhere_summary(run_id: str, interpreter: str, cwd: str) -> MeasureSummary:
    """The answer for a run that is under way in another process; what it was asked for may be unknown."""
    return MeasureSummary(
        status="running",
        run_id=run_id,
        answer="Still running, in another server or terminal. Nothing is lost by waiting for it again.",
        cwd=cwd,
        interpreter=interpreter,
        next=[
            f'Call measure with run_id "{run_id}" alone to wait for the rest; it can be ended only there.',
            ONE_AT_A_TIME,
        ],
    )


def run_summary_text(summary: MeasureSummary) -> str:
    """The same as text."""
    lines = [summary.answer, f"run_id: {summary.run_id}; cwd: {summary.cwd}; command: {summary.interpreter}"]
    if summary.progress is not None:
        lines.append(f"runs done: {summary.progress.done} of {summary.progress.total}")
    return "\n".join([*lines, *(f"next: {step}" for step in summary.next)])
