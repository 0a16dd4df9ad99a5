"""One record file to one `ProcessRecord`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from warp_mcp.models.launching import Signature
from warp_mcp.models.recording import (
    CacheEvent,
    ConfigChange,
    HashingRecord,
    ImportRecord,
    KernelRecord,
    LoadRecord,
    LtoPart,
    ModuleRecord,
    OptionChange,
    Phase,
    Problem,
    ProcessRecord,
    SpawnRecord,
)
from warp_mcp.reading.lines import Event, read_lines
from warp_mcp.reading.sequences import Threads, read_threads


def read_process(path: Path) -> ProcessRecord:
    """Everything one process recorded.

    Raises:
        DamagedRecord: the file is not a record of this wire version.
    """
    events, broken = read_lines(path)
    threads = read_threads(events, path)
    return _Reader(events, broken, threads).process()


def _ms(nanoseconds: int) -> float:
    return nanoseconds / 1e6


class _Reader:
    """Builds the models from the events of one process."""

    def __init__(self, events: list[Event], broken: int, threads: Threads) -> None:
        self.events = events
        self.broken = broken
        self.threads = threads

    def each(self, kind: str) -> list[Event]:
        return [event for event in self.events if event["e"] == kind]

    def last(self, kind: str, key: str) -> Any:
        found = self.each(kind)
        return found[-1].get(key) if found else None

    def mark(self, name: str) -> float | None:
        found = [event["t"] for event in self.each("mark") if event["name"] == name]
        return _ms(found[0]) if found else None

    def all(self, kind: str, build: Callable[[Event], Any]) -> list[Any]:
        return [build(event) for event in self.each(kind)]

    def process(self) -> ProcessRecord:
        first = self.events[0]
        ended = self.last("exit", "t")
        return ProcessRecord(
            pid=first["pid"],
            parent=first["ppid"],
            argv=first["argv"],
            python=first["python"],
            executable=first["executable"],
            cwd=first["cwd"],
            forked=first["forked"],
            started_ms=_ms(first["started"]),
            attached_ms=_ms(first["t"]),
            exited_ms=_ms(ended) if ended is not None else None,
            warp_version=self.last("warp", "version"),
            warp_path=self.last("warp", "path"),
            warp_import_begin_ms=self.mark("warp_import_begin"),
            warp_import_end_ms=self.mark("warp_import_end"),
            first_launch_ms=self.mark("first_launch"),
            imports=self.all("import", lambda e: ImportRecord(name=e["name"], ms=e["ms"])),
            modules=self.modules(),
            kernels=self.all("kernel", _kernel),
            loads=[*self.all("load", _load), *self.unfinished()],
            options=self.all("options", _option),
            config=self.all("config", _config),
            cache=self.all("cache", _cache),
            hashing=self.hashing(),
            spawned=self.all("spawn", _spawn),
            signatures=self.signatures(),
            streams=self.threads.streams,
            other_launches=self.threads.beyond,
            launches=sum(stream.length for stream in self.threads.streams),
            backward_passes=self.last("backward", "count") or 0,
            hook_ms=_ms(max((event.get("hook_ns", 0) for event in self.events), default=0)),
            problems=self.problems(),
        )

    def modules(self) -> list[ModuleRecord]:
        """Modules by the names they were loaded by: Warp adds a hash to a unique one after its creation."""
        loaded = {event["module"]: event["name"] for event in self.each("load")}
        return [
            _module({**event, "name": loaded.get(event["id"], event["name"])})
            for event in self.each("module")
        ]

    def unfinished(self) -> list[LoadRecord]:
        """Builds that had begun when the record ends: each thread's last, if no load followed it."""
        begun: dict[int, Event] = {}
        for event in self.events:
            if event["e"] == "build_begin":
                begun[event["thread"]] = event
            elif event["e"] == "load":
                begun.pop(event["thread"], None)
        ends = [event.get("t1", event.get("t", 0)) for event in self.events]
        return [_begun_load(event, max(ends)) for event in begun.values()]

    def hashing(self) -> list[HashingRecord]:
        latest = {event["module"]: event for event in self.each("hashing")}
        return [
            HashingRecord(module=e["module"], count=e["count"], ms=_ms(e["ns"]), declared=e["declared"])
            for e in latest.values()
        ]

    def signatures(self) -> list[Signature]:
        launched = {event["id"]: event for event in self.each("launched")}
        counts = self.threads.counts
        return [
            _signature(event, launched[event["launched"]], counts[event["slot"]])
            for event in self.each("signature")
            if event["launched"] in launched and counts[event["slot"]]
        ]

    def problems(self) -> list[Problem]:
        found = [Problem(code=event["code"], detail=event["detail"]) for event in self.each("problem")]
        if self.broken:
            found.append(Problem(code="record_cut", detail=f"{self.broken} lines could not be read"))
        return found


