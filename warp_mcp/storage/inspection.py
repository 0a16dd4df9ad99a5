"""Looks at the state directory, the lock and the references without changing them, for a check-up."""

import os
import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

from warp_mcp.errors import CannotWrite
from warp_mcp.storage import references
from warp_mcp.storage.state import VARIABLE, state_dir

_HINT = f"Make it writable, or name another one: {VARIABLE}=/some/dir warp-mcp …"


def state_problem() -> CannotWrite | None:
    """Why reports could not be kept; None when they can. A directory that is not there yet is not made."""
    top = state_dir()
    try:
        if top.exists():
            with tempfile.TemporaryFile(dir=top) as stream:
                stream.write(b"\0" * 4096)
                stream.flush()
            return None
        parent = _existing_parent(top)
        if parent.is_dir() and os.access(parent, os.W_OK | os.X_OK):
            return None
        reason = f"{parent} cannot be written"
    except OSError as error:
        reason = error.strerror or str(error)
    return CannotWrite(
        "state_dir_not_writable", f"The state directory {top} cannot be used: {reason}.", _HINT
    )


def _existing_parent(path: Path) -> Path:
    return next(parent for parent in path.parents if parent.exists())


def lock_holder() -> str | None:
    """Who measures at this moment: `process 123`, or `a process`; None when nobody does.

    Raises `CannotWrite`: the lock cannot be used in this place.
    """
    path = state_dir() / "measure.lock"
    if not path.exists():
        return None
    held = FileLock(path, mode=0o600)
    try:
        held.acquire(timeout=0)  # pyright: ignore[reportUnknownMemberType]
    except Timeout:
        return _noted(path.with_suffix(".pid"))
    except OSError as error:
        raise CannotWrite(
            "cannot_lock", f"The lock {path} cannot be used: {error.strerror or error}.", _HINT
        ) from error
    held.release()
    return None


def _noted(path: Path) -> str:
    try:
        return f"process {int(path.read_text(encoding='utf-8'))}"
    except (OSError, ValueError):
        return "a process"


def missing_documents() -> list[str]:
    """Reference documents that are not installed; those that are have been read.

    Raises `ProbeError`: none is there, or one cannot be read.
    """
    references.read_sections()
    return [name for name in references.DOCUMENTS if not (references.references_dir() / name).is_file()]
