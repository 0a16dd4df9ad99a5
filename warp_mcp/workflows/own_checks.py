"""Checks of what warp-mcp itself needs: interpreter, temp space, state directory, lock, documents.

Each gives a `Check`. What measured programs need is in `program_checks.py`.
"""

import os
import platform
import re
import shutil
import sys

from warp_mcp import __version__
from warp_mcp.errors import ProbeError
from warp_mcp.models.diagnosis import Check
from warp_mcp.presentation.numbers import size
from warp_mcp.running.environment import RECORDER
from warp_mcp.running.isolation import temp_directory
from warp_mcp.storage import state_dir
from warp_mcp.storage.inspection import lock_holder, missing_documents, state_problem

LEAST_TEMP_BYTES = 100_000_000
"""Below this caches may not fit. A small program on the CPU fills 6 MB: 1 or 2 of modules, 4 of header."""
ENOUGH_TEMP_BYTES = 1_000_000_000
"""Room for more than a hundred times that; below it a large program may not fit."""

_PASSING = re.compile(r"/uv/archive-v\d+/|/pipx/\.cache/|/\.cache/pipx/")
"""Environments that `uvx` and `pipx run` make for one run and may remove at any time."""


def interpreter_check() -> Check:
    """The interpreter that runs warp-mcp, and whether the installation is whole and will stay."""
    title, name = "warp-mcp itself", "interpreter"
    message = f"warp-mcp {__version__} runs in {sys.executable} (Python {platform.python_version()})."
    if not os.path.isfile(os.path.join(RECORDER, "sitecustomize.py")):
        return Check(
            name=name,
            title=title,
            status="problem",
            message=f"{message} Its recorder is not in {RECORDER}.",
            next="Install it again: pip install --force-reinstall --no-deps warp-mcp",
        )
    if _PASSING.search(sys.executable):
        return Check(
            name=name,
            title=title,
            status="warning",
            message=f"{message} That environment was made for one run; the paths below will not last.",
            next="Install it to stay: uv tool install warp-mcp, or pipx install warp-mcp.",
        )
    return Check(name=name, title=title, status="ok", message=message)


def temp_check() -> Check:
    """Whether caches of samples fit into the temp directory."""
    title, name = "Temp space", "temp"
    try:
        directory = temp_directory()
        free = shutil.disk_usage(directory).free
    except ProbeError as error:
        return _from_error(name, title, error)
    message = f"{_room(free)} free in {directory}."
    if free >= ENOUGH_TEMP_BYTES:
        return Check(name=name, title=title, status="ok", message=message)
    return Check(
        name=name,
        title=title,
        status="problem" if free < LEAST_TEMP_BYTES else "warning",
        message=f"{message} Each sample fills caches of its own there.",
        next="Free some space there, or set TMPDIR to another directory; for a server, in its configuration.",
    )


def _room(free: int) -> str:
    return f"{free / 1e9:.1f} GB" if free >= 1e9 else size(free)


def state_check() -> Check:
    """Whether reports can be kept."""
    problem = state_problem()
    if problem is not None:
        return _from_error("state", "State directory", problem)
    return Check(
        name="state",
        title="State directory",
        status="ok",
        message=f"Reports and ledgers are kept in {state_dir()}.",
    )


def lock_check() -> Check:
    """Whether another measurement would have to be waited for."""
    title, name = "Other measurements", "lock"
    try:
        holder = lock_holder()
    except ProbeError as error:
        return _from_error(name, title, error)
    if holder is None:
        return Check(name=name, title=title, status="ok", message="No other measurement is running.")
    return Check(
        name=name,
        title=title,
        status="warning",
        message=f"Another measurement of yours is running ({holder}); the next one waits for its end.",
        next="Wait for it, or end it; one that ends, however it ends, lets go of the lock.",
    )


def references_check() -> Check:
    """Whether mechanisms can be explained."""
    title, name = "References", "references"
    try:
        missing = missing_documents()
    except ProbeError as error:
        return _from_error(name, title, error)
    if missing:
        return Check(
            name=name,
            title=title,
            status="problem",
            message=f"Not installed: {', '.join(missing)}.",
            next="Install warp-mcp again: pip install --force-reinstall --no-deps warp-mcp",
        )
    return Check(name=name, title=title, status="ok", message="Installed, and can be read.")


def _from_error(name: str, title: str, error: ProbeError) -> Check:
    return Check(name=name, title=title, status="problem", message=error.message, next=error.next_step)
