"""What the recorder costs at each launch, in nanoseconds: probed and bare processes in turn, in one session.

A row is one count of arguments. Each process launches in batches; its figure is their median. The
cost is the difference of the medians over all processes; beside it stands the median of the differences of
neighbours, which a machine that gets slower meanwhile does not move.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.injection import run
from tests.benchmarks.tables import mad, median, parser, show

TARGET = str(Path(__file__).parent / "targets" / "launching.py")


def figure(arguments: int, batches: int, size: int, cache: str, *, probed: bool) -> float:
    """Nanoseconds per launch of one process."""
    output = run([sys.executable, TARGET, str(arguments), str(batches), str(size)], cache, probed=probed)
    return median(json.loads(output.splitlines()[-1]))


def row(arguments: int, rounds: int, batches: int, size: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as cache:
        figure(arguments, 1, 1, cache, probed=False)
        pairs = [
            (
                figure(arguments, batches, size, cache, probed=False),
                figure(arguments, batches, size, cache, probed=True),
            )
            for _ in range(rounds)
        ]
    bare, probed = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {
        "arguments": arguments,
        "bare (ns)": f"{median(bare):.0f} ± {mad(bare):.0f}",
        "probed (ns)": f"{median(probed):.0f} ± {mad(probed):.0f}",
        "cost (ns)": round(median(probed) - median(bare)),
        "cost by neighbours (ns)": round(median([after - before for before, after in pairs])),
        "launches": rounds * batches * size * 2,
    }


def main() -> None:
    options = parser(__doc__).parse_args()
    rounds, batches, size = (2, 10, 1000) if options.quick else (7, 100, 2000)
    rows = [row(arguments, rounds, batches, size) for arguments in (1, 8, 32)]
    show("Cost of the probe at each launch", rows, as_json=options.json)


if __name__ == "__main__":
    main()
