"""What levers bought, on the page of a report for a terminal."""

from warp_mcp.models.report import Report
from warp_mcp.presentation.lever_words import COLUMNS, FIGURES, figures, lever_lines, tried
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.page import Page

LEVER_ROWS = 12
"""Levers shown, those that buy most first; the report file has them all."""
_ROOM = 29
"""Columns for a lever in the table, so that no figure beside it has to wrap on a page of 100."""


def write_levers(page: Page, report: Report) -> None:
    """A table of the levers, and below it what carries each verdict and what the lever takes away."""
    if not report.levers:
        return
    page.heading("What each lever buys")
    page.paragraph(tried(report), "dim", indent=2)
    page.gap()
    shown = report.levers[:LEVER_ROWS]
    rows: list[tuple[str, ...]] = []
    for lever in shown:
        first, *rest = _pieces(lever.lever)
        rows.append((first, *figures(lever)))
        rows += [(piece, *[""] * len(COLUMNS)) for piece in rest]
    page.table(("lever", *COLUMNS), rows, right=FIGURES, whole=range(len(COLUMNS) + 1))
    page.gap()
    for lever in shown:
        first, *rest = [*lever_lines(lever)] or [""]
        page.item("●", f"`{lever.lever}`: {first}", mark_style="yellow")
        for line in rest:
            page.item(" ", line)
    more = len(report.levers) - len(shown)
    if more > 0:
        page.paragraph(f"… and {plural(more, 'more lever')}, in the report file.", indent=2)


def _pieces(lever: str) -> list[str]:
    """A lever in lines that fit: one for each option, with its module on a line before it if need be."""
    pieces: list[str] = []
    for setting in lever.split(","):
        if pieces:
            pieces[-1] += ","  # so that no piece looks like a lever of its own
        module, colon, option = setting.rpartition(":")
        parts = [setting] if len(setting) <= _ROOM else [module + colon, option]
        for part in filter(None, parts):
            pieces += [part[start : start + _ROOM] for start in range(0, len(part), _ROOM)]
    return pieces or [lever]
