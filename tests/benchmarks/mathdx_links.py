"""What MathDx links for each kind of tile operation, with MathDx and backward on and off.

Each program of `samples/cuda_tiles` is rehearsed for sm_90 with each setting. The first row of a program is
of a cold start; the others find its objects in the cache. Exits 1 when a count is not the expected one.

    python -m tests.benchmarks.mathdx_links             18 runs: minutes on two idle cores
    python -m tests.benchmarks.mathdx_links --quick     the solver alone
"""

import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.tables import parser, show
from tests.interventions.tiles import BACKWARD, MATHDX, PROGRAMS, Runs, counts, expected


def main() -> None:
    options = parser(__doc__).parse_args()
    programs = ("tile_cholesky",) if options.quick else PROGRAMS
    with tempfile.TemporaryDirectory(prefix="warp-mcp-benchmark-") as name:
        runs = Runs(Path(name))
        settings = [(program, mathdx, way) for program in programs for mathdx in MATHDX for way in BACKWARD]
        rows = [row(runs, *setting) for setting in settings]
    show("Objects that MathDx links", rows, as_json=options.json)
    if any(one["objects"] != one["expected"] for one in rows):
        raise SystemExit(1)


def row(runs: Runs, program: str, mathdx: str, backward: str) -> dict[str, Any]:
    """One setting: objects as forward + adjoint, times in milliseconds of CPU."""
    load = runs.load(program, mathdx, backward)
    lto = load.phases.get("lto")
    return {
        "program": program,
        "MathDx": mathdx,
        "backward": "on" if backward == "on" else f"off by the {backward}",
        "objects": " + ".join(map(str, counts(load))),
        "expected": " + ".join(map(str, expected(program, mathdx, backward))),
        "build, CPU ms": round(load.cpu_ms),
        "of it links": round(lto.cpu_ms) if lto else 0,
    }


if __name__ == "__main__":
    main()
