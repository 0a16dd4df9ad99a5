"""CS-2: the warm run compiled again what the cold run had built."""

import re
from collections.abc import Iterator
from statistics import median

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import fired, not_reached, nothing_built, ruled_out, some
from warp_mcp.analysis.metrics import warm_builds
from warp_mcp.analysis.texts import counted, listed
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import ConfigChange, KernelRecord, LoadRecord, ProcessRecord, Recording
from warp_mcp.models.run import SampleRecording

MECHANISM = "CS-2"
QUESTION = "Whether a second run reuses the cache"

_Reason = tuple[str, str | None]
"""A sentence without its end, and the `file:line`."""


def examine(evidence: Evidence) -> Finding:
    """Fired when a warm run compiled anything. A failed build is tried again in any run and says nothing."""
    warmed = [sample for sample in evidence.completed if sample.warm and sample.warm.outcome == "completed"]
    hits = [sample for sample in warmed if warm_builds(sample)]
    if hits:
        return _fired(evidence, hits)
    if nothing_built(evidence):
        return not_reached(MECHANISM, QUESTION, nothing_built(evidence) or "")
    if not warmed:
        return not_reached(MECHANISM, QUESTION, "no warm run completed")
    if not any(sample.warm_recording and sample.warm_recording.processes for sample in warmed):
        return not_reached(MECHANISM, QUESTION, "the warm run left no record")
    return ruled_out(
        MECHANISM,
        "The warm run compiled nothing: a second start reuses the cache",
        {"warm_runs": len(warmed), "warm_builds": 0},
    )


def _fired(evidence: Evidence, hits: list[SampleRecording]) -> Finding:
    sample = hits[0]
    builds = warm_builds(sample)
    modules = list(dict.fromkeys(load.name for load in builds))
    reasons = list(dict.fromkeys(_reasons(evidence, sample))) or list(_lost(sample))
    where = next((place for _, place in reasons if place), None)
    place = where or next((load.where for load in builds if load.where), None)
    because = f" because {reasons[0][0]}" if reasons else ""
    return fired(
        MECHANISM,
        f"Every start compiles {_these(modules)} again{because}",
        {
            "modules": some(modules),
            "warm_builds": len(builds),
            "samples_with_warm_builds": len(hits),
            "reasons": some(_told(reason) for reason in reasons),
            "where": some(place for _, place in reasons),
        },
        cost_ms=median(sum(load.ms for load in warm_builds(one)) for one in hits),
        where=place,
        fix=_fix(reasons),
    )


def _these(modules: list[str]) -> str:
    return f"module `{modules[0]}`" if len(modules) == 1 else counted(len(modules), "module")


def _told(reason: _Reason) -> str:
    return f"{reason[0]} ({reason[1]})" if reason[1] else reason[0]


def _fix(reasons: list[_Reason]) -> str:
    """The line that has to change, where one is known; the general advice otherwise."""
    placed = next((reason for reason in reasons if reason[1]), None)
    if placed is None:
        return ""
    return f"Change {placed[1]}, where {placed[0]}, so that the next start finds what this one built."


# --- why ----------------------------------------------------------------------------------------


def _reasons(evidence: Evidence, sample: SampleRecording) -> Iterator[_Reason]:
    """What can have defeated the cache: calls and settings first, then what differs between the two runs."""
    warm = sample.warm_recording
    if warm is None:
        return
    yield from _cleared(warm)
    yield from _settings(sample.cold_recording, warm, warm_builds(sample))
    if evidence.environment.variables.get("CUDA_CACHE_DISABLE", "0") not in ("", "0"):
        yield "CUDA_CACHE_DISABLE is set, so the driver compiles PTX anew", None
    for load in warm_builds(sample):
        yield from _differences(sample.cold_recording, warm, load)


def _lost(sample: SampleRecording) -> Iterator[_Reason]:
    """What is left to say when nothing that was recorded defeated the cache, and nothing differs."""
    former = [one for process in sample.cold_recording.processes for one in process.loads]
    builds, warm = warm_builds(sample), sample.warm_recording
    if warm is None or not all(_built_before(former, load) for load in builds):
        return
    if all(load.aot for load in builds):
        yield "it is built ahead of time into a folder that holds no earlier build", None
        return
    moved = _in_force(warm, "kernel_cache_dir", None, builds)
    yield (
        "what the first start built was gone from the cache when the second began",
        (moved.where or moved.via) if moved else None,
    )


def _cleared(warm: Recording) -> Iterator[_Reason]:
    calls = {"cleared_kernels": "clear_kernel_cache()", "cleared_lto": "clear_lto_cache()"}
    for process in warm.processes:
        for event in process.cache:
            if event.kind in calls:
                yield f"{calls[event.kind]} empties the cache in every run", event.where or event.via


