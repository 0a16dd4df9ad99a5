"""Launch times as Markdown: of one report, and of a comparison."""

from warp_mcp.models.comparison import SteadyComparison
from warp_mcp.models.steady_state import SteadyState
from warp_mcp.presentation import steady_state_words as told
from warp_mcp.presentation.markdown import bullets, code, section, table, words


def steady_comparison(times: SteadyComparison) -> list[str]:
    """A section of a comparison; nothing where neither side was timed."""
    sentence = told.steady_sentence(times)
    if not sentence:
        return []
    rows = [_cells(told.change_row(one)) for one in times.kernels[: told.ROWS]]
    shown = [*table(told.COLUMNS, rows, right=(2, 3, 4)), told.HOW, ""] if rows else []
    notes = times.notes[1 if times.status == "not_recorded" else 0 :][: told.MOST_NAMED]
    return section(told.HEADING, [words(sentence), ""], shown, bullets(map(words, notes)))


def steady_report(state: SteadyState | None) -> list[str]:
    """A section of a report; nothing where launches were not timed."""
    if state is None:
        return []
    rows = [_cells(told.kernel_row(one, state)) for one in state.kernels[: told.ROWS]]
    shown = [*table(told.REPORT_COLUMNS, rows, right=(2, 3, 4)), told.HOW, ""] if rows else []
    rest = len(state.kernels) - len(rows)
    more = [f"… and {rest} more, in the report"] if rest else []
    return section(told.REPORT_HEADING, shown, bullets([*more, *map(words, told.state_notes(state))]))


def _cells(row: tuple[str, ...]) -> tuple[str, ...]:
    return code(row[0]), code(row[1]), *map(words, row[2:])
