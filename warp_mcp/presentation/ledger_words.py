"""The words in which a ledger's entries are told, in the terminal as in Markdown. Lays nothing out."""

from collections.abc import Sequence

from warp_mcp.models.ledger import LedgerDraft, LedgerSide, MeasuredEffect
from warp_mcp.presentation.numbers import joined, signed, spread
from warp_mcp.presentation.page import clean
from warp_mcp.presentation.words import METRIC_NAMES

_STATUS = {"declined": "declined", "deferred": "deferred", "applied_unverified": "applied, not verified"}

_CAVEATS = {
    "improved": "",
    "regressed": "",
    "inconclusive": " The difference is no effect: it is within the noise, or has no recorded cause.",
    "invalid": " The two did not do the same, so the difference is not the option's effect.",
    "unverified": " The two may differ in more than the start-up, so the difference may not be the option's.",
}
"""What has to be said beside the numbers, by verdict."""


def one_line(text: str) -> str:
    """Words that a user gave for one line, whatever marks they hold."""
    return " ".join(clean(text).split())


def status_words(entry: LedgerDraft) -> str:
    """`declined`, `deferred`, or `applied, not verified: gradients`."""
    return _STATUS[entry.status] + (f": {one_line(entry.layer)}" if entry.layer else "")


def effect_words(entry: LedgerDraft) -> str:
    """What is known of the effect; an estimate is always called one."""
    effect = entry.effect
    if effect is None:
        return "Not measured and not estimated."
    if isinstance(effect, MeasuredEffect):
        return _measured(effect)
    return f"Estimate, not measured: {effect.text}"


def _measured(effect: MeasuredEffect) -> str:
    name = METRIC_NAMES.get(effect.judged_on, effect.judged_on)
    figures = f"{name}: {_figure(effect.baseline)} → {_figure(effect.candidate)}{change_words(effect)}"
    reason = f" {effect.reason[0].upper()}{effect.reason[1:].rstrip('.')}." if effect.reason else ""
    verdict = f"Verdict: {effect.verdict}.{reason}"
    return f"Measured, {figures}. {verdict}{_CAVEATS[effect.verdict]}"


def _figure(side: LedgerSide) -> str:
    return "unknown" if side.median_ms is None else spread(side.median_ms, side.mad_ms, side.count)


def change_words(effect: MeasuredEffect) -> str:
    """`, −2.00 s (−50 %)`; empty where a side does not tell the metric."""
    if effect.delta_ms is None:
        return ""
    if effect.delta_percent is None:
        return f", {signed(effect.delta_ms)}"
    return f", {signed(effect.delta_ms)} ({effect.delta_percent:+.0f} %)".replace("-", "−")


def evidence_words(entry: LedgerDraft) -> str:
    """The reports, and the comparison where it was kept; empty unless measured."""
    effect = entry.effect
    if not isinstance(effect, MeasuredEffect):
        return ""
    if effect.candidate.lever:
        return (
            f"report {_named(effect.baseline)}: its unchanged runs, and those with {effect.candidate.lever}"
        )
    sides = f"reports {_named(effect.baseline)} (without) and {_named(effect.candidate)} (with)"
    return sides + (f", comparison {effect.comparison_id}" if effect.comparison_id else "")


def _named(side: LedgerSide) -> str:
    return f"{side.label}, {side.report_id}" if side.label else side.report_id


def verify_words(entry: LedgerDraft) -> list[str]:
    """What still must be verified; one sentence where nothing was named."""
    return [one_line(item) for item in entry.verify] or ["nothing was named"]


def date_words(entry: LedgerDraft) -> str:
    """`2026-12-01 10:15:30 UTC`."""
    return entry.created_at.replace("T", " ").replace("Z", " UTC")


def cut_words(count: int) -> str:
    """That the last line is cut, and what becomes of it."""
    return (
        f"The last line is cut after {count:,} bytes: an append ended in the middle of it and was not "
        "confirmed. The next append sets it aside in a file beside it; the entries before it stay."
    )


def totals(entries: Sequence[LedgerDraft]) -> str:
    """`3 declined, 1 deferred`; empty for no entries."""
    counts = [(sum(1 for entry in entries if entry.status == status), _STATUS[status]) for status in _STATUS]
    return joined([f"{count} {words}" for count, words in counts if count])
