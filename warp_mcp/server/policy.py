"""What a server that was started with limits may touch: directories, commands, variables."""

import fnmatch
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from warp_mcp.errors import ProbeError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.lever_options import OPTIONS

HARMLESS = (
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "WARP_",
)
"""Variables, or beginnings of them, that may be set where commands are limited: a list of those that may not
never ends, since many programs load code that a variable names."""


class Refused(ProbeError):
    """The server was started with a limit that this goes beyond."""

    exit_code = 2


@dataclass(frozen=True)
class Policy:
    """The limits of a server; the default has none."""

    roots: tuple[Path, ...] = ()
    """Resolved directories that working directories, report files and ledgers must lie in; none: anywhere."""
    commands: tuple[str, ...] = ()
    """Patterns that the executable has to match, as found and as the file its links lead to; none: any."""
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
        if not self.roots:
            return
        resolved = Path(os.path.realpath(path))
        if not any(resolved.is_relative_to(root) for root in self.roots):
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
                "Ask the user to measure in a terminal, under a label, and compare by that label here.",
            )

    def checked(self, request: MeasureRequest) -> tuple[MeasureRequest, Callable[[], None]]:
        """The request as it may be carried out, and what checks that again when it is, maybe much later.

        With limits, what was checked is also what is run. Both raise `Refused`.
        """
        if self.roots:
            self.check_path(request.cwd, "directories")
            request = request.model_copy(update={"cwd": os.path.realpath(request.cwd)})
        if self.commands:
            command = self._command(request.command, request.cwd, request.env)
            request = request.model_copy(update={"command": command})
            _check_levers(request)
        target = os.path.realpath(request.command[0]) if self.commands else ""
        return request, lambda: self._check_again(request, target)

    def _check_again(self, request: MeasureRequest, target: str) -> None:
        """Raises `Refused` when a link was put in the place of what was approved while the run was queued."""
        step = "Ask again: what is there now is checked anew."
        if self.roots and os.path.realpath(request.cwd) != request.cwd:
            message = f"The directory {request.cwd} was exchanged after its approval; nothing was run."
            raise Refused("outside_roots", message, step)
        if not self.commands:
            return
        found = find_executable(request.command[0], request.cwd)
        if (found, os.path.realpath(found)) != (request.command[0], target):
            message = f"{request.command[0]} was exchanged after its approval; nothing was run."
            raise Refused("command_refused", message, step)

    def _command(self, command: Sequence[str], cwd: str, env: Mapping[str, str]) -> list[str]:
        """The command with the path that was approved in the place of its first word."""
        deciding = sorted(name for name in env if not name.startswith(HARMLESS))
        if deciding:
            raise Refused(
                "variable_refused",
                f"With --allow-command, env may not hold {', '.join(deciding)[:200]}.",
                "Leave it out of env: only variables for the choice of devices and of Warp are taken.",
            )
        found = find_executable(command[0], cwd)
        target = os.path.realpath(found) if found else ""
        if not found or not all(self._allows(path) for path in {found, target}):
            shown = found if found == target else f"{found} (which is {target})"
            raise Refused(
                "command_refused",
                f"This server may not run {shown or 'that'}; it may run: {', '.join(self.commands)}.",
                "Use one of these, or start the server with another --allow-command.",
            )
        return [found, *command[1:]]

    def _allows(self, path: str) -> bool:
        return any(fnmatch.fnmatchcase(path, pattern) for pattern in self.commands)


def _check_levers(request: MeasureRequest) -> None:
    """Refuse a lever that takes free text, such as flags for a compiler: it could have it run anything."""
    free = {name for name, option in OPTIONS.items() if option.kind == "text" and not option.values}
    named = sorted({one.option for lever in request.levers for one in lever.settings} & free)
    if named:
        raise Refused(
            "lever_refused",
            f"With --allow-command, {', '.join(named)} cannot be a lever: its text reaches a compiler.",
            "Leave it out: options with a few known values are taken.",
        )


def find_executable(executable: str, cwd: str) -> str:
    """The absolute path of what a first word means, symbolic links resolved up to its directory; else empty.

    The last link stays, since a virtual environment's `python` is one. Link and target both have to match.
    """
    if os.sep in executable:
        found: str | None = os.path.join(cwd, executable)
    else:
        places = [place for place in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(place)]
        found = shutil.which(executable, path=os.pathsep.join(places))
    if not found or not os.path.isfile(found):
        return ""
    return os.path.join(os.path.realpath(os.path.dirname(found)), os.path.basename(found))
