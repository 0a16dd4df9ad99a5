"""Of a report for a team: what was measured, and the machine and versions on which."""

from collections.abc import Iterator

from warp_mcp.models.report import Environment, Report
from warp_mcp.presentation import setting_markdown as setting
from warp_mcp.presentation.markdown import bullets, code, table, words
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.presentation.shared_report_words import Room

UNKNOWN = "unknown"


def measured(shared: Shared) -> list[str]:
    """Both reports, with the command, how often it ran, and when."""
    comparison = shared.comparison
    what = "rehearsal" if comparison.rehearsal.alone else "sample"
    before = setting.named(comparison.baseline, comparison.baseline_label)
    after = setting.named(comparison.candidate, comparison.candidate_label)
    return bullets(
        [
            f"Before: {before}{_side(shared.baseline, what)}",
            f"After: {after}{_side(shared.candidate, what)}",
            *_machines(shared),
        ]
    )


def _side(report: Report | None, what: str) -> str:
    if report is None:
        return ", a report that is not kept here"
    stop = "" if report.stop == "none" else f"; ended on purpose: {report.stop}"
    when = report.created_at.replace("T", " ").replace("Z", " UTC")
    return f", {setting.command(report)}; {setting.samples(report, what)}{words(stop)}; {words(when)}"


def _machines(shared: Shared) -> Iterator[str]:
    """The machine in a line; the rest of it stands under "Environment"."""
    sides = _sides(shared)
    if not sides:
        yield "Machine: unknown, since neither report is kept"
        return
    told = {name: _machine(environment) for name, environment in sides.items()}
    if len(set(told.values())) == 1:
        yield f"Machine: {next(iter(told.values()))}"
    else:
        yield from (f"Machine {name}: {line}" for name, line in told.items())


def _sides(shared: Shared) -> dict[str, Environment]:
    both = (("before", shared.baseline), ("after", shared.candidate))
    return {name: report.environment for name, report in both if report is not None}


def _machine(one: Environment) -> str:
    return words(
        f"{one.cpu}, {one.cores} cores; {one.gpu or 'no GPU seen'}; Warp {one.warp or UNKNOWN}; "
        f"Python {one.python or UNKNOWN}"
    )


def environment(shared: Shared, room: Room) -> list[str]:
    """Machine, versions and variables on both sides; differences that were found between them."""
    sides = _sides(shared)
    rows = {name: dict(_facts(one)) for name, one in sides.items()}
    same = len({tuple(facts.items()) for facts in rows.values()}) == 1
    shown = {"on both sides": next(iter(rows.values()))} if same and len(rows) == 2 else rows
    lines: list[str] = []
    if shown:
        labels = next(iter(shown.values()))
        cells = [(label, *(room_of(facts[label], room) for facts in shown.values())) for label in labels]
        lines += table(("", *shown), cells)
    differing = room.cut(shared.comparison.environment, "the comparison")
    lines += bullets(f"Differs between the two: {room.said(sentence)}" for sentence in differing)
    if len(rows) == 1:
        lines += ["The other report is not kept here, so its environment is unknown.", ""]
    return lines or ["Unknown, since neither report is kept.", ""]


def room_of(text: str, room: Room) -> str:
    """A cell of facts."""
    return words(text, room.characters)


def _facts(one: Environment) -> Iterator[tuple[str, str]]:
    memory = f", {one.memory_bytes / 1e9:.0f} GB of memory" if one.memory_bytes >= 1e9 else ""
    yield "processor", f"{one.cpu}, {one.cores} cores{memory}"
    yield "GPU", one.gpu or "none seen"
    yield "driver, CUDA toolkit", f"{one.driver or UNKNOWN}, {one.cuda_toolkit or UNKNOWN}"
    yield "system", one.platform
    yield "Python", f"{one.python or UNKNOWN} at {code(one.executable) if one.executable else UNKNOWN}"
    yield "Warp", one.warp or UNKNOWN
    variables = ", ".join(code(f"{name}={value}") for name, value in sorted(one.variables.items()))
    yield "variables of Warp and CUDA", variables or "none set"
