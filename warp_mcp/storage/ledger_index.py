"""Which projects have a ledger in the state directory. What is in one: `ledger.py`."""

import os
from pathlib import Path

from warp_mcp.storage.ledger_places import FOLDER, SUFFIX
from warp_mcp.storage.state import state_dir


def ledger_paths() -> dict[str, Path]:
    """Names of the projects and their ledger files, the one that was appended to last first."""
    found = [(path, _changed(path)) for path in (state_dir() / FOLDER).glob(f"[!.]*{SUFFIX}")]
    ordered = sorted(found, key=lambda pair: (-pair[1], pair[0].name))
    return {path.name.removesuffix(SUFFIX): path for path, _ in ordered}


def _changed(path: Path) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
