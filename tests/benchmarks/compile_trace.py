"""How near the price of a kernel's backward code comes to what an edited program really saves.

Of each program of `tests/samples/cuda_traced`, one process compiles for sm_90, round after round: the program
as it is, the same with the compiler's trace on, and the program with `enable_backward=False` written into one
of its kernels, so that all sides see the same machine. Figures are CPU time of the thread that compiles.
`predicted` is the kernel's `backward_ms` by all traced builds and the median of those without a trace, as in
a report; `real` is the median difference between the program as it is and as edited. Both are told in percent
of the build, with the standard error of the median behind ±. `apart` is how far the predicted saving is from
the real one, in percent of it.

    python -m tests.benchmarks.compile_trace                  about twenty minutes on two idle cores
    python -m tests.benchmarks.compile_trace --only cloth,noise --rounds 10
"""

import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.tables import mad, median, parser, show
from warp_mcp.analysis.compile_trace import compile_trace
from warp_mcp.models.compile_trace import TracedBuild, TraceSeen, TraceTarget
from warp_mcp.reading.compile_trace import traced_build

PROGRAMS = Path(__file__).parents[1] / "samples" / "cuda_traced"
TARGET = Path(__file__).parent / "targets" / "compiles_for_cuda.py"
EDITED = {
    "articulation": "forward_kinematics",
    "cloth": "bending",
    "elastic": "corotated",
    "mesh_contact": "push_out",
    "noise": "wind",
    "particles": "forces",
    "rigid_bodies": "collide",
    "shared_function": "advect_twice",
    "small_kernels": "last",
    "unrolled": "factorise",
}
"""The kernel of each program that loses its backward code."""

Round = dict[str, dict[str, Any]]
"""{side: what one build took}, sides as in `targets/compiles_for_cuda.py`."""


def main() -> None:
    """Measure all programs, or those named, and print the table."""
    arguments = parser(__doc__)
    arguments.add_argument("--only", default=",".join(EDITED), help="programs, with commas between")
    arguments.add_argument("--rounds", type=int, default=30, help="builds of each side")
    asked = arguments.parse_args()
    rounds = 3 if asked.quick else asked.rounds
    rows = [told(row(name, measured(name, rounds))) for name in asked.only.split(",")]
    show("Backward code of one kernel: predicted and real saving", rows, as_json=asked.json)


def told(row: dict[str, Any]) -> dict[str, Any]:
    """The row, shown as it comes: the whole takes minutes."""
    print(*row.values(), sep=" | ", file=sys.stderr, flush=True)
    return row


def measured(name: str, rounds: int) -> list[Round]:
    """All rounds but the first, in which the compiler makes the precompiled headers."""
    source = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as directory:
        before, after = Path(directory, f"{name}.py"), Path(directory, f"{name}_edited.py")
        before.write_text(source, encoding="utf-8")
        after.write_text(without_backward(source, EDITED[name]), encoding="utf-8")
        command = [sys.executable, str(TARGET), str(before), str(after), str(rounds + 1)]
        said = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
    told = [line.partition(" ") for line in said.stdout.splitlines()]
    return [json.loads(value) for kind, _, value in told if kind == "round"][1:]


def row(name: str, rounds: list[Round]) -> dict[str, Any]:
    """One program: predicted and real saving."""
    build_ms = median([one["before"]["cpu_ms"] for one in rounds])
    predicted_ms = backward_ms(EDITED[name], build_ms, [one["traced"] for one in rounds])
    saved = [one["before"]["cpu_ms"] - one["after"]["cpu_ms"] for one in rounds]
    real_ms = median(saved)
    return {
        "program": name,
        "edited kernel": EDITED[name],
        "build, ms": f"{build_ms:.0f}",
        "predicted saving": f"{100 * predicted_ms / build_ms:.1f} %",
        "real saving": f"{100 * real_ms / build_ms:.1f} ± {100 * standard_error(saved) / build_ms:.1f} %",
        "apart": f"{100 * (predicted_ms - real_ms) / real_ms:+.0f} %",
    }


def standard_error(values: list[float]) -> float:
    """Of the median: 1.2533 σ / √n, with σ as 1.4826 times the median absolute deviation; both hold for
    normal noise (Rousseeuw and Croux 1993 for the second)."""
    return 1.2533 * 1.4826 * mad(values) / math.sqrt(len(values))


def backward_ms(kernel: str, build_ms: float, traced: list[dict[str, Any]]) -> float:
    """What a report would tell of the kernel."""
    target = TraceTarget(
        module="", source="", block_dim=256, arch=90, builds=1, all_cpu_ms=build_ms, timed_cpu_ms=build_ms
    )
    (module,) = compile_trace([target], TraceSeen(builds=[traced_as_told(one) for one in traced])).modules
    return next(one.backward_ms for one in module.kernels if one.kernel == kernel)


def traced_as_told(one: dict[str, Any]) -> TracedBuild:
    """Raises when it holds no trace."""
    took = {"wall_ms": one["wall_ms"], "cpu_ms": one["cpu_ms"]}
    build = traced_build({**one, "source": "", "arch": 90, "traced": took})
    if build is None:
        raise SystemExit("a traced build cannot be read")
    return build


def without_backward(source: str, name: str) -> str:
    """The program with backward code switched off for one kernel. Raises when there is no such place."""
    edited, places = re.subn(
        rf"^@wp\.kernel\n(?=def {name}\()", "@wp.kernel(enable_backward=False)\n", source, flags=re.MULTILINE
    )
    if places != 1:
        raise SystemExit(f"{name}: {places} places to edit")
    return edited


if __name__ == "__main__":
    main()
