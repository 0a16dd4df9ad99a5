"""A comparison in the size a model can afford. The whole is in the stored file."""

from warp_mcp.models.comparison import Comparison, Delta, ModuleChange
from warp_mcp.models.summary import CompareSummary, Figure, ReceiptLine, TimingLine
from warp_mcp.models.uris import comparison_uri
from warp_mcp.presentation.comparison_text import VERDICT_WORDS, judged_words, module_differs, workload_words
from warp_mcp.presentation.cutting import Cutter, fitting
from warp_mcp.presentation.outputs_words import outputs_sentence
from warp_mcp.presentation.rehearsal_comparison_words import rehearsal_sentence
from warp_mcp.presentation.steady_state_words import steady_sentence
from warp_mcp.presentation.words import METRIC_NAMES

NEXT = {
    "improved": "Keep the change; check what next_checks lists, and tell the user what you could not check.",
    "inconclusive": "Do not claim an effect: read reasons; what still fires in the candidate is left to fix.",
    "regressed": "Undo the change, or find in receipts and reasons what is built more, and measure again.",
    "invalid": "Nothing is proven: make both sides the same work on one machine, see reasons, and measure.",
    "unverified": "Nothing is proven yet: mend what reasons names, measure that side again, and compare.",
}
"""The step to take after each verdict."""


def compare_summary(comparison: Comparison) -> CompareSummary:
    """What `compare` answers to an agent."""
    return fitting(lambda cutter: _compare(comparison, cutter))


def _compare(comparison: Comparison, cutter: Cutter) -> CompareSummary:
    workload = comparison.workload
    changed = [module for module in comparison.modules if module_differs(module)]
    timing = [delta for delta in comparison.timing if delta.metric in METRIC_NAMES]
    return CompareSummary(
        verdict=comparison.verdict,
        comparison_id=comparison.comparison_id,
        baseline=comparison.baseline,
        candidate=comparison.candidate,
        answer=_answer(comparison),
        judged_on=comparison.judged_on,
        reasons=cutter.sentences("reasons", comparison.reasons),
        workload=workload.status,
        differences=cutter.sentences("differences", _differences(comparison)),
        kernels_changed=cutter.sentences("changed kernels", workload.kernels_changed),
        timing=[_timing(delta) for delta in timing],
        receipts=[_receipt(module, cutter) for module in cutter.cut("modules", changed)],
        outputs=cutter.words(outputs_sentence(comparison.outputs)),
        steady_state=cutter.words(steady_sentence(comparison.steady_state)),
        rehearsal=cutter.words(rehearsal_sentence(comparison)),
        fixed=comparison.mechanisms.fixed,
        remaining=comparison.mechanisms.remaining,
        new=comparison.mechanisms.new,
        environment=cutter.sentences("environment", comparison.environment),
        warnings=cutter.sentences("warnings", comparison.warnings),
        next_checks=cutter.sentences("next checks", comparison.next_checks),
        next=[NEXT[comparison.verdict]],
        resource=comparison_uri(comparison.comparison_id),
        left_out=cutter.left_out,
    )


def _answer(comparison: Comparison) -> str:
    words = VERDICT_WORDS[comparison.verdict][0]
    judged = judged_words(comparison)
    return f"{words} {judged}" if judged else words


def _differences(comparison: Comparison) -> list[str]:
    first = comparison.workload.first_divergence
    if first is None:
        return comparison.workload.differences
    where = f"launch {first.launch}: {first.baseline or 'none'} → {first.candidate or 'none'}"
    return [where, *comparison.workload.differences]


def _timing(delta: Delta) -> TimingLine:
    return TimingLine(
        metric=delta.metric,
        baseline=_figure(delta.baseline_median, delta.baseline_mad, delta.baseline_count),
        candidate=_figure(delta.candidate_median, delta.candidate_mad, delta.candidate_count),
        delta_percent=None if delta.delta_percent is None else round(delta.delta_percent, 1),
        outside_noise=delta.outside_noise,
    )


def _figure(median: float | None, mad: float | None, count: int) -> Figure | None:
    if median is None:
        return None
    return Figure(median=round(median, 1), mad=None if mad is None else round(mad, 1), count=count)


def _receipt(module: ModuleChange, cutter: Cutter) -> ReceiptLine:
    return ReceiptLine(
        name=cutter.words(module.name),
        builds=f"{module.baseline_builds} → {module.candidate_builds}",
        hash_moved=module.hash_moved,
        options=cutter.sentences("options", module.options),
    )


def compare_summary_text(summary: CompareSummary) -> str:
    """The same as text, for clients that show a model nothing else. The first line is the verdict."""
    lines = [
        summary.answer,
        f"comparison_id: {summary.comparison_id or 'none'}; {summary.baseline} → {summary.candidate}",
    ]
    lines += [f"because: {reason}" for reason in summary.reasons]
    lines.append(f"workload {summary.workload}: {workload_words(summary.workload, summary.kernels_changed)}")
    lines += [f"difference: {sentence}" for sentence in summary.differences]
    if summary.kernels_changed:
        lines.append(f"kernels changed: {', '.join(summary.kernels_changed)}")
    for receipt in summary.receipts:
        moved = "hash moved" if receipt.hash_moved else "hash the same"
        lines.append(
            f"module {receipt.name}: builds {receipt.builds}, {moved} {'; '.join(receipt.options)}".rstrip()
        )
    lines += [f"outputs: {summary.outputs}"] if summary.outputs else []
    lines += [f"steady state: {summary.steady_state}"] if summary.steady_state else []
    lines += [f"CUDA: {summary.rehearsal}"] if summary.rehearsal else []
    for name, labels in (("fixed", summary.fixed), ("remaining", summary.remaining), ("new", summary.new)):
        lines += [f"{name}: {', '.join(labels)}"] if labels else []
    lines += [f"environment: {sentence}" for sentence in summary.environment]
    lines += [f"warning: {sentence}" for sentence in summary.warnings]
    lines += [f"not checked: {sentence}" for sentence in summary.next_checks]
    lines += [f"left out here: {', '.join(summary.left_out)}"] if summary.left_out else []
    lines += [f"the report to send: {summary.resource}"] if summary.resource else []
    lines += [f"next: {step}" for step in summary.next]
    return "\n".join(lines)
