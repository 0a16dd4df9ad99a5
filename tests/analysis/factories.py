"""Small models for the tests of the analysis. Every argument has an ordinary default."""

from collections.abc import Sequence as Sequence_
from typing import Any

from warp_mcp.analysis import build_report
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.launching import LaunchStream, Segment, Signature
from warp_mcp.models.recording import (
    ConfigChange,
    HashingRecord,
    KernelRecord,
    LoadRecord,
    ModuleRecord,
    OptionChange,
    Phase,
    ProcessRecord,
    Recording,
    SpawnRecord,
)
from warp_mcp.models.report import Report
from warp_mcp.models.run import Extras, Machine, RunResult, SampleRecording, SeenProcess

CACHE = "/tmp/run/cache"


def kernel(id: int = 0, name: str = "add", **changes: Any) -> KernelRecord:
    fields: dict[str, Any] = {
        "id": id,
        "object": changes.get("object", id),
        "module": 0,
        "key": f"app__{name}",
        "name": name,
        "defined_at": f"app.py:{10 + id}",
        "generic": False,
        "signature": "",
        "arg_types": ["array1d[float32]"],
        "digest": f"source of {name}",
        "constants": {},
        "uses": {},
        "options": {},
    }
    return KernelRecord(**{**fields, **changes})


def load(hash: str = "aa", begin: float = 1000.0, ms: float = 200.0, **changes: Any) -> LoadRecord:
    cpu = changes.pop("cpu_ms", ms)
    fields: dict[str, Any] = {
        "module": 0,
        "name": "app",
        "hash": hash,
        "device": "cpu",
        "block_dim": 1,
        "status": "compiled",
        "begin_ms": begin,
        "end_ms": begin + ms,
        "cpu_ms": cpu,
        "thread": 1,
        "phases": {"native_compile": Phase(wall_ms=ms * 0.9, cpu_ms=cpu * 0.9)},
        "kernels": [0],
        "options": {"fast_math": "False", "enable_backward": "True"},
        "source_bytes": 1000,
        "lto_artifacts": 0,
        "headers_built": 0,
        "where": "app.py:50",
        "via": None,
    }
    return LoadRecord(**{**fields, **changes})


def module(id: int = 0, name: str = "app", **changes: Any) -> ModuleRecord:
    fields: dict[str, Any] = {
        "t_ms": 900.0,
        "options": {"enable_backward": "True"},
        "where": "app.py:9",
        "via": None,
    }
    return ModuleRecord(id=id, name=name, **{**fields, **changes})


def config(name: str, old: str, new: str, t: float = 950.0, where: str | None = "app.py:20") -> ConfigChange:
    return ConfigChange(t_ms=t, name=name, old=old, new=new, where=where, via=None)


def option(
    name: str, old: str, new: str, t: float, where: str = "app.py:41", module: int = 0
) -> OptionChange:
    return OptionChange(module=module, t_ms=t, option=name, old=old, new=new, where=where, via=None)


def hashing(count: int, declared: int) -> HashingRecord:
    return HashingRecord(module=0, count=count, ms=5.0 * count, declared=declared)


def spawn(pid: int = 11, argv: list[str] | None = None, **changes: Any) -> SpawnRecord:
    return SpawnRecord(pid=pid, argv=argv or ["/usr/bin/python3", "child.py"], t_ms=1.0, **changes)


def signature(slot: int = 0, kernel: str = "add", count: int = 1, **changes: Any) -> Signature:
    fields: dict[str, Any] = {
        "module": 0,
        "hash": "aa",
        "kernel_digest": f"digest of {kernel}",
        "device": "cpu",
        "block_dim": 1,
        "dim": [8],
        "types": ["array1d[float32]"],
        "adjoint": False,
    }
    return Signature(slot=slot, kernel=kernel, count=count, **{**fields, **changes})


def stream(*segments: tuple[Sequence_[int], int], thread: int = 0, **changes: Any) -> LaunchStream:
    told = sum(length for _, length in segments)
    fields: dict[str, Any] = {"length": told, "known": told, "tail_digest": None}
    kept = [Segment(pattern=list(pattern), length=length) for pattern, length in segments]
    return LaunchStream(thread=thread, segments=kept, **{**fields, **changes})


