"""How near the price of a kernel's backward code comes to what an edited program really saves.

Each program of `tests/samples/cuda_traced` is compiled for sm_90 as it is, then once more with the compiler's
trace on, as in the pass of a rehearsal, and again with `enable_backward=False` written into one of its
kernels; in turn, so that all sides see the same machine. Figures are CPU time that the compiler takes of the
thread that builds. A busy machine adds to that time and never takes away, so of each side the least counts:
`real` is the difference of both, `predicted` the kernel's `backward_ms` by the least build and the least
trace. `apart` is how far that is from the real one, in percent of it; `±` is the median absolute deviation of
the builds.

    python -m tests.benchmarks.compile_trace                  about ten minutes on two idle cores
    python -m tests.benchmarks.compile_trace --only cloth,noise --samples 7
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.tables import mad, parser, show
from warp_mcp.analysis.compile_trace import compile_trace
from warp_mcp.analysis.trace_choice import choose_builds
from warp_mcp.models.command import StopCondition
from warp_mcp.models.compile_trace import KernelCost, TraceSeen, TraceTarget
from warp_mcp.reading import read_recording, read_trace
from warp_mcp.running.environment import target_environment
from warp_mcp.running.injection import Injection

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


ARCH = 90


@dataclass(frozen=True)
class Built:
    """One build, and what its trace told where it was on."""

    target: TraceTarget
    seen: TraceSeen


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
    before: list[Built] = []
    traced: list[Built] = []
    after: list[Built] = []
    for _ in range(samples):
        before.append(build(name, source))
        traced.append(build(name, source, before[0].target))
        after.append(build(name, without_backward(source, EDITED[name])))
    least, last = (min(side, key=lambda one: one.target.timed_cpu_ms) for side in (before, after))
    cost = kernel(least.target, traced, EDITED[name])
    real = least.target.timed_cpu_ms - last.target.timed_cpu_ms
    return {
        "program": name,
        "edited kernel": EDITED[name],
        "build before, ms": spread(before),
        "after, ms": spread(after),
        "predicted saving, ms": f"{cost.backward_ms:.0f}",
        "real saving, ms": f"{real:.0f}",
        "apart": f"{100 * (cost.backward_ms - real) / real:+.0f} %",
    }


def spread(side: list[Built]) -> str:
    """The least, and how far the builds lie apart."""
    times = [one.target.timed_cpu_ms for one in side]
    return f"{min(times):.0f} ± {mad(times):.0f}"


def kernel(target: TraceTarget, traced: list[Built], name: str) -> KernelCost:
    """The costs of one kernel of the only module, by the least of the traced builds."""
    problems = [problem for one in traced for problem in one.seen.problems]
    if problems:
        raise SystemExit(f"{target.module}: {problems}")
    builds = [build for one in traced for build in one.seen.builds]
    least = min(builds, key=lambda one: one.traced_cpu_ms)
    (module,) = compile_trace([target], TraceSeen(builds=[least])).modules
    return next(one for one in module.kernels if one.kernel == name)


def without_backward(source: str, name: str) -> str:
    """The program with backward code switched off for one kernel. Raises when there is no such place."""
    edited, places = re.subn(
        rf"^@wp\.kernel\n(?=def {name}\()", "@wp.kernel(enable_backward=False)\n", source, flags=re.MULTILINE
    )
    if places != 1:
        raise SystemExit(f"{name}: {places} places to edit")
    return edited


def build(name: str, source: str, again: TraceTarget | None = None) -> Built:
    """One build in a process and a cache of its own; with a trace where it is one that was seen before."""
    injection = Injection() if again is None else Injection().tracing([again])
    with tempfile.TemporaryDirectory() as directory:
        record_dir, cache = os.path.join(directory, "record"), os.path.join(directory, "cache")
        os.makedirs(record_dir)
        program = Path(directory, f"{name}.py")
        program.write_text(source, encoding="utf-8")
        injection.write(record_dir)
        environment = target_environment(
            os.environ,
            StopCondition(),
            caches={"WARP_CACHE_PATH": cache, "TMPDIR": directory},
            record_dir=record_dir,
            run_id="benchmark",
            injected=injection.parts,
        )
        command = [sys.executable, str(TARGET), str(program), os.path.join(directory, "out")]
        subprocess.run(
            command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        (target,) = choose_builds(read_recording(record_dir, cache), ARCH)
        return Built(target, read_trace(record_dir))


if __name__ == "__main__":
    main()
