"""The command line that makes a report like a given one: with everything that it was asked to record."""

from collections.abc import Iterator
from shlex import quote

from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.rehearsed import alone
from warp_mcp.models.report import Report

FOR_A_VERDICT = 3
"""Samples, and rehearsals, on each side."""

_STOP_OPTIONS = {
    "after_launches": "--stop-after-launches",
    "when_quiet": "--stop-when-quiet",
    "until_output": "--until-output",
}
_UNCHANGED = "unchanged"
"""What levers are judged against as they are sampled; no report is called so."""


def measure_command(
    report: Report, directory: str | None, label: str, *, levers: bool = True
) -> tuple[str, ...]:
    """Words for a shell in `directory`; null: where the program runs, so that `--cwd` is not needed.

    A report does not keep the time-outs, nor variables that were added: those are left as they are.
    """
    options = ["--label", label, *_sampled(report), *_stop(report), *_recorded(report)]
    if levers:
        options += [word for lever in report.levers for word in ("--lever", lever.lever)]
    options += _rehearsed(report)
    if directory not in (None, report.cwd):
        options += ["--cwd", report.cwd]
    return ("warp-mcp", "measure", *map(quote, options), "--", *map(quote, report.command))


def _sampled(report: Report) -> Iterator[str]:
    """As many samples; never fewer than a verdict needs, and as many as it needs where that was asked for."""
    sampling = report.sampling
    least = sampling.least if sampling else len(report.samples)
    if least > FOR_A_VERDICT:
        yield from ("--samples", str(least))
    if sampling and sampling.against != _UNCHANGED:
        yield from ("--against", sampling.against)


def _stop(report: Report) -> Iterator[str]:
    kind, _, value = report.stop.partition(" ")
    if kind in _STOP_OPTIONS:
        yield from (_STOP_OPTIONS[kind], value)


def _recorded(report: Report) -> Iterator[str]:
    """What a comparison needs on both sides."""
    if report.outputs is not None:
        yield "--outputs"
        if report.outputs.budget_bytes != MeasureRequest.model_fields["outputs_budget_bytes"].default:
            yield from ("--outputs-budget", f"{report.outputs.budget_bytes / 2**20:.10g}")
    if report.steady_state is not None:
        yield "--steady-state"
    if report.floor is not None:
        yield "--floor"


def _rehearsed(report: Report) -> Iterator[str]:
    rehearsal = report.rehearsal
    if rehearsal is None:
        return
    yield from ("--rehearse-cuda", ",".join(rehearsal.archs))
    if alone(report) or len(rehearsal.runs) > 1:
        yield from ("--rehearsals", str(max(FOR_A_VERDICT, len(rehearsal.runs))))
    if rehearsal.workers:
        yield from ("--rehearse-workers", str(max(one.workers for one in rehearsal.workers)))
    # A rehearsal that failed has none either, whatever was asked for.
    if rehearsal.compile_trace is None and any(run.outcome == "completed" for run in rehearsal.runs):
        yield "--no-compile-trace"
    if report.environment.gpu is not None:
        yield "--force"
