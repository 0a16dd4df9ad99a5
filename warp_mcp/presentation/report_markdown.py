"""One measurement as Markdown: the wait, what is behind it, what to do."""

from collections.abc import Iterator

from warp_mcp.models.report import ModuleEntry, Report
from warp_mcp.models.root import Root
from warp_mcp.models.uris import report_uri
from warp_mcp.presentation import setting_markdown as setting
from warp_mcp.presentation.finding_words import advice, fired, overlap_words
from warp_mcp.presentation.floor_text import floor_sentences
from warp_mcp.presentation.headline import answer, failed_samples, output_tail, parts_heading, whole_ms
from warp_mcp.presentation.levers_markdown import levers_section
from warp_mcp.presentation.markdown import block, bounded, bullets, code, section, shell, table, words
from warp_mcp.presentation.next_steps import next_steps, terminal
from warp_mcp.presentation.numbers import SPREAD_NOTE, duration, percent, plural
from warp_mcp.presentation.outputs_markdown import outputs_report
from warp_mcp.presentation.root_words import APPLICATION, built_again, root_words, victim_words, where_words
from warp_mcp.presentation.steady_state_markdown import steady_report
from warp_mcp.presentation.words import PART_NAMES

ROWS = 20
"""Modules, and lines of each list, that are shown; the report has them all."""
OUTPUT_LINES = 20
OUTPUT_CHARACTERS = 2_000


def report_markdown(report: Report) -> str:
    """The whole document."""
    lines = [
        f"# Cold start of {setting.command(report)}",
        "",
        *(line for sentence in _answer(report) for line in (words(sentence), "")),
        *section("What was measured", bullets(_measured(report))),
        *section(parts_heading(report), _parts(report)),
        *section("Built again, and why", bullets(_roots(report))),
        *section("Findings", *_findings(report)),
        *levers_section(report),
        *section("Modules, by time", _modules(report), bullets(map(words, floor_sentences(report)))),
        *outputs_report(report.outputs),
        *steady_report(report.steady_state),
        *section("Before you believe these numbers", bullets(_warnings(report))),
        *section("The program's own last lines", _output(report)),
        *section("What to do next", _steps(report)),
        f"{SPREAD_NOTE} {setting.NOT_ELSEWHERE} Measured without a change to the program.",
    ]
    return "\n".join(lines) + "\n"


def _answer(report: Report) -> list[str]:
    return [sentence for sentence in (*answer(report), built_again(report)) if sentence]


def _measured(report: Report) -> Iterator[str]:
    yield f"Report: {setting.named(report.report_id, report.label)}, {words(report.created_at)}"
    yield f"Samples: {setting.samples(report)}; each is a cold run with empty caches and a warm run after it"
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


def _roots(report: Report) -> list[str]:
    return bounded(
        [_root(root, report.cwd) for root in report.roots], ROWS, f"`{report_uri(report.report_id)}`"
    )


def _root(root: Root, cwd: str) -> str:
    library = f", in {root.owner}" if root.owner != APPLICATION else ""
    victims = "; ".join(bounded(victim_words(root.victims), 6, "the report"))
    line = f"{where_words(root, cwd)}{library}, {duration(root.cost_ms)}: {root_words(root)}"
    return f"{words(line)}. Built again: {words(victims)}."


def _findings(report: Report) -> Iterator[list[str]]:
    if not report.modules:
        return
    for finding in fired(report.findings):
        yield [f"- {setting.finding_line(finding, report.cwd)}"]
        yield [f"  - {words(line)}" for line in advice(finding, report.cwd)]
    yield [""] if fired(report.findings) else []
    if overlap := overlap_words(report.findings):
        yield [words(overlap), ""]
    if told := bullets(setting.ruled_out_lines(report.findings, report.cwd)):
        yield ["Ruled out, by what the record shows:", "", *told]
    if told := bullets(setting.not_reached_lines(report.findings)):
        yield ["Cannot be told from this run, or does not arise in it:", "", *told]


def _modules(report: Report) -> list[str]:
    shown = sorted(report.modules, key=lambda entry: entry.ms, reverse=True)
    if not shown:
        return []
    columns = ("module", "hash", "on", "status", "builds", "time", "kernels", "launches")
    told = table(columns, [_module(entry) for entry in shown[:ROWS]], right=(4, 5, 6, 7))
    rest = shown[ROWS:]
    if not rest:
        return told
    time = duration(sum(entry.ms for entry in rest))
    return [*told, f"… and {plural(len(rest), 'more', 'more')}, {time} together, in the report.", ""]


def _module(entry: ModuleEntry) -> tuple[str, ...]:
    device = entry.device if entry.block_dim <= 1 else f"{entry.device} ×{entry.block_dim}"
    return (
        code(entry.name),
        code(entry.hash[:7]),
        words(device),
        entry.status,
        str(entry.builds),
        duration(entry.ms),
        str(entry.kernel_count),
        f"{entry.launches + entry.adjoint_launches:,}",
    )


def _warnings(report: Report) -> list[str]:
    told = [words(f"{warning.message} {warning.next}") for warning in report.warnings]
    return bounded(told, ROWS, "the report")


def _output(report: Report) -> list[str]:
    failed = failed_samples(report)
    tail = output_tail(failed[0])[-OUTPUT_CHARACTERS:] if failed else ""
    return block(tail.splitlines()[-OUTPUT_LINES:]) if tail else []


def _steps(report: Report) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(next_steps(report, terminal(None)), start=1):
        lines += [f"{number}. {words(step.words)}", ""]
        lines += shell(step.command) if step.command else []
    return lines
