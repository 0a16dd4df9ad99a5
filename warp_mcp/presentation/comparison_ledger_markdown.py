"""Of a comparison as Markdown: what the project's ledger holds, and how to revert the change."""

from collections.abc import Iterator

from warp_mcp.models.comparison import Comparison
from warp_mcp.models.ledger import LedgerEntry, LedgerListing
from warp_mcp.models.report import Report
from warp_mcp.presentation import ledger_words
from warp_mcp.presentation.markdown import bounded, bullets, code, words
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.words import short

MOST_ENTRIES = 20
MOST_PLACES = 12
ELSEWHERE = "Entries that were kept in a file of the team's own are not listed here."


def entries(ledger: LedgerListing | None) -> list[str]:
    """Options that were declined, deferred, or applied without being verified, the newest first."""
    if ledger is None:
        return ["The project's ledger could not be looked up: its directory is not here.", ""]
    if not ledger.entries:
        return [f"Nothing is recorded for this project. {ELSEWHERE}", ""]
    total = f"{plural(len(ledger.entries), 'entry', 'entries')}: {ledger_words.totals(ledger.entries)}."
    problem = [f"**The ledger is not intact.** {words(ledger.problem.message)}", ""] if ledger.problem else []
    lines = [line for entry in list(reversed(ledger.entries))[:MOST_ENTRIES] for line in _entry(entry)]
    rest = len(ledger.entries) - MOST_ENTRIES
    more = [f"- … and {rest} more, in the ledger"] if rest > 0 else []
    return [*problem, f"{total} {ELSEWHERE}", "", *lines, *more, ""]


def _entry(entry: LedgerEntry) -> Iterator[str]:
    """Its effect beside how to take it: what relaxing the constraint would buy."""
    yield f"- **{entry.number}. {words(entry.what)}**: {words(ledger_words.status_words(entry))}"
    told = (
        ("Where", f"{entry.where}; scope: {entry.scope}"),
        ("What it would buy", ledger_words.effect_words(entry)),
        ("Evidence", ledger_words.evidence_words(entry)),
        ("Why", entry.why),
        ("How to take it", entry.how_to_take),
        ("How to undo it", entry.how_to_undo),
        ("Still to verify", "; ".join(ledger_words.verify_words(entry))),
    )
    for name, text in told:
        if text:
            yield f"  - {name}: {words(text)}"


def revert(
    comparison: Comparison, baseline: Report | None, candidate: Report | None, ledger: LedgerListing | None
) -> list[str]:
    """Where to look, since the probe saw the program before and after, and not the edit."""
    lines = [
        "Undo the edit that was made between the two measurements; the probe wrote nothing into the project. "
        "It did not see the edit itself, so what follows is where the record says to look.",
        *_places(baseline, candidate),
        *_switches(comparison),
        *_applied(ledger),
        f"Then measure and compare with {code(comparison.baseline)}: the builds and hashes are those of "
        "before when nothing of the change is left.",
    ]
    return bullets(lines)


def _places(baseline: Report | None, candidate: Report | None) -> list[str]:
    """Lines that were behind rebuilds or findings before and are not any more."""
    if baseline is None or candidate is None:
        return []
    before, after = _lines(baseline), _lines(candidate)
    gone = [code(place) for place in before if place not in after]
    shown = ", ".join(bounded(gone, MOST_PLACES, "the report before"))
    return [f"Lines that cost builds before and do not any more: {shown}."] if gone else []


def _lines(report: Report) -> list[str]:
    found = [root.where for root in report.roots]
    found += [finding.where for finding in report.findings if finding.status == "fired"]
    return [short(where, report.cwd) for where in dict.fromkeys(found) if where]


def _switches(comparison: Comparison) -> list[str]:
    found = dict.fromkeys(option for module in comparison.modules for option in module.options)
    shown = ", ".join(bounded([code(option) for option in found], MOST_PLACES, "the comparison"))
    return [f"Options to set back: {shown}."] if found else []


def _applied(ledger: LedgerListing | None) -> list[str]:
    applied = [entry for entry in (ledger.entries if ledger else []) if entry.status == "applied_unverified"]
    told = [
        f"{words(entry.what)} (ledger entry {entry.number}): {words(entry.how_to_undo)}" for entry in applied
    ]
    return bounded(told[::-1], MOST_PLACES, "the ledger")
