"""Levers that were priced and not taken, as entries of a ledger."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from warp_mcp import storage
from warp_mcp.analysis.lever_applied import not_applied
from warp_mcp.analysis.lever_taken import taken
from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.ledger import (
    KEY_LIMIT,
    LedgerAppended,
    LedgerEntry,
    LeverLeft,
    LeversAppended,
    MeasuredEffect,
)
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.report import Report
from warp_mcp.workflows import keeping, ledger
from warp_mcp.workflows.ledger_effect import CheckPath
from warp_mcp.workflows.ledger_lever_content import content_of, effect_of

OVERRIDES = ("what", "where", "scope", "how_to_take", "how_to_undo")
DECLINED = "declined"


def append_lever(
    report: str,
    lever: str,
    *,
    why: str,
    status: str = "",
    verify: Sequence[str] = (),
    layer: str | None = None,
    key: str | None = None,
    project: str | None = None,
    path: str | None = None,
    check_path: CheckPath | None = None,
    **given: str,
) -> LedgerAppended:
    """Record one lever of a report. `given`: texts of `OVERRIDES` in place of those worked out here.

    The same lever of the same report is one entry: again with other words it is refused. Raises as
    `ledger.append`, and `UsageError` where the report has no such lever, or none of its runs was made.
    """
    kept = _report(report, check_path)
    result = _lever(kept, lever)
    _check_run(result, kept)
    texts = {**content_of(result, kept), **{name: text for name, text in given.items() if text.strip()}}
    return ledger.append_content(
        {**texts, "why": why, "status": status or DECLINED, "layer": layer}
        | ({"verify": list(verify)} if verify else {}),
        effect_of(result, kept),
        key=key or key_of(kept.report_id, result.lever),
        project=project,
        path=path,
        check_path=check_path,
    )


def append_levers(
    report: str,
    *,
    why: str,
    status: str = "",
    project: str | None = None,
    path: str | None = None,
    check_path: CheckPath | None = None,
) -> LeversAppended:
    """Record every lever of a report that took hold, has no entry yet, and was not taken since.

    Raises as `append_lever`.
    """
    kept = _report(report, check_path)
    known = ledger.list_entries(project=project, path=path, check_path=check_path).entries
    later = _later(kept)
    left = {one.lever: _left(one, kept, known, later) for one in _levers(kept)}
    appended = [
        append_lever(report, lever, why=why, status=status, project=project, path=path, check_path=check_path)
        for lever, reason in left.items()
        if not reason
    ]
    told = [LeverLeft(lever=lever, why=reason) for lever, reason in left.items() if reason]
    return LeversAppended(report_id=kept.report_id, appended=appended, left=told)


def _check_run(lever: LeverResult, report: Report) -> None:
    """Raises `UsageError`: a lever whose runs were cut short says nothing, not even that it fails."""
    if lever.samples == 0 and not lever.failures:
        raise UsageError(
            "lever_not_run",
            f"No run with “{lever.lever}” completed in report {report.report_id}: nothing is known of it.",
            "Measure it again, to the end; or record it in your own words, with --what and the others.",
        )


def key_of(report_id: str, lever: str) -> str:
    """The key of a lever's entry: to be read where it is short enough, else a digest."""
    text = f"{report_id} {lever}"
    if len(text) <= KEY_LIMIT and text.isprintable():
        return text
    return f"lever-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def entry_of(lever: str, report_id: str, entries: Sequence[LedgerEntry]) -> LedgerEntry | None:
    """The newest entry that was made of this lever of this report; one without an effect has its key."""
    for entry in reversed(entries):
        if entry.key == key_of(report_id, lever):
            return entry
        effect = entry.effect
        if isinstance(effect, MeasuredEffect) and effect.candidate.report_id == report_id:
            if effect.candidate.lever == lever:
                return entry
    return None


def _report(name: str, check_path: CheckPath | None) -> Report:
    file = keeping.report_file(name)
    if check_path is not None and file is not None:
        check_path(Path(os.path.realpath(file)))
    return keeping.find(name)


def _levers(report: Report) -> list[LeverResult]:
    if not report.levers:
        raise UsageError(
            "no_levers",
            f"No lever was priced in report {report.report_id}.",
            "Price one: warp-mcp measure --lever enable_backward=false -- COMMAND",
        )
    return report.levers


def _lever(report: Report, asked: str) -> LeverResult:
    wanted = _plain(asked)
    found = [one for one in _levers(report) if _plain(one.lever) == wanted]
    if not found:
        there = ", ".join(one.lever for one in report.levers)
        raise UsageError(
            "no_such_lever", f"Report {report.report_id} has no lever “{asked[:200]}”.", f"It has: {there}."
        )
    return found[0]


def _plain(lever: str) -> str:
    return "".join(lever.split()).lower()


def _left(lever: LeverResult, report: Report, entries: Sequence[LedgerEntry], later: Report | None) -> str:
    """Why a lever is not recorded; empty when it is to be."""
    if entry := entry_of(lever.lever, report.report_id, entries):
        return f"Entry {entry.number} has it already."
    if later is not None and taken(lever, report, later) == "all":
        return f"The program has taken it since: report {later.report_id} shows its options."
    return not_applied(lever)


def _later(report: Report) -> Report | None:
    """The newest kept report of the same command after this one; it shows what was taken since."""
    for entry in keeping.kept_reports():
        if entry.created_at is None:
            continue
        if entry.created_at <= report.created_at:
            return None
        try:
            found = storage.read_report(Path(entry.path))
        except ProbeError:
            continue
        if (found.command, found.cwd) == (report.command, report.cwd):
            return found
    return None
