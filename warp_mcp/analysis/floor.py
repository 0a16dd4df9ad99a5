"""What a one-kernel module costs: which one is to be measured for a program, and what its runs tell.

On the use of the figure: merging n one-kernel modules leaves the work of their kernels and saves what each
further one pays, (n - 1) x the floor. A split of a module in k parts adds (k - 1) x the floor to the work;
where the parts are built side by side, or one of them alone is built again, the wait is at least the floor
and a k-th of the rest, so that it gets shorter by (T - floor) x (1 - 1/k) at most.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from warp_mcp.analysis.options import effect
from warp_mcp.analysis.statistics import summarise
from warp_mcp.analysis.thresholds import BUSY_CORES
from warp_mcp.models.floor import Floor, FloorUse
from warp_mcp.models.recording import LoadRecord, Recording
from warp_mcp.models.report import ModuleEntry
from warp_mcp.models.run import RunResult

MARK = "one-kernel modules:"
"""As `floor/one_kernel_modules.py` prints it."""
NAME = "one_kernel_modules."
"""Beginning of its modules' names."""
PARTS = 3
"""Parts of a split that is bounded: more than two, and few enough to be done by hand."""


class FloorTarget(NamedTuple):
    """The one-kernel module that is to be built."""

    device: str
    block_dim: int
    """0 for the one that Warp takes."""
    options: dict[str, str]
    """Those that affect a build on the device, resolved."""


def dominant(modules: Iterable[ModuleEntry]) -> ModuleEntry | None:
    """The identity that takes longest in one build; None when nothing was compiled."""
    built = [module for module in modules if module.status == "compiled" and module.builds]
    return max(built, key=_build_ms, default=None)


def floor_target(module: ModuleEntry) -> FloorTarget:
    """A one-kernel module like this one."""
    block_dim = module.block_dim if module.device.startswith("cuda") else 0
    return FloorTarget(module.device, block_dim, building_options(module))


def building_options(module: ModuleEntry) -> dict[str, str]:
    """The options of a module that affect a build on its device."""
    return {
        name: value
        for name, value in sorted(module.options.items())
        if effect(name, module.device) is not None
    }


def make_floor(
    target: FloorTarget, runs: list[tuple[RunResult, Recording]], *, fingerprint: str, measured_at: str
) -> Floor | None:
    """The floor by what was recorded; None when no run built what it should. `measured_at`: ISO 8601, UTC."""
    first: list[float] = []
    further: list[float] = []
    for _, recording in runs:
        built = sorted(_built(recording), key=lambda load: load.begin_ms)
        first += [load.ms for load in built[:1]]
        further += [load.ms for load in built[1:]]
    if not further:
        return None
    return Floor(
        fingerprint=fingerprint,
        device=target.device,
        options=_told(runs[0][0].stdout_tail).get("set", {}),
        first_ms=summarise(first),
        further_ms=summarise(further),
        measured_at=measured_at,
        foreign_load=max(run.foreign_load for run, _ in runs),
    )


def made_when_busy(floor: Floor) -> bool:
    """Whether other programs took so much of the machine that it is worth measuring again on an idle one."""
    return floor.foreign_load > BUSY_CORES


def options_not_set(runs: list[tuple[RunResult, Recording]]) -> list[str]:
    """Options that could not be given the wanted value, by the first run's own account."""
    told = _told(runs[0][0].stdout_tail) if runs else {}
    return [str(name) for name in cast(list[object], told.get("could_not", []))]


def _built(recording: Recording) -> list[LoadRecord]:
    loads = [load for process in recording.processes for load in process.loads]
    return [load for load in loads if load.status == "compiled" and load.name.startswith(NAME)]


def _told(output: str) -> dict[str, Any]:
    """What the program said of itself; nothing when it did not come to that."""
    for line in reversed(output.splitlines()):
        if line.startswith(MARK):
            try:
                value: object = json.loads(line[len(MARK) :])
            except ValueError:
                return {}
            return cast(dict[str, Any], value) if isinstance(value, dict) else {}
    return {}


def fits(floor: Floor | None, modules: list[ModuleEntry], device: str, options: Mapping[str, str]) -> bool:
    """Whether a floor was measured for such modules: on the device, with the options of the dominant one."""
    model = dominant(modules)
    return (
        floor is not None
        and model is not None
        and floor.device == device
        and building_options(model) == dict(options)
    )


def floor_use(floor: Floor | None, modules: list[ModuleEntry]) -> FloorUse | None:
    """What the floor says of splitting the dominant module and of merging the small ones."""
    model = dominant(modules)
    if floor is None or model is None or model.device != floor.device:
        return None
    further = floor.further_ms.median
    build_ms = _build_ms(model)
    small = _small(modules, model)
    return FloorUse(
        module=model.name,
        build_ms=build_ms,
        parts=PARTS,
        split_saves_at_most_ms=max(0.0, build_ms - further) * (1 - 1 / PARTS),
        split_adds_ms=(PARTS - 1) * further,
        one_kernel_modules=len(small),
        merging_saves_ms=max(0, len(small) - 1) * further,
    )


def _small(modules: list[ModuleEntry], model: ModuleEntry) -> set[str]:
    """Names of modules of one kernel that were built for the same device with the same options."""
    larger = {module.name for module in modules if module.kernel_count > 1}
    return {
        module.name
        for module in modules
        if module.status == "compiled"
        and module.name not in larger
        and module.device == model.device
        and building_options(module) == building_options(model)
    }


def _build_ms(module: ModuleEntry) -> float:
    """One build of an identity, without making a precompiled header, which no split makes smaller."""
    header = module.phases.get("header_ms")
    return (module.ms - (header.ms if header else 0.0)) / max(1, module.builds)
