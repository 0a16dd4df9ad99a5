"""Of a report for a team: the mechanisms in their groups, by name."""

from warp_mcp.models.finding import Finding
from warp_mcp.models.ledger import LedgerEntry, MeasuredEffect
from warp_mcp.models.report import Report
from warp_mcp.presentation.markdown import bullets, words
from warp_mcp.presentation.numbers import plural, signed
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.presentation.shared_report_words import WHOLE, Room
from warp_mcp.presentation.words import MECHANISM_NAMES, METRIC_NAMES, relative

NOT_TOLD = "The report after the change is not kept here, so this is unknown."


def mechanisms(shared: Shared, room: Room) -> list[str]:
    """Fixed, still there, new, ruled out, measured and declined, not reached."""
    before, after = by_label(shared.baseline), by_label(shared.candidate)
    changes = shared.comparison.mechanisms
    effect = shared.comparison.verdict in ("improved", "regressed")
    groups = (
        (
            "Fixed" if effect else "Fired before, ruled out after",
            [_fixed(label, before, after, shared, room) for label in changes.fixed],
            "None.",
        ),
        (
            "Still there",
            [_now(label, after, shared, room) for label in changes.remaining],
            "None of those that fired before.",
        ),
        ("New", [_now(label, after, shared, room) for label in changes.new], "None."),
        ("Fired before, and unknown now", _lost(before, after, room), ""),
        (
            "Ruled out, by what the record shows",
            _ruled_out(shared, room),
            NOT_TOLD if shared.candidate is None else "None.",
        ),
        ("Measured and declined", _declined(shared, room), _none_declined(shared)),
        (
            "Not reached: unknown from this command, or does not arise in it",
            _not_reached(shared, room),
            "",
        ),
    )
    lines: list[str] = []
    for title, found, none in groups:
        if found or none:
            lines += [f"**{title}**", "", *(bullets(room.cut(found, "the report")) or [none, ""])]
    return lines


def by_label(report: Report | None) -> dict[str, Finding]:
    """Findings of a report; none where it is not kept."""
    return {finding.mechanism: finding for finding in report.findings} if report else {}


def _name(label: str) -> str:
    return MECHANISM_NAMES.get(label, "an unknown mechanism")


def _fixed(
    label: str, before: dict[str, Finding], after: dict[str, Finding], shared: Shared, room: Room
) -> str:
    told = [
        f"{when}: {relative(side[label].title.rstrip('.'), shared.cwd)}"
        for when, side in (("before", before), ("after", after))
        if label in side
    ]
    return room.said(f"{_name(label)}: {'; '.join(told)}".rstrip(": ") + ".")


def _now(label: str, after: dict[str, Finding], shared: Shared, room: Room) -> str:
    return room.finding(after[label], shared.cwd) if label in after else words(f"{_name(label)}.")


def _lost(before: dict[str, Finding], after: dict[str, Finding], room: Room) -> list[str]:
    """What is in no group of the comparison: it fired, and the candidate's run cannot tell."""
    return [
        room.said(f"{_name(label)}: {after[label].title.rstrip('.')}.")
        for label, finding in before.items()
        if finding.status == "fired" and label in after and after[label].status == "not_reached"
    ]


def _ruled_out(shared: Shared, room: Room) -> list[str]:
    fixed = shared.comparison.mechanisms.fixed
    return [
        room.said(f"{_name(one.mechanism)}: {relative(one.title.rstrip('.'), shared.cwd)}.")
        for one in (shared.candidate.findings if shared.candidate else [])
        if one.status == "ruled_out" and one.mechanism not in fixed
    ]


def _not_reached(shared: Shared, room: Room) -> list[str]:
    """Each reason once, with the mechanisms it holds for."""
    reasons: dict[str, list[str]] = {}
    for finding in shared.candidate.findings if shared.candidate else []:
        if finding.status == "not_reached":
            reasons.setdefault(_reason(finding), []).append(_name(finding.mechanism))
    return [
        f"{room.said(reason)}: {words('; '.join(names), WHOLE.characters)}."
        for reason, names in reasons.items()
    ]


def _reason(finding: Finding) -> str:
    reason = finding.evidence.get("reason")
    text = " ".join(reason.split()) if isinstance(reason, str) and reason else finding.title
    return text.rstrip(".")


def _declined(shared: Shared, room: Room) -> list[str]:
    found = [entry for entry in shared.entries if entry.status != "applied_unverified"]
    return [_entry(entry, room) for entry in found if shared.rests_here(entry)]


def _none_declined(shared: Shared) -> str:
    """The words of an empty list, which need not mean an empty ledger."""
    if shared.ledger is None:
        return "The project's ledger could not be looked up, so this is unknown."
    if not shared.entries:
        return "Nothing on record in the project's ledger."
    count = plural(len(shared.entries), "entry", "entries")
    return f"Nothing that was measured on one of the two reports; the ledger, told below, has {count}."


def _entry(entry: LedgerEntry, room: Room) -> str:
    effect = entry.effect
    assert isinstance(effect, MeasuredEffect)
    name = f"{room.quoted(entry.what)} ({entry.status}, ledger entry {entry.number})"
    return f"{name}: {effect_words(effect)}; reason: {room.quoted(entry.why)}."


def effect_words(effect: MeasuredEffect) -> str:
    """What an entry's reports say of it."""
    return difference_words(effect.judged_on, effect.delta_ms, effect.delta_percent, effect.verdict)


def difference_words(metric: str, delta: float | None, share: float | None, verdict: str) -> str:
    """The difference and what it is worth: only `improved` and `regressed` are effects."""
    name = METRIC_NAMES.get(metric, metric)
    part = "" if share is None else f" ({share:+.0f} %)".replace("-", "−")
    figure = "unknown" if delta is None else f"{signed(delta)}{part}"
    if verdict in ("improved", "regressed"):
        return f"{figure} of {name}, {verdict}"
    return f"no effect shown ({verdict}); the difference of {name}: {figure}"
