"""Warnings on what was built: how much it matters, what failed, what came too late, what was never used."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.identities import identity_of
from warp_mcp.analysis.late_options import late_options
from warp_mcp.analysis.owners import is_library, owner_of
from warp_mcp.analysis.redeclared import redeclared_modules
from warp_mcp.analysis.texts import counted, listed, seconds
from warp_mcp.analysis.thresholds import MINOR_PERCENT
from warp_mcp.models.finding import Warning
from warp_mcp.models.recording import LoadRecord
from warp_mcp.models.report import ModuleEntry


def compilation_is_minor(evidence: Evidence) -> Warning | None:
    """Compilation is a small part of the cold wall. Not said where part of the run was not seen."""
    walls = evidence.metrics.get("cold_wall_ms")
    wall = walls.median if walls else evidence.reference_figures.get("cold_wall_ms", 0.0)
    seen = evidence.isolation.ok and not evidence.unattached and _has_warp(evidence)
    ended = evidence.reference_outcome == "completed"
    wait = evidence.wait_ms
    if not seen or not ended or wait is None or wall <= 0 or 100 * wait >= MINOR_PERCENT * wall:
        return None
    message = (
        f"Compilation is {seconds(wait)} of a cold start of {seconds(wall)} ({100 * wait / wall:.0f} %): "
        "the rest is imports and the program's own code."
    )
    hint = "Look at what the wall is made of first; fewer builds cannot save more than the compilation takes."
    return Warning(code="compilation_is_minor", message=message, next=hint)


def _has_warp(evidence: Evidence) -> bool:
    return any(process.warp_version for process in evidence.recording.processes)


def build_failed(evidence: Evidence) -> Warning | None:
    """A module did not compile, whether or not the program went on."""
    cut_off = {identity_of(load) for load in _cut_off(evidence)}
    failed = [
        module
        for module in evidence.modules
        if module.status == "error"
        and (module.name, module.hash, module.device, module.block_dim) not in cut_off
    ]
    if not failed:
        return None
    errors = [(module.error or "").strip() for module in failed]
    reason = next((error.splitlines()[-1][:300] for error in errors if error), "")
    message = f"{counted(len(failed), 'module')} did not build: {listed([module.name for module in failed])}."
    if reason:
        message += f" {reason.rstrip('.')}."
    place = failed[0].defined_at or failed[0].loaded_at
    hint = f"Repair or remove the kernels at {place}" if place else "Repair or remove these kernels"
    return Warning(
        code="build_failed", message=message, next=f"{hint}; a failed build costs time in every cold start."
    )


def build_cut_off(evidence: Evidence) -> Warning | None:
    """A process ended in the middle of a build: the build is listed as an error, its time only in part."""
    names = [load.name for load in _cut_off(evidence)]
    if not names:
        return None
    message = f"A process ended in the middle of a build: {listed(names)}. Its time is not known."
    hint = "Find out what ended the process; a build that is cut off is made again in the next start."
    if evidence.reference_outcome == "timed_out":
        hint = "Use a larger --timeout, so that the build can finish."
    return Warning(code="build_cut_off", message=message, next=hint)


def _cut_off(evidence: Evidence) -> list[LoadRecord]:
    return [load for process in evidence.recording.processes for load in process.loads if not load.finished]


def warm_run_compiled(evidence: Evidence) -> Warning | None:
    """The warm run built modules again, so that the wait for compilation cannot be told."""
    names = [
        load.name
        for sample in evidence.completed
        if sample.warm_recording
        for process in sample.warm_recording.processes
        for load in process.loads
        if load.status == "compiled"
    ]
    if not names:
        return None
    message = f"The warm run compiled again: {listed(sorted(names))}. The cache was not reused for them."
    hint = (
        "Look for clear_kernel_cache(), cache_kernels=False, a kernel_cache_dir that differs each run, or a "
        "value or name in a kernel that does; compile_elapsed_ms is not known for such samples."
    )
    return Warning(code="warm_run_compiled", message=message, next=hint)


def option_arrived_too_late(evidence: Evidence) -> Warning | None:
    """A global option was assigned after modules that load later had copied the old value."""
    late = [one for process in evidence.recording.processes for one in late_options(process)]
    if not late:
        return None
    first = late[0]
    told = listed([f"`{one.module}` ({one.option} stayed {one.kept})" for one in late])
    place = f" at {first.where}" if first.where else ""
    owner = owner_of(first.where)
    place += f", by {owner} for every module of the process" if is_library(owner) else ""
    message = f"warp.config.{first.option} was set to {first.new}{place}, too late for {told}."
    hint = (
        f"Set warp.config.{first.option} before the first kernel, function or struct of these modules is "
        "declared (usually before they are imported), or use wp.set_module_options() in them."
    )
    return Warning(code="option_arrived_too_late", message=message, next=hint)


def identity_flips(evidence: Evidence) -> Warning | None:
    """A module went back to an identity it had left: no build, but a hash and a load each time."""
    if not evidence.flips:
        return None
    modules = listed([flip.module for flip in evidence.flips])
    cost = seconds(sum(flip.ms for flip in evidence.flips))
    times = counted(len(evidence.flips), "time")
    message = f"{modules} went back to an identity it had left {times}, {cost} in all, without a build."
    place = next((flip.where for flip in evidence.flips if flip.where), None)
    at = f" (first at {place})" if place else ""
    hint = (
        f"Keep kernels that need different options, or live at different times, in modules of their own{at}."
    )
    return Warning(code="identity_flips", message=message, next=hint)


def kernels_redeclared(evidence: Evidence) -> Warning | None:
    """Kernels are declared again and again: the time goes to parsing and hashing, not to building."""
    found = redeclared_modules(evidence.recording)
    if not found:
        return None
    first = found[0]
    message = (
        f"Kernels of `{first.module}` were declared {first.declared} times for {first.distinct} distinct "
        f"ones; hashing took {seconds(first.hash_ms)}."
    )
    at = f" at {first.where}" if first.where else ""
    hint = f"Declare each kernel{at} once, outside the loop, or keep it in a cache of the factory."
    return Warning(code="kernels_redeclared", message=message, next=hint)


def builds_overlapped(evidence: Evidence) -> Warning | None:
    """Builds ran side by side: their times add up to more than the user waits."""
    figures = evidence.reference_figures
    peak = int(figures.get("peak_builds", 0))
    if peak < 2:
        return None
    factor = figures.get("overlap_factor", 1.0)
    message = f"Up to {peak} builds ran at once; their times add up to {factor:.2f} times what they took."
    hint = (
        "Judge the wait by compile_elapsed_ms; cold_module_ms is the work, and rises when builds share cores."
    )
    return Warning(code="builds_overlapped", message=message, next=hint)


def _variant(module: ModuleEntry, modules: list[ModuleEntry]) -> str:
    """A module's name, with its block_dim where it was built at another one too."""
    others = {one.block_dim for one in modules if one.name == module.name} - {module.block_dim}
    return f"{module.name} at block_dim {module.block_dim}" if others else module.name


def built_never_launched(evidence: Evidence) -> Warning | None:
    """Modules were built for this run and none of their kernels ran in it."""
    if evidence.reference_outcome != "completed" or not evidence.launches.complete:
        return None
    unused = [
        module
        for module in evidence.modules
        if module.builds
        and not module.launches + module.adjoint_launches
        and not module.device.startswith("aot:")
    ]
    if not unused:
        return None
    cost = seconds(sum(module.ms for module in unused))
    names = listed([_variant(module, evidence.modules) for module in unused])
    message = f"Built and never launched: {names} ({cost})."
    hint = "Load only what this run launches, at the block_dim it launches with."
    if evidence.request.stop.kind != "none":
        hint = (
            f"The run was ended by {evidence.request.stop.kind}: these may be launched later. If not: {hint}"
        )
    return Warning(code="built_never_launched", message=message, next=hint)
