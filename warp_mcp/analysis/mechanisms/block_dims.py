"""CS-5: one CUDA module built for several block dimensions, every kernel of it each time.

A repair gives the kernels that share their block dimensions a module of their own. That leaves out what no
launch needs, and where kernels share some of them only, it adds builds, each of which pays a module's floor.
"""

from dataclasses import dataclass

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import (
    fired,
    not_applicable,
    not_reached,
    rounded,
    ruled_out,
    some,
    unseen,
)
from warp_mcp.analysis.stakes import floor_ms, is_cuda
from warp_mcp.analysis.texts import counted
from warp_mcp.models.finding import Finding
from warp_mcp.models.floor import Floor
from warp_mcp.models.recording import LoadRecord, ProcessRecord

MECHANISM = "CS-5"
QUESTION = "Whether one module is built for several block dimensions"


@dataclass(frozen=True)
class Variant:
    """One module built at one block_dim, with the kernels that were launched at it."""

    load: LoadRecord
    kernels: int
    needed: set[str]
    floor_ms: float = 0.0
    """What a build takes whatever it holds, where that was measured: a module of its own pays it too."""

    @property
    def waste_ms(self) -> float:
        """The build's time in proportion to the kernels that no launch needed at this block_dim."""
        return max(0.0, self.load.ms - self.floor_ms) * (
            1 - min(1.0, len(self.needed) / max(1, self.kernels))
        )


def examine(evidence: Evidence) -> Finding:
    """Fired when a process built one module at two or more block dimensions for one CUDA target, and with
    other modules less would be built.
    """
    builds = [load for process in evidence.recording.processes for load in process.loads if _counts(load)]
    if not builds:
        reason = unseen(evidence)
        if reason:
            return not_reached(MECHANISM, QUESTION, reason)
        return not_applicable(MECHANISM, QUESTION, "nothing was built for CUDA in this run")
    several = [one for process in evidence.recording.processes for one in _variants(process, evidence.floor)]
    further_ms = _further_ms(evidence, builds)
    stakes = [(variants, _stake_ms(variants, further_ms)) for variants in several]
    worth = [(variants, ms) for variants, ms in stakes if ms > 0 or any(one.load.aot for one in variants)]
    if worth:
        return _fired(
            [one for variants, _ in worth for one in variants], sum(ms for _, ms in worth), evidence.floor
        )
    if unseen(evidence):
        return not_reached(MECHANISM, QUESTION, unseen(evidence) or "")
    if several:
        return _all_needed([one for variants in several for one in variants])
    return ruled_out(
        MECHANISM,
        "Every CUDA module was built for one block dimension",
        {"cuda_builds": len(builds), "block_dims": sorted({load.block_dim for load in builds})},
    )


def _counts(load: LoadRecord) -> bool:
    return is_cuda(load.device) and load.status == "compiled"


def _variants(process: ProcessRecord, floor: Floor | None) -> list[list[Variant]]:
    """Modules that this process built at several block dimensions: of each dimension the last build, as
    earlier ones were made again for another cause.
    """
    found: dict[tuple[str, str], dict[int, LoadRecord]] = {}
    for load in filter(_counts, process.loads):
        found.setdefault((load.name, load.device), {})[load.block_dim] = load
    return [
        [
            Variant(load, len(load.kernels), _needed(process, load), _floor_ms(load, floor))
            for load in loads.values()
        ]
        for loads in found.values()
        if len(loads) > 1
    ]


def _further_ms(evidence: Evidence, builds: list[LoadRecord]) -> float:
    """What one more CUDA module takes whatever it holds, measured where it was."""
    if evidence.floor is not None and is_cuda(evidence.floor.device):
        return evidence.floor.further_ms.median
    return floor_ms(builds, cuda=True) or 0.0


def _stake_ms(variants: list[Variant], further_ms: float) -> float:
    """What is built for nothing, less what the builds take that a module for each set of dimensions adds."""
    dims: dict[str, set[int]] = {}
    for one in variants:
        for kernel in one.needed:
            dims.setdefault(kernel, set()).add(one.load.block_dim)
    after = sum(map(len, set(map(frozenset, dims.values()))))
    return sum(one.waste_ms for one in variants) - max(0, after - len(variants)) * further_ms


