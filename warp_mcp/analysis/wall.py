"""What the cold wall of the reference run is made of."""

from warp_mcp.analysis import intervals
from warp_mcp.analysis.processes import all_loads, program_record
from warp_mcp.models.recording import ProcessRecord
from warp_mcp.models.report import WallPart
from warp_mcp.models.run import SampleRecording

_NAMED = 3
"""Imports named in the detail of their part."""


def split_wall(sample: SampleRecording) -> list[WallPart]:
    """The parts in the order in which they begin; what is left of the wall is the program's own.

    Of several processes the imports are those of the program itself; a build during an import counts in
    both parts. Empty when no process attached. Without a wall, as when the probe was killed, nothing is left
    over: the last part is not there.
    """
    process = program_record(sample.cold_recording)
    if process is None:
        return []
    interpreter = max(0.0, process.attached_ms - process.started_ms)
    warp_import = _warp_import(process)
    imports, imports_detail = _imports(process, warp_import)
    spans = [
        (load.begin_ms, load.end_ms) for load in all_loads(sample.cold_recording) if load.status != "cached"
    ]
    parts = [
        WallPart(
            name="interpreter", ms=interpreter, detail="start of Python until its site packages are set up"
        ),
        WallPart(name="imports", ms=imports, detail=imports_detail),
        WallPart(
            name="warp_import", ms=warp_import, detail=f"Warp {process.warp_version or 'was not imported'}"
        ),
        WallPart(name="compilation", ms=intervals.union(spans), detail=f"{len(spans)} builds"),
    ]
    if sample.cold.wall_ms is None:
        return parts
    rest = max(0.0, sample.cold.wall_ms - sum(part.ms for part in parts))
    return [
        *parts,
        WallPart(name="program", ms=rest, detail="the program's own code, its data and its launches"),
    ]


def _warp_import(process: ProcessRecord) -> float:
    begin, end = process.warp_import_begin_ms, process.warp_import_end_ms
    return max(0.0, end - begin) if begin is not None and end is not None else 0.0


def _imports(process: ProcessRecord, warp_import: float) -> tuple[float, str]:
    """Time in slow top-level imports, without Warp's, which may be one of them or within one."""
    slow = sorted(process.imports, key=lambda entry: -entry.ms)
    everything = sum(entry.ms for entry in slow)
    named = [f"{entry.name} {entry.ms / 1000:.1f} s" for entry in slow if entry.name != "warp"][:_NAMED]
    return max(0.0, everything - warp_import), ", ".join(named) or "no slow ones"
