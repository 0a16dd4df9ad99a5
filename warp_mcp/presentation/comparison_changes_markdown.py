"""Of a comparison as Markdown: whether it is the same work, and what changed in what is built."""

from warp_mcp.models.comparison import Comparison, ModuleChange
from warp_mcp.presentation.comparison_text import module_differs, workload_words
from warp_mcp.presentation.markdown import bounded, bullets, code, table, words
from warp_mcp.presentation.numbers import joined, number, percent, plural

MOST_LINES = 20
MOST_MODULES = 20


def same_work(comparison: Comparison) -> list[str]:
    """What launch equivalence says."""
    workload = comparison.workload
    lines = [workload_words(workload.status, workload.kernels_changed)]
    first = workload.first_divergence
    if first is not None:
        sides = [code(side or "no further launch") for side in (first.baseline, first.candidate)]
        lines.append(f"First difference at launch {first.launch:,}. Before: {sides[0]}. After: {sides[1]}.")
    lines += [words(sentence) for sentence in bounded(workload.differences, MOST_LINES, "the comparison")]
    if workload.kernels_changed:
        names = joined([code(name) for name in workload.kernels_changed], MOST_LINES)
        lines.append(f"Kernels whose code changed: {names}. What they compute was not compared.")
    if workload.renames:
        lines.append(f"Same content under another name: {words(joined(workload.renames, MOST_LINES))}.")
    return bullets(lines)


def built(comparison: Comparison) -> list[str]:
    """Figures of structure, and the receipts by module."""
    structure = [line for line in comparison.structure if line.baseline != line.candidate]
    changed = [module for module in comparison.modules if module_differs(module)]
    if not structure and not changed:
        return ["Nothing: the same modules, with the same hashes.", ""]
    lines: list[str] = []
    if structure:
        rows = [_structure(line.name, line.baseline, line.candidate) for line in structure]
        lines += table(("", "before", "after", "difference"), rows, right=(1, 2, 3))
    if changed:
        columns = ("module", "on", "builds", "time", "hash", "options")
        lines += table(columns, [_module(module) for module in changed[:MOST_MODULES]])
        lines += [_note(comparison.modules, changed), ""]
    return lines


def _structure(name: str, before: float, after: float) -> tuple[str, ...]:
    share = percent(abs(after - before), before)
    sign = "−" if after < before else "+"
    return words(name.replace("_", " ")), number(before), number(after), f"{sign}{share}" if share else ""


def _module(module: ModuleChange) -> tuple[str, ...]:
    return (
        code(module.name),
        words(module.device),
        f"{module.baseline_builds} → {module.candidate_builds}",
        f"{module.baseline_ms / 1000:.2f} → {module.candidate_ms / 1000:.2f} s",
        "moved" if module.hash_moved else "the same",
        ", ".join(bounded([code(option) for option in module.options], 6, "the comparison")),
    )


def _note(modules: list[ModuleChange], changed: list[ModuleChange]) -> str:
    hidden = len(changed) - MOST_MODULES
    cut = f"… and {hidden} more, in the comparison. " if hidden > 0 else ""
    same = len(modules) - len(changed)
    rest = f" {plural(same, 'other module')} did not move." if same else ""
    return f"{cut}A hash that moved is the receipt that an option or a kernel arrived in that module.{rest}"
