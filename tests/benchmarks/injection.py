"""Starts child processes bare, or with the recorder injected as a measurement does. Holds no benchmark."""

import os
import subprocess
import tempfile
from pathlib import Path

import warp_mcp

ATTACH = Path(warp_mcp.__file__).parent / "recorder" / "attach"
DROPPED = ("WARP_MCP_RECORD_DIR", "WARP_MCP_RUN_ID", "PYTHONPATH")


def environment(cache: str, records: str | None) -> dict[str, str]:
    """Environment of a child: its own kernel cache, and the recorder when a record directory is given."""
    variables = {name: value for name, value in os.environ.items() if name not in DROPPED}
    variables["WARP_CACHE_PATH"] = cache
    if records is not None:
        variables |= {
            "PYTHONPATH": str(ATTACH),
            "WARP_MCP_RECORD_DIR": records,
            "WARP_MCP_RUN_ID": "benchmark",
        }
    return variables


def run(command: list[str], cache: str, *, probed: bool) -> str:
    """Run a command to its end; return its standard output. Raises when it fails or leaves no record."""
    with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as records:
        result = subprocess.run(
            command,
            env=environment(cache, records if probed else None),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if result.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{result.stderr[-2000:]}")
        if probed and not any(Path(records).glob("*.jsonl")):
            raise SystemExit("the recorder did not attach: the figures would be those of two bare runs")
    return result.stdout
