"""Which CUDA builds of a rehearsal are worth a look inside: the dearest of each of the largest modules.

A look costs one more build, so it is spent where most of the compiler's time went, and bounded.
"""

from collections.abc import Iterable

from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.recording import LoadRecord, Recording

MOST_MODULES = 3
LEAST_SHARE = 0.15
"""Of the compiler's time for CUDA that a module takes in all of its builds. Below that, nothing that is found
inside it saves a start."""
MOST_MS = 300_000.0
"""Compiler time of all builds that are made again. The longest module seen so far took 40 s."""
LINKED = "is linked with MathDx objects: the linker optimises its kernels, and tells nothing about them"
TOO_LONG = "takes more compiler time than a second build of it is given"


def choose_builds(recording: Recording, arch: int) -> list[TraceTarget]:
    """The modules with the most compiler time first. `recording`: a timed run with CUDA rehearsed."""
    builds: dict[str, list[LoadRecord]] = {}
    for load in _cuda_builds(recording, arch):
        builds.setdefault(load.name, []).append(load)
    work = {name: sum(map(_cpu_ms, loads)) for name, loads in builds.items()}
    largest = sorted(
        (name for name in work if 0 < work[name] >= LEAST_SHARE * sum(work.values())),
        key=lambda name: -work[name],
    )
    targets: list[TraceTarget] = []
    for name in largest[:MOST_MODULES]:
        spent = sum(one.timed_cpu_ms for one in targets if one.not_traced is None)
        targets.append(_target(builds[name], work[name], arch, MOST_MS - spent))
    return targets


def _cuda_builds(recording: Recording, arch: int) -> Iterable[LoadRecord]:
    for process in recording.processes:
        for load in process.loads:
            for_cuda = load.device.startswith("cuda") or load.device == f"aot:sm_{arch}"
            if for_cuda and load.status == "compiled" and load.finished:
                yield load


def _target(loads: list[LoadRecord], work_ms: float, arch: int, left_ms: float) -> TraceTarget:
    dearest = max(loads, key=_cpu_ms)
    cpu_ms = _cpu_ms(dearest)
    linked = any(part.count for part in dearest.lto.values())
    return TraceTarget(
        module=dearest.name,
        source=f"wp_{dearest.name}_{dearest.hash[:7]}.cu",
        block_dim=dearest.block_dim,
        arch=arch,
        builds=len(loads),
        all_cpu_ms=work_ms,
        timed_cpu_ms=cpu_ms,
        # A linker is not traced; measured on a Fourier transform of one tile: 84 % of the compiler's time.
        not_traced=LINKED if linked else TOO_LONG if cpu_ms > left_ms else None,
    )


def _cpu_ms(load: LoadRecord) -> float:
    return load.phases["native_compile"].cpu_ms if "native_compile" in load.phases else 0.0
