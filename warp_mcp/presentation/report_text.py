"""The report of a measurement for a terminal or a pipe: the wait, what is behind it, what to do."""

from collections.abc import Sequence
from shlex import join

from warp_mcp.models.report import ModuleEntry, Report, WallPart
from warp_mcp.presentation.headline import MINOR, headline
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.next_steps import next_steps, terminal
from warp_mcp.presentation.numbers import SPREAD_NOTE, duration, joined, percent, plural
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.words import MECHANISM_NAMES, PART_NAMES, PHASE_NAMES, cause_words, labels, place

MODULE_ROWS = 15
"""Modules shown. More than a screen of them hides what matters; the report file has them all."""
REBUILD_ROWS = 10
WARNING_ROWS = 12
EXPLAINED_PARTS = ("imports", "warp_import")
"""Parts whose detail says more than their name."""


def report_text(report: Report, look: Look = PLAIN) -> str:
    """The whole report."""
    page = Page(look)
    _title(page, report)
    headline(page, report)
    _wall(page, report.wall_parts)
    _rebuilds(page, report)
    _modules(page, report.modules)
    _mechanisms(page, report)
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


def _wall(page: Page, parts: Sequence[WallPart]) -> None:
    if not parts:
        return
    page.heading("Where the cold start goes, in the first complete run")
    whole = sum(part.ms for part in parts)
    shown = [part for part in parts if part.ms >= 1]
    page.bars(
        [(PART_NAMES.get(part.name, part.name), part.ms, _part_words(part, whole)) for part in shown],
        strong=PART_NAMES["compilation"],
    )


def _part_words(part: WallPart, whole: float) -> str:
    share = percent(part.ms, whole) if part.ms >= whole / 100 else ""
    detail = part.detail if part.name in EXPLAINED_PARTS and part.ms >= whole / 100 else ""
    return " · ".join(word for word in (duration(part.ms), share, detail) if word)


def _rebuilds(page: Page, report: Report) -> None:
    rebuilds = report.rebuilds
    if not rebuilds:
        return
    cost = sum(rebuild.cost_ms for rebuild in rebuilds)
    page.heading(f"Built again, and why: {plural(len(rebuilds), 'rebuild')}, {duration(cost)}")
    for number, rebuild in enumerate(rebuilds[:REBUILD_ROWS], start=1):
        causes = [f"{cause_words(cause)}{place(cause.where, report.cwd)}" for cause in rebuild.causes]
        first = f"`{rebuild.module}`, {duration(rebuild.cost_ms)}:"
        page.item(f"{number}.", f"{first} {causes[0]}" if len(causes) == 1 else first)
        for cause in causes if len(causes) > 1 else ():
            page.item("   ", cause)
    rest = rebuilds[REBUILD_ROWS:]
    if rest:
        words = f"… and {plural(len(rest), 'more rebuild')}, {duration(sum(r.cost_ms for r in rest))} in all"
        page.paragraph(f"{words}, in the report file.", indent=2)


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


def _mechanisms(page: Page, report: Report) -> None:
    fired = [finding for finding in report.findings if finding.status == "fired"]
    ruled_out = [finding.mechanism for finding in report.findings if finding.status == "ruled_out"]
    open_ = [finding.mechanism for finding in report.findings if finding.status == "not_reached"]
    if not report.modules:
        return
    page.heading("Findings")
    for finding in sorted(fired, key=lambda finding: finding.cost_ms or 0.0, reverse=True):
        cost = "" if finding.cost_ms is None else f": {duration(finding.cost_ms)}"
        page.item("●", f"{finding.title}{cost} ({finding.mechanism})", mark_style="yellow")
    if ruled_out:
        names = joined([f"{MECHANISM_NAMES[name]} ({name})" for name in ruled_out], limit=13)
        page.item("○", f"Ruled out: {names}.")
    if open_:
        page.item("·", f"Not examined, or cannot be told from this run: {labels(open_)}.", "dim")


def _warnings(page: Page, report: Report) -> None:
    warnings = [warning for warning in report.warnings if warning.code != MINOR]
    if not warnings:
        return
    page.heading("Before you believe these numbers")
    for warning in warnings[:WARNING_ROWS]:
        page.item("!", f"{warning.message} {warning.next}", mark_style="bold yellow")
    rest = warnings[WARNING_ROWS:]
    if rest:
        page.paragraph(f"… and {plural(len(rest), 'more warning')}, in the report file.", indent=2)


def _footnote(report: Report) -> str:
    several = any(len(metric.values) > 1 for metric in report.metrics.values())
    note = f"{SPREAD_NOTE} " if several else ""
    return f"{note}Times hold for this machine only. Measured without a change to your program."
