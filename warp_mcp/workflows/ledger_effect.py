"""The effect of an option as a ledger keeps it: worked out from two reports, or an estimate marked as one."""

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from warp_mcp import storage
from warp_mcp.errors import UsageError
from warp_mcp.models.comparison import Comparison, Delta
from warp_mcp.models.ledger import EstimatedEffect, LedgerEntry, LedgerSide, MeasuredEffect
from warp_mcp.workflows import keeping
from warp_mcp.workflows.comparing import compare
from warp_mcp.workflows.outcomes import WriteFailed

CheckPath = Callable[[Path], None]
"""Raises a `ProbeError` for a path that may not be used; symbolic links are followed before."""


class NamedReport(NamedTuple):
    """A report, and the reference by which it is found again."""

    report_id: str
    reference: str


def check_given(baseline: str | None, candidate: str | None, estimate: str | None) -> None:
    """Raises `UsageError`: one report without the other, or reports and an estimate."""
    if (baseline is None) != (candidate is None):
        given, missing = ("baseline", "candidate") if candidate is None else ("candidate", "baseline")
        raise UsageError(
            "one_report",
            f"A measured effect needs two reports; {given} is given and {missing} is not.",
            "Name the report without the option as baseline and the one with it as candidate.",
        )
    if baseline is not None and estimate is not None:
        raise UsageError(
            "two_effects",
            "An effect is measured or estimated, not both.",
            "Leave the estimate out: the numbers of the reports are worked out here.",
        )


def reports_of(
    baseline: str, candidate: str, recorded: Collection[str], check_path: CheckPath | None
) -> list[NamedReport]:
    """The two reports that are meant.

    An id that an entry rests on already (`recorded`) needs no report file: it may have been pruned since.
    Raises `UnreadableReport`, `UsageError` when both are the same, or what `check_path` raises.
    """
    found = [_named(name, recorded, check_path) for name in (baseline, candidate)]
    if found[0].report_id == found[1].report_id:
        raise UsageError(
            "same_report",
            f"Baseline and candidate are the same report, {found[0].report_id}.",
            "Name the report without the option as baseline and the one with it as candidate.",
        )
    return found


def recorded_in(entries: Sequence[LedgerEntry]) -> set[str]:
    """Ids of all reports that entries rest on."""
    sides = (
        (entry.effect.baseline, entry.effect.candidate)
        for entry in entries
        if isinstance(entry.effect, MeasuredEffect)
    )
    return {side.report_id for pair in sides for side in pair}


def _named(name: str, recorded: Collection[str], check_path: CheckPath | None) -> NamedReport:
    if check_path is not None and _is_file(name):
        check_path(Path(os.path.realpath(name)))
    if name in recorded:
        return NamedReport(name, name)
    report_id = keeping.find(name).report_id
    # Held fast by its id: what a label or `latest` means can change before the two are compared.
    kept = not _is_path(name) and storage.report_path(report_id).exists()
    return NamedReport(report_id, report_id if kept else name)


def _is_path(name: str) -> bool:
    return os.sep in name or name.endswith(".json")


def _is_file(name: str) -> bool:
    """Whether a name can mean a file: it looks like one, or there is one and no kept report is called so."""
    if _is_path(name) or not os.path.exists(name):
        return _is_path(name)
    called = ((entry.report_id, entry.label) for entry in keeping.kept_reports())
    return not any(label == name or report_id.startswith(name) for report_id, label in called)


def measured(baseline: NamedReport, candidate: NamedReport) -> MeasuredEffect:
    """Compare two reports and take from the comparison what an entry keeps.

    Raises `UnreadableReport`.
    """
    try:
        comparison, kept = compare(baseline.reference, candidate.reference), True
    except WriteFailed as error:
        assert isinstance(error.value, Comparison)
        comparison, kept = error.value, False
    delta = next((one for one in comparison.timing if one.metric == comparison.judged_on), None)
    return MeasuredEffect(
        baseline=_side(comparison.baseline, comparison.baseline_label, delta, "baseline"),
        candidate=_side(comparison.candidate, comparison.candidate_label, delta, "candidate"),
        judged_on=comparison.judged_on,
        delta_ms=delta.delta if delta else None,
        delta_percent=delta.delta_percent if delta else None,
        verdict=comparison.verdict,
        reason=comparison.reasons[0] if comparison.reasons else "",
        comparison_id=comparison.comparison_id if kept else None,
    )


def placeholder(baseline: NamedReport, candidate: NamedReport) -> MeasuredEffect:
    """An effect that only says on which two reports it rests, to look for an entry that has it."""
    return MeasuredEffect(
        baseline=_side(baseline.report_id, None, None, "baseline"),
        candidate=_side(candidate.report_id, None, None, "candidate"),
        judged_on="",
        delta_ms=None,
        delta_percent=None,
        verdict="unverified",
        reason="",
        comparison_id=None,
    )


def estimated(text: str | None) -> EstimatedEffect | None:
    """An estimate, marked as one; `None` for none."""
    return EstimatedEffect(text=text) if text else None


def _side(report_id: str, label: str | None, delta: Delta | None, side: str) -> LedgerSide:
    figures = delta.model_dump() if delta else {}
    return LedgerSide(
        report_id=report_id,
        label=label,
        median_ms=figures.get(f"{side}_median"),
        mad_ms=figures.get(f"{side}_mad"),
        count=figures.get(f"{side}_count", 0),
    )
