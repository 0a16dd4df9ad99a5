"""Asks interpreters which Warp they have and whether it starts. Always in a child with a time limit.

What belongs here: the questions, and reading the answers. Which interpreters to ask is in `interpreters.py`.
"""

import json
import os
import subprocess
from tempfile import TemporaryDirectory
from typing import Any, cast

from pydantic import ValidationError

from warp_mcp.models.diagnosis import InstalledWarp, StartedWarp
from warp_mcp.running.isolation import PREFIX, temp_directory
from warp_mcp.running.masking import printable

INSTALLED_LIMIT_S = 10.0
STARTED_LIMIT_S = 60.0
"""Starting takes half a second on a local disk; from a network disk it can take far longer."""

_INSTALLED = """
import importlib.util, json, sys
answer = {"python": "%d.%d.%d" % sys.version_info[:3], "found": importlib.util.find_spec("warp") is not None}
try:
    from importlib.metadata import version
    answer["warp"] = version("warp-lang")
except Exception:
    pass
print(json.dumps(answer))
"""

_STARTED = """
import json
import warp as wp
wp.init()
gpus = [device for device in wp.get_devices() if device.is_cuda]
answer = {"warp": wp.config.version}
answer["gpus"] = ["%s %s (sm_%s)" % (gpu.alias, gpu.name, gpu.arch) for gpu in gpus]
if gpus and hasattr(wp, "get_cuda_driver_version"):
    answer["driver"] = ".".join(map(str, wp.get_cuda_driver_version()))
print(json.dumps(answer))
"""


_ARCHS = """
import ctypes, json
import warp as wp
wp.init()
from warp._src import context
core = context.runtime.core
archs = (ctypes.c_int * core.wp_nvrtc_supported_arch_count())()
core.wp_nvrtc_supported_archs(archs)
print(json.dumps({"archs": sorted(archs)}))
"""


def installed_warp(path: str) -> InstalledWarp:
    """The interpreter's version and that of its Warp, which is not imported."""
    answer = _ask(path, _INSTALLED, INSTALLED_LIMIT_S)
    try:
        return InstalledWarp.model_validate({"path": path, **answer})
    except ValidationError:
        return InstalledWarp(path=path, error="It is no Python interpreter.")


def started_warp(path: str) -> StartedWarp:
    """Whether Warp can be imported and initialised, and which GPUs it sees.

    It has an empty cache directory of its own, so that the user's is neither read nor made.
    Raises `CannotWrite`: there is no temp directory for that.
    """
    with TemporaryDirectory(prefix=PREFIX, dir=temp_directory()) as cache:
        answer = _ask(path, _STARTED, STARTED_LIMIT_S, {"WARP_CACHE_PATH": cache})
    try:
        return StartedWarp.model_validate(answer)
    except ValidationError:
        return StartedWarp(error="It gave no answer that can be read.")


def supported_archs(path: str) -> list[int] | None:
    """CUDA architectures that the interpreter's Warp can compile for without a driver; None: unknown.

    Raises `CannotWrite`: there is no temp directory for its cache.
    """
    with TemporaryDirectory(prefix=PREFIX, dir=temp_directory()) as cache:
        answer = _ask(path, _ARCHS, STARTED_LIMIT_S, {"WARP_CACHE_PATH": cache})
    archs = answer.get("archs")
    return [int(arch) for arch in archs] if isinstance(archs, list) else None  # pyright: ignore


def _ask(path: str, question: str, limit_s: float, env: dict[str, str] | None = None) -> dict[str, Any]:
    """The answer, or `error` alone."""
    try:
        # In a directory of its own: a folder named warp in the working directory is not the package.
        asked = subprocess.run(
            [path, "-c", question],
            cwd="/",
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit_s,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return {"error": f"It gave no answer within {limit_s:.0f} s."}
    except OSError as error:
        return {"error": f"It cannot be started: {error.strerror or error}."}
    if asked.returncode != 0:
        return {"error": _last_line(asked.stderr) or f"It ended with exit code {asked.returncode}."}
    return _parsed(_last_line(asked.stdout))


def _last_line(text: str) -> str:
    """The user's own `sitecustomize`, or Warp, may have printed lines before it."""
    lines = [line for line in text.splitlines() if line.strip()]
    return printable(lines[-1].strip())[:500] if lines else ""


def _parsed(line: str) -> dict[str, Any]:
    try:
        answer = json.loads(line)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        return {"error": "It gave no answer that can be read."}
    return cast(dict[str, Any], answer)
