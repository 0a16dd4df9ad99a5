"""How two rehearsals of CUDA compare, in sentences, beside a verdict on ordinary samples or as one."""

from collections.abc import Sequence

from warp_mcp.models.comparison import Comparison, Delta, ModuleChange, RehearsalComparison
from warp_mcp.presentation.numbers import joined, plural, signed, spread
from warp_mcp.presentation.rehearsal_words import MARK
from warp_mcp.presentation.words import METRIC_NAMES

MOST_MODULES = 5
VERDICTS = {
    "improved": "Less is built for CUDA",
    "inconclusive": "No difference beyond the noise that has a recorded cause",
    "regressed": "More is built for CUDA",
    "invalid": "The two are not comparable, so nothing can be said",
    "unverified": "What was rehearsed does not prove it either way",
}


def rehearsal_lines(comparison: Comparison) -> list[str]:
    """What the rehearsals say beside the verdict; of a comparison that rests on them, what holds for them."""
    told = comparison.rehearsal
    if told.status == "none":
        return []
    if told.status == "not_comparable":
        return [f"The rehearsals were not compared: {told.reasons[0]}."] if not told.alone else []
    if told.alone:
        return [MARK, *_others(told)]
    return [_verdict(told), *_reasons(told), *_modules(told), *_mechanisms(told), *_others(told), MARK]


def rehearsal_sentence(comparison: Comparison) -> str:
    """The same in one sentence for an agent; empty where neither side was rehearsed."""
    told = comparison.rehearsal
    if told.status == "compared" and not told.alone:
        others = "".join(f" {line}" for line in _others(told))
        return f"{_verdict(told)} {_capital(told.reasons[0])}.{others}"
    return " ".join(rehearsal_lines(comparison))


def _verdict(told: RehearsalComparison) -> str:
    words = VERDICTS.get(told.verdict or "", "")
    return f"Rehearsed for {told.arch}: {told.verdict}. {words}{_judged(told.timing, told.judged_on)}."


def _judged(timing: Sequence[Delta], judged_on: str) -> str:
    delta = next((one for one in timing if one.metric == judged_on), None)
    if delta is None or delta.baseline_median is None or delta.candidate_median is None:
        return ""
    before = spread(delta.baseline_median, delta.baseline_mad, delta.baseline_count)
    after = spread(delta.candidate_median, delta.candidate_mad, delta.candidate_count)
    change = "" if delta.delta is None else f", {signed(delta.delta)}"
    return f": {METRIC_NAMES.get(judged_on, judged_on)} {before} → {after}{change}"


def _reasons(told: RehearsalComparison) -> list[str]:
    causes = [f"On record: {cause.rstrip('.')}." for cause in told.causes[:MOST_MODULES]]
    return [*(f"{_capital(reason)}." for reason in told.reasons), *causes]


def _modules(told: RehearsalComparison) -> list[str]:
    changed = [one for one in told.modules if one.hash_moved or one.baseline_builds != one.candidate_builds]
    if not changed:
        return ["The same modules were built on both sides, with the same hashes."]
    names = joined([_module(one) for one in changed], MOST_MODULES)
    return [f"{plural(len(changed), 'module')} changed: {names}."]


def _module(one: ModuleChange) -> str:
    return f"`{one.name}` {one.baseline_builds} → {one.candidate_builds} builds"


def _mechanisms(told: RehearsalComparison) -> list[str]:
    if told.mechanisms is None:
        return []
    groups = {
        "fixed": told.mechanisms.fixed,
        "still there": told.mechanisms.remaining,
        "new": told.mechanisms.new,
    }
    words = [f"{name} {', '.join(labels)}" for name, labels in groups.items() if labels]
    return [f"Findings: {'; '.join(words)}."] if words else []


def _others(told: RehearsalComparison) -> list[str]:
    return [f"Rehearsed for {line}." for line in told.others]


def _capital(text: str) -> str:
    """A sentence of its own; a metric keeps its name."""
    return text if "_" in text.split(" ")[0] else text[:1].upper() + text[1:]
