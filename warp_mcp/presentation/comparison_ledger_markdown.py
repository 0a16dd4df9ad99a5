"""Of a report for a team: what the project's ledger holds, and how to revert the change."""

from collections.abc import Iterator

from warp_mcp.models.ledger import EstimatedEffect, LedgerEntry
from warp_mcp.models.report import Report
from warp_mcp.presentation import ledger_words
from warp_mcp.presentation.markdown import bullets, code
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.presentation.shared_report_words import Room
from warp_mcp.presentation.words import short

ELSEWHERE = "Entries that were kept in a file of the team's own are not listed here."
STATUS = {"declined": "declined", "deferred": "deferred", "applied_unverified": "applied, not verified"}


def entries(shared: Shared, room: Room) -> list[str]:
    """Options that were declined, deferred, or applied without being verified, the newest first."""
    ledger = shared.ledger
    if ledger is None:
        return ["The project's ledger could not be looked up: its directory is not here.", ""]
    if not ledger.entries:
        return [f"Nothing is recorded for this project. {ELSEWHERE}", ""]
    total = f"{plural(len(ledger.entries), 'entry', 'entries')}: {ledger_words.totals(ledger.entries)}."
    wrong = ledger.problem
    problem = [f"**The ledger is not intact.** {room.said(wrong.message)}", ""] if wrong else []
    lines = [line for entry in shared.entries[: room.lines] for line in _entry(entry, room)]
    rest = len(ledger.entries) - room.lines
    more = [f"- … and {rest} more, in the ledger"] if rest > 0 else []
    return [*problem, f"{total} {ELSEWHERE}", "", *lines, *more, ""]


def _entry(entry: LedgerEntry, room: Room) -> Iterator[str]:
    layer = f": {room.quoted(entry.layer)}" if entry.layer else ""
    yield f"- **{entry.number}.** {room.quoted(entry.what)}: {STATUS[entry.status]}{layer}"
    left = [room.quoted(one) for one in entry.verify] or ["nothing was named"]
    told = (
        ("Where", f"{room.quoted(entry.where)}; scope: {room.quoted(entry.scope)}"),
        ("Effect", _effect(entry, room)),
        ("Evidence", room.said(ledger_words.evidence_words(entry))),
        ("Why", room.quoted(entry.why)),
        ("How to take it", room.quoted(entry.how_to_take)),
        ("How to undo it", room.quoted(entry.how_to_undo)),
        ("Still to verify", "; ".join(left)),
    )
    for name, text in told:
        if text:
            yield f"  - {name}: {text}"


def _effect(entry: LedgerEntry, room: Room) -> str:
    if isinstance(entry.effect, EstimatedEffect):
        return f"an estimate, not measured: {room.quoted(entry.effect.text)}"
    return room.said(ledger_words.effect_words(entry))


def revert(shared: Shared, room: Room) -> list[str]:
    """Where to look, since the probe saw the program before and after, and not the edit."""
    lines = [
        "Undo the edit that was made between the two measurements; the probe wrote nothing into the project. "
        "It did not see the edit itself, so what follows is where the record says to look.",
        *_places(shared.baseline, shared.candidate, room),
        *_switches(shared, room),
        *_applied(shared, room),
        f"Then measure and compare with {code(shared.comparison.baseline)}: the builds and hashes are those "
        "of before when nothing of the change is left.",
    ]
    return bullets(lines)


def _places(baseline: Report | None, candidate: Report | None, room: Room) -> list[str]:
    """Lines that were behind rebuilds or findings before and are not any more."""
    if baseline is None or candidate is None:
        return []
    before, after = _lines(baseline), _lines(candidate)
    gone = [place for place in before if place not in after]
    return [f"Lines that cost builds before and do not any more: {room.names(gone)}."] if gone else []


def _lines(report: Report) -> list[str]:
    found = [root.where for root in report.roots]
    found += [finding.where for finding in report.findings if finding.status == "fired"]
    return [short(where, report.cwd) for where in dict.fromkeys(found) if where]


def _switches(shared: Shared, room: Room) -> list[str]:
    found = list(dict.fromkeys(one for module in shared.comparison.modules for one in module.options))
    return [f"Options to set back: {room.names(found)}."] if found else []


def _applied(shared: Shared, room: Room) -> list[str]:
    told = [
        f"{room.quoted(entry.what)} (ledger entry {entry.number}): {room.quoted(entry.how_to_undo)}"
        f"{_perhaps(entry, shared)}"
        for entry in shared.entries
        if entry.status == "applied_unverified"
    ]
    return room.cut(told, "the ledger")


def _perhaps(entry: LedgerEntry, shared: Shared) -> str:
    """That an entry need not be part of this change."""
    on = shared.measured_on(entry)
    if on in ("here", "nothing"):
        return ""
    where = {"this command": "other reports of this command", "another command": "another command"}
    return (
        f"; measured on {where.get(on, 'reports that are not kept here')}: it may be no part of this change"
    )