def _all_needed(variants: list[Variant]) -> Finding:
    names = list(dict.fromkeys(one.load.name for one in variants))
    return ruled_out(
        MECHANISM,
        f"{counted(len(names), 'CUDA module was', 'CUDA modules were')} built for several block dimensions, "
        "and launches need each build: modules of their own would not build less",
        {
            "modules": some(names),
            "block_dims": sorted({one.load.block_dim for one in variants}),
            "variants": [_told(one) for one in variants[:10]],
        },
    )


def _floor_ms(load: LoadRecord, floor: Floor | None) -> float:
    return floor.further_ms.median if floor is not None and floor.device == load.device else 0.0


def _needed(process: ProcessRecord, load: LoadRecord) -> set[str]:
    """Kernels launched at the block_dim of a build."""
    return {
        one.kernel
        for one in process.signatures
        if (one.module, one.device, one.block_dim) == (load.module, load.device, load.block_dim)
    }


def _fired(variants: list[Variant], stake_ms: float, floor: Floor | None) -> Finding:
    names = list(dict.fromkeys(one.load.name for one in variants))
    # What is built ahead of time is launched elsewhere: what of it nobody needs is not known here.
    here = [one for one in variants if not one.load.aot]
    dims = sorted({one.load.block_dim for one in variants})
    subject = f"Module `{names[0]}` was" if len(names) == 1 else f"{len(names)} modules were"
    return fired(
        MECHANISM,
        f"{subject} built {len(variants)} times on CUDA, for the block dimensions "
        f"{', '.join(map(str, dims))}",
        {
            "modules": some(names),
            "block_dims": dims,
            "variants": [_told(one) for one in variants[:10]],
            **_measured(variants, floor),
            "kernels": some(kernel for one in variants for kernel in sorted(one.needed)),
            "where": some(one.load.where for one in variants),
        },
        cost_ms=max(0.0, stake_ms) if here else None,
        how=_how(variants, floor) if here else "",
        where=next((one.load.where for one in variants if one.load.where), None),
        fix=_fix(variants),
    )


def _fix(variants: list[Variant]) -> str:
    """For modules that were loaded at a block_dim of no launch and needed at one; else the general advice."""
    if any(one.load.aot for one in variants):
        return ""
    idle = sorted({one.load.block_dim for one in variants if not one.needed})
    used = sorted({one.load.block_dim for one in variants if one.needed})
    names = {one.load.name for one in variants}
    once = all(
        len({one.load.block_dim for one in variants if one.load.name == n and one.needed}) == 1 for n in names
    )
    if not idle or not once:
        return ""
    listed, at = (", ".join(map(str, dims)) for dims in (idle, used))
    return (
        f"No launch needed what was built at block_dim {listed}: where the program loads modules ahead of "
        f"their launches, pass the block_dim of these, {at}, to wp.force_load() or wp.load_module()."
    )


def _measured(variants: list[Variant], floor: Floor | None) -> dict[str, object]:
    """The floor as evidence, where it was measured for one of these builds."""
    if floor is None or not any(one.floor_ms for one in variants):
        return {}
    return {"floor_ms": rounded(floor.further_ms.median), "floor_is": "measured"}


def _how(variants: list[Variant], floor: Floor | None) -> str:
    share = (
        "the share of the kernels that no launch of this run needed at that block_dim, less the builds that "
        "other modules would add"
    )
    if not _measured(variants, floor):
        return f"of each build, {share}"
    assert floor is not None
    return (
        f"of each build, less the {floor.further_ms.median:.0f} ms that a module takes on this machine "
        f"whatever it holds, as measured, {share}"
    )


def _told(one: Variant) -> dict[str, object]:
    return {
        "module": one.load.name,
        "block_dim": one.load.block_dim,
        "ms": rounded(one.load.ms),
        "kernels": one.kernels,
        "launched_at_it": sorted(one.needed)[:10],
    }
