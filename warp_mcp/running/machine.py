"""The machine a measurement ran on, told without importing Warp.

What belongs here: reading what the system says about its processor, memory and graphics card. Whether two
machines may be compared is decided elsewhere.
"""

import hashlib
import json
import os
import platform
import subprocess
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress

import psutil

from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.run import Machine
from warp_mcp.running.command import resolved
from warp_mcp.running.environment import user_environment
from warp_mcp.running.masking import MASK, is_secret_name, masked_text

ASK_LIMIT_S = 5.0
"""Limit for a helper program such as nvidia-smi, which can hang on a broken driver."""


def describe_machine(request: MeasureRequest) -> Machine:
    """Processor, memory, graphics card and driver, and the variables the user had set. Unknown is null."""
    env = user_environment(request)
    gpu, driver = _graphics()
    return Machine(
        cpu=_processor(),
        cores=_cores(),
        memory_bytes=psutil.virtual_memory().total,
        gpu=gpu,
        driver=driver,
        cuda_toolkit=_toolkit(env),
        platform=_platform(),
        variables=_variables(env),
        executable=resolved(request.command, request.cwd, env),
    )


def _platform() -> str:
    """System, architecture and C library; the kernel's release is left out, it changes with every update."""
    libc = "".join(platform.libc_ver())
    return "-".join(part for part in (platform.system(), platform.machine(), libc) if part)


SHOWN = frozenset(
    {
        "CUDA_CACHE_DISABLE",
        "CUDA_CACHE_MAXSIZE",
        "CUDA_CACHE_PATH",
        "CUDA_DEVICE_MAX_CONNECTIONS",
        "CUDA_DEVICE_ORDER",
        "CUDA_FORCE_PTX_JIT",
        "CUDA_HOME",
        "CUDA_LAUNCH_BLOCKING",
        "CUDA_MODULE_LOADING",
        "CUDA_PATH",
        "CUDA_VISIBLE_DEVICES",
        "WARP_CACHE_PATH",
        "WARP_CACHE_ROOT",
    }
)
"""Variables whose values a report shows: they decide what is built, and hold no secrets."""


def _variables(env: Mapping[str, str]) -> dict[str, str]:
    """What the user set for Warp and CUDA; the probe's own variables are not among them.

    Of variables that are not known a digest stands for the value: it shows a difference, and nothing else.
    """
    return {
        name: _shown(name, value)
        for name, value in sorted(env.items())
        if name.startswith(("WARP_", "CUDA_")) and not name.startswith("WARP_MCP_")
    }


def _shown(name: str, value: str) -> str:
    if is_secret_name(name):
        return MASK
    if name in SHOWN:
        return masked_text(value)
    return f"sha256:{hashlib.sha256(value.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"


def _processor() -> str:
    return (
        _from_cpuinfo() or _ask("sysctl", "-n", "machdep.cpu.brand_string") or platform.machine() or "unknown"
    )


def _from_cpuinfo() -> str | None:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model", "cpu model"):
                return value.strip()
    return None


def _cores() -> int:
    """Cores the target may use, which in a container or under `taskset` are fewer than the machine has."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return usable or 1


def _graphics() -> tuple[str | None, str | None]:
    """Names of the cards ("2 x NVIDIA H200") and the driver's version."""
    answer = _ask("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    rows = [[part.strip() for part in line.split(",")] for line in (answer or "").splitlines()]
    rows = [row for row in rows if len(row) == 2]
    if not rows:
        return None, None
    counts = Counter(name for name, _ in rows)
    names = [name if count == 1 else f"{count} x {name}" for name, count in counts.items()]
    return ", ".join(names), rows[0][1]


def _toolkit(env: Mapping[str, str]) -> str | None:
    """Version of the installed toolkit.
    Warp brings a compiler of its own, which only its own process can name.
    """
    for home in (env.get("CUDA_HOME"), env.get("CUDA_PATH"), "/usr/local/cuda"):
        with suppress(OSError, ValueError, KeyError, TypeError):
            with open(os.path.join(home or "", "version.json"), encoding="utf-8") as file:
                return str(json.load(file)["cuda"]["version"])
    return None


def _ask(*argv: str) -> str | None:
    """What a helper program prints; None when there is none, or it fails or hangs."""
    try:
        answer = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ASK_LIMIT_S,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return answer.stdout.strip() or None if answer.returncode == 0 else None
