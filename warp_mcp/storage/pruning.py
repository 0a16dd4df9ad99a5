"""Removing what is old: reports, and with them comparisons and recordings as old as they are."""

from datetime import datetime, timedelta
from pathlib import Path

from warp_mcp.errors import CannotWrite
from warp_mcp.models.stored import StoredReport
from warp_mcp.storage import comparisons, recordings
from warp_mcp.storage.ids import new_id
from warp_mcp.storage.reports import list_reports
from warp_mcp.storage.state import state_dir


def keep_newest(count: int) -> list[StoredReport]:
    """The reports that go when only the `count` newest stay, newest first."""
    return list_reports()[count:]


def older_than(days: float, moment: datetime) -> list[StoredReport]:
    """The reports that were made more than `days` before `moment`, newest first. Ids hold the time."""
    limit = _stamp("r", moment - timedelta(days=days))
    return [entry for entry in list_reports() if entry.report_id < limit]


def _stamp(prefix: str, moment: datetime) -> str:
    return new_id(prefix, moment)[: len("r-20261201-101530")]


def remove(entries: list[StoredReport]) -> None:
    """Remove these reports, and comparisons and recordings as old as the newest of them.

    Raises `CannotWrite`: a file cannot be removed.
    """
    if not entries:
        return
    newest = entries[0].report_id.split("-", 1)[-1]
    for entry in entries:
        _unlink(Path(entry.path))
    for folder in (comparisons.FOLDER, recordings.FOLDER):
        for path in (state_dir() / folder).glob("[!.]*.json"):
            if path.stem.split("-", 1)[-1] <= newest:
                _unlink(path)


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise CannotWrite(
            "cannot_remove",
            f"{path} could not be removed: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
