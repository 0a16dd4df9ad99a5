"""The largest CUDA modules from inside, as Markdown."""

from warp_mcp.models.compile_trace import CompileTrace, ModuleCost
from warp_mcp.presentation import compile_trace_words as told
from warp_mcp.presentation.markdown import bullets, code, table, words
from warp_mcp.presentation.numbers import plural

SENTENCE = 1500
"""Characters of a sentence that names kernels."""


def compile_trace(trace: CompileTrace | None) -> list[str]:
    """Lines of a section of a rehearsal; nothing where no module was looked into."""
    if trace is None or not trace.modules:
        return []
    modules = [line for module in trace.modules for line in _module(module)]
    return [*modules, *bullets(map(words, told.trace_notes(trace)))]


def _module(module: ModuleCost) -> list[str]:
    rows = [_cells(told.kernel_row(one)) for one in module.kernels[: told.ROWS]]
    rest = len(module.kernels) - len(rows) + module.more_kernels
    more = [f"… and {plural(rest, 'more', 'more')}, in the report.", ""] if rest else []
    shown = table(told.COLUMNS, rows, right=(1, 2, 3)) if rows else []
    return [words(told.module_sentence(module), SENTENCE), "", *shown, *more]


def _cells(row: tuple[str, ...]) -> tuple[str, ...]:
    return code(row[0]), *map(words, row[1:])
