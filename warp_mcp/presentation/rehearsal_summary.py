"""What an agent is told of a rehearsal of CUDA: a bounded list of sentences, the most important first."""

from warp_mcp.models.rehearsal import RehearsedArch
from warp_mcp.models.rehearsed import alone, as_report
from warp_mcp.models.report import Report
from warp_mcp.presentation.compile_trace_words import largest_words
from warp_mcp.presentation.cutting import Cutter
from warp_mcp.presentation.finding_words import finding_words, fired, fix_words
from warp_mcp.presentation.numbers import joined
from warp_mcp.presentation.rehearsal_words import (
    ARCH_COLUMNS,
    MARK,
    arch_rows,
    built_words,
    dearest_words,
    failure_words,
    not_rehearsed_words,
    reached_cuda,
    workers_words,
)
from warp_mcp.presentation.root_words import built_again

MOST_NOT_REHEARSED = 3
MOST_FIRED = 4
MOST_INSIDE = 2


def rehearsal_sentences(report: Report, cutter: Cutter) -> list[str]:
    """Of a report that holds nothing else only what has no field of its own; empty without a rehearsal."""
    rehearsed = report.rehearsal
    if rehearsed is None:
        return []
    beside = _beside(report, rehearsed) if alone(report) is None else []
    archs = [_arch(row) for row in arch_rows(report)]
    inside = largest_words(rehearsed.compile_trace)[:MOST_INSIDE]
    told = [*beside, *archs, *inside, workers_words(rehearsed), *_not_rehearsed(rehearsed)]
    return cutter.sentences("the rehearsal", [sentence for sentence in told if sentence])


def _beside(report: Report, rehearsed: RehearsedArch) -> list[str]:
    """What stands in fields of its own where a rehearsal stands alone."""
    view = as_report(report, rehearsed)
    dearest = dearest_words(rehearsed.modules)
    seen = fired(view.findings)[:MOST_FIRED] if reached_cuda(rehearsed) else []
    return [
        *failure_words(rehearsed),
        built_words(rehearsed),
        MARK,
        f"The dearest: {'; '.join(dearest)}." if dearest else "",
        built_again(view) if view.roots else "",
        *(f"{finding_words(one, report.cwd)}. Try first: {fix_words(one, report.cwd)}" for one in seen),
    ]


def _arch(row: tuple[str, ...]) -> str:
    figures = zip(ARCH_COLUMNS[1:], row[1:], strict=True)
    return f"{row[0]}: {joined([f'{name} {value}' for name, value in figures])}."


def _not_rehearsed(rehearsed: RehearsedArch) -> list[str]:
    told = [f"Not rehearsed: {not_rehearsed_words(one)}" for one in rehearsed.not_rehearsed]
    rest = len(told) - MOST_NOT_REHEARSED
    return [*told[:MOST_NOT_REHEARSED], *([f"… and {rest} more not rehearsed."] if rest > 0 else [])]
