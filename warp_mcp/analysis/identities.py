"""Merging the loads of all processes of one run into one entry for each identity."""

from warp_mcp.analysis.contents import kernels_content
from warp_mcp.analysis.owners import owner_of
from warp_mcp.analysis.processes import all_loads
from warp_mcp.analysis.thresholds import MOST_KERNELS, MOST_KERNELS_IN_ALL
from warp_mcp.models.launching import Signature
from warp_mcp.models.recording import PHASES, KernelRecord, LoadRecord, ProcessRecord, Recording
from warp_mcp.models.report import ModuleEntry, PhaseCost

Identity = tuple[str, str, str, int]
"""Name, hash, device, block_dim."""

_RANK = {"error": 2, "compiled": 1, "cached": 0}


def identity_of(load: LoadRecord) -> Identity:
    """What makes two loads the same entry, in whichever process."""
    return load.name, load.hash, load.device, load.block_dim


def build_modules(recording: Recording) -> list[ModuleEntry]:
    """One entry for each identity of the run, the most expensive first."""
    loads: dict[Identity, list[LoadRecord]] = {}
    for load in all_loads(recording):
        loads.setdefault(identity_of(load), []).append(load)
    launches = _launches(recording, list(loads))
    kernels = _kernels(recording)
    places, makers = _places(recording), _makers(recording)
    keys = max(10, min(MOST_KERNELS, MOST_KERNELS_IN_ALL // max(1, len(loads))))
    entries = [
        _entry(
            identity,
            of,
            kernels.get(identity, []),
            places.get(identity[0]),
            makers.get(identity[0], "file"),
            launches[identity],
            keys,
        )
        for identity, of in loads.items()
    ]
    return sorted(entries, key=lambda entry: -entry.ms)


def _entry(
    identity: Identity,
    loads: list[LoadRecord],
    kernels: list[KernelRecord],
    place: str | None,
    made: str,
    launches: tuple[int, int],
    most_keys: int,
) -> ModuleEntry:
    name, hash_, device, block_dim = identity
    built = [load for load in loads if load.status == "compiled"]
    paid = [load for load in loads if load.status != "cached"] or loads
    keys = list(dict.fromkeys(_key(kernel) for kernel in kernels))
    # Kernels that Warp makes for a caller are the caller's: `place` is the call.
    defined_at = (None if made in ("map", "fem") else _first_line(kernels)) or place
    loaded_at = next((load.where for load in loads if load.where), None)
    return ModuleEntry(
        name=name,
        hash=hash_,
        device=device,
        block_dim=block_dim,
        status=max((load.status for load in loads), key=_RANK.__getitem__),
        builds=len(built),
        ms=sum(load.ms for load in paid),
        cpu_ms=sum(load.cpu_ms for load in paid),
        phases=_phases(paid),
        launches=launches[0],
        adjoint_launches=launches[1],
        kernels=keys[:most_keys],
        kernel_count=len(kernels),
        options=loads[0].options,
        source_bytes=max(load.source_bytes for load in loads),
        lto_artifacts=max(load.lto_artifacts for load in loads),
        headers_built=sum(load.headers_built for load in loads),
        defined_at=defined_at,
        loaded_at=loaded_at,
        error=next((load.error for load in loads if load.error), None),
        content=kernels_content(kernels) if kernels else "",
        adjoint_bytes=max(load.adjoint_bytes for load in loads),
        unrolled_bytes=max(map(_unrolled_bytes, loads)),
        made=made,
        owner=owner_of(defined_at or loaded_at),
    )


def _unrolled_bytes(load: LoadRecord) -> int:
    """Source in proportion to statements: a statement that unrolling added is like the one it repeats."""
    return load.source_bytes * load.unrolled_statements // max(1, load.statements)


def _first_line(kernels: list[KernelRecord]) -> str | None:
    """The first definition in the first file: Warp keeps kernels in a set, so their order means nothing."""
    places = [kernel.defined_at.rpartition(":") for kernel in kernels if kernel.defined_at]
    lines = sorted((file, int(line)) for file, _, line in places if line.isdigit())
    return f"{lines[0][0]}:{lines[0][1]}" if lines else None


def _key(kernel: KernelRecord) -> str:
    return f"{kernel.key}<{kernel.signature}>" if kernel.signature else kernel.key


def _phases(loads: list[LoadRecord]) -> dict[str, PhaseCost]:
    costs: dict[str, PhaseCost] = {}
    for name in PHASES:
        phases = [load.phases[name] for load in loads if name in load.phases]
        if phases:
            wall = sum(phase.wall_ms for phase in phases)
            costs[f"{name}_ms"] = PhaseCost(ms=wall, cpu_ms=sum(phase.cpu_ms for phase in phases))
    return costs


def _kernels(recording: Recording) -> dict[Identity, list[KernelRecord]]:
    """The kernels of each identity, as told by the first load that tells them."""
    found: dict[Identity, list[KernelRecord]] = {}
    for process in recording.processes:
        # Sorted by number, which is the order in which kernels came up: Warp keeps them in a set.
        by_id = {kernel.id: kernel for kernel in process.kernels}
        for load in process.loads:
            if not found.get(identity_of(load)):
                found[identity_of(load)] = [
                    by_id[number] for number in sorted(load.kernels) if number in by_id
                ]
    return found


def _places(recording: Recording) -> dict[str, str | None]:
    """Where each module was created, by name."""
    places: dict[str, str | None] = {}
    for process in recording.processes:
        for module in process.modules:
            places[module.name] = places.get(module.name) or module.where
    return places


def _makers(recording: Recording) -> dict[str, str]:
    """How each module came to be, by name."""
    return {module.name: module.made for process in recording.processes for module in process.modules}


def _launches(recording: Recording, identities: list[Identity]) -> dict[Identity, tuple[int, int]]:
    """Forward and adjoint launches of each identity."""
    counts = {identity: [0, 0] for identity in identities}
    variants = {
        (name, hash_, device): (name, hash_, device, block) for name, hash_, device, block in identities
    }
    for process in recording.processes:
        names = _module_names(process)
        for signature in process.signatures:
            identity = _launched(names.get(signature.module, ""), signature)
            if identity not in counts:
                # Releases differ in the block_dim they build and the one they launch with.
                identity = variants.get(identity[:3], identity)
            if identity in counts:
                counts[identity][signature.adjoint] += signature.count
    return {identity: (forward, adjoint) for identity, (forward, adjoint) in counts.items()}


def _launched(name: str, signature: Signature) -> Identity:
    return name, signature.hash, signature.device, signature.block_dim


def _module_names(process: ProcessRecord) -> dict[int, str]:
    names = {load.module: load.name for load in process.loads}
    return {**names, **{module.id: module.name for module in process.modules}}
