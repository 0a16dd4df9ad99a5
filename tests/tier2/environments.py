"""Virtual environments that hold other programs and other releases of Warp. Made here, never ours.

`WARP_MCP_TIER2_VENVS` names a directory to keep them in; without it each run makes its own.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from tests.once import once

PHYSICS = ("newton==1.8.0", "mujoco-warp==4.0.0", "usd-core", "warp-lang==1.19.0")
"""Newton, MuJoCo Warp, and the USD that the examples of Warp write. As they were when what they build was
written down."""


def directory(factory: pytest.TempPathFactory) -> Path:
    """Where environments are kept: one place for all workers."""
    kept = os.environ.get("WARP_MCP_TIER2_VENVS")
    return Path(kept) if kept else once(factory, "environments", lambda place: None)


def interpreter(root: Path, name: str, *packages: str) -> str:
    """Interpreter of the environment `name` under `root`, made and filled when it is not there."""
    python = root / name / "bin" / "python"
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(root / f"{name}.lock"):
        if not python.exists():
            print(f"installing {' '.join(packages)} into {root / name}", flush=True)
            subprocess.run([sys.executable, "-m", "venv", str(root / name)], check=True)
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *packages], check=True)
    return str(python)