def _settings(cold: Recording, warm: Recording, builds: list[LoadRecord]) -> Iterator[_Reason]:
    off = _in_force(warm, "cache_kernels", "False", builds)
    if off:
        yield "warp.config.cache_kernels is switched off", off.where or off.via
    verify = _in_force(warm, "verify_autograd_array_access", "True", builds)
    if any(load.options.get("verify_autograd_array_access") == "True" for load in builds):
        yield (
            "verify_autograd_array_access=True forces a build in every run",
            (verify.where or verify.via) if verify else None,
        )
    before, after = _directories(cold), _directories(warm)
    if before and after and before != after:
        moved = _in_force(warm, "kernel_cache_dir", None, builds)
        yield "the cache directory is another one in every run", (moved.where or moved.via) if moved else None


def _in_force(
    recording: Recording, name: str, value: str | None, builds: list[LoadRecord]
) -> ConfigChange | None:
    """The assignment of a setting that was in force, with this value, when one of these builds began."""
    for process in recording.processes:
        for load in (one for one in process.loads if one in builds):
            earlier = [one for one in process.config if one.name == name and one.t_ms <= load.begin_ms]
            last = max(earlier, key=lambda change: change.t_ms, default=None)
            if last is not None and value in (None, last.new):
                return last
    return None


def _directories(recording: Recording) -> set[str]:
    """Where the caches were, as far as the program chose the place itself."""
    return {
        event.path
        for process in recording.processes
        for event in process.cache
        if event.kind == "directory" and event.path and not event.path.startswith(recording.cache_dir)
    } | {
        change.new
        for process in recording.processes
        for change in process.config
        if change.name == "kernel_cache_dir"
    }


def _differences(cold: Recording, warm: Recording, load: LoadRecord) -> Iterator[_Reason]:
    """What differs between an identity that the warm run built and those the cold run had of its module."""
    former = [one for process in cold.processes for one in process.loads if _stem(one) == _stem(load)]
    if not former:
        yield f"module `{load.name}` has another name in every run", load.where
        return
    if _built_before(former, load):
        return
    known = [kernel for process in cold.processes for kernel in _kernels(process, former)]
    for process in warm.processes:
        if load in process.loads:
            yield from _unlike(known, _kernels(process, [load]))
    yield from _options(former, warm, load)


def _built_before(former: list[LoadRecord], load: LoadRecord) -> bool:
    """Whether the cold run had this very identity."""
    return any(one.hash == load.hash and one.hash for one in former)


def _stem(load: LoadRecord) -> str:
    """A module's name without the hash that Warp gives a unique one."""
    return re.sub(r"_[0-9a-f]{8}$", "", load.name)


def _kernels(process: ProcessRecord, loads: list[LoadRecord]) -> list[KernelRecord]:
    wanted = {number for load in loads for number in load.kernels}
    modules = {load.module for load in loads}
    return [kernel for kernel in process.kernels if kernel.id in wanted and kernel.module in modules]


def _unlike(before: list[KernelRecord], after: list[KernelRecord]) -> Iterator[_Reason]:
    """Names, constants and functions that no kernel of the cold run had."""
    known = {kernel.key for kernel in before}
    values = {(name, value) for kernel in before for name, value in kernel.constants.items()}
    reached = {(name, digest) for kernel in before for name, digest in kernel.uses.items()}
    for kernel in after:
        for name, value in kernel.constants.items():
            if (name, value) not in values:
                yield f"`{name}` in kernel {kernel.name} has another value in every run", kernel.defined_at
        for name, digest in kernel.uses.items():
            if (name, digest) not in reached:
                yield (
                    f"`{name}`, which kernel {kernel.name} uses, differs in every run",
                    kernel.uses_at.get(name) or kernel.defined_at,
                )
        if kernel.key not in known:
            yield f"kernel {kernel.name} has another name in every run", kernel.defined_at
        elif kernel.digest not in {one.digest for one in before if one.key == kernel.key}:
            yield f"the source of kernel {kernel.name} differs in every run", kernel.defined_at


def _options(former: list[LoadRecord], warm: Recording, load: LoadRecord) -> Iterator[_Reason]:
    names = [
        name for name, value in load.options.items() if all(one.options.get(name) != value for one in former)
    ]
    if names:
        changes = [
            change
            for process in warm.processes
            if load in process.loads
            for change in [*process.options, *process.config]
            if getattr(change, "option", None) in names or getattr(change, "name", None) in names
        ]
        set_at = next((change.where or change.via for change in reversed(changes)), None)
        yield f"module `{load.name}` gets another {listed(names)} in every run", set_at
