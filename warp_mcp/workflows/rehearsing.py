"""Whether a rehearsal of CUDA can be made: what was asked for, and what this machine and this Warp allow."""

import re
from collections.abc import Iterable
from contextlib import suppress

from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.run import Machine

_ARCH = re.compile(r"(?:sm_?|compute_)?(\d{2,3})", re.IGNORECASE)


def parse_archs(texts: Iterable[str], asked: MeasureRequest) -> list[int]:
    """The architectures in texts such as `sm_90` or `sm_80,sm_120`, each once, in order.

    Raises UsageError, code `bad_arch`, with those that the Warp of the command can compile for.
    """
    found: dict[int, None] = {}
    for word in (word.strip() for text in texts for word in text.split(",")):
        match = _ARCH.fullmatch(word)
        if match is None:
            raise UsageError(
                "bad_arch",
                f"“{word[:40]}” names no architecture to rehearse{_supported_words(asked)}.",
                "Write --rehearse-cuda sm_90, or several: sm_80,sm_90.",
            )
        found[int(match[1])] = None
    return list(found)


def _supported_words(asked: MeasureRequest) -> str:
    """Empty where the command's Warp cannot be asked."""
    from warp_mcp import running

    with suppress(ProbeError):
        if supported := running.archs_of(asked):
            return f": this Warp can compile for {_names(supported)}"
    return ""


def _names(archs: Iterable[int]) -> str:
    return ", ".join(f"sm_{arch}" for arch in archs)


def check_rehearsal(request: MeasureRequest, machine: Machine) -> None:
    """Raises UsageError where there is a GPU, or where the program's Warp cannot compile for it."""
    if not request.rehearse_archs:
        return
    if machine.gpu is not None and not request.rehearse_force:
        raise UsageError(
            "gpu_present",
            f"This machine has a GPU ({machine.gpu}): what it builds can be measured instead of rehearsed.",
            "Leave --rehearse-cuda out, or add --force to rehearse all the same.",
        )
    _check_supported(request)


def _check_supported(request: MeasureRequest) -> None:
    from warp_mcp import running

    supported = running.archs_of(request)
    if supported is None:  # not an interpreter, or one that cannot be asked: the run itself tells
        return
    wrong = [arch for arch in request.rehearse_archs if arch not in supported]
    if not supported:
        raise UsageError(
            "cannot_rehearse",
            "The Warp of this interpreter compiles CUDA code only where there is a driver.",
            "Begin the command with an interpreter that has Warp 1.12 or later.",
        )
    if wrong:
        message = f"This Warp cannot compile for {_names(wrong)}."
        raise UsageError("bad_arch", message, f"Rehearse for one that it can: {_names(supported)}.")
