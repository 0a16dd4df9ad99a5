"""Comparisons in the state directory: kept, found by id or as the latest, listed."""

from pathlib import Path

from pydantic import ValidationError

from warp_mcp.errors import UnreadableReport
from warp_mcp.models.comparison import SCHEMA, Comparison
from warp_mcp.models.stored import StoredComparison
from warp_mcp.storage.files import read_versioned, to_json, write_atomic
from warp_mcp.storage.state import private_dir, state_dir

FOLDER = "comparisons"
LATEST = "latest"
_AGAIN = "Compare the two reports again."


def comparison_path(comparison_id: str) -> Path:
    """Where the comparison of this id lies, or would lie."""
    return state_dir() / FOLDER / f"{comparison_id}.json"


def save_comparison(comparison: Comparison) -> Path:
    """Keep `comparison`.

    Raises `CannotWrite`: the state directory is not writable or the disk is full.
    """
    private_dir(FOLDER)
    path = comparison_path(comparison.comparison_id)
    write_atomic(path, to_json(comparison))
    return path


def comparison_ids() -> list[str]:
    """Ids of the kept comparisons, newest first."""
    return sorted((path.stem for path in (state_dir() / FOLDER).glob("[!.]*.json")), reverse=True)


def find_comparison(name: str) -> Comparison:
    """The kept comparison of this id, unique prefix of an id, or `latest`; a name never means a file.

    Raises `UnreadableReport`: none or several are called so, or it cannot be read.
    """
    ids = comparison_ids()
    if name == LATEST and ids:
        return _read(ids[0])
    found = [name] if name in ids else [one for one in ids if name and one.startswith(name)]
    if len(found) == 1:
        return _read(found[0])
    if found:
        what = f"{len(found)} comparisons have an id that begins with “{name}”."
        raise UnreadableReport("ambiguous", what, f"Write more of it, as in {found[0]}.")
    newest = f"The newest is {ids[0]}." if ids else "None is kept yet: compare two reports."
    raise UnreadableReport("no_such_comparison", f"No comparison has the id “{name}”.", newest)


def _read(comparison_id: str) -> Comparison:
    path = comparison_path(comparison_id)
    try:
        return Comparison.model_validate(read_versioned(path, "comparison", SCHEMA))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise UnreadableReport(
            "damaged", f"{path} is damaged at `{place}`: {first['msg'].lower()}.", _AGAIN
        ) from error


def list_comparisons(limit: int | None = None) -> list[StoredComparison]:
    """What is kept, newest first, at most `limit`. One that cannot be read is listed with the reason."""
    return [_entry(comparison_id) for comparison_id in comparison_ids()[:limit]]


def _entry(comparison_id: str) -> StoredComparison:
    path = comparison_path(comparison_id)
    try:
        value = read_versioned(path, "comparison", SCHEMA)
        return StoredComparison(
            comparison_id=comparison_id,
            verdict=value["verdict"],
            created_at=value["created_at"],
            baseline=value["baseline_label"] or value["baseline"],
            candidate=value["candidate_label"] or value["candidate"],
            path=str(path),
            problem=None,
        )
    except UnreadableReport as error:
        problem = error.message
    except (KeyError, ValidationError):
        problem = f"{path} is damaged."
    return StoredComparison(
        comparison_id=comparison_id,
        verdict=None,
        created_at=None,
        baseline=None,
        candidate=None,
        path=str(path),
        problem=problem,
    )
