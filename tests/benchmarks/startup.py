"""What the recorder adds to the start of a Python process: probed and bare processes in turn."""

import sys
import tempfile
import time
from typing import Any

from tests.benchmarks.injection import run
from tests.benchmarks.tables import mad, median, parser, show


def elapsed_ms(code: str, cache: str, *, probed: bool) -> float:
    begin = time.perf_counter()
    run([sys.executable, "-c", code], cache, probed=probed)
    return (time.perf_counter() - begin) * 1000.0


def row(code: str, rounds: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as cache:
        for probed in (False, True):
            elapsed_ms(code, cache, probed=probed)
        pairs = [
            (elapsed_ms(code, cache, probed=False), elapsed_ms(code, cache, probed=True))
            for _ in range(rounds)
        ]
    bare, probed = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return {
        "program": f"`python -c '{code}'`",
        "bare (ms)": f"{median(bare):.1f} ± {mad(bare):.1f}",
        "probed (ms)": f"{median(probed):.1f} ± {mad(probed):.1f}",
        "cost (ms)": round(median(probed) - median(bare), 1),
        "cost by neighbours (ms)": round(median([after - before for before, after in pairs]), 1),
        "pairs": rounds,
    }


def main() -> None:
    options = parser(__doc__).parse_args()
    rounds = 5 if options.quick else 40
    rows = [row("pass", rounds), row("import warp", rounds), row("import warp; warp.init()", rounds)]
    show("Cost of the probe at the start of a process", rows, as_json=options.json)


if __name__ == "__main__":
    main()
