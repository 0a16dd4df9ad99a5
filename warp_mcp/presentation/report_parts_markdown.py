"""Parts of a Markdown page that a report and a rehearsal have in common: rebuilds, findings, modules."""

from collections.abc import Iterator

from warp_mcp.models.report import ModuleEntry, Report
from warp_mcp.models.root import Root
from warp_mcp.models.uris import report_uri
from warp_mcp.presentation import setting_markdown as setting
from warp_mcp.presentation.finding_words import advice, fired, overlap_words
from warp_mcp.presentation.markdown import bounded, bullets, code, table, words
from warp_mcp.presentation.numbers import duration, plural
from warp_mcp.presentation.root_words import APPLICATION, root_words, victim_words, where_words

ROWS = 20
"""Modules, and lines of each list, that are shown; the report has them all."""


def roots(report: Report) -> list[str]:
    """The lines behind the rebuilds."""
    return bounded(
        [_root(root, report.cwd) for root in report.roots], ROWS, f"`{report_uri(report.report_id)}`"
    )


def _root(root: Root, cwd: str) -> str:
    library = f", in {root.owner}" if root.owner != APPLICATION else ""
    victims = "; ".join(bounded(victim_words(root.victims), 6, "the report"))
    line = f"{where_words(root, cwd)}{library}, {duration(root.cost_ms)}: {root_words(root)}"
    return f"{words(line)}. Built again: {words(victims)}."


def findings(report: Report) -> Iterator[list[str]]:
    """What fired, with what to do about it; what was ruled out, and what cannot be told."""
    if not report.modules:
        return
    for finding in fired(report.findings):
        yield [f"- {setting.finding_line(finding, report.cwd)}"]
        yield [f"  - {words(line)}" for line in advice(finding, report.cwd)]
    yield [""] if fired(report.findings) else []
    if overlap := overlap_words(report.findings):
        yield [words(overlap), ""]
    if told := bullets(setting.ruled_out_lines(report.findings, report.cwd)):
        yield ["Ruled out, by what the record shows:", "", *told]
    if told := bullets(setting.not_reached_lines(report.findings)):
        yield ["Cannot be told from this run, or does not arise in it:", "", *told]


def modules(report: Report) -> list[str]:
    """The modules that took longest."""
    shown = sorted(report.modules, key=lambda entry: entry.ms, reverse=True)
    if not shown:
        return []
    columns = ("module", "hash", "on", "status", "builds", "time", "kernels", "launches")
    told = table(columns, [_module(entry) for entry in shown[:ROWS]], right=(4, 5, 6, 7))
    rest = shown[ROWS:]
    if not rest:
        return told
    time = duration(sum(entry.ms for entry in rest))
    return [*told, f"… and {plural(len(rest), 'more', 'more')}, {time} together, in the report.", ""]


def _module(entry: ModuleEntry) -> tuple[str, ...]:
    device = entry.device if entry.block_dim <= 1 else f"{entry.device} ×{entry.block_dim}"
    return (
        code(entry.name),
        code(entry.hash[:7]),
        words(device),
        entry.status,
        str(entry.builds),
        duration(entry.ms),
        str(entry.kernel_count),
        f"{entry.launches + entry.adjoint_launches:,}",
    )
