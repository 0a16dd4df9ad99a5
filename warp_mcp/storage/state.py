"""Where the state directory is, and that only its owner can read it. Knows nothing of what lies in it."""

import os
from pathlib import Path

from warp_mcp.errors import CannotWrite

VARIABLE = "WARP_MCP_STATE_DIR"


def state_dir() -> Path:
    """The directory that holds reports, comparisons and the lock; `WARP_MCP_STATE_DIR` moves it.

    It is named here, not made: reading from a directory that does not exist finds nothing.
    """
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return Path(os.path.abspath(os.path.expanduser(named)))
    # Imported here: most test and CI runs name the directory and never need the library.
    from platformdirs import user_state_dir

    return Path(user_state_dir("warp-mcp", appauthor=False))


def private_dir(*parts: str) -> Path:
    """Make the state directory (or a directory below it), readable by its owner only.

    Raises `CannotWrite`: the directory cannot be made.
    """
    top = state_dir()
    path = top.joinpath(*parts)
    try:
        for directory in (top, path):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if directory.stat().st_mode & 0o077:
                directory.chmod(0o700)
    except OSError as error:
        raise CannotWrite(
            "state_dir_not_writable",
            f"The state directory {top} cannot be used: {error.strerror or error}.",
            f"Make it writable, or name another one: {VARIABLE}=/some/dir warp-mcp …",
        ) from error
    return path