def _module(event: Event) -> ModuleRecord:
    return ModuleRecord(
        id=event["id"],
        name=event["name"],
        t_ms=_ms(event["t"]),
        options=event["options"],
        made=event.get("made", "file"),
        where=event["where"],
        via=event["via"],
    )


def _kernel(event: Event) -> KernelRecord:
    return KernelRecord(**{key: value for key, value in event.items() if key != "e"})


def _load(event: Event) -> LoadRecord:
    return LoadRecord(
        module=event["module"],
        name=event["name"],
        hash=event["hash"],
        device=event["device"],
        block_dim=event["block_dim"],
        status=event["status"],
        begin_ms=_ms(event["t0"]),
        end_ms=_ms(event["t1"]),
        cpu_ms=_ms(event["cpu_ns"]),
        nested_ms=_ms(event.get("nested_ns", 0)),
        within=event.get("within", False),
        thread=event["thread"],
        phases={
            name: Phase(wall_ms=max(0.0, _ms(wall)), cpu_ms=max(0.0, _ms(cpu)))
            for name, (wall, cpu) in event["phases"].items()
        },
        kernels=event["kernels"],
        options=event["options"],
        source_bytes=event["source_bytes"],
        adjoint_bytes=event.get("adjoint_bytes", 0),
        statements=event.get("statements", 0),
        unrolled_statements=event.get("unrolled", 0),
        lto={
            side: LtoPart(count=count, wall_ms=_ms(wall))
            for side, (count, wall) in event.get("lto_parts", {}).items()
        },
        lto_artifacts=event["lto"],
        headers_built=event["headers"],
        where=event["where"],
        via=event["via"],
        error=event["error"],
        forced=event["forced"],
    )


def _begun_load(event: Event, end: int) -> LoadRecord:
    """A load of which only the begin is known; its times end where the record ends."""
    unknown: Event = {"phases": {}, "options": {}, "source_bytes": 0, "lto": 0, "headers": 0, "cpu_ns": 0}
    unknown |= {"where": None, "via": None, "forced": False, "status": "error"}
    error = "the process ended in the middle of this build"
    load = {**event, **unknown, "t0": event["t"], "t1": max(end, event["t"]), "error": error}
    return _load(load).model_copy(update={"finished": False})


def _option(event: Event) -> OptionChange:
    return OptionChange(
        module=event["module"],
        t_ms=_ms(event["t"]),
        option=event["option"],
        old=event["old"],
        new=event["new"],
        where=event["where"],
        via=event["via"],
    )


def _config(event: Event) -> ConfigChange:
    return ConfigChange(
        t_ms=_ms(event["t"]),
        name=event["name"],
        old=event["old"],
        new=event["new"],
        where=event["where"],
        via=event["via"],
    )


def _cache(event: Event) -> CacheEvent:
    return CacheEvent(
        kind=event["kind"], t_ms=_ms(event["t"]), path=event["path"], where=event["where"], via=event["via"]
    )


def _spawn(event: Event) -> SpawnRecord:
    return SpawnRecord(
        pid=event["pid"],
        argv=event["argv"],
        t_ms=_ms(event["t"]),
        where=event["where"],
        via=event["via"],
        keeps_recorder=event["keeps"],
        keeps_caches=event["caches"],
    )


def _signature(event: Event, launched: Event, count: int) -> Signature:
    return Signature(
        slot=event["slot"],
        module=launched["module"],
        hash=launched["hash"],
        kernel=launched["kernel"],
        kernel_digest=launched["digest"],
        device=launched["device"],
        block_dim=launched["block_dim"],
        dim=event["dim"],
        types=launched["types"],
        adjoint=launched["adjoint"],
        count=count,
    )
