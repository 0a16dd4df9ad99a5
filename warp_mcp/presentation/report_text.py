"""The report of a measurement for a terminal or a pipe: the wait, what is behind it, what to do."""

from collections.abc import Sequence
from shlex import join

from warp_mcp.models.report import ModuleEntry, Report, WallPart
from warp_mcp.models.root import Root
from warp_mcp.presentation.finding_words import (
    advice,
    finding_words,
    fired,
    not_reached_words,
    overlap_words,
    ruled_out_words,
)
from warp_mcp.presentation.floor_text import floor_sentences
from warp_mcp.presentation.headline import CUT_SHORT, MINOR, headline, parts_heading, whole_ms
from warp_mcp.presentation.levers_text import write_levers
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.next_steps import next_steps, terminal
from warp_mcp.presentation.numbers import SPREAD_NOTE, duration, percent, plural
from warp_mcp.presentation.outputs_text import outputs_report
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.root_words import more_roots, root_words, victim_words, where_words
from warp_mcp.presentation.steady_state_text import steady_report
from warp_mcp.presentation.words import APPLICATION, PART_NAMES, PHASE_NAMES

MODULE_ROWS = 15
"""Modules shown. More than a screen of them hides what matters; the report file has them all."""
ROOT_ROWS = 8
VICTIM_ROWS = 6
"""Modules shown below one line."""
WARNING_ROWS = 12
MODULES_ARE_WHOLE = (
    "Warp compiles a module as a whole (the kernels of one file, unless told otherwise), and compiles it "
    "again at the next launch after anything in it has changed."
)
EXPLAINED_PARTS = ("imports", "warp_import")
"""Parts whose detail says more than their name."""


def report_text(report: Report, look: Look = PLAIN) -> str:
    """The whole report."""
    page = Page(look)
    _title(page, report)
    headline(page, report)
    _wall(page, report.wall_parts, parts_heading(report))
    _roots(page, report)
    _findings(page, report)
    write_levers(page, report)
    _modules(page, report.modules)
    outputs_report(page, report.outputs)
    _floor(page, report)
    steady_report(page, report.steady_state)
    _warnings(page, report)
    page.heading("What to do next")
    for number, step in enumerate(next_steps(report, terminal(look.directory)), start=1):
        page.item(f"{number}.", step.words)
        if step.command:
            page.command(step.command)
    page.gap()
    page.paragraph(_footnote(report), "dim")
    return str(page)


def _title(page: Page, report: Report) -> None:
    page.paragraph(f"Cold start of `{join(report.command)}`", "bold")
    environment = report.environment
    facts = [
        f"label {report.label}" if report.label else "",
        f"report {report.report_id}",
        plural(len(report.samples), "sample"),
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


def _roots(page: Page, report: Report) -> None:
    """The tree of lines and what each of them had built again."""
    roots = report.roots
    if not roots:
        return
    count = sum(len(root.victims) for root in roots)
    page.heading(f"Built again, and why: {plural(count, 'rebuild')}, {duration(_cost(roots))}")
    page.paragraph(MODULES_ARE_WHOLE, "dim", indent=2)
    for number, root in enumerate(roots[:ROOT_ROWS], start=1):
        library = f", in {root.owner}" if root.owner != APPLICATION else ""
        line = f"{where_words(root, report.cwd)}{library}, {duration(root.cost_ms)}"
        page.item(f"{number}.", f"{line}: {root_words(root)}")
        _victims(page, root)
    if rest := more_roots(roots[ROOT_ROWS:]):
        page.paragraph(f"… and {rest}, in the report file.", indent=2)


def _cost(roots: Sequence[Root]) -> float:
    return sum(root.cost_ms for root in roots)


def _victims(page: Page, root: Root) -> None:
    lines = victim_words(root.victims)
    rest = len(lines) - VICTIM_ROWS
    if rest > 0:
        lines = [*lines[:VICTIM_ROWS], f"… and {plural(rest, 'more module')}, in the report file"]
    for number, line in enumerate(lines, start=1):
        page.item("   └" if number == len(lines) else "   ├", line, mark_style="dim")


def _modules(page: Page, modules: Sequence[ModuleEntry]) -> None:
    if not modules:
        return
    page.heading(f"Modules, by time ({plural(len(modules), 'identity', 'identities')})")
    shown = sorted(modules, key=lambda entry: entry.ms, reverse=True)
    page.table(
        ("module", "hash", "on", "status", "builds", "time", "mostly", "kernels", "launches"),
        [_module_row(entry) for entry in shown[:MODULE_ROWS]],
        right=(4, 5, 7, 8),
    )
    rest = shown[MODULE_ROWS:]
    if rest:
        time = duration(sum(entry.ms for entry in rest))
        page.paragraph(
            f"… and {plural(len(rest), 'more', 'more')}, {time} together, in the report file.", indent=2
        )


def _module_row(entry: ModuleEntry) -> tuple[str, ...]:
    launches = entry.launches + entry.adjoint_launches
    device = entry.device if entry.block_dim <= 1 else f"{entry.device} ×{entry.block_dim}"
    return (
        entry.name,
        entry.hash[:7],
        device,
        entry.status,
        str(entry.builds),
        duration(entry.ms),
        _mostly(entry),
        str(entry.kernel_count),
        f"{launches:,}",
    )


def _mostly(entry: ModuleEntry) -> str:
    """The phase with the largest share."""
    phases = {name: cost.ms for name, cost in entry.phases.items() if name in PHASE_NAMES}
    if not phases or entry.ms <= 0:
        return ""
    largest = max(phases, key=lambda name: phases[name])
    return PHASE_NAMES[largest]


def _floor(page: Page, report: Report) -> None:
    if sentences := floor_sentences(report):
        page.gap()
        page.paragraph(" ".join(sentences), indent=2)


def _findings(page: Page, report: Report) -> None:
    if not report.modules:
        return
    page.heading("Findings")
    for finding in fired(report.findings):
        page.item("●", finding_words(finding, report.cwd), mark_style="yellow")
        for line in advice(finding, report.cwd):
            page.item(" ", line)
    if overlap := overlap_words(report.findings):
        page.paragraph(overlap, "dim", indent=4)
    if names := ruled_out_words(report.findings):
        page.item("○", f"Ruled out: {names}.")
    for reason in not_reached_words(report.findings):
        page.item("·", f"Cannot be told, or does not arise: {reason}.", "dim")


def _warnings(page: Page, report: Report) -> None:
    warnings = [warning for warning in report.warnings if warning.code != MINOR]
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
    several = any(len(metric.values) > 1 for metric in report.metrics.values())
    note = f"{SPREAD_NOTE} " if several else ""
    return f"{note}Times hold for this machine only. Measured without a change to your program."
