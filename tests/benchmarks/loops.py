"""What a million launches add to a program's memory and to the report.

Loops of 1, 2 and 100 kernels, a dim that always changes, and an order that never repeats.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.injection import run
from tests.benchmarks.measuring import SAMPLES, measure
from tests.benchmarks.tables import parser, show

LOOPS = {
    "1 kernel": ("launches_in_a_long_loop", "1"),
    "2 kernels": ("launches_in_a_long_loop", "2"),
    "100 kernels": ("launches_in_a_long_loop", "100"),
    "another dim every time": ("changes_dim_every_launch",),
    "random order": ("launches_at_random",),
}


def resident_kb(output: str) -> int:
    """Peak resident memory, which the samples print last."""
    return int(output.split("rss_kb")[1].split()[0])


def row(name: str, launches: int, directory: Path) -> dict[str, Any]:
    sample, *rest = LOOPS[name]
    command = [sys.executable, str(SAMPLES / f"{sample}.py"), str(launches), *rest]
    cache = str(directory / "cache")
    run([command[0], command[1], "100", *rest], cache, probed=False)  # built once: compiling takes memory too
    bare, probed = (resident_kb(run(command, cache, probed=probed)) for probed in (False, True))
    report = measure(directory / "report.json", sample, str(launches), *rest, samples=1)
    content = json.loads(report.read_text(encoding="utf-8"))
    return {
        "loop": name,
        "launches": content["launches"]["total"],
        "distinct": content["launches"]["distinct"],
        "memory added (MB)": round((probed - bare) / 1024, 1),
        "report (kB)": round(report.stat().st_size / 1000, 1),
        "in hooks (ms)": round(content["recorder"]["hook_ms"], 1),
        "in hooks (%)": round(content["recorder"]["hook_percent"], 2),
    }


def main() -> None:
    options = parser(__doc__).parse_args()
    launches = 100_000 if options.quick else 1_000_000
    rows: list[dict[str, Any]] = []
    for name in LOOPS:
        with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as directory:
            rows.append(row(name, launches, Path(directory)))
    show("Memory and report size of long loops", rows, as_json=options.json)


if __name__ == "__main__":
    main()
