"""First lines of a report: how long the user waits, how much of it is compilation, or why that is unknown."""

from collections.abc import Sequence

from warp_mcp.models.rehearsed import alone, shown
from warp_mcp.models.report import Report, Sample, WallPart
from warp_mcp.presentation.numbers import duration, metric, percent, plural
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.rehearsal_words import rehearsal_answer
from warp_mcp.presentation.root_words import built_again

MINOR = "compilation_is_minor"
CUT_SHORT = "cut_short"
LINE_LIMIT = 400
"""Characters shown of one line of the program's output: four lines of a page."""
LAST_LINES = 12
"""Lines of the program's own output shown for a failed sample: a traceback's end."""


def answer(report: Report) -> list[str]:
    """The sentences that answer the question the measurement was made for."""
    if alone(report):
        return rehearsal_answer(report)
    failed = failed_samples(report)
    ending = cut_short_words(report) or (_failure(failed, len(report.samples)) if failed else "")
    if len(failed) == len(report.samples):
        return ["No sample completed.", ending]
    if touches_warp(report):
        lines = _wait(report)
    else:
        lines = ["Nothing of Warp was compiled, loaded or launched in this run."]
    return [line for line in (*lines, _sampling(report), ending) if line]


def cut_short_words(report: Report) -> str:
    """How far a measurement got that was ended from outside; empty for any other."""
    return next((warning.message for warning in report.warnings if warning.code == CUT_SHORT), "")


def parts_heading(report: Report) -> str:
    """What the parts of the wall are those of."""
    if any(sample.outcome == "completed" for sample in report.samples):
        return "Where the cold start goes, in the first complete run"
    return "Where the cold start went, as far as it got"


def whole_ms(parts: Sequence[WallPart]) -> float:
    """The wall that the parts are shares of; 0 when nobody saw its end, so that there are no shares."""
    known = any(part.name == "program" for part in parts)
    return sum(part.ms for part in parts) if known else 0.0


def headline(page: Page, report: Report) -> None:
    """Write the answer, and what a program that failed said last."""
    first, *rest = answer(report)
    told = shown(report)
    failed = failed_samples(told)
    page.paragraph(first, "bold red" if len(failed) == len(told.samples) else "bold")
    for line in rest:
        page.paragraph(line)
    if again := built_again(told):
        page.paragraph(again, "bold" if told.roots else "")
    if failed and (tail := output_tail(failed[0])):
        page.gap()
        page.paragraph("The program's own last lines:")
        page.block([shortened(line) for line in tail.splitlines()[-LAST_LINES:]])


def shortened(line: str) -> str:
    """The end of a line of output, which may be as long as the program likes."""
    return line if len(line) <= LINE_LIMIT else f"…{line[-LINE_LIMIT:]}"


def failed_samples(report: Report) -> list[Sample]:
    """The samples that did not complete."""
    return [sample for sample in report.samples if sample.outcome != "completed"]


def touches_warp(report: Report) -> bool:
    """Whether anything of Warp was recorded."""
    return bool(report.modules or report.launches.total)


def output_tail(sample: Sample) -> str:
    """What the program wrote last, on stderr where it wrote there."""
    return sample.stderr_tail.strip() or sample.stdout_tail.strip()


def _wait(report: Report) -> list[str]:
    cold, warm = report.metrics.get("cold_wall_ms"), report.metrics.get("warm_wall_ms")
    wait = f"You wait {metric(cold)} for a cold start, {metric(warm)} for a warm one."
    if any(warning.code == MINOR for warning in report.warnings):
        return [f"Compilation is a small part of this wait. {wait}", _compilation(report)]
    return [wait, _compilation(report)]


def _compilation(report: Report) -> str:
    structure = report.structure
    what = f"{plural(structure.builds, 'build')} of {plural(structure.modules, 'module')}"
    cold, elapsed = report.metrics.get("cold_wall_ms"), report.metrics.get("compile_elapsed_ms")
    if not structure.builds:
        return f"Nothing was compiled: {plural(structure.modules, 'module')} came from a cache."
    if elapsed is not None and cold is not None:
        share = percent(elapsed.median, cold.median)
        return f"Compilation is {metric(elapsed)} of that{f', {share}' if share else ''}: {what}."
    work = report.metrics.get("cold_module_ms")
    return f"No usable warm run tells how much of that is compilation; building took {metric(work)}: {what}."


def _sampling(report: Report) -> str:
    """Why there are as many samples as there are; empty for a fixed number, and with levers, which say it."""
    sampling = report.sampling
    if sampling is None or report.levers:
        return ""
    return f"Stopped after {plural(sampling.made, 'sample')} against {sampling.against}: {sampling.why}."


def _failure(failed: list[Sample], total: int) -> str:
    if total == 1:
        return _outcome(failed[0], "The")
    return f"{len(failed)} of {plural(total, 'sample')}: {_outcome(failed[0], 'the')}"


def _outcome(sample: Sample, the: str) -> str:
    if sample.cold_wall_ms is None:
        return f"{the} run was cut short, as the probe was killed."
    after = duration(sample.cold_wall_ms)
    if sample.outcome == "timed_out":
        return f"{the} program was still running when the time-out ended it after {after}."
    if sample.outcome == "cancelled":
        return f"{the} run was cancelled after {after}."
    if sample.outcome == "not_attached":
        return f"{the} command started no Python process that could be recorded."
    if sample.exit_code is not None and sample.exit_code < 0:
        return f"{the} program was ended by signal {-sample.exit_code} after {after}."
    if sample.exit_code is None:
        return f"{the} program was lost after {after}: what watched over it was killed."
    return f"{the} program failed with exit code {sample.exit_code} after {after}."
