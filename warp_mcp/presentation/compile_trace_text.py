"""The largest CUDA modules from inside, on a page for the terminal."""

from warp_mcp.models.compile_trace import CompileTrace
from warp_mcp.presentation import compile_trace_words as told
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.page import Page


def compile_trace(page: Page, trace: CompileTrace | None) -> None:
    """A part of a rehearsal; nothing where no module was looked into."""
    if trace is None or not trace.modules:
        return
    page.heading(told.HEADING)
    for module in trace.modules:
        page.paragraph(told.module_sentence(module), indent=2)
        rows = [told.kernel_row(one) for one in module.kernels[: told.ROWS]]
        if rows:
            page.table(told.COLUMNS, rows, right=(1, 2, 3), whole=(0,))
            rest = len(module.kernels) - len(rows) + module.more_kernels
            if rest:
                page.paragraph(f"… and {plural(rest, 'more', 'more')}, in the report file.", indent=2)
    if notes := told.trace_notes(trace):
        page.paragraph(" ".join(notes), "dim", indent=2)
