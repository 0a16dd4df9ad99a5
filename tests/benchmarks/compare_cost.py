"""What a comparison costs: the comparing of two reports, and the whole `compare` command.

For a small report and for large ones.
"""

import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import PROBE, measure
from tests.benchmarks.tables import mad, median, parser, show
from warp_mcp.analysis import compare_reports
from warp_mcp.models.report import Report

PROGRAMS = {
    "six builds": ("builds_in_a_loop_or_once",),
    "loop of 100 kernels": ("launches_in_a_long_loop", "1000000", "100"),
    "another dim every time": ("changes_dim_every_launch", "1000000"),
}


def milliseconds(work: Callable[[], object], repeats: int) -> list[float]:
    times: list[float] = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000.0)
    return times


def row(name: str, repeats: int, directory: Path, *, quick: bool) -> dict[str, Any]:
    sample, *arguments = PROGRAMS[name]
    if quick:
        arguments = [text.replace("1000000", "100000") for text in arguments]
    path = str(measure(directory / "report.json", sample, *arguments, samples=1))
    report = Report.model_validate_json(Path(path).read_text(encoding="utf-8"))
    inner = milliseconds(
        lambda: compare_reports(report, report, comparison_id="benchmark", created_at=""), repeats
    )
    command = milliseconds(
        lambda: subprocess.run([PROBE, "compare", path, path], capture_output=True, check=False), repeats
    )
    return {
        "reports of": name,
        "report (kB)": round(Path(path).stat().st_size / 1000, 1),
        "comparing (ms)": f"{median(inner):.1f} ± {mad(inner):.1f}",
        "`compare` command (ms)": f"{median(command):.0f} ± {mad(command):.0f}",
        "repeats": repeats,
    }


def main() -> None:
    options = parser(__doc__).parse_args()
    rows: list[dict[str, Any]] = []
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as directory:
            rows.append(row(name, 3 if options.quick else 15, Path(directory), quick=options.quick))
    show("Cost of a comparison", rows, as_json=options.json)


if __name__ == "__main__":
    main()
