"""Reports in the state directory: kept, found by what a user would call them, listed, removed."""

import os
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from warp_mcp.errors import UnreadableReport
from warp_mcp.models.report import SCHEMA, Report
from warp_mcp.models.stored import StoredReport
from warp_mcp.storage.files import read_versioned, to_json, write_atomic
from warp_mcp.storage.state import private_dir, state_dir

LATEST = "latest"
MOST_NAME = 4096
"""Characters: the longest path that Linux takes."""
_FOLDER = "reports"


def report_path(report_id: str) -> Path:
    """Where the report of this id lies, or would lie."""
    return state_dir() / _FOLDER / f"{report_id}.json"


def save_report(report: Report) -> Path:
    """Keep `report`.

    Raises `CannotWrite`: the state directory is not writable or the disk is full.
    """
    private_dir(_FOLDER)
    path = report_path(report.report_id)
    write_atomic(path, to_json(report))
    return path


def read_report(path: Path) -> Report:
    """Read one report file.

    Raises `UnreadableReport`: it is missing, cut, not JSON, of another schema version, or lacks a field.
    """
    value = read_versioned(path, "report", SCHEMA)
    try:
        return Report.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UnreadableReport(
            "damaged", f"{path} is damaged at `{place}`: {first['msg'].lower()}.", "Measure again."
        ) from error


def find_report(reference: str) -> Report:
    """The report a user means: an id, `latest`, a label (its newest report), a prefix of an id, or a file.

    Raises `UnreadableReport`: nothing or too much answers to that name, or what answers cannot be read.
    """
    return read_report(locate(reference))


def locate(reference: str) -> Path:
    """The file that a name means, see `find_report`. Raises `UnreadableReport` when nothing answers to it."""
    if not reference.strip() or len(reference) > MOST_NAME or "\0" in reference:
        what = "empty" if not reference.strip() else "no name at all"
        raise UnreadableReport(
            "no_such_report", f"The name of a report is {what}.", "See them with: warp-mcp list"
        )
    if os.sep in reference:
        # A label may be the name of a branch; a file is meant where there is one.
        labelled = None if os.path.exists(reference) else _labelled(reference)
        return labelled or Path(reference)
    ids = report_ids()
    if reference in ids:
        return report_path(reference)
    if reference == LATEST and ids:
        return report_path(ids[0])
    found = _labelled(reference) or _prefixed(reference, ids)
    if found is not None:
        return found
    if os.path.exists(reference) or reference.endswith(".json"):
        return Path(reference)
    if not ids:
        raise UnreadableReport(
            "no_reports",
            "No report is kept yet.",
            "Make one with: warp-mcp measure -- python your_program.py",
        )
    raise UnreadableReport(
        "no_such_report",
        f"No report has the id, label or file name “{reference}”.",
        f"The newest is {ids[0]}; see them all with: warp-mcp list",
    )


def _labelled(label: str) -> Path | None:
    # Newest first, and only as many files are read as it takes.
    entries = map(_entry, map(report_path, report_ids()))
    return next((Path(entry.path) for entry in entries if entry.label == label), None)


def _prefixed(prefix: str, ids: list[str]) -> Path | None:
    matches = [name for name in ids if name.startswith(prefix)]
    if len(matches) > 1:
        raise UnreadableReport(
            "ambiguous",
            f"{len(matches)} reports have an id that begins with “{prefix}”.",
            f"Write more of it, as in {matches[0]}.",
        )
    return report_path(matches[0]) if matches else None


def report_ids() -> list[str]:
    """Ids of the kept reports, newest first."""
    return sorted((path.stem for path in _files(_FOLDER)), reverse=True)


def _files(folder: str) -> Iterable[Path]:
    return (state_dir() / folder).glob("[!.]*.json")


def list_reports(limit: int | None = None) -> list[StoredReport]:
    """What is kept, newest first, at most `limit`. One that cannot be read is listed with the reason."""
    return [_entry(report_path(name)) for name in report_ids()[:limit]]


def _entry(path: Path) -> StoredReport:
    try:
        value = read_versioned(path, "report", SCHEMA)
        return StoredReport(
            report_id=path.stem,
            label=value["label"],
            created_at=value["created_at"],
            command=value["command"],
            cwd=value["cwd"],
            path=str(path),
            problem=None,
        )
    except UnreadableReport as error:
        problem = error.message
    except (KeyError, ValidationError):
        problem = f"{path} is damaged."
    return StoredReport(
        report_id=path.stem,
        label=None,
        created_at=None,
        command=[],
        cwd=None,
        path=str(path),
        problem=problem,
    )
