"""Checks of what measured programs need: interpreters with Warp, Warp itself, the GPU.

Each gives a `Check`. What warp-mcp itself needs is in `own_checks.py`, variables are in
`server_variables.py`.
"""

import os
import re
import shutil
import sys

from warp_mcp.errors import CannotWrite
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.diagnosis import Check, InstalledWarp, StartedWarp
from warp_mcp.models.run import Machine
from warp_mcp.running import interpreters_with_warp
from warp_mcp.running.asking_warp import installed_warp, started_warp
from warp_mcp.running.masking import masked_text

OLDEST_WARP = (1, 10)
"""The recorder's hooks are tried on releases from here on."""

_HOW_TO_INSTALL = "Install it there with: {path} -m pip install warp-lang"


def find_interpreters(named: str | None, cwd: str) -> list[InstalledWarp]:
    """The interpreter that was named, whatever it has; else those near `cwd` and on PATH that have Warp."""
    if named is not None:
        paths = [_path_of(named)]
    else:
        paths = interpreters_with_warp(MeasureRequest(command=[sys.executable], cwd=cwd))
    # `python` and `python3` of one environment are one interpreter; the first name stays.
    distinct = {(os.path.dirname(path), os.path.realpath(path)): path for path in reversed(paths)}
    return [installed_warp(path) for path in paths if path in distinct.values()]


def _path_of(named: str) -> str:
    """Never resolved: the interpreter of a virtual environment is a link, and known by its own path."""
    found = None if os.sep in named else shutil.which(named)
    return os.path.abspath(os.path.expanduser(found or named))


def interpreters_check(found: list[InstalledWarp]) -> Check:
    """Which interpreters have Warp."""
    usable = [one for one in found if one.found]
    if not found:
        message = "No interpreter with Warp was found, neither in this directory nor on PATH."
        return _interpreters(message, "Name the one of your program: warp-mcp doctor --python INTERPRETER")
    if not usable:
        (one,) = found
        return _interpreters(_lacking(one), _remedy(one))
    old = [one for one in usable if _is_old(one.warp)]
    listed = "; ".join(_shown(one) for one in usable)
    if len(old) == len(usable):
        return _interpreters(
            f"{listed}. Older releases than {_dotted(OLDEST_WARP)} cannot be measured.",
            f"Upgrade it with: {old[0].path} -m pip install --upgrade warp-lang",
        )
    rest = " The first is looked at closer." if len(usable) > 1 else ""
    return Check(name="warp", title="Interpreters with Warp", status="ok", message=f"{listed}.{rest}")


def _interpreters(message: str, next_step: str) -> Check:
    return Check(
        name="warp", title="Interpreters with Warp", status="problem", message=message, next=next_step
    )


def _lacking(one: InstalledWarp) -> str:
    if one.error is not None:
        return f"{one.path} cannot be asked for Warp. {one.error}"
    return f"{one.path} (Python {one.python}) has no Warp."


def _remedy(one: InstalledWarp) -> str:
    if one.error is not None:
        return "Name an interpreter: warp-mcp doctor --python INTERPRETER"
    return _HOW_TO_INSTALL.format(path=one.path)


def _shown(one: InstalledWarp) -> str:
    return f"{one.path} (Python {one.python}, Warp {one.warp or 'of unknown version'})"


def _is_old(version: str | None) -> bool:
    match = re.match(r"(\d+)\.(\d+)", version or "")
    return match is not None and (int(match[1]), int(match[2])) < OLDEST_WARP


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def start_warp(found: list[InstalledWarp]) -> StartedWarp | None:
    """Warp in the first interpreter that has it; None when there is none, or no place for its cache."""
    usable = [one for one in found if one.found]
    try:
        return started_warp(usable[0].path) if usable else None
    except CannotWrite:
        return None


def start_check(started: StartedWarp | None) -> Check:
    """Whether Warp can be imported and initialised."""
    title, name = "Warp starts", "warp-start"
    if started is None:
        return Check(
            name=name,
            title=title,
            status="warning",
            message="Not tried: it needs an interpreter with Warp and a temp directory.",
            next="See to those first.",
        )
    if started.error is not None:
        return Check(
            name=name,
            title=title,
            status="problem",
            message=f"Warp did not start: {started.error}",
            next='Run it by hand: python -c "import warp; warp.init()", and see that it is NVIDIA Warp.',
        )
    return Check(
        name=name, title=title, status="ok", message=f"Warp {started.warp} was imported and initialised."
    )


def gpu_check(machine: Machine, started: StartedWarp | None) -> Check:
    """What the driver and Warp say of the GPU; they may disagree."""
    seen = started.gpus if started is not None else []
    if machine.gpu and started is not None and started.error is None and not seen:
        return _gpu(
            f"The driver ({machine.driver}) names {machine.gpu}, and Warp sees no GPU.",
            f"{_hidden()}Upgrade the driver, or install a release of Warp that is built for it.",
        )
    if machine.gpu:
        return _gpu_ok(f"{machine.gpu}, driver {machine.driver}{_for_cuda(started)}.")
    if seen:
        return _gpu(
            f"Warp sees {', '.join(seen)}, and nvidia-smi names none: reports say nothing of GPU and driver.",
            "Put nvidia-smi on PATH, so that compare can tell machines apart.",
        )
    if shutil.which("nvidia-smi"):
        return _gpu(
            "nvidia-smi is there and names no GPU.",
            "Run nvidia-smi: a driver that is not loaded, or a container without GPU, shows there.",
        )
    return _gpu_ok("No NVIDIA GPU: programs are measured on the CPU, and for CUDA by --rehearse-cuda.")


def _gpu(message: str, next_step: str) -> Check:
    return Check(name="gpu", title="GPU and driver", status="warning", message=message, next=next_step)


def _gpu_ok(message: str) -> Check:
    return Check(name="gpu", title="GPU and driver", status="ok", message=message)


def _hidden() -> str:
    value = os.environ.get("CUDA_VISIBLE_DEVICES")
    return "" if value is None else f"CUDA_VISIBLE_DEVICES={masked_text(value)} may hide it. "


def _for_cuda(started: StartedWarp | None) -> str:
    return f" for CUDA {started.driver} and older" if started is not None and started.driver else ""
