"""One measurement as Markdown: the wait, what is behind it, what to do."""

from collections.abc import Iterator

from warp_mcp.models.rehearsed import alone, shown
from warp_mcp.models.report import Report
from warp_mcp.presentation import setting_markdown as setting
from warp_mcp.presentation.floor_text import floor_sentences
from warp_mcp.presentation.headline import answer, failed_samples, output_tail, parts_heading, whole_ms
from warp_mcp.presentation.levers_markdown import levers_section
from warp_mcp.presentation.markdown import block, bounded, bullets, section, shell, table, words
from warp_mcp.presentation.next_steps import next_steps, terminal
from warp_mcp.presentation.numbers import SPREAD_NOTE, duration, percent
from warp_mcp.presentation.outputs_markdown import outputs_report
from warp_mcp.presentation.rehearsal_markdown import rehearsal_sections
from warp_mcp.presentation.rehearsal_words import archs_words, warnings_of
from warp_mcp.presentation.report_parts_markdown import ROWS, findings, modules, roots
from warp_mcp.presentation.root_words import built_again
from warp_mcp.presentation.steady_state_markdown import steady_report
from warp_mcp.presentation.words import PART_NAMES

OUTPUT_LINES = 20
OUTPUT_CHARACTERS = 2_000


def report_markdown(report: Report) -> str:
    """The whole document."""
    lines = [
        f"# {_title(report)} of {setting.command(report)}",
        "",
        *(line for sentence in _answer(report) for line in (words(sentence), "")),
        *section("What was measured", bullets(_measured(report))),
        *([] if alone(report) else _of_samples(report)),
        *rehearsal_sections(report),
        *section("Before you believe these numbers", bullets(_warnings(report))),
        *section("The program's own last lines", _output(report)),
        *section("What to do next", _steps(report)),
        f"{SPREAD_NOTE} {setting.NOT_ELSEWHERE} {_how(report)}",
    ]
    return "\n".join(lines) + "\n"


def _title(report: Report) -> str:
    return f"CUDA, rehearsed for {archs_words(report)}: start" if alone(report) else "Cold start"


def _how(report: Report) -> str:
    if alone(report):
        return "The program is unchanged; it was told that there is a CUDA device."
    return "Measured without a change to the program."


def _of_samples(report: Report) -> list[str]:
    """What the samples showed, and what was measured beside them."""
    return [
        *section(parts_heading(report), _parts(report)),
        *section("Built again, and why", bullets(roots(report))),
        *section("Findings", *findings(report)),
        *levers_section(report),
        *section("Modules, by time", modules(report), bullets(map(words, floor_sentences(report)))),
        *outputs_report(report.outputs),
        *steady_report(report.steady_state),
    ]


def _answer(report: Report) -> list[str]:
    return [sentence for sentence in (*answer(report), built_again(shown(report))) if sentence]


def _measured(report: Report) -> Iterator[str]:
    yield f"Report: {setting.named(report.report_id, report.label)}, {words(report.created_at)}"
    kind = "Rehearsals" if alone(report) else "Samples"
    told = setting.samples(shown(report), "rehearsal" if alone(report) else "sample")
    yield f"{kind}: {told}; each is a cold run with empty caches and a warm run after it"
    if report.stop != "none":
        yield f"Ended on purpose: {words(report.stop)}"
    yield f"Machine: {setting.machine(report.environment)}"
    if told := setting.variables(report.environment):
        yield f"Variables that were set: {told}"
    if not report.isolation.ok:
        yield "Caches: the program left those it was given, so these were no cold starts of their own"


def _parts(report: Report) -> list[str]:
    whole = whole_ms(report.wall_parts)
    rows = [
        (
            words(PART_NAMES.get(part.name, part.name)),
            duration(part.ms),
            percent(part.ms, whole),
            words(part.detail),
        )
        for part in report.wall_parts
        if part.ms >= 1
    ]
    return table(("part", "time", "share", ""), rows, right=(1, 2)) if rows else []


def _warnings(report: Report) -> list[str]:
    told = [words(f"{warning.message} {warning.next}") for warning in warnings_of(report)]
    return bounded(told, ROWS, "the report")


def _output(report: Report) -> list[str]:
    failed = failed_samples(shown(report))
    tail = output_tail(failed[0])[-OUTPUT_CHARACTERS:] if failed else ""
    return block(tail.splitlines()[-OUTPUT_LINES:]) if tail else []


def _steps(report: Report) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(next_steps(report, terminal(None)), start=1):
        lines += [f"{number}. {words(step.words)}", ""]
        lines += shell(step.command) if step.command else []
    return lines
