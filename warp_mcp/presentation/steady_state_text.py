"""Launch times on a page for the terminal: of one report, and of a comparison."""

from warp_mcp.models.comparison import SteadyComparison
from warp_mcp.models.steady_state import SteadyState
from warp_mcp.presentation import steady_state_words as told
from warp_mcp.presentation.page import Page

MARKS = {
    "same": ("✓", "bold green"),
    "within_noise": ("?", "bold yellow"),
    "faster": ("✓", "bold green"),
    "slower": ("✗", "bold red"),
    "mixed": ("✗", "bold red"),
    "not_recorded": ("·", "dim"),
}


def steady_comparison(page: Page, times: SteadyComparison) -> None:
    """A part of a comparison; nothing where neither side was timed."""
    sentence = told.steady_sentence(times)
    if not sentence:
        return
    mark, style = MARKS["within_noise" if times.status == "faster" and times.hidden else times.status]
    page.heading(told.HEADING)
    page.item(mark, sentence, mark_style=style)
    rows = [told.change_row(one) for one in times.kernels[: told.ROWS]]
    if rows:
        page.table(told.COLUMNS, rows, right=(2, 3, 4), whole=(0,))
        page.paragraph(told.HOW, "dim", indent=2)
    for note in times.notes[1 if times.status == "not_recorded" else 0 :][: told.MOST_NAMED]:
        page.item("·", note, "dim")


def steady_report(page: Page, state: SteadyState | None) -> None:
    """A part of a report; nothing where launches were not timed."""
    if state is None:
        return
    page.heading(told.REPORT_HEADING)
    rows = [told.kernel_row(one, state) for one in state.kernels[: told.ROWS]]
    if rows:
        page.table(told.REPORT_COLUMNS, rows, right=(2, 3, 4), whole=(0,))
        rest = len(state.kernels) - len(rows)
        more = f"… and {rest} more, in the report file. " if rest else ""
        page.paragraph(f"{more}{told.HOW}", "dim", indent=2)
    page.paragraph(" ".join(told.state_notes(state)), "dim", indent=2)
