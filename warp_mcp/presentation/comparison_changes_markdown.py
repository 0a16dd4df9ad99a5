"""Of a report for a team: whether it is the same work, what was changed, and every module on both sides."""

from collections.abc import Iterator

from warp_mcp.models.comparison import ModuleChange
from warp_mcp.models.report import ModuleEntry, Report
from warp_mcp.presentation.comparison_text import workload_words
from warp_mcp.presentation.markdown import bullets, code, table
from warp_mcp.presentation.numbers import duration, number, percent, plural
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.presentation.shared_report_words import Room

HASH_CHARACTERS = 7
NO_NOTE = "What was edited was not told. What the record shows of it:"


def same_work(shared: Shared, room: Room) -> list[str]:
    """What launch equivalence says."""
    workload = shared.comparison.workload
    lines = [workload_words(workload.status, workload.kernels_changed)]
    first = workload.first_divergence
    if first is not None:
        sides = [code(side or "no further launch") for side in (first.baseline, first.candidate)]
        lines.append(f"First difference at launch {first.launch:,}. Before: {sides[0]}. After: {sides[1]}.")
    lines += [room.said(sentence) for sentence in room.cut(workload.differences, "the comparison")]
    if workload.kernels_changed:
        compared = shared.comparison.outputs.status != "not_recorded"
        end = "" if compared else " What they compute was not compared."
        lines.append(f"Kernels whose code changed: {room.names(workload.kernels_changed)}.{end}")
    if workload.renames:
        told = "; ".join(room.cut(workload.renames, "the comparison"))
        lines.append(f"Same content under another name: {room.said(told)}.")
    return bullets(lines)


def changed(shared: Shared, room: Room) -> list[str]:
    """What whoever made the change says, and the difference of what is built."""
    notes = [room.quoted(note) for note in shared.notes if note.strip()]
    lines = ["As told by whoever made the change:", "", *bullets(notes)] if notes else []
    structure = [line for line in shared.comparison.structure if line.baseline != line.candidate]
    facts = list(_facts(shared, room))
    if not structure and not facts:
        return [*lines, "On record nothing of what is built differs: the same modules and hashes.", ""]
    lines += ["What the record shows of it:" if notes else NO_NOTE, ""]
    if structure:
        rows = [_figure(line.name, line.baseline, line.candidate) for line in structure]
        lines += table(("", "before", "after", "difference"), rows, right=(1, 2, 3))
    return [*lines, *bullets(facts)]


_FIGURES = {"identities": "versions of modules, by hash", "warm_builds": "builds in a second start"}
"""Figures whose names are the probe's own."""


def _figure(name: str, before: float, after: float) -> tuple[str, ...]:
    share = percent(abs(after - before), before)
    sign = "−" if after < before else "+"
    return (
        _FIGURES.get(name, name.replace("_", " ")),
        number(before),
        number(after),
        f"{sign}{share}" if share else "",
    )


def _facts(shared: Shared, room: Room) -> Iterator[str]:
    modules = shared.comparison.modules
    yield from _options(modules, room)
    both = [module for module in modules if module.baseline_builds and module.candidate_builds]
    moved = [module.name for module in both if module.hash_moved]
    if moved:
        same = len(both) - len(moved)
        rest = f"; {plural(same, 'other')} did not" if same else ""
        yield (
            f"Hashes that moved: {plural(len(moved), 'module')}{rest}. Kernels or options built there are "
            f"not those of before: {room.names(moved)}."
        )
    if shared.baseline is not None and shared.candidate is not None:
        yield from _names(shared.baseline, shared.candidate, room)


def _options(modules: list[ModuleChange], room: Room) -> Iterator[str]:
    by_option: dict[str, list[str]] = {}
    for module in modules:
        for option in module.options:
            by_option.setdefault(option, []).append(module.name)
    told = [f"Switched: {code(option)} in {room.names(names)}." for option, names in by_option.items()]
    yield from room.cut(told, "the comparison")


def _names(before: Report, after: Report, room: Room) -> Iterator[str]:
    pairs = (
        ("Modules", {one.name for one in before.modules}, {one.name for one in after.modules}),
        ("Kernels", {one.name for one in before.kernels}, {one.name for one in after.kernels}),
    )
    for what, old, new in pairs:
        if gone := sorted(old - new):
            yield f"{what} only before: {room.names(gone)}."
        if come := sorted(new - old):
            yield f"{what} only after: {room.names(come)}."


def module_table(shared: Shared, room: Room) -> list[str]:
    """Every module on both sides, the dearest first."""
    modules = sorted(shared.comparison.modules, key=lambda one: -max(one.baseline_ms, one.candidate_ms))
    if not modules:
        return []
    columns = ("module", "on", "builds", "time before", "time after", "kernels", "hash")
    rows = [_module(module, shared) for module in modules[: room.lines]]
    rest = len(modules) - len(rows)
    told = [*table(columns, rows, right=(3, 4)), "Times are of one run on each side, the first complete one."]
    more = [f"… and {plural(rest, 'more module')}, in the comparison."] if rest > 0 else []
    return [*told, *more, ""]


def _module(module: ModuleChange, shared: Shared) -> tuple[str, ...]:
    before, after = (_entries(side, module) for side in (shared.baseline, shared.candidate))
    return (
        code(module.name),
        code(module.device),
        _both(str(module.baseline_builds), str(module.candidate_builds)),
        duration(module.baseline_ms),
        duration(module.candidate_ms),
        _both(_kernels(before), _kernels(after)),
        _hash(module, before, after),
    )


def _both(before: str, after: str) -> str:
    return before if before == after else f"{before} → {after}"


def _entries(side: Report | None, module: ModuleChange) -> list[ModuleEntry] | None:
    if side is None:
        return None
    return [one for one in side.modules if (one.name, one.device) == (module.name, module.device)]


def _kernels(entries: list[ModuleEntry] | None) -> str:
    return "unknown" if entries is None else str(max((one.kernel_count for one in entries), default=0))


def _hash(module: ModuleChange, before: list[ModuleEntry] | None, after: list[ModuleEntry] | None) -> str:
    """Of the last identity on each side; the word alone where the reports are not kept."""
    if not module.hash_moved:
        return "the same"
    if before is None or after is None:
        return "moved"
    sides = [code(side[-1].hash[:HASH_CHARACTERS]) if side else "none" for side in (before, after)]
    return "moved" if sides[0] == sides[1] else f"moved: {sides[0]} → {sides[1]}"
