"""How often launches of a program are called slower or faster than those of the same program.

    python -m tests.benchmarks.null_launch_times [--pairs 10]

Makes six passes of one program for each pair, three for a side, one after the other as in a measurement, and
compares the sides. Prints the share of kernels called different, and of comparisons that are not `same`.
"""

import argparse
import tempfile
from pathlib import Path

from tests.analysis.factories import report, sample
from tests.analysis.factories import run as finished
from tests.interventions.injected import run
from warp_mcp.analysis.steady_state import compare_times
from warp_mcp.models.report import Report
from warp_mcp.models.run import Extras, PassRecording
from warp_mcp.reading import read_times

SIZES = (1, 16, 64, 256, 1024, 4096)
PROGRAM = f"""
import warp as wp

SIZES = {SIZES}

@wp.kernel
def adds(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = a[i] + 1.0

@wp.kernel
def turns(a: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    for k in range(20):
        x = wp.sin(x) + 1.0
    a[i] = x

arrays = [wp.zeros(size, dtype=float, device="cpu") for size in SIZES]
for _ in range(300):
    for size, a in zip(SIZES, arrays):
        wp.launch(adds, size, inputs=[a], device="cpu")
        wp.launch(turns, size, inputs=[a], device="cpu")
"""


def side(directory: Path) -> Report:
    """Three passes of the program as a report."""
    passes = [run(directory, PROGRAM, {"steady_state": {}}, cache=directory / "kernels") for _ in range(3)]
    seen = [
        PassRecording(kind="steady_state", run=finished(), times=read_times(str(one.records)))
        for one in passes
    ]
    return report(sample(), extras=Extras(passes=seen))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=10)
    pairs = parser.parse_args().pairs
    kernels = different = unlike = 0
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        run(directory, PROGRAM, cache=directory / "kernels")
        for number in range(1, pairs + 1):
            times = compare_times(side(directory), side(directory))
            apart = [one for one in times.kernels if one.outside_noise]
            kernels, different = kernels + len(times.kernels), different + len(apart)
            unlike += times.status != "same"
            told = ", ".join(
                f"{one.kernel}{one.signature.split()[0]} {one.delta_percent:+.0f} %" for one in apart
            )
            print(f"{number}: {times.status} {told}", flush=True)
    print(f"kernels called different: {different} of {kernels}; comparisons not `same`: {unlike} of {pairs}")


if __name__ == "__main__":
    main()
