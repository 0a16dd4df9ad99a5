"""How near the price of a kernel's backward code comes to what an edited program really saves.

Each program of `tests/samples/cuda_traced` is compiled for sm_90 as it is, with the pass that traces the
compiler, and again with `enable_backward=False` written into one of its kernels; in turn, so that both sides
see the same machine. Both figures are CPU time of the thread that builds. A busy machine adds to that time
and never takes away, so of each side the least counts: `real` is the difference of both, `predicted` the
kernel's `backward_ms` of the very build that was the least. `apart` is how far that is from the real one, in
percent of it; `±` is the median absolute deviation of the builds.

    python -m tests.benchmarks.compile_trace                  about ten minutes on two idle cores
    python -m tests.benchmarks.compile_trace --only cloth,noise --samples 7
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.tables import mad, parser, show
from warp_mcp.analysis.compile_trace import compile_trace
from warp_mcp.models.command import StopCondition
from warp_mcp.models.compile_trace import KernelCost, TraceSeen
from warp_mcp.reading import read_recording
from warp_mcp.reading.compile_trace import read_trace
from warp_mcp.running.environment import target_environment

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


def main() -> None:
    """Measure all programs, or those named, and print the table."""
    arguments = parser(__doc__)
    arguments.add_argument("--only", default=",".join(EDITED), help="programs, with commas between")
    arguments.add_argument("--samples", type=int, default=5, help="builds of each side")
    asked = arguments.parse_args()
    samples = 1 if asked.quick else asked.samples
    rows = [told(row(name, samples)) for name in asked.only.split(",")]
    show("Backward code of one kernel: predicted and real saving", rows, as_json=asked.json)


def told(row: dict[str, Any]) -> dict[str, Any]:
    """The row, shown as it comes: the whole takes minutes."""
    print(*row.values(), sep=" | ", file=sys.stderr, flush=True)
    return row


def row(name: str, samples: int) -> dict[str, Any]:
    """One program: predicted and real saving."""
    source = (PROGRAMS / f"{name}.py").read_text(encoding="utf-8")
    before: list[tuple[float, TraceSeen]] = []
    after: list[float] = []
    for _ in range(samples):
        before.append(build(name, source))
        after.append(build(name, without_backward(source, EDITED[name]), trace=False)[0])
    least, seen = min(before, key=lambda one: one[0])
    if seen.problems:
        raise SystemExit(f"{name}: {seen.problems}")
    cost = kernel(seen, EDITED[name])
    real = least - min(after)
    return {
        "program": name,
        "edited kernel": EDITED[name],
        "build before, ms": f"{least:.0f} ± {mad([spent for spent, _ in before]):.0f}",
        "after, ms": f"{min(after):.0f} ± {mad(after):.0f}",
        "predicted saving, ms": f"{cost.backward_ms:.0f}",
        "real saving, ms": f"{real:.0f}",
        "apart": f"{100 * (cost.backward_ms - real) / real:+.0f} %",
    }


def kernel(seen: TraceSeen, name: str) -> KernelCost:
    """The costs of one kernel of the only module."""
    (module,) = compile_trace(seen).modules
    return next(one for one in module.kernels if one.kernel == name)


def without_backward(source: str, name: str) -> str:
    """The program with backward code switched off for one kernel. Raises when there is no such place."""
    edited, places = re.subn(
        rf"^@wp\.kernel\n(?=def {name}\()", "@wp.kernel(enable_backward=False)\n", source, flags=re.MULTILINE
    )
    if places != 1:
        raise SystemExit(f"{name}: {places} places to edit")
    return edited


def build(name: str, source: str, *, trace: bool = True) -> tuple[float, TraceSeen]:
    """(CPU time in ms of the build, what was traced) of one build in a process and a cache of its own."""
    with tempfile.TemporaryDirectory() as directory:
        record_dir, cache = os.path.join(directory, "record"), os.path.join(directory, "cache")
        os.makedirs(record_dir)
        program = Path(directory, f"{name}.py")
        program.write_text(source, encoding="utf-8")
        Path(record_dir, "pass.json").write_text(json.dumps({"compile_trace": {}}), encoding="utf-8")
        environment = target_environment(
            os.environ,
            StopCondition(),
            caches={"WARP_CACHE_PATH": cache, "TMPDIR": directory},
            record_dir=record_dir,
            run_id="benchmark",
            injected=["compile_trace"] if trace else [],
        )
        command = [sys.executable, str(TARGET), str(program), os.path.join(directory, "out")]
        subprocess.run(
            command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        (process,) = read_recording(record_dir, cache).processes
        (load,) = process.loads
        return load.cpu_ms, read_trace(record_dir) if trace else TraceSeen(builds=[])


if __name__ == "__main__":
    main()
