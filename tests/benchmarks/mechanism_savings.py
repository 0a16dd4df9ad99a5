"""What each mechanism costs, and how near the findings' estimates come to what its repair really saves.

For each mechanism a faulty program and its repaired twin (`tests/samples/mechanisms`) are measured through
the probe in turn, a cold and a warm run each. The estimate is the `cost_ms` of the faulty program's finding;
the real saving is the median of the differences of neighbours. Programs that need CUDA
(`tests/samples/cuda_mechanisms`, the pairs in `rehearsed_pairs.py`) are rehearsed for sm_90 without a GPU.
After that the constants behind the estimates are measured (`calibration.py`).

    python -m tests.benchmarks.mechanism_savings             all of it: about twenty minutes on two idle cores
    python -m tests.benchmarks.mechanism_savings --write     and put the table into references/mechanisms.md
    python -m tests.benchmarks.mechanism_savings --only CS-4 --samples 5 --write       that row alone, anew
    python -m tests.benchmarks.mechanism_savings --only rehearsed --write      the rows of CUDA, anew
    python -m tests.benchmarks.mechanism_savings --only CS-4,CS-12,calibration --samples 1
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks import calibration
from tests.benchmarks.measuring import measure
from tests.benchmarks.rehearsed_pairs import REHEARSED_PAIRS
from tests.benchmarks.savings_table import (
    SECOND_START,
    WAIT,
    Pair,
    Reports,
    Savings,
    markdown,
    row,
    with_rows,
    with_table,
)
from tests.benchmarks.tables import parser, show
from warp_mcp.models.mechanism import MECHANISMS

DOCUMENT = Path(__file__).parents[2] / "references" / "mechanisms.md"
CALIBRATION, CUDA = "calibration", "rehearsed"

PAIRS = (
    Pair(
        "CS-1",
        "makes_kernels_between_launches",
        "makes_kernels_before_launches",
        "kernels made before the first launch",
    ),
    Pair(
        "CS-2",
        "clears_the_cache_at_start",
        "keeps_the_cache",
        "cache not cleared at start; second start",
        SECOND_START,
    ),
    Pair(
        "CS-3",
        "has_a_helper_set_options_of_many_modules",
        "has_a_helper_set_options_first",
        "option of three modules set before they load",
    ),
    Pair(
        "CS-4",
        "names_a_module_for_each_stage",
        "names_one_module_for_all_stages",
        "eight one-kernel modules made one",
    ),
    Pair(
        "CS-6",
        "meets_types_one_by_one",
        "declares_types_first",
        "overloads declared before the first launch",
    ),
    Pair(
        "CS-8",
        "loads_modules_in_a_pool",
        "loads_modules_in_a_pool_of_one",
        "two CPU modules loaded by one thread, not two",
        WAIT,
    ),
    Pair(
        "CS-9",
        "gives_stable_kernels_unique_modules",
        "gives_stable_kernels_their_file",
        "eight unique modules made one",
    ),
    Pair(
        "CS-10",
        "builds_backward_for_a_forward_program",
        "builds_forward_code_alone",
        "backward code of three large kernels off",
    ),
    Pair(
        "CS-11",
        "unrolls_nested_loops",
        "takes_the_lengths_of_loops_as_arguments",
        "three nested loops of 384 steps kept loops",
    ),
    Pair(
        "CS-12",
        "builds_a_header_for_one_module",
        "builds_one_module_without_a_header",
        "header off for a single module",
    ),
    Pair(
        "CS-12",
        "builds_many_modules_without_a_header",
        "builds_many_modules_with_a_header",
        "header on for six modules",
    ),
    *REHEARSED_PAIRS,
)


def measured_pair(pair: Pair, directory: Path, samples: int) -> Savings:
    """Measure both programs in turn, `samples` times."""
    faults: Reports = []
    repairs: Reports = []
    for _ in range(samples):
        faults.append(_report(directory, pair, pair.fault))
        repairs.append(_report(directory, pair, pair.repaired))
    return Savings(pair, faults, repairs)


def _report(directory: Path, pair: Pair, program: str) -> dict[str, Any]:
    """One report; of a rehearsal what it holds stands in the place of what the report lacks."""
    options = ("--rehearse-cuda", "sm_90", "--no-compile-trace") if pair.rehearsed else ()
    target, sample = directory / f"{program}.json", f"{pair.folder}/{program}"
    report = json.loads(measure(target, sample, samples=1, options=options).read_text(encoding="utf-8"))
    rehearsed = (
        {name: report["rehearsal"][name] for name in ("metrics", "findings")} if pair.rehearsed else {}
    )
    return {**report, **rehearsed}


def _told(text: str, begin: float) -> None:
    """Progress, on standard error: standard output holds the tables."""
    print(f"{time.monotonic() - begin:6.0f} s  {text}", file=sys.stderr)


def arguments() -> argparse.Namespace:
    made = parser(__doc__)
    made.add_argument("--samples", type=int, default=3, help="runs of each program (default 3)")
    made.add_argument(
        "--only", default="", metavar="NAMES", help=f"some mechanisms, {CUDA} or {CALIBRATION}, by comma"
    )
    made.add_argument("--write", action="store_true", help=f"put the table into {DOCUMENT.name}")
    options = made.parse_args()
    unknown = set(filter(None, options.only.split(","))) - {*MECHANISMS, CUDA, CALIBRATION}
    if unknown:
        made.error(f"not known: {', '.join(sorted(unknown))}")
    if options.samples < 1:
        made.error("--samples is at least 1")
    if options.write and options.quick:
        made.error("--write needs the usual samples: without --quick")
    if options.write:
        try:  # better known now than after twenty minutes
            with_table(DOCUMENT.read_text(encoding="utf-8"), "")
        except (OSError, ValueError) as error:
            made.error(f"--write: {error}")
    return options


def main() -> None:
    options = arguments()
    begin = time.monotonic()
    samples = 1 if options.quick else options.samples
    wanted = set(filter(None, options.only.split(","))) or {*MECHANISMS, CALIBRATION}
    with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as name:
        rows: list[dict[str, Any]] = []
        for pair in PAIRS:
            if pair.mechanism in wanted or (pair.rehearsed and CUDA in wanted):
                _told(f"{pair.mechanism}: {pair.change}", begin)
                rows.append(row(measured_pair(pair, Path(name), samples)))
        if rows:
            show("What the mechanisms cost", rows, as_json=options.json)
        if options.write and rows:
            document = DOCUMENT.read_text(encoding="utf-8")
            text = with_rows(document, rows) if options.only else with_table(document, markdown(rows))
            DOCUMENT.write_text(text, encoding="utf-8")
        if CALIBRATION in wanted:
            _told("calibration", begin)
            rounds = [calibration.measured_round(Path(name)) for _ in range(samples)]
            show("Constants of the estimates", calibration.rows(rounds), as_json=options.json)
    _told("done", begin)


if __name__ == "__main__":
    main()
