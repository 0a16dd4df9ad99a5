"""Parts of a terminal page that a report and a rehearsal have in common: rebuilds, findings, modules."""

from collections.abc import Sequence

from warp_mcp.models.report import ModuleEntry, Report
from warp_mcp.models.root import Root
from warp_mcp.presentation.finding_words import (
    advice,
    finding_words,
    fired,
    not_reached_words,
    overlap_words,
    ruled_out_words,
)
from warp_mcp.presentation.numbers import duration, plural
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.root_words import more_roots, root_words, victim_words, where_words
from warp_mcp.presentation.words import APPLICATION, PHASE_NAMES

MODULE_ROWS = 15
"""Modules shown. More than a screen of them hides what matters; the report file has them all."""
ROOT_ROWS = 8
VICTIM_ROWS = 6
"""Modules shown below one line."""
MODULES_ARE_WHOLE = (
    "Warp compiles a module as a whole (the kernels of one file, unless told otherwise), and compiles it "
    "again at the next launch after anything in it has changed."
)
NVRTC = "NVRTC"
"""What the native compile of a build for CUDA is."""


def roots(page: Page, report: Report) -> None:
    """The tree of lines and what each of them had built again."""
    all_roots = report.roots
    if not all_roots:
        return
    count = sum(len(root.victims) for root in all_roots)
    page.heading(f"Built again, and why: {plural(count, 'rebuild')}, {duration(_cost(all_roots))}")
    page.paragraph(MODULES_ARE_WHOLE, "dim", indent=2)
    for number, root in enumerate(all_roots[:ROOT_ROWS], start=1):
        library = f", in {root.owner}" if root.owner != APPLICATION else ""
        line = f"{where_words(root, report.cwd)}{library}, {duration(root.cost_ms)}"
        page.item(f"{number}.", f"{line}: {root_words(root)}")
        _victims(page, root)
    if rest := more_roots(all_roots[ROOT_ROWS:]):
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


def modules(page: Page, entries: Sequence[ModuleEntry]) -> None:
    """The modules that took longest."""
    if not entries:
        return
    page.heading(f"Modules, by time ({plural(len(entries), 'identity', 'identities')})")
    shown = sorted(entries, key=lambda entry: entry.ms, reverse=True)
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
    return (
        NVRTC if largest == "native_compile_ms" and entry.device.startswith("cuda") else PHASE_NAMES[largest]
    )


def findings(page: Page, report: Report) -> None:
    """What fired, with what to do about it; what was ruled out, and what cannot be told."""
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
    if reasons := not_reached_words(report.findings):
        page.item("·", f"Cannot be told, or does not arise: {'; '.join(reasons)}.", "dim")
