"""A small Warp program, and a runner of programs with and without the recorder."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.recorder.conftest import RECORDER
from warp_mcp.models.recording import ProcessRecord
from warp_mcp.reading import read_recording

KERNEL = """
import warp as wp
wp.config.log_level = wp.LOG_ERROR

@wp.kernel
def add(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0

x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add, dim=8, inputs=[x], device="cpu")
"""


class Target:
    """Runs a program with and without the recorder, on one kernel cache."""

    def __init__(self, directory: Path, cache: Path) -> None:
        self.directory = directory
        self.records = directory / "records"
        self.records.mkdir()
        # A killed program leaves its header folder in the temp directory: in one of the test's own.
        self.environment = {**os.environ, "WARP_CACHE_PATH": str(cache), "TMPDIR": str(directory)}

    def program(self, text: str) -> Path:
        path = self.directory / "program.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def bare(self, path: Path) -> subprocess.CompletedProcess[str]:
        return self._run(path, self.environment)

    def recorded(self, path: Path) -> subprocess.CompletedProcess[str]:
        extra = {"WARP_MCP_RECORD_DIR": str(self.records), "PYTHONPATH": str(RECORDER / "attach")}
        return self._run(path, {**self.environment, **extra})

    def _run(self, path: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(path)],
            env=environment,
            cwd=self.directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def processes(self) -> list[ProcessRecord]:
        return read_recording(str(self.records), str(self.directory)).processes
