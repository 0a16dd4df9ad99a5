"""What launches computed, on a page for the terminal: of one report, and of a comparison."""

from warp_mcp.models.comparison import OutputComparison
from warp_mcp.models.outputs import Outputs
from warp_mcp.presentation import outputs_words as told
from warp_mcp.presentation.page import Page

MARKS = {
    "identical": ("✓", "bold green"),
    "within_tolerance": ("✓", "bold green"),
    "incomplete": ("?", "bold yellow"),
    "different": ("✗", "bold red"),
    "not_deterministic": ("?", "bold yellow"),
    "not_recorded": ("·", "dim"),
}


def outputs_comparison(page: Page, outputs: OutputComparison) -> None:
    """A part of a comparison; nothing where neither side recorded outputs."""
    sentence = told.outputs_sentence(outputs)
    if not sentence:
        return
    mark, style = MARKS[outputs.status]
    page.heading(told.HEADING)
    page.item(mark, sentence, mark_style=style)
    for line in told.further(outputs):
        page.item("·", line, "dim")


def outputs_report(page: Page, outputs: Outputs | None) -> None:
    """A part of a report; nothing where outputs were not asked for."""
    lines = list(told.recorded_sentences(outputs))
    if lines:
        page.heading(told.REPORT_HEADING)
    for line in lines:
        page.item("·", line)
