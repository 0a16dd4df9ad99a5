"""A comparison for a terminal or a pipe: the verdict, why, what changed, what is left to check."""

from warp_mcp.models.comparison import Comparison, Delta, ModuleChange
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.numbers import (
    SPREAD_NOTE,
    joined,
    noise_words,
    number,
    percent,
    plural,
    signed,
    spread,
)
from warp_mcp.presentation.outputs_text import outputs_comparison
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.rehearsal_comparison_words import rehearsal_lines
from warp_mcp.presentation.steady_state_text import steady_comparison
from warp_mcp.presentation.words import MECHANISM_NAMES, METRIC_NAMES

VERDICT_WORDS = {
    "improved": ("Improved: the candidate starts with less compilation.", "bold green"),
    "inconclusive": (
        "Inconclusive: no difference beyond the noise that has a recorded cause.",
        "bold yellow",
    ),
    "regressed": ("Regressed: the candidate starts with more compilation.", "bold red"),
    "invalid": ("Invalid: the two are not comparable, so nothing can be said of the change.", "bold red"),
    "unverified": ("Unverified: what was measured does not prove it either way.", "bold yellow"),
}
WORKLOAD_WORDS = {
    "preserved": "The same launches ran on both sides.",
    "changed": "The launches changed.",
    "unverified": "Whether the same launches ran could not be established.",
}
MODULE_ROWS = 15
LIST_ROWS = 8


def comparison_text(comparison: Comparison, look: Look = PLAIN) -> str:
    """The whole comparison."""
    page = Page(look)
    _verdict(page, comparison)
    _workload(page, comparison)
    _timing(page, comparison)
    _receipts(page, comparison)
    outputs_comparison(page, comparison.outputs)
    steady_comparison(page, comparison.steady_state)
    _mechanisms(page, comparison)
    _rehearsal(page, comparison)
    _listed(page, "Differs between the two machines or environments", comparison.environment)
    _listed(page, "Before you believe this", comparison.warnings)
    _listed(page, "Not checked here", comparison.next_checks)
    page.gap()
    page.paragraph(f"{SPREAD_NOTE} Comparison {comparison.comparison_id}.", "dim")
    return str(page)


def _verdict(page: Page, comparison: Comparison) -> None:
    words, style = VERDICT_WORDS[comparison.verdict]
    page.paragraph(words, style)
    page.paragraph(f"{_side(comparison, 'baseline')} → {_side(comparison, 'candidate')}", "dim")
    judged = judged_words(comparison)
    if judged:
        page.gap()
        page.paragraph(judged, "bold")
    page.heading("Why")
    for reason in comparison.reasons:
        page.item("●", reason)
    for cause in comparison.causes:
        page.item("·", f"On record: {cause}")


def _side(comparison: Comparison, side: str) -> str:
    name = comparison.baseline if side == "baseline" else comparison.candidate
    label = comparison.baseline_label if side == "baseline" else comparison.candidate_label
    return f"{label} ({name})" if label else name


def judged_words(comparison: Comparison) -> str:
    """The metric that the verdict rests on, before and after; empty where a side is missing."""
    delta = next((delta for delta in comparison.timing if delta.metric == comparison.judged_on), None)
    if delta is None or delta.delta is None:
        return ""
    before = _figure(delta.baseline_median, delta.baseline_mad, delta.baseline_count)
    after = _figure(delta.candidate_median, delta.candidate_mad, delta.candidate_count)
    name = METRIC_NAMES.get(delta.metric, delta.metric)
    return f"{name[:1].upper()}{name[1:]}: {before} → {after}, {_change(delta)}."


def _figure(median: float | None, mad: float | None, count: int) -> str:
    return "unknown" if median is None else spread(median, mad, count)


def _change(delta: Delta) -> str:
    if delta.delta is None:
        return ""
    share = "" if delta.delta_percent is None else f" ({delta.delta_percent:+.0f} %)".replace("-", "−")
    return signed(delta.delta) + share


def _workload(page: Page, comparison: Comparison) -> None:
    workload = comparison.workload
    page.heading("Is it the same work?")
    mark, style = ("✓", "bold green") if workload.status == "preserved" else ("✗", "bold red")
    page.item(mark, workload_words(workload.status, workload.kernels_changed), mark_style=style)
    first = workload.first_divergence
    if first is not None:
        page.item(" ", f"First difference at launch {first.launch:,}:")
        page.item(" ", f"baseline:  {first.baseline or 'no further launch'}")
        page.item(" ", f"candidate: {first.candidate or 'no further launch'}")
    for sentence in _cut(workload.differences):
        page.item("·", sentence)
    if workload.kernels_changed:
        page.item("✗", f"Kernels whose code changed: {joined(workload.kernels_changed, LIST_ROWS)}.")
    if workload.renames:
        page.item("·", f"Same content under another name: {joined(workload.renames, LIST_ROWS)}.")


