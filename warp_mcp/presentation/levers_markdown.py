"""What levers bought, as a part of a Markdown document."""

from warp_mcp.models.report import Report
from warp_mcp.presentation.lever_words import COLUMNS, FIGURES, figures, lever_lines, tried
from warp_mcp.presentation.markdown import code, section, table, words
from warp_mcp.presentation.numbers import plural

LEVER_ROWS = 20
"""Levers shown, those that buy most first; the report has them all."""


def levers_section(report: Report) -> list[str]:
    """The section; nothing where no lever was tried."""
    if not report.levers:
        return []
    shown = report.levers[:LEVER_ROWS]
    rows = [(code(lever.lever), *map(words, figures(lever))) for lever in shown]
    lines = [words(tried(report)), "", *table(("lever", *COLUMNS), rows, right=FIGURES)]
    for lever in shown:
        first, *rest = [*lever_lines(lever)] or [""]
        lines.append(f"- {code(lever.lever)}: {words(first)}")
        lines += [f"  - {words(line)}" for line in rest]
    more = len(report.levers) - len(shown)
    if more > 0:
        lines.append(f"- … and {plural(more, 'more lever')}, in the report")
    return section("What each lever buys", [*lines, ""])
