"""What a server that was started with limits may touch: directories, commands, variables."""

import fnmatch
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from warp_mcp.errors import ProbeError

_LOADERS = ("LD_", "DYLD_", "PYTHON", "GIT_", "BASH_FUNC_")
_NAMED = {
    "PATH", "BASH_ENV", "ENV", "IFS", "SHELL", "SHELLOPTS", "PS4", "PERL5LIB", "PERL5OPT", "RUBYOPT",
    "RUBYLIB", "NODE_OPTIONS", "NODE_PATH", "GCONV_PATH", "GLIBC_TUNABLES", "HOME", "VIRTUAL_ENV",
    "UV_PYTHON",
}  # fmt: skip
"""Variables that decide which program or code is run, so that a limit on the command would mean nothing."""


class Refused(ProbeError):
    """The server was started with a limit that this goes beyond."""

    exit_code = 2


@dataclass(frozen=True)
class Policy:
    """The limits of a server; the default has none."""

    roots: tuple[Path, ...] = ()
    """Resolved directories that working directories, report files and ledgers must lie in; none: anywhere."""
    commands: tuple[str, ...] = ()
    """Patterns for the resolved executable; none: any."""
    measuring: bool = True

    @classmethod
    def of(cls, roots: Sequence[str], commands: Sequence[str], *, measuring: bool) -> "Policy":
        """The limits asked for on the command line. Raises `Refused` for a root that is no directory."""
        resolved: list[Path] = []
        for root in roots:
            path = Path(os.path.realpath(os.path.expanduser(root)))
            if not path.is_dir():
                raise Refused("bad_root", f"--allow-root {root} is no directory.", "Name one that exists.")
            resolved.append(path)
        return cls(tuple(resolved), tuple(commands), measuring)

    def check_path(self, path: str | os.PathLike[str], what: str) -> None:
        """Raises `Refused` when a path, with every symbolic link resolved, lies outside the roots."""
        resolved = Path(os.path.realpath(path))
        if self.roots and not any(resolved.is_relative_to(root) for root in self.roots):
            allowed = ", ".join(map(str, self.roots))
            raise Refused(
                "outside_roots",
                f"This server may not use {what} outside {allowed}.",
                "Use a place inside, or start the server with another --allow-root.",
            )

    def check_measuring(self) -> None:
        """Raises `Refused` when this server runs nothing."""
        if not self.measuring:
            raise Refused(
                "measuring_is_off",
                "This server was started with --no-measure: it runs no commands.",
                "Measure on the command line, warp-mcp measure --label NAME -- COMMAND, and compare "
                "by that label here.",
            )

    def check_command(self, command: Sequence[str], cwd: str, env: Mapping[str, str]) -> None:
        """Raises `Refused` when the executable matches no pattern, or a variable could change what is run."""
        if not self.commands:
            return
        deciding = sorted(name for name in env if name in _NAMED or name.startswith(_LOADERS))
        if deciding:
            raise Refused(
                "variable_refused",
                f"With --allow-command, env may not hold {', '.join(deciding)}.",
                "Leave it out of env.",
            )
        resolved = resolve(command[0], cwd) if command else ""
        if not any(fnmatch.fnmatchcase(resolved, pattern) for pattern in self.commands):
            raise Refused(
                "command_refused",
                f"This server may not run {resolved or 'that'}; it may run: {', '.join(self.commands)}.",
                "Use one of these, or start the server with another --allow-command.",
            )


def resolve(executable: str, cwd: str) -> str:
    """The file that would be run, symbolic links resolved up to its directory; empty when there is none.

    The last link stays: a virtual environment's `python` is one, and which environment it is decides.
    """
    if os.sep in executable:
        found = os.path.join(cwd, os.path.expanduser(executable))
    else:
        found = shutil.which(executable) or ""
    if not found:
        return ""
    return os.path.join(os.path.realpath(os.path.dirname(found)), os.path.basename(found))
