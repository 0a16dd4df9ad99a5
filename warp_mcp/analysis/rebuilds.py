"""Finding rebuilds and flips: loads of a second identity of a module that the process had loaded."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from warp_mcp.analysis.causes import find_causes
from warp_mcp.models.recording import LoadRecord, ProcessRecord, Recording
from warp_mcp.models.report import Rebuild


@dataclass
class _History:
    """What a process has loaded of one module on one device, in order."""

    loads: list[LoadRecord] = field(default_factory=list[LoadRecord])

    def knows(self, load: LoadRecord) -> bool:
        return any(_same(load, earlier) for earlier in self.loads)

    def partner(self, load: LoadRecord) -> LoadRecord | None:
        """The load to compare with: the last of the same block_dim, else the last of all."""
        same = [earlier for earlier in self.loads if earlier.block_dim == load.block_dim]
        return (same or self.loads)[-1] if self.loads else None


@dataclass(frozen=True)
class Flip:
    """A return to an identity that the process had left, without a build."""

    module: str
    hash: str
    ms: float
    where: str | None


def find_rebuilds(recording: Recording) -> list[Rebuild]:
    """Every rebuild of a run, in the order of the builds within each process."""
    return [
        _rebuild(process, earlier, load)
        for process in recording.processes
        for earlier, load in _seconds(process)
        if load.status == "compiled"
    ]


def find_flips(recording: Recording) -> list[Flip]:
    """Every return to an earlier identity that cost a load but no build."""
    return [flip for process in recording.processes for flip in _flips(process)]


def _rebuild(process: ProcessRecord, earlier: LoadRecord, load: LoadRecord) -> Rebuild:
    return Rebuild(
        module=load.name,
        from_hash=earlier.hash,
        to_hash=load.hash,
        device=load.device,
        causes=find_causes(process, earlier, load),
        cost_ms=load.ms,
        pid=process.pid,
    )


def _partners(process: ProcessRecord) -> list[LoadRecord]:
    """Loads that count: a failed one left nothing, one for another target stands for itself."""
    loads = [load for load in process.loads if load.status != "error" and not load.aot]
    return sorted(loads, key=lambda load: load.begin_ms)


def _seconds(process: ProcessRecord) -> Iterator[tuple[LoadRecord, LoadRecord]]:
    """Loads of an identity that is new to the process, each with the one it is compared with."""
    histories: dict[tuple[str, str], _History] = {}
    for load in _partners(process):
        history = histories.setdefault((load.name, load.device), _History())
        earlier = history.partner(load)
        if earlier is not None and not history.knows(load):
            yield earlier, load
        history.loads.append(load)


def _flips(process: ProcessRecord) -> Iterator[Flip]:
    histories: dict[tuple[str, str, int], _History] = {}
    for load in _partners(process):
        history = histories.setdefault((load.name, load.device, load.block_dim), _History())
        earlier = history.partner(load)
        returned = earlier is not None and not _same(earlier, load) and history.knows(load)
        if returned and load.status == "cached":
            yield Flip(load.name, load.hash, load.ms, load.where)
        history.loads.append(load)


def _same(load: LoadRecord, other: LoadRecord) -> bool:
    return (load.hash, load.block_dim) == (other.hash, other.block_dim)