def launched(*order: int) -> list[LaunchStream]:
    """One thread that launched these slots in this order."""
    return [stream((order, len(order)))] if order else []


def process(**changes: Any) -> ProcessRecord:
    streams: list[LaunchStream] = changes.get("streams", [])
    fields: dict[str, Any] = {
        "pid": 10,
        "parent": 1,
        "argv": ["/usr/bin/python3", "app.py"],
        "python": "3.11.4",
        "executable": "/usr/bin/python3",
        "cwd": "/work",
        "forked": False,
        "started_ms": 0.0,
        "attached_ms": 20.0,
        "exited_ms": 3000.0,
        "warp_version": "1.19.0",
        "warp_path": "/site/warp",
        "warp_import_begin_ms": 100.0,
        "warp_import_end_ms": 300.0,
        "first_launch_ms": 1500.0,
        "imports": [],
        "modules": [module()],
        "kernels": [kernel()],
        "loads": [],
        "options": [],
        "config": [],
        "cache": [],
        "hashing": [],
        "spawned": [],
        "signatures": [],
        "streams": [],
        "other_launches": 0,
        "launches": sum(one.length for one in streams),
        "backward_passes": 0,
        "hook_ms": 1.0,
        "problems": [],
    }
    return ProcessRecord(**{**fields, **changes})


def recording(*processes: ProcessRecord, **changes: Any) -> Recording:
    fields: dict[str, Any] = {"damaged": [], "cache_dir": CACHE, "lto_artifacts": 0}
    return Recording(processes=list(processes), **{**fields, **changes})


def run(wall: float | None = 3000.0, **changes: Any) -> RunResult:
    fields: dict[str, Any] = {
        "outcome": "completed",
        "exit_code": 0,
        "stdout_tail": "",
        "stderr_tail": "",
        "stopped_by": "none",
        "processes": [seen()],
        "left_running": 0,
        "foreign_load": 0.0,
        "record_dir": "/tmp/run/record",
        "cache_dir": CACHE,
    }
    return RunResult(wall_ms=wall, **{**fields, **changes})


def seen(pid: int = 10, argv: list[str] | None = None, parent: int = 1) -> SeenProcess:
    return SeenProcess(pid=pid, parent=parent, argv=argv or ["/usr/bin/python3", "app.py"], exit_code=0)


def sample(*processes: ProcessRecord, **changes: Any) -> SampleRecording:
    """A cold run with these processes, and a warm run that found everything in the cache."""
    cold = changes.pop("cold", run())
    warm_processes = [
        one.model_copy(update={"loads": [_cached(load) for load in one.loads]}) for one in processes
    ]
    fields: dict[str, Any] = {
        "cold": cold,
        "cold_recording": recording(*processes),
        "warm": run(1000.0),
        "warm_recording": recording(*warm_processes),
    }
    return SampleRecording(**{**fields, **changes})


def _cached(load: LoadRecord) -> LoadRecord:
    return load.model_copy(update={"status": "cached", "end_ms": load.begin_ms + 2.0, "cpu_ms": 2.0})


def machine(**changes: Any) -> Machine:
    fields: dict[str, Any] = {
        "cpu": "Example CPU",
        "cores": 8,
        "memory_bytes": 2**34,
        "gpu": None,
        "driver": None,
        "cuda_toolkit": None,
        "platform": "Linux-x86_64",
        "variables": {},
    }
    return Machine(**{**fields, **changes})


def request(**changes: Any) -> MeasureRequest:
    fields: dict[str, Any] = {"command": ["python", "app.py"], "cwd": "/work", "samples": 3}
    return MeasureRequest(**{**fields, **changes})


def report(
    *samples: SampleRecording,
    on: Machine | None = None,
    probe_killed: bool = False,
    extras: Extras | None = None,
    **changes: Any,
) -> Report:
    asked = request(**changes)
    return build_report(
        asked,
        list(samples),
        on or machine(),
        report_id="r-1",
        created_at="2026-01-01T00:00:00+00:00",
        probe_killed=probe_killed,
        extras=extras or Extras(),
    )


def report_of(record: ProcessRecord, **changes: Any) -> Report:
    """A report of three equal samples of one process."""
    return report(*[sample(record)] * 3, **changes)
