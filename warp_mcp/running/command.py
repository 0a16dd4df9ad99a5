"""Refuses what cannot be run, before anything is created, with the next step.

What belongs here: looking a command up exactly as execvp(3) will, and the errors of doing so. Nothing is
started.
"""

import errno
import os
import shlex
import sys
from collections.abc import Mapping, Sequence

from warp_mcp.errors import UsageError
from warp_mcp.running.masking import masked, printable


def check_platform() -> None:
    """Raise UsageError on a system where processes cannot be supervised."""
    if os.name != "posix":
        raise UsageError(
            "unsupported_platform",
            f"warp-mcp measures on Linux and macOS; this is {sys.platform}.",
            "Run it inside WSL 2, a container or on a Linux machine.",
        )


def check_command(argv: Sequence[str], cwd: str, env: Mapping[str, str]) -> str:
    """The path that will be executed. Raises UsageError for a directory or a command that is not there."""
    if not os.path.isdir(cwd):
        raise UsageError(
            "directory_not_found",
            f"The working directory {cwd} does not exist or is not a directory.",
            "Give an existing directory.",
        )
    name = argv[0]
    if not name or any("\0" in argument for argument in argv):
        raise UsageError(
            "bad_command",
            "The command is empty or has a NUL in it.",
            "Give a program, and arguments without NUL.",
        )
    return _given_path(name, cwd) if "/" in name else _looked_up(name, cwd, env)


def resolved(argv: Sequence[str], cwd: str, env: Mapping[str, str]) -> str | None:
    """The absolute path of what will be executed, fit to be shown; `None` for what cannot be run."""
    try:
        path = check_command(argv, cwd, env)
    except UsageError:
        return None
    return printable(os.path.join(cwd, path).replace("/./", "/"))


def check_variables(env: Mapping[str, str]) -> None:
    """Raise UsageError for a variable that no process can have."""
    for name, value in env.items():
        if not name or "=" in name or "\0" in name or "\0" in value:
            raise UsageError(
                "bad_environment",
                f"A process cannot have the environment variable {ascii(name)}.",
                "Give names without `=`, and names and values without NUL.",
            )


def cannot_start(argv: Sequence[str], number: int) -> UsageError:
    """The error for a command that was there and still could not be executed."""
    shown = shlex.join(masked(argv[:1]))
    if number == errno.ENOENT:
        return UsageError(
            "command_not_found",
            f"{shown} names an interpreter in its first line that does not exist.",
            "Correct the `#!` line, or put the interpreter in front of the file.",
        )
    if number == errno.ENOEXEC:
        return UsageError(
            "not_executable",
            f"{shown} is neither a program nor a script with a `#!` line.",
            f"Put its interpreter in front, as in `python {shown}` or `sh {shown}`.",
        )
    if number == errno.E2BIG:
        return UsageError("command_too_long", f"{shown}: the arguments are too long.", "Pass them in a file.")
    return UsageError(
        "not_executable",
        f"{shown} could not be started: {os.strerror(number)}.",
        "Run it once without warp-mcp, in the same directory: the system refuses it there too.",
    )


def _given_path(name: str, cwd: str) -> str:
    path = os.path.join(cwd, name)
    if not os.path.exists(path):
        where = "" if os.path.isabs(name) else f" in {cwd}"
        raise UsageError(
            "command_not_found",
            f"The command {name} does not exist{where}.",
            "Correct the path, or the working directory that it is relative to.",
        )
    if os.path.isdir(path) or not os.access(path, os.X_OK):
        raise _not_executable(name)
    return path


def _looked_up(name: str, cwd: str, env: Mapping[str, str]) -> str:
    """The first executable file of that name; an empty entry of PATH is the working directory (POSIX 8.3)."""
    path = env.get("PATH", os.defpath)
    refused = None
    for entry in path.split(os.pathsep):
        candidate = os.path.join(cwd, entry, name)
        if os.path.isfile(candidate):
            if os.access(candidate, os.X_OK):
                return candidate
            refused = candidate
    if refused is not None:
        raise _not_executable(refused)
    raise UsageError(
        "command_not_found",
        f"The command {name} was not found. Looked in PATH: {path or '(empty)'}.",
        _hint(name, cwd),
    )


def _hint(name: str, cwd: str) -> str:
    if os.path.exists(os.path.join(cwd, name)):
        runner = f"python {name}" if name.endswith(".py") else f"./{name}"
        return f"There is a file of that name in {cwd}: write `{runner}`."
    return "Activate the environment it belongs to, or give its full path."


def _not_executable(name: str) -> UsageError:
    return UsageError(
        "not_executable",
        f"{name} is not an executable file.",
        f"Put its interpreter in front, as in `python {name}`, or make it executable with `chmod +x {name}`.",
    )
