"""The rehearsal of CUDA as parts of a Markdown page."""

from collections.abc import Iterator

from warp_mcp.models.rehearsal import RehearsedArch
from warp_mcp.models.rehearsed import alone, as_report
from warp_mcp.models.report import Report
from warp_mcp.presentation.compile_trace_markdown import compile_trace
from warp_mcp.presentation.compile_trace_words import HEADING as TRACE
from warp_mcp.presentation.headline import failed_samples, output_tail
from warp_mcp.presentation.markdown import block, bounded, bullets, code, section, table, words
from warp_mcp.presentation.rehearsal_words import (
    ARCH_COLUMNS,
    ARCH_FIGURES,
    MARK,
    WORKER_COLUMNS,
    WORKER_FIGURES,
    arch_rows,
    archs_words,
    built_words,
    dominant_words,
    failure_words,
    not_rehearsed_words,
    reached_cuda,
    worker_rows,
    workers_note,
)
from warp_mcp.presentation.report_parts_markdown import ROWS, findings, modules, roots
from warp_mcp.presentation.root_words import built_again

OUTPUT_LINES = 20
OUTPUT_CHARACTERS = 2_000


def rehearsal_sections(report: Report) -> list[str]:
    """What the rehearsal showed; nothing where there was none."""
    rehearsed = report.rehearsal
    if rehearsed is None:
        return []
    view = as_report(report, rehearsed)
    beside = alone(report) is None
    title = "CUDA, rehearsed: " if beside else ""
    lines = section(f"CUDA, rehearsed for {archs_words(report)}", _first(view, rehearsed)) if beside else []
    return [
        *lines,
        *(_parts(title, view) if not beside or reached_cuda(rehearsed) else []),
        *_titled(title, TRACE, compile_trace(rehearsed.compile_trace)),
        *_titled(title, "By architecture", _archs(report)),
        *_titled(title, "Built ahead of the first launch", _workers(rehearsed)),
        *_titled(title, "What could not be rehearsed", bullets(_not_rehearsed(rehearsed))),
        *(_titled(title, "Before you believe it", bullets(_warnings(rehearsed))) if beside else []),
    ]


def _parts(title: str, view: Report) -> list[str]:
    return [
        *_titled(title, "Built again, and why", bullets(roots(view))),
        *_titled(title, "Findings", *findings(view)),
        *_titled(title, "Modules, by time", modules(view)),
    ]


def _titled(before: str, title: str, *parts: list[str]) -> list[str]:
    return section(f"{before}{title[:1].lower()}{title[1:]}" if before else title, *parts)


def _first(view: Report, rehearsed: RehearsedArch) -> list[str]:
    again = built_again(view) if reached_cuda(rehearsed) else ""
    told = [*failure_words(rehearsed), built_words(rehearsed), *dominant_words(rehearsed), MARK, again]
    lines = [line for sentence in told if sentence for line in (words(sentence), "")]
    failed = failed_samples(view)
    tail = output_tail(failed[0])[-OUTPUT_CHARACTERS:] if failed else ""
    return [*lines, *(block(tail.splitlines()[-OUTPUT_LINES:]) if tail else [])]


def _archs(report: Report) -> list[str]:
    rows = [(code(first), *rest) for first, *rest in arch_rows(report)]
    return table(ARCH_COLUMNS, rows, right=ARCH_FIGURES) if rows else []


def _workers(rehearsed: RehearsedArch) -> list[str]:
    rows = worker_rows(rehearsed)
    if not rows:
        return []
    return [*table(WORKER_COLUMNS, rows, right=WORKER_FIGURES), words(workers_note(rehearsed)), ""]


def _not_rehearsed(rehearsed: RehearsedArch) -> list[str]:
    return bounded([words(not_rehearsed_words(one)) for one in rehearsed.not_rehearsed], ROWS, "the report")


def _warnings(rehearsed: RehearsedArch) -> Iterator[str]:
    yield from (words(f"{warning.message} {warning.next}") for warning in rehearsed.warnings)
