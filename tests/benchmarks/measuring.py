"""Makes reports for the benchmarks: `warp-mcp measure`, in a state directory of its own."""

import contextlib
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

SAMPLES = Path(__file__).parents[1] / "samples"
PROBE = str(Path(sysconfig.get_path("scripts")) / "warp-mcp")


def measure(
    target: Path,
    sample: str,
    *arguments: str,
    samples: int = 3,
    variant: str = "",
    options: Sequence[str] = (),
) -> Path:
    """Measure a sample of the tests into a report file and return it. Raises when no sample completed."""
    command = [PROBE, "measure", *options, "--samples", str(samples), "--json", str(target), "--"]
    command += [sys.executable, str(SAMPLES / f"{sample}.py"), *arguments]
    environment = {
        **os.environ,
        "WARP_MCP_STATE_DIR": str(target.parent / "state"),
        "SAMPLE_VARIANT": variant or "before",
    }
    result = subprocess.run(
        command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    if result.returncode != 0:
        raise SystemExit(
            f"{' '.join(command)} exited {result.returncode}:\n{result.stdout[-2000:]}{result.stderr[-2000:]}"
        )
    return target


@contextlib.contextmanager
def other_core_loaded() -> Iterator[None]:
    """Keep one core busy for as long as the block lasts."""
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        burner.kill()
        burner.wait()
