"""CS-8: CPU modules loaded for the first time side by side, in several threads of one process."""

from collections.abc import Iterator

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import fired, not_applicable, not_reached, ruled_out, some, unseen
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import LoadRecord, ProcessRecord

MECHANISM = "CS-8"
QUESTION = "Whether CPU modules are loaded side by side"

LOCKED_SINCE = (1, 17)
"""The first release of Warp with a lock around the CPU compiler (issue 1705, PR 1710)."""


def examine(evidence: Evidence) -> Finding:
    """Fired when first loads of two CPU modules overlap, whatever the release; the text gives its status."""
    loads = [load for process in evidence.recording.processes for load in process.loads if _counts(load)]
    pairs = [pair for process in evidence.recording.processes for pair in _overlaps(process)]
    if pairs:
        return _fired(evidence, pairs)
    if not loads:
        if not evidence.modules or unseen(evidence):
            return not_reached(MECHANISM, QUESTION, unseen(evidence) or "no module was loaded in this run")
        return not_applicable(MECHANISM, QUESTION, "nothing was loaded for the CPU in this run")
    if evidence.unattached or evidence.recording.damaged:
        return not_reached(MECHANISM, QUESTION, unseen(evidence) or "a record of this run is damaged")
    return ruled_out(
        MECHANISM,
        "CPU modules were loaded one after the other",
        {"cpu_loads": len(loads), "threads": len({load.thread for load in loads})},
    )


def _counts(load: LoadRecord) -> bool:
    return load.device == "cpu" and load.status != "error"


def _overlaps(process: ProcessRecord) -> Iterator[tuple[LoadRecord, LoadRecord]]:
    """Pairs of first loads of different modules that were under way at once in different threads."""
    first: dict[str, LoadRecord] = {}
    for load in sorted(filter(_counts, process.loads), key=lambda load: load.begin_ms):
        for earlier in first.values():
            if earlier.thread != load.thread and earlier.end_ms > load.begin_ms and earlier.name != load.name:
                yield earlier, load
        first.setdefault(load.name, load)


def _fired(evidence: Evidence, pairs: list[tuple[LoadRecord, LoadRecord]]) -> Finding:
    loads = [load for pair in pairs for load in pair]
    names = some(load.name for load in loads)
    version = evidence.environment.warp or ""
    status = _status(version)
    return fired(
        MECHANISM,
        f"{len({load.name for load in loads})} CPU modules were loaded for the first time side by "
        f"side; {status}",
        {
            "modules": names,
            "pairs": [[one.name, other.name] for one, other in pairs[:10]],
            "threads": len({load.thread for load in loads}),
            "where": some(load.where for load in loads),
            "warp": version,
            "release": status,
        },
        cost_ms=None,
        where=next((load.where for load in loads if load.where), None),
    )


def _status(version: str) -> str:
    """What the release does about it."""
    words = version.split(".")
    known = tuple(int(word) for word in words[:2] if word.isdigit())
    since = ".".join(map(str, LOCKED_SINCE))
    if len(known) < 2:
        return f"before Warp {since} one of them can be lost"
    if known >= LOCKED_SINCE:
        return (
            f"Warp {version} locks its CPU compiler (since {since}), so none is lost; the "
            "builds may even cost more: each thread makes a header of its own"
        )
    return f"in Warp {version} one of them can be lost, not every time (fixed in {since})"