def workload_words(status: str, kernels_changed: list[str]) -> str:
    """Whether the same work was done; launches are not doubted because a kernel changed."""
    if status == "unverified" and kernels_changed:
        return "The same launches ran on both sides, but the code of kernels changed."
    return WORKLOAD_WORDS[status]


def _cut(sentences: list[str]) -> list[str]:
    shown = sentences[:LIST_ROWS]
    rest = len(sentences) - len(shown)
    return [*shown, f"… and {rest} more, in the comparison file."] if rest else shown


def _timing(page: Page, comparison: Comparison) -> None:
    if not comparison.timing:
        return
    page.heading("Times")
    by_metric = {delta.metric: delta for delta in comparison.timing}
    shown = [by_metric[metric] for metric in METRIC_NAMES if metric in by_metric]
    page.table(
        ("", "baseline", "candidate", "difference", "noise", "outside it"),
        [_timing_row(delta, comparison.judged_on) for delta in shown],
        right=(1, 2, 3, 4),
        whole=(0,),
    )
    page.paragraph("▸ what the verdict rests on", "dim", indent=2)


def _timing_row(delta: Delta, judged_on: str) -> tuple[str, ...]:
    mark = "▸ " if delta.metric == judged_on else "  "
    return (
        mark + METRIC_NAMES[delta.metric],
        _figure(delta.baseline_median, delta.baseline_mad, delta.baseline_count),
        _figure(delta.candidate_median, delta.candidate_mad, delta.candidate_count),
        _change(delta),
        "" if delta.band is None else f"± {signed(delta.band)[1:]}",
        noise_words(delta),
    )


def _receipts(page: Page, comparison: Comparison) -> None:
    changed = [module for module in comparison.modules if module_differs(module)]
    structure = [line for line in comparison.structure if line.baseline != line.candidate]
    page.heading("What changed in what is built")
    if not changed and not structure:
        page.item("·", "Nothing: the same modules, with the same hashes.")
        return
    if structure:
        page.table(
            ("", "baseline", "candidate", "difference"),
            [_structure_row(s.name, s.baseline, s.candidate) for s in structure],
            right=(1, 2),
        )
    if changed:
        page.gap()
        page.table(
            ("module", "on", "builds", "time", "hash", "options"),
            [_module_row(module) for module in changed[:MODULE_ROWS]],
        )
        page.paragraph(_receipt_note(comparison.modules, changed), "dim", indent=2)


def _structure_row(name: str, baseline: float, candidate: float) -> tuple[str, ...]:
    share = percent(abs(candidate - baseline), baseline)
    sign = "−" if candidate < baseline else "+"
    return name.replace("_", " "), number(baseline), number(candidate), f"{sign}{share}" if share else ""


def module_differs(module: ModuleChange) -> bool:
    """Whether anything of what is built in this module changed."""
    return module.hash_moved or bool(module.options) or module.baseline_builds != module.candidate_builds


def _module_row(module: ModuleChange) -> tuple[str, ...]:
    builds = f"{module.baseline_builds} → {module.candidate_builds}"
    time = f"{module.baseline_ms / 1000:.2f} → {module.candidate_ms / 1000:.2f} s"
    receipt = "moved" if module.hash_moved else "the same"
    return module.name, module.device, builds, time, receipt, "; ".join(module.options)


def _receipt_note(modules: list[ModuleChange], changed: list[ModuleChange]) -> str:
    hidden = len(changed) - MODULE_ROWS
    cut = f"… and {hidden} more, in the comparison file. " if hidden > 0 else ""
    same = len(modules) - len(changed)
    rest = f" {plural(same, 'other module')} did not move." if same else ""
    return f"{cut}A hash that moved is the receipt that an option or a kernel arrived in that module.{rest}"


def _mechanisms(page: Page, comparison: Comparison) -> None:
    groups = (
        ("fixed", comparison.mechanisms.fixed, "✓", "bold green"),
        ("still there", comparison.mechanisms.remaining, "●", "yellow"),
        ("new", comparison.mechanisms.new, "✗", "bold red"),
    )
    if not any(labels for _, labels, _, _ in groups):
        return
    page.heading("Findings")
    for name, labels, mark, style in groups:
        if labels:
            words = joined([f"{MECHANISM_NAMES.get(label, label)} ({label})" for label in labels], limit=13)
            page.item(mark, f"{name}: {words}", mark_style=style)


def _rehearsal(page: Page, comparison: Comparison) -> None:
    lines = rehearsal_lines(comparison)
    if not lines:
        return
    page.heading("CUDA, rehearsed")
    for line in lines:
        page.item("·", line)


def _listed(page: Page, heading: str, sentences: list[str]) -> None:
    if not sentences:
        return
    page.heading(heading)
    for sentence in _cut(sentences):
        page.item("·", sentence)
