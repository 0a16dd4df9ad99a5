"""Whether a lever shows what really editing the program shows: both measured in turn, sample by sample.

Each round runs the program, the program with the lever, and a copy with the line that a person would write,
each in a process and an empty cache of its own; every other round begins with the copy. So all three see the
same machine, and what drifts hits all. Shown is the work of building in CPU time (`cold_module_cpu_ms`):
medians of all rounds, the change that lever and edit bring, how far the edit is from the lever in percent of
the lever's median, and the noise band of the verdict around it (`noise_band`: 1 % of the median or twice the
larger median absolute deviation). That both build the same is asserted by `tests/tier2/levers.py`.

    python -m tests.benchmarks.levers_and_edits               about ten minutes on two idle cores
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.tables import parser, show
from tests.tier2.arms import copy_of, measure
from tests.tier2.levers import CASES, Case
from warp_mcp.analysis.statistics import noise_band, summarise
from warp_mcp.models.report import Report

WORK = "cold_module_cpu_ms"


def main() -> None:
    """Measure every case and print the table."""
    arguments = parser(__doc__)
    arguments.add_argument("--rounds", type=int, default=9, help="samples of each side")
    asked = arguments.parse_args()
    rows = [row(case, 1 if asked.quick else asked.rounds) for case in CASES]
    show("Work of building with a lever and with the edit it stands for", rows, as_json=asked.json)


def row(case: Case, rounds: int) -> dict[str, Any]:
    """One lever and its edit."""
    sides = [one_round(case, edit_first=number % 2 == 1) for number in range(rounds)]
    unchanged, lever, edit = (summarise(side) for side in zip(*sides, strict=True))
    told: dict[str, Any] = {
        "program and lever": f"{case.program} {case.lever}",
        "unchanged, ms": f"{unchanged.median:.0f} ± {unchanged.mad:.0f}",
        "lever": percent(lever.median - unchanged.median, unchanged.median),
        "edit": percent(edit.median - unchanged.median, unchanged.median),
        "edit from lever": percent(edit.median - lever.median, lever.median),
        "noise band": f"±{100 * noise_band(lever, edit) / lever.median:.1f} %",
        "within it": "yes" if abs(edit.median - lever.median) <= noise_band(lever, edit) else "no",
        "rounds": rounds,
    }
    print(*told.values(), sep=" | ", file=sys.stderr, flush=True)
    return told


def one_round(case: Case, *, edit_first: bool) -> tuple[float, float, float]:
    """Work of the unchanged program, with the lever, and of the edited copy, in ms of CPU time."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        program = copy_of(Path(first), case.program)
        edited = copy_of(Path(second), case.program, case.edit)
        done = [measure(Path(second), edited, samples=1, outputs=False)] if edit_first else []
        both = measure(Path(first), program, [case.lever], samples=1, outputs=False)
        done = done or [measure(Path(second), edited, samples=1, outputs=False)]
        return work(both.report), work(both.arms[case.lever]), work(done[0].report)


def work(report: Report) -> float:
    return report.metrics[WORK].median


def percent(difference: float, whole: float) -> str:
    return f"{100 * difference / whole:+.1f} %"


if __name__ == "__main__":
    main()
