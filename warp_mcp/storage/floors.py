"""Measured floors in the state directory: one small file for an environment, a device and a set of options.

They are no reports: `warp-mcp prune` leaves them.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from warp_mcp.models.floor import Floor
from warp_mcp.storage.files import to_json, write_atomic
from warp_mcp.storage.state import private_dir, state_dir

FOLDER = "floors"
_VERSION = 1
"""Of what is measured: another program or another count of modules is another figure."""


def floor_path(fingerprint: str, device: str, block_dim: int, options: Mapping[str, str]) -> Path:
    """Where the floor of this environment and these options lies, or would lie."""
    key = json.dumps([_VERSION, fingerprint, device, block_dim, dict(options)], sort_keys=True)
    return state_dir() / FOLDER / f"{hashlib.sha256(key.encode('utf-8')).hexdigest()[:32]}.json"


def read_floor(path: Path) -> Floor | None:
    """The floor in a file; None when there is none, or none that this release reads."""
    try:
        return Floor.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ValidationError):
        return None


def save_floor(path: Path, floor: Floor) -> None:
    """Keep a floor. Raises `CannotWrite`."""
    private_dir(FOLDER)
    write_atomic(path, to_json(floor))
