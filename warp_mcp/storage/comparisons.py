"""Comparisons in the state directory."""

from pathlib import Path

from warp_mcp.models.comparison import Comparison
from warp_mcp.storage.files import to_json, write_atomic
from warp_mcp.storage.state import private_dir, state_dir

FOLDER = "comparisons"


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
