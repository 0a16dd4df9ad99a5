"""Verdicts where nothing changed, and where something did: reports of one program, in all ordered pairs.

    idle, loaded      seven reports each, without and with another core kept busy; 42 ordered pairs in each
    loaded vs idle    every report of one against every report of the other, both ways
    lineinfo          a program whose hash moved although nothing it costs did, against the plain one
    real change       six builds against one: improved in every pair under equal load, and back regressed

Nothing but `inconclusive` may appear in the first four.
"""

import collections
import itertools
import tempfile
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import measure, other_core_loaded
from tests.benchmarks.tables import parser, show
from warp_mcp.analysis import compare_reports
from warp_mcp.models.report import Report

SAMPLE = "builds_in_a_loop_or_once"
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
    names = ("improved", "inconclusive", "regressed", "unverified", "invalid")
    return {
        "what": name,
        "pairs": verdicts.total(),
        **{verdict: verdicts[verdict] for verdict in names},
        "largest difference (%)": round(widest, 1),
    }


def main() -> None:
    options = parser(__doc__).parse_args()
    count = 2 if options.quick else 7
    with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as name:
        directory = Path(name)
        idle = reports(directory, "repaired", count)
        lineinfo = reports(directory, "lineinfo", count)
        before = reports(directory, "before", count)
        loaded = reports(directory, "repaired", count, loaded=True)
        before_loaded = reports(directory, "before", count, loaded=True)
    rows = [
        row("same program, idle", itertools.permutations(idle, 2)),
        row("same program, another core busy", itertools.permutations(loaded, 2)),
        row("same program, busy against idle", both_ways(idle, loaded)),
        row("option without effect (lineinfo)", both_ways(idle, lineinfo)),
        row("six builds → one, idle", itertools.product(before, idle)),
        row("six builds → one, another core busy", itertools.product(before_loaded, loaded)),
        row("one build → six, idle", itertools.product(idle, before)),
    ]
    show("Verdicts over all ordered pairs, three samples a report", rows, as_json=options.json)


if __name__ == "__main__":
    main()
