"""The rehearsal of CUDA on the page of a report for a terminal."""

from warp_mcp.models.rehearsal import RehearsedArch
from warp_mcp.models.rehearsed import alone, as_report
from warp_mcp.models.report import Report
from warp_mcp.presentation.compile_trace_text import compile_trace
from warp_mcp.presentation.headline import LAST_LINES, failed_samples, output_tail, shortened
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.rehearsal_words import (
    ARCH_COLUMNS,
    ARCH_FIGURES,
    MARK,
    WORKER_COLUMNS,
    WORKER_FIGURES,
    arch_rows,
    archs_words,
    built_words,
    dominant_words,
    failure_words,
    not_rehearsed_words,
    reached_cuda,
    worker_rows,
    workers_note,
)
from warp_mcp.presentation.report_parts_text import findings, modules, roots
from warp_mcp.presentation.root_words import built_again

NOT_REHEARSED_ROWS = 12


def write_rehearsal(page: Page, report: Report) -> None:
    """What the rehearsal showed, set apart where the report holds ordinary samples too."""
    rehearsed = report.rehearsal
    if rehearsed is None:
        return
    view = as_report(report, rehearsed)
    if alone(report) is None:
        _beside(page, report, view, rehearsed)
    if alone(report) is not None or reached_cuda(rehearsed):
        roots(page, view)
        findings(page, view)
        modules(page, view.modules)
    compile_trace(page, rehearsed.compile_trace)
    _archs(page, report)
    _workers(page, rehearsed)
    _not_rehearsed(page, rehearsed)
    if alone(report) is None:
        _warnings(page, rehearsed)


def _beside(page: Page, report: Report, view: Report, rehearsed: RehearsedArch) -> None:
    """The headline of a rehearsal that stands beside ordinary samples."""
    page.gap()
    page.rule(f"CUDA, rehearsed for {archs_words(report)}")
    for sentence in failure_words(rehearsed):
        page.paragraph(sentence, "bold red")
    page.paragraph(built_words(rehearsed), "bold")
    for sentence in (*dominant_words(rehearsed), MARK):
        page.paragraph(sentence)
    if reached_cuda(rehearsed) and (again := built_again(view)):
        page.paragraph(again)
    failed = failed_samples(view)
    if failed and (tail := output_tail(failed[0])):
        page.gap()
        page.paragraph("The program's own last lines in the rehearsal:")
        page.block([shortened(line) for line in tail.splitlines()[-LAST_LINES:]])


def _archs(page: Page, report: Report) -> None:
    if rows := arch_rows(report):
        page.heading("By architecture; the rest of this part is of the first")
        page.table(ARCH_COLUMNS, rows, right=ARCH_FIGURES)


def _workers(page: Page, rehearsed: RehearsedArch) -> None:
    rows = worker_rows(rehearsed)
    if not rows:
        return
    page.heading("The same variants, built ahead of the first launch")
    page.table(WORKER_COLUMNS, rows, right=WORKER_FIGURES)
    page.paragraph(workers_note(rehearsed), "dim", indent=2)


def _not_rehearsed(page: Page, rehearsed: RehearsedArch) -> None:
    if not rehearsed.not_rehearsed:
        return
    page.heading("What could not be rehearsed")
    for one in rehearsed.not_rehearsed[:NOT_REHEARSED_ROWS]:
        page.item("·", not_rehearsed_words(one))
    rest = len(rehearsed.not_rehearsed) - NOT_REHEARSED_ROWS
    if rest > 0:
        page.paragraph(f"… and {plural(rest, 'more', 'more')}, in the report file.", indent=2)


def _warnings(page: Page, rehearsed: RehearsedArch) -> None:
    if not rehearsed.warnings:
        return
    page.heading("Before you believe what was rehearsed")
    for warning in rehearsed.warnings:
        page.item("!", f"{warning.message} {warning.next}", mark_style="bold yellow")
