"""Reports and comparisons for whoever asks by name: as JSON, and as Markdown that a person sends to a team.

A name is an id, a unique prefix, `latest`, or the label of a report. Here it never means a file.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from warp_mcp import storage
from warp_mcp.analysis.lever_taken import taken
from warp_mcp.errors import CannotWrite, ProbeError, UnreadableReport
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.ledger import LedgerListing
from warp_mcp.models.rehearsed import rehearsed_for
from warp_mcp.models.report import Report
from warp_mcp.models.stored import StoredComparison, StoredReport
from warp_mcp.presentation.comparison_markdown import fitted_page, page
from warp_mcp.presentation.report_markdown import report_markdown
from warp_mcp.presentation.shared_report_parts import PricedLever, Shared
from warp_mcp.storage.comparisons import comparison_path, find_comparison, list_comparisons
from warp_mcp.storage.reports import LATEST, list_reports, read_report, report_ids
from warp_mcp.workflows.comparing import compare_found
from warp_mcp.workflows.keeping import find
from warp_mcp.workflows.ledger_effect import recorded_in
from warp_mcp.workflows.ledger_index import ledger_of
from warp_mcp.workflows.outcomes import WriteFailed
from warp_mcp.workflows.recovering import recover_abandoned


def newest_reports(limit: int | None = None) -> list[StoredReport]:
    """The newest kept reports, newest first; measurements that were killed as far as they got."""
    recover_abandoned()
    return list_reports(limit)


def newest_comparisons(limit: int | None = None) -> list[StoredComparison]:
    """The newest kept comparisons, newest first."""
    return list_comparisons(limit)


def report_json(name: str) -> str:
    """A kept report as it is stored. Raises `UnreadableReport`."""
    path = _located(name)
    read_report(path)
    return _text(path)


def comparison_json(name: str) -> str:
    """A kept comparison as it is stored. Raises `UnreadableReport`."""
    return _text(comparison_path(find_comparison(name).comparison_id))


def _located(name: str) -> Path:
    """The file of the report that is called so; the name is compared with those that are kept."""
    recover_abandoned()
    ids = report_ids()
    if name in ids or (name == LATEST and ids):
        return storage.report_path(name if name in ids else ids[0])
    found = [entry.report_id for entry in list_reports() if entry.label == name][:1]
    found = found or [one for one in ids if name and one.startswith(name)]
    if len(found) == 1:
        return storage.report_path(found[0])
    if found:
        what = f"{len(found)} reports have an id that begins with “{name}”."
        raise UnreadableReport("ambiguous", what, f"Write more of it, as in {found[0]}.")
    what = f"No kept report has the id or label “{name}”."
    raise UnreadableReport("no_such_report", what, "Name one that is kept.")


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UnreadableReport(
            "cannot_read", f"{path} cannot be read: {error.strerror or error}.", "Check its permissions."
        ) from error


def report_page(name: str) -> str:
    """A kept report as Markdown. Raises `UnreadableReport`."""
    return report_markdown(read_report(_located(name)))


def comparison_page(name: str) -> str:
    """A kept comparison as Markdown, with what its reports and the project's ledger add.

    Raises `UnreadableReport`.
    """
    return page_of(find_comparison(name))


def page_of(comparison: Comparison, baseline: Report | None = None, candidate: Report | None = None) -> str:
    """A comparison as Markdown; its reports are looked up where they are not given."""
    baseline = baseline or _report(comparison.baseline)
    candidate = candidate or _report(comparison.candidate)
    return fitted_page(_shared(comparison, baseline, candidate))


def team_report(
    baseline: str, candidate: str, *, complaint: str = "", notes: Sequence[str] = ()
) -> tuple[Comparison, str]:
    """Compare two reports, named as in `compare`, keep the comparison, and write it up whole.

    Raises `UnreadableReport`, or `PageUnkept` with both when the comparison could not be kept.
    """
    first, second = find(baseline), find(candidate)
    try:
        comparison, problem = compare_found(first, second), None
    except WriteFailed as error:
        assert isinstance(error.value, Comparison)
        comparison, problem = error.value, error
    text = page(replace(_shared(comparison, first, second), complaint=complaint, notes=tuple(notes)))
    if problem is not None:
        raise PageUnkept(problem, comparison, text)
    return comparison, text


def write_page(text: str, path: str) -> None:
    """Write a page to a file the user named. Raises `CannotWrite`."""
    storage.write_named(Path(path), text)


class PageUnkept(WriteFailed):
    """The comparison could not be kept, but there is a page: it comes along, to be shown."""

    def __init__(self, cause: CannotWrite, value: Comparison, text: str) -> None:
        super().__init__(cause, value)
        self.text = text


def _shared(comparison: Comparison, baseline: Report | None, candidate: Report | None) -> Shared:
    """The comparison with the project's ledger, and the levers of both sides."""
    if comparison.rehearsal.alone and comparison.rehearsal.arch is not None:
        arch = comparison.rehearsal.arch
        baseline = rehearsed_for(baseline, arch) if baseline else None
        candidate = rehearsed_for(candidate, arch) if candidate else None
    told = candidate or baseline
    ledger = ledger_of(told.cwd) if told else None
    return Shared(
        comparison,
        baseline,
        candidate,
        ledger,
        (*_before(baseline, candidate), *_after(baseline, candidate)),
        same_command=_same_command(ledger, [one for one in (baseline, candidate) if one]),
    )


def _same_command(ledger: LedgerListing | None, sides: list[Report]) -> dict[str, bool]:
    """Of the reports that entries rest on and that are kept, whether they ran what one of the sides ran."""
    ran = [(side.command, side.cwd) for side in sides]
    found = {name: _report(name) for name in recorded_in(ledger.entries if ledger else [])}
    return {name: (one.command, one.cwd) in ran for name, one in found.items() if one is not None}


def _before(baseline: Report | None, candidate: Report | None) -> list[PricedLever]:
    """Levers priced before the change, and how much of each the program has taken."""
    if baseline is None:
        return []
    return [
        PricedLever(
            one, baseline.report_id, "before", taken(one, baseline, candidate) if candidate else "none"
        )
        for one in baseline.levers
    ]


def _after(baseline: Report | None, candidate: Report | None) -> list[PricedLever]:
    """Levers priced after it; none of them is taken."""
    if candidate is None or (baseline is not None and baseline.report_id == candidate.report_id):
        return []
    return [PricedLever(one, candidate.report_id, "after", "none") for one in candidate.levers]


def page_bytes(comparison: StoredComparison) -> int | None:
    """Length of `comparison_page`; null where it cannot be made."""
    try:
        return len(comparison_page(comparison.comparison_id).encode())
    except ProbeError:
        return None


def _report(report_id: str) -> Report | None:
    """The report of this id; `None` when it is not kept (any more) or cannot be read."""
    if report_id not in report_ids():  # a report from a file can bear any text as its id
        return None
    try:
        return _cached(report_id, storage.report_path(report_id).stat().st_mtime_ns)
    except (OSError, ProbeError):
        return None


@lru_cache(maxsize=16)
def _cached(report_id: str, changed: int) -> Report:
    """A list of comparisons needs the same few reports again and again, and reading one takes tens of ms."""
    return read_report(storage.report_path(report_id))
