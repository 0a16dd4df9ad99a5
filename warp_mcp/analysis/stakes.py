"""What is at stake: how much counts, and what a module takes whatever it holds."""

from collections.abc import Iterable

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.thresholds import FLOOR_OF_CUDA, FLOOR_OF_HEADER, STAKE_MS, STAKE_PERCENT
from warp_mcp.models.recording import LoadRecord, Recording


def least_stake_ms(evidence: Evidence) -> float:
    """The least that has to be at stake for a mechanism that fires by its cost."""
    return least_of(evidence.wait_ms or 0.0)


def least_of(wait_ms: float) -> float:
    """The same, of a wait for compilation."""
    return max(STAKE_PERCENT / 100 * wait_ms, STAKE_MS)


def is_cuda(device: str) -> bool:
    """Whether a build is one for CUDA: for a device, or ahead of time for an architecture."""
    return device.startswith(("cuda", "aot:sm_"))


def native_ms(load: LoadRecord) -> float:
    """Time in the compiler, without making a precompiled header."""
    phase = load.phases.get("native_compile")
    return phase.wall_ms if phase else 0.0


def readers_of_headers(recording: Recording) -> list[LoadRecord]:
    """Of each process its first build for CUDA: in it NVRTC reads Warp's headers, which it then keeps."""
    of_cuda = (
        [load for load in process.loads if load.status == "compiled" and is_cuda(load.device)]
        for process in recording.processes
    )
    return [min(loads, key=lambda load: load.begin_ms) for loads in of_cuda if loads]


def floor_ms(built: Iterable[LoadRecord], *, cuda: bool) -> float | None:
    """What one more module takes on this machine whatever it holds, from the builds of one run, or None.

    On the CPU: the shortest compile of the run, at most `FLOOR_OF_HEADER` of making a precompiled header.
    On CUDA: `FLOOR_OF_CUDA` of the shortest compile. A single build without a header does not tell it.
    """
    builds = [load for load in built if is_cuda(load.device) == cuda and native_ms(load) > 0]
    plain = [native_ms(load) for load in builds if not load.headers_built]
    if cuda:
        return FLOOR_OF_CUDA * min(plain) if plain else None
    headers = [
        load.phases["header"].wall_ms / load.headers_built
        for load in builds
        if load.headers_built and "header" in load.phases
    ]
    known = [FLOOR_OF_HEADER * min(headers)] if headers else []
    if len(builds) > 1 and plain:
        known.append(min(plain))
    return min(known, default=None)
