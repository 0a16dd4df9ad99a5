"""Where a ledger lies: one file for each project in the state directory, or a file the user named."""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

from warp_mcp.errors import UsageError
from warp_mcp.storage.state import private_dir, state_dir

FOLDER = "ledger"
SUFFIX = ".jsonl"
_NAME_LENGTH = 40
"""Characters of a directory's name that are kept: enough to know it again."""
_DIGEST_LENGTH = 8
"""Hexadecimal digits: among a thousand projects of one name two share these with a chance of 1 in 8,000."""


@dataclass(frozen=True)
class LedgerPlace:
    """A ledger file, whether or not it exists, and the project it is used for."""

    path: Path
    """Absolute, without symbolic links."""
    project: str
    own: bool
    """In the state directory; else the user named the file."""

    def make_directory(self) -> None:
        """Make the directory of the project's own ledger; that of a named file is the user's.

        Raises `CannotWrite`.
        """
        if self.own:
            private_dir(FOLDER)


def top_directory(directory: Path) -> Path:
    """The top of the git work tree that `directory` is in; itself where there is none."""
    return next((one for one in (directory, *directory.parents) if (one / ".git").exists()), directory)


def project_directory(named: str | None) -> Path:
    """The directory a user means, or the current one, without symbolic links.

    Raises `UsageError`: it does not exist or is no directory.
    """
    try:
        path = Path(os.path.realpath(os.path.expanduser(named or "."), strict=True))
        found = path.is_dir()
    except (OSError, ValueError):
        found, path = False, Path()
    if found:
        return path
    what = "The current directory is gone." if named is None else f"There is no directory {named!a}."
    raise UsageError("no_such_directory", what, "Name the directory of the project.")


def project_name(directory: Path) -> str:
    """`fluid-1a2b3c4d`: the name of the project's top directory, and a digest of its path.

    The path itself is left out: a ledger may be shared.
    """
    top = top_directory(directory)
    readable = re.sub(r"[^\w.-]+", "-", top.name).strip(".-")[:_NAME_LENGTH] or "root"
    digest = hashlib.sha256(os.fsencode(top)).hexdigest()[:_DIGEST_LENGTH]
    return f"{readable}-{digest}"


def place_of(project: str, path: str | None) -> LedgerPlace:
    """The project's own ledger, or the file named by `path`; nothing is opened or made.

    Raises `UsageError`: the file that is meant, symbolic links followed, does not end in `.jsonl`.
    """
    if path is None:
        own = state_dir() / FOLDER / f"{project}{SUFFIX}"
        return LedgerPlace(path=Path(os.path.realpath(own)), project=project, own=True)
    try:
        target = Path(os.path.realpath(os.path.expanduser(path)))
    except (OSError, ValueError) as error:
        raise UsageError(
            "bad_path", f"{path!a} is no path of a file.", "Name a file that ends in .jsonl."
        ) from error
    if target.suffix != SUFFIX or not path.strip():
        link = "" if target == Path(os.path.abspath(path)) else ", where it leads to,"
        raise UsageError(
            "bad_ledger_name",
            f"A ledger ends in {SUFFIX}; {target!s}{link} does not.",
            f"Name a new file or a ledger, such as: warp-ledger{SUFFIX}",
        )
    return LedgerPlace(path=target, project=project, own=False)
