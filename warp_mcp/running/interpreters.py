"""Interpreters on this machine that have Warp, for a user whose command was run by one that has not.

What belongs here: where to look, and asking each one found. Nothing is imported in them.
"""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping

from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.run import SampleRecording
from warp_mcp.running.asking_warp import supported_archs
from warp_mcp.running.command import check_command
from warp_mcp.running.environment import user_environment

LACKS_WARP = "No module named 'warp'"
"""How Python says it, at the end of a traceback."""

MOST = 16
"""Interpreters asked beside our own; each takes some hundredths of a second."""

ASK_LIMIT_S = 5.0

_QUESTION = "import importlib.util as u, sys; sys.exit(u.find_spec('warp') is None)"
_FOLDERS = (".venv", "venv", "env", ".env")
_NAMES = ("python", "python3", *(f"python3.{minor}" for minor in range(9, 16)))


def lacked_warp(samples: list[SampleRecording]) -> bool:
    """Whether the program failed because its interpreter has no Warp."""
    return any(
        sample.cold.outcome == "failed" and LACKS_WARP in sample.cold.stderr_tail for sample in samples
    )


def interpreters_with_warp(request: MeasureRequest) -> list[str]:
    """Paths of interpreters that can import Warp: near the program first, then those on PATH."""
    env = user_environment(request)
    asked: list[str] = []
    for path in _candidates(request.cwd, env):
        if path not in asked and os.access(path, os.X_OK):
            asked.append(path)
    return [path for path in [*asked[:MOST], *asked[MOST:][-1:]] if _has_warp(path)]


def archs_of(request: MeasureRequest) -> list[int] | None:
    """CUDA architectures that the command's Warp can compile for; None where that cannot be asked.

    Asked is the command's first word, if it is an interpreter. Raises what finding and asking it raises.
    """
    path = check_command(request.command, request.cwd, user_environment(request))
    return supported_archs(path) if "python" in os.path.basename(path) else None


def _candidates(cwd: str, env: Mapping[str, str]) -> Iterator[str]:
    near = [env.get("VIRTUAL_ENV"), env.get("CONDA_PREFIX"), *(os.path.join(cwd, name) for name in _FOLDERS)]
    for root in near:
        if root:
            yield os.path.join(root, "bin", "python")
    for directory in filter(None, env.get("PATH", os.defpath).split(os.pathsep)):
        here = [os.path.join(directory, name) for name in _NAMES]
        yield from [path for path in here if os.path.exists(path)][:1]
    yield sys.executable


def _has_warp(path: str) -> bool:
    # In a directory of its own: a folder named warp in the working directory is not the package.
    try:
        asked = subprocess.run(
            [path, "-c", _QUESTION],
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ASK_LIMIT_S,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return asked.returncode == 0
