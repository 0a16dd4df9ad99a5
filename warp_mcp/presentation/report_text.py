"""The report of a measurement for a terminal or a pipe: the wait, what is behind it, what to do."""

from collections.abc import Sequence
from shlex import join

from warp_mcp.models.rehearsed import alone, shown
from warp_mcp.models.report import Report, WallPart
from warp_mcp.presentation.floor_text import floor_sentences
from warp_mcp.presentation.headline import CUT_SHORT, MINOR, headline, parts_heading, whole_ms
from warp_mcp.presentation.levers_text import write_levers
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.next_steps import next_steps, terminal
from warp_mcp.presentation.numbers import SPREAD_NOTE, duration, percent, plural
from warp_mcp.presentation.outputs_text import outputs_report
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.rehearsal_text import write_rehearsal
from warp_mcp.presentation.rehearsal_words import archs_words, warnings_of
from warp_mcp.presentation.report_parts_text import findings, modules, roots
from warp_mcp.presentation.steady_state_text import steady_report
from warp_mcp.presentation.words import PART_NAMES

WARNING_ROWS = 12
EXPLAINED_PARTS = ("imports", "warp_import")
"""Parts whose detail says more than their name."""


def report_text(report: Report, look: Look = PLAIN) -> str:
    """The whole report."""
    page = Page(look)
    _title(page, report)
    headline(page, report)
    if not alone(report):
        _measured(page, report)
    write_rehearsal(page, report)
    _warnings(page, report)
    page.heading("What to do next")
    for number, step in enumerate(next_steps(report, terminal(look.directory)), start=1):
        page.item(f"{number}.", step.words)
        if step.command:
            page.command(step.command)
    page.gap()
    page.paragraph(_footnote(report), "dim")
    return str(page)


def _measured(page: Page, report: Report) -> None:
    """What the samples showed, and what was measured beside them."""
    _wall(page, report.wall_parts, parts_heading(report))
    roots(page, report)
    findings(page, report)
    write_levers(page, report)
    modules(page, report.modules)
    outputs_report(page, report.outputs)
    _floor(page, report)
    steady_report(page, report.steady_state)


def _title(page: Page, report: Report) -> None:
    what = f"CUDA, rehearsed for {archs_words(report)}: start" if alone(report) else "Cold start"
    page.paragraph(f"{what} of `{join(report.command)}`", "bold")
    environment = report.environment
    facts = [
        f"label {report.label}" if report.label else "",
        f"report {report.report_id}",
        plural(len(shown(report).samples), "rehearsal" if alone(report) else "sample"),
        f"Warp {environment.warp}" if environment.warp else "",
        f"Python {environment.python}" if environment.python else "",
        environment.gpu or f"{environment.cpu}, {plural(environment.cores, 'core')}",
        "" if report.stop == "none" else f"stopped: {report.stop}",
    ]
    page.paragraph(" · ".join(fact for fact in facts if fact), "dim")
    page.gap()


def _wall(page: Page, parts: Sequence[WallPart], heading: str) -> None:
    if not parts:
        return
    page.heading(heading)
    whole = whole_ms(parts)
    shown = [part for part in parts if part.ms >= 1]
    page.bars(
        [(PART_NAMES.get(part.name, part.name), part.ms, _part_words(part, whole)) for part in shown],
        strong=PART_NAMES["compilation"],
    )


def _part_words(part: WallPart, whole: float) -> str:
    share = percent(part.ms, whole) if whole and part.ms >= whole / 100 else ""
    detail = part.detail if part.name in EXPLAINED_PARTS and part.ms >= whole / 100 else ""
    return " · ".join(word for word in (duration(part.ms), share, detail) if word)


def _floor(page: Page, report: Report) -> None:
    if sentences := floor_sentences(report):
        page.gap()
        page.paragraph(" ".join(sentences), indent=2)


def _warnings(page: Page, report: Report) -> None:
    warnings = [warning for warning in warnings_of(report) if warning.code != MINOR]
    if not warnings:
        return
    page.heading("Before you believe these numbers")
    for warning in warnings[:WARNING_ROWS]:
        # The headline has said how far a measurement got that was cut short.
        told = warning.next if warning.code == CUT_SHORT else f"{warning.message} {warning.next}"
        page.item("!", told, mark_style="bold yellow")
    rest = warnings[WARNING_ROWS:]
    if rest:
        page.paragraph(f"… and {plural(len(rest), 'more warning')}, in the report file.", indent=2)


def _footnote(report: Report) -> str:
    several = any(len(metric.values) > 1 for metric in shown(report).metrics.values())
    note = f"{SPREAD_NOTE} " if several else ""
    if alone(report):
        how = "Your program is unchanged; it was told that there is a CUDA device."
    else:
        how = "Measured without a change to your program."
    return f"{note}Times hold for this machine only. {how}"
