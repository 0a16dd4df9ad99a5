"""What is kept: found, listed, removed, written where the user wants it."""

import json
from pathlib import Path

from warp_mcp import storage
from warp_mcp.errors import ProbeError, UnreadableReport, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.report import Report
from warp_mcp.models.stored import StoredReport
from warp_mcp.workflows.recovering import recover_abandoned

KEPT = 20
"""Reports that stay when nothing else is said: some weeks of work on one program."""


MOST_DAYS = 36500
"""A century: beyond it dates have no beginning."""


def find(reference: str) -> Report:
    """The report a user means. Raises `UnreadableReport`."""
    recover_abandoned()
    return storage.find_report(reference)


def find_kept(report_id: str) -> Report:
    """The kept report with exactly this id. Raises `UnreadableReport`."""
    recover_abandoned()
    if report_id not in storage.report_ids():
        raise UnreadableReport("no_such_report", "No kept report has this id.", "Measure again.")
    return storage.read_report(storage.report_path(report_id))


def runs_elsewhere(run_id: str) -> bool:
    """Whether a measurement of this id is under way in another process."""
    return storage.run_is_open(run_id)


def request_elsewhere(run_id: str) -> MeasureRequest | None:
    """What is measured by such a run, without what looks like a secret; `None` before it has begun."""
    try:
        return storage.read_run(run_id)[0].request
    except UnreadableReport:
        return None


def report_file(reference: str) -> Path | None:
    """The file that a name means when it is none of the kept reports; `None` when it is one, or nothing."""
    try:
        path = storage.locate(reference)
    except ProbeError:
        return None
    return None if path.parent == storage.report_path("r").parent else path


def kept_reports() -> list[StoredReport]:
    """What is kept, newest first; measurements that were killed as far as they got."""
    recover_abandoned()
    return storage.list_reports()


def kept_reports_json() -> str:
    """The list of kept reports as JSON text."""
    return json.dumps([entry.model_dump() for entry in kept_reports()], indent=2) + "\n"


def prune(
    *, keep: int = KEPT, older_than_days: float | None = None, dry_run: bool = False
) -> list[StoredReport]:
    """Remove all but the newest `keep` reports, or those older than so many days; returns what goes.

    Raises `CannotWrite` when a file cannot be removed, `UsageError` when the days are no number of days.
    """
    if older_than_days is not None and not 0 <= older_than_days <= MOST_DAYS:
        raise UsageError("no_days", f"{older_than_days} is no number of days.", "Use --older-than 30, say.")
    if older_than_days is not None:
        going = storage.older_than(older_than_days, storage.now())
    else:
        going = storage.keep_newest(keep)
    if not dry_run:
        storage.remove(going)
    return going


def write_json(value: Report | Comparison, path: str) -> None:
    """Write the public JSON of `value` to a file the user named. Raises `CannotWrite`."""
    storage.write_named(Path(path), storage.to_json(value))


def to_json(value: Report | Comparison) -> str:
    """The public JSON text of a report or comparison."""
    return storage.to_json(value)


def where_kept(value: Report | Comparison) -> str:
    """The file a kept report or comparison lies in."""
    if isinstance(value, Report):
        return str(storage.report_path(value.report_id))
    return str(storage.comparison_path(value.comparison_id))
