"""Verdicts where nothing changed, and where something did: reports of one program, in all ordered pairs.

    idle, loaded      seven reports each, without and with another core kept busy; 42 ordered pairs in each
    loaded vs idle    every report of one against every report of the other, both ways
    lineinfo          a program whose hash moved although nothing it costs did, against the plain one
    real change       six builds against one: improved in every pair under equal load, and back regressed

Nothing but `inconclusive` may appear in the first four.

`--sequential`: the same programs, each measured against a report for as long as more samples could change the
verdict. Beside each verdict stands the one on the first three samples alone, and how many samples were made.
"""

import collections
import itertools
import os
import sys
import tempfile
import threading
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import SAMPLES, measure, other_core_loaded
from tests.benchmarks.tables import parser, show
from warp_mcp import workflows
from warp_mcp.analysis import compare_reports
from warp_mcp.analysis.statistics import summarise
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.report import Report

SAMPLE = "builds_in_a_loop_or_once"
VERDICTS = ("improved", "inconclusive", "regressed", "unverified", "invalid")
Pairs = Iterable[tuple[Report, Report]]


def reports(directory: Path, variant: str, count: int, *, loaded: bool = False) -> list[Report]:
    """Measure one variant `count` times."""
    made: list[Report] = []
    with other_core_loaded() if loaded else nullcontext():
        for number in range(count):
            path = directory / f"{variant}-{'loaded' if loaded else 'idle'}-{number}.json"
            made.append(
                Report.model_validate_json(measure(path, SAMPLE, variant=variant).read_text(encoding="utf-8"))
            )
    return made


def both_ways(left: list[Report], right: list[Report]) -> Pairs:
    return itertools.chain(itertools.product(left, right), itertools.product(right, left))


def row(name: str, pairs: Pairs) -> dict[str, Any]:
    """Count the verdicts, and show the largest difference of the metric they rest on."""
    verdicts: collections.Counter[str] = collections.Counter()
    widest = 0.0
    for baseline, candidate in pairs:
        compared = compare_reports(baseline, candidate, comparison_id="benchmark", created_at="")
        verdicts[compared.verdict] += 1
        judged = next(delta for delta in compared.timing if delta.metric == compared.judged_on)
        widest = max(widest, abs(judged.delta_percent or 0.0))
    return {
        "what": name,
        "pairs": verdicts.total(),
        **{verdict: verdicts[verdict] for verdict in VERDICTS},
        "largest difference (%)": round(widest, 1),
    }


def sequential_row(
    name: str, baselines: list[Report], variant: str, *, loaded: bool = False
) -> dict[str, Any]:
    """Measure `variant` against each report until the verdict is settled, and count the verdicts."""
    at_the_end: collections.Counter[str] = collections.Counter()
    after_three: collections.Counter[str] = collections.Counter()
    counts: list[int] = []
    for baseline in baselines:
        with other_core_loaded() if loaded else nullcontext():
            candidate = workflows.measure(
                request(variant), lambda _: None, threading.Event(), against=baseline
            )
        at_the_end[verdict(baseline, candidate)] += 1
        after_three[verdict(baseline, first_samples(candidate, 3))] += 1
        counts.append(len(candidate.samples))
        print(name, counts[-1], verdict(baseline, candidate), file=sys.stderr, flush=True)
    return {
        "what": name,
        "pairs": len(counts),
        **{one: f"{at_the_end[one]} ({after_three[one]})" for one in VERDICTS},
        "samples, mean": round(sum(counts) / len(counts), 1),
        "samples, most": max(counts),
    }


def request(variant: str) -> MeasureRequest:
    return MeasureRequest(
        command=[sys.executable, str(SAMPLES / f"{SAMPLE}.py")],
        cwd=os.getcwd(),
        env={"SAMPLE_VARIANT": variant},
    )


def verdict(baseline: Report, candidate: Report) -> str:
    return compare_reports(baseline, candidate, comparison_id="benchmark", created_at="").verdict


def first_samples(report: Report, count: int) -> Report:
    """The report as it would have been after so many samples, all of which completed."""
    metrics = {name: summarise(metric.values[:count]) for name, metric in report.metrics.items()}
    return report.model_copy(update={"metrics": metrics, "samples": report.samples[:count]})


def sequential(directory: Path, count: int) -> list[dict[str, Any]]:
    """The table of `--sequential`."""
    os.environ["WARP_MCP_STATE_DIR"] = str(directory / "state")
    idle = reports(directory, "repaired", count)
    before = reports(directory, "before", count)
    return [
        sequential_row("same program, idle", idle, "repaired"),
        sequential_row("same program, busy against idle", idle, "repaired", loaded=True),
        sequential_row("option without effect (lineinfo)", idle, "lineinfo"),
        sequential_row("six builds → one, idle", before, "repaired"),
        sequential_row("one build → six, idle", idle, "before"),
    ]


def fixed(directory: Path, count: int) -> list[dict[str, Any]]:
    """The table of reports of three samples each."""
    idle = reports(directory, "repaired", count)
    lineinfo = reports(directory, "lineinfo", count)
    before = reports(directory, "before", count)
    loaded = reports(directory, "repaired", count, loaded=True)
    before_loaded = reports(directory, "before", count, loaded=True)
    return [
        row("same program, idle", itertools.permutations(idle, 2)),
        row("same program, another core busy", itertools.permutations(loaded, 2)),
        row("same program, busy against idle", both_ways(idle, loaded)),
        row("option without effect (lineinfo)", both_ways(idle, lineinfo)),
        row("six builds → one, idle", itertools.product(before, idle)),
        row("six builds → one, another core busy", itertools.product(before_loaded, loaded)),
        row("one build → six, idle", itertools.product(idle, before)),
    ]


def main() -> None:
    made = parser(__doc__)
    made.add_argument("--sequential", action="store_true", help="stop each measurement when it is settled")
    made.add_argument("--reports", type=int, default=7, help="how many of each program")
    options = made.parse_args()
    count = 2 if options.quick else options.reports
    with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as name:
        table = sequential if options.sequential else fixed
        rows = table(Path(name), count)
    title = (
        "Verdicts of measurements that stop when settled (in brackets: on their first three samples)"
        if options.sequential
        else "Verdicts over all ordered pairs, three samples a report"
    )
    show(title, rows, as_json=options.json)


if __name__ == "__main__":
    main()
