"""Whose code a line is in: the program's own, or an installed library's. By its path alone."""

import re

APPLICATION = "application"
"""The program that was measured, and what it has in its own directories (an editable install too)."""

_INSTALLED = re.compile(r"[/\\](?:site|dist)-packages[/\\]([^/\\]+)")
_PROGRAMS_OF_WARP = re.compile(r"[/\\](?:warp[/\\](?:examples|tests)|warp_mcp[/\\]demo)[/\\]")


def owner_of(where: str | None) -> str:
    """`application`, or the name under which the library of this `file:line` is imported.

    Warp's own examples and tests, and our demo, are programs: people measure them as such.
    """
    installed = _INSTALLED.search(where or "")
    if installed is None or _PROGRAMS_OF_WARP.search(where or ""):
        return APPLICATION
    return installed[1].partition(":")[0].removesuffix(".py")


def is_library(owner: str) -> bool:
    """Whether a change there reaches every program that uses it."""
    return owner != APPLICATION
