"""The figures of one sample, and their medians over the completed samples."""

from collections.abc import Callable, Iterable

from warp_mcp.analysis import intervals
from warp_mcp.analysis.processes import compiled_loads
from warp_mcp.analysis.statistics import summarise
from warp_mcp.models.recording import PHASES, LoadRecord, Recording
from warp_mcp.models.report import Metric
from warp_mcp.models.run import SampleRecording

Figures = dict[str, float]
"""Metric name to value; a metric that cannot be told of this sample is absent."""


def sample_figures(sample: SampleRecording) -> Figures:
    """The figures of one sample. Times in milliseconds, sizes in bytes, the rest counts and factors."""
    built = compiled_loads(sample.cold_recording)
    wall_ms = sample.cold.wall_ms
    return {
        **({"cold_wall_ms": wall_ms} if wall_ms is not None else {}),
        "cold_module_ms": sum(load.ms for load in built),
        "cold_module_cpu_ms": sum(load.cpu_ms for load in built),
        **_phases(built),
        **_overlap(sample.cold_recording, built),
        **_structure(sample.cold_recording, built),
        **_warm(sample),
    }


def build_metrics(figures: list[Figures]) -> dict[str, Metric]:
    """Median and spread of each metric over the samples that have it; empty without samples."""
    names = dict.fromkeys(name for one in figures for name in one)
    return {name: summarise([one[name] for one in figures if name in one]) for name in names}


def warm_builds(sample: SampleRecording) -> list[LoadRecord]:
    """What the warm run compiled again; empty without a warm run."""
    return compiled_loads(sample.warm_recording) if sample.warm_recording else []


def peak_builds(recording: Recording) -> int:
    """Most builds in flight at once, over all threads and processes; builds that failed count."""
    return intervals.peak(
        _spans(load for process in recording.processes for load in process.loads if _builds(load))
    )


def _builds(load: LoadRecord) -> bool:
    return load.status != "cached"


def _spans(loads: Iterable[LoadRecord]) -> list[intervals.Interval]:
    """A build within another one of its thread lies in that one's span: the two do not overlap."""
    return [(load.begin_ms, load.end_ms) for load in loads if not load.within]


def _phases(built: list[LoadRecord]) -> Figures:
    """Summed phases. One that this Warp release cannot tell is in no load and stays absent."""
    told = [name for name in PHASES if not built or any(name in load.phases for load in built)]
    figures: Figures = {}
    for name in told:
        phases = [load.phases[name] for load in built if name in load.phases]
        figures[f"{name}_ms"] = sum(phase.wall_ms for phase in phases)
        figures[f"{name}_cpu_ms"] = sum(phase.cpu_ms for phase in phases)
    return figures


def _overlap(recording: Recording, built: list[LoadRecord]) -> Figures:
    figures: Figures = {"peak_builds": float(peak_builds(recording))}
    spans = _spans(built)
    together = intervals.union(spans)
    if together > 0:
        figures["overlap_factor"] = intervals.total(spans) / together
        figures["overlap_ceiling"] = intervals.total(spans) / max(_module_times(recording))
    return figures


def _module_times(recording: Recording) -> list[float]:
    """Build time of each module of each process: the builds of one module cannot run side by side."""
    times: dict[tuple[int, str], float] = {}
    for index, process in enumerate(recording.processes):
        for load in process.loads:
            if load.status == "compiled":
                times[index, load.name] = times.get((index, load.name), 0.0) + load.ms
    return list(times.values())


def _structure(recording: Recording, built: list[LoadRecord]) -> Figures:
    """What does not depend on the load of the machine."""
    loads = [load for process in recording.processes for load in process.loads]
    return {
        "identities": len({(load.name, load.hash, load.device, load.block_dim) for load in loads}),
        "modules": len({load.name for load in loads}),
        "builds": len(built),
        "generated_source_bytes": sum(load.source_bytes for load in built),
        "lto_artifacts": recording.lto_artifacts,
        "header_builds": sum(load.headers_built for load in built),
    }


def _warm(sample: SampleRecording) -> Figures:
    """The warm run's figures; none when it failed. The wait is only known when it compiled nothing."""
    warm, recording = sample.warm, sample.warm_recording
    if warm is None or recording is None or warm.outcome != "completed":
        return {}
    loads = [load for process in recording.processes for load in process.loads]
    # A build that failed is tried again in every run, cold or warm: it says nothing of the cache.
    builds = warm_builds(sample)
    figures: Figures = {
        **({"warm_wall_ms": warm.wall_ms} if warm.wall_ms is not None else {}),
        "warm_module_ms": _summed(loads, lambda load: load.ms),
        "warm_module_cpu_ms": _summed(loads, lambda load: load.cpu_ms),
        "warm_builds": len(builds),
        "warm_peak_builds": float(peak_builds(recording)),
    }
    walls = (sample.cold.wall_ms, warm.wall_ms)  # a rehearsal has none
    if not builds and recording.processes and walls[0] is not None and walls[1] is not None:
        figures["compile_elapsed_ms"] = walls[0] - walls[1]
    return figures


def _summed(loads: Iterable[LoadRecord], of: Callable[[LoadRecord], float]) -> float:
    return sum((of(load) for load in loads), 0.0)
