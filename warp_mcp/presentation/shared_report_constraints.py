"""Of a report for a team: what relaxing a constraint would buy, and what stands against it."""

from warp_mcp.models.ledger import EstimatedEffect, LedgerEntry, MeasuredEffect
from warp_mcp.models.lever import LeverResult
from warp_mcp.presentation.comparison_mechanisms_markdown import difference_words, effect_words
from warp_mcp.presentation.markdown import code, table
from warp_mcp.presentation.numbers import joined
from warp_mcp.presentation.shared_report_parts import MeasuredOn, PricedLever, Shared
from warp_mcp.presentation.shared_report_words import Room

UNKNOWN = (
    "Unknown: no option was tried from outside (`measure --lever`) in these reports, and no entry of the "
    "ledger that was declined or deferred has an effect that holds for this command."
)

TAKEN = (
    "Unknown beyond what was taken: every lever that was priced on these reports is taken, and no entry of "
    "the ledger that was declined or deferred has an effect that holds for this command."
)

ELSEWHERE: dict[MeasuredOn, str] = {
    "another command": "measured on another command",
    "unknown": "measured on reports that are not kept here",
}
"""What the effect of an entry was measured on, where it says nothing of this command."""


def constraints(shared: Shared, room: Room) -> list[str]:
    """One row for each option that was not taken."""
    every = [entry for entry in shared.entries if _open(entry, shared)]
    entries = [entry for entry in every if shared.measured_on(entry) not in ELSEWHERE]
    elsewhere = _elsewhere([entry for entry in every if entry not in entries], shared)
    levers = _newest([one for one in shared.levers if one.taken != "all" and shared.entry_of(one) is None])
    rows = [*(_entry(one, shared, room) for one in entries), *(_lever(one, room) for one in levers)]
    if not rows:
        return [TAKEN if shared.levers else UNKNOWN, "", *elsewhere]
    shown = table(("not taken", "would buy", "what stands against it"), rows[: room.lines])
    rest = len(rows) - room.lines
    more = [f"… and {rest} more, in the ledger and the reports."] if rest > 0 else []
    return [*shown, *more, *([""] if more else []), *_note(levers), *elsewhere]


def _elsewhere(entries: list[LedgerEntry], shared: Shared) -> list[str]:
    """Entries that say nothing of this command: named, and charged to nobody here."""
    if not entries:
        return []
    told: list[str] = []
    for kind, reason in ELSEWHERE.items():
        numbers = sorted(one.number for one in entries if shared.measured_on(one) == kind)
        told += [f"{joined([str(number) for number in numbers])} ({reason})"] if numbers else []
    many = len(entries) > 1
    return [
        f"Not listed: ledger {'entries' if many else 'entry'} {' and '.join(told)}. What "
        f"{'they' if many else 'it'} would buy here is unknown.",
        "",
    ]


def _open(entry: LedgerEntry, shared: Shared) -> bool:
    """Whether an entry tells an effect, and the program has not taken it since."""
    if entry.status == "applied_unverified" or entry.effect is None:
        return False
    made = [lever for lever in shared.levers if shared.entry_of(lever) == entry]
    return not any(lever.taken == "all" for lever in made)


def _newest(levers: list[PricedLever]) -> list[PricedLever]:
    """A lever that was priced on both sides is told as it is now."""
    after = {one.result.lever for one in levers if one.side == "after"}
    return [one for one in levers if one.side == "after" or one.result.lever not in after]


def _entry(entry: LedgerEntry, shared: Shared, room: Room) -> tuple[str, str, str]:
    effect = entry.effect
    if isinstance(effect, MeasuredEffect):
        bought = effect_words(effect)
        if shared.measured_on(entry) == "this command":
            bought += (
                f"; measured on other reports of this command, the last {code(effect.candidate.report_id)}"
            )
    else:
        assert isinstance(effect, EstimatedEffect)
        bought = f"not measured; an estimate: {room.quoted(effect.text)}"
    name = f"{room.quoted(entry.what)} ({entry.status}, ledger entry {entry.number})"
    return name, bought, room.quoted(entry.why)


def _lever(lever: PricedLever, room: Room) -> tuple[str, str, str]:
    result = lever.result
    against = [room.said(sentence) for sentence in [*result.problems, *result.takes_away]]
    if result.slower_kernels:
        against.append(f"Runs slower: {room.names(result.slower_kernels)}.")
    if result.workload != "preserved":
        against.append("The same launches are not shown to run with it.")
    if result.outputs == "different":
        against.append("Its outputs differ.")
    when = "before the change" if lever.side == "before" else "after the change"
    told = " ".join(room.cut(against, "the report")) or "nothing on record"
    return (
        f"{code(result.lever)}, priced {when}",
        _bought(result),
        told,
    )


def _bought(result: LeverResult) -> str:
    if result.samples == 0:
        return "unknown: no run with it completed"
    if result.applied is False:
        return "unknown: not applied in the runs with it"
    return difference_words(result.judged_on, result.delta, result.delta_percent, result.verdict)


def _note(levers: list[PricedLever]) -> list[str]:
    if any(one.side == "before" for one in levers):
        return ["What was priced before the change buys another amount now; that was not measured.", ""]
    return []
