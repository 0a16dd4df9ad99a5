"""Whether every run stayed in its own empty caches. A violation is a sentence, with its line if known."""

from collections.abc import Iterator

from warp_mcp.analysis.processes import is_python
from warp_mcp.analysis.thresholds import MOST_NAMED
from warp_mcp.models.recording import ConfigChange, ProcessRecord, Recording
from warp_mcp.models.report import Isolation
from warp_mcp.models.run import SampleRecording


def check_isolation(samples: list[SampleRecording]) -> Isolation:
    """Look at the cold and the warm run of every sample."""
    recordings = [sample.cold_recording for sample in samples]
    recordings += [sample.warm_recording for sample in samples if sample.warm_recording]
    found = list(dict.fromkeys(text for recording in recordings for text in _escapes(recording)))
    if len(found) > MOST_NAMED:
        found = [*found[: MOST_NAMED - 1], f"and {len(found) - MOST_NAMED + 1} more of the kind"]
    return Isolation(ok=not found, violations=found)


def _escapes(recording: Recording) -> Iterator[str]:
    for process in recording.processes:
        assigned = list(_assigned(process, recording.cache_dir))
        yield from assigned
        if not assigned:
            yield from _directories(process, recording.cache_dir)
        yield from _children(process)


def _assigned(process: ProcessRecord, cache_dir: str) -> Iterator[str]:
    """Assignments to `kernel_cache_dir` that lead out of the run's own directory."""
    for change in process.config:
        if change.name == "kernel_cache_dir" and not _within(_path(change), cache_dir):
            place = change.where or change.via or "an unknown line"
            yield f"{place}: the program sets warp.config.kernel_cache_dir to {_path(change)}"


def _path(change: ConfigChange) -> str:
    """The assigned path; the recorder keeps values as Python shows them."""
    return change.new.strip("'\"")


def _directories(process: ProcessRecord, cache_dir: str) -> Iterator[str]:
    """Directories that Warp settled on although nothing was assigned: the variable was changed on the way."""
    for event in process.cache:
        if event.kind == "directory" and event.path and not _within(event.path, cache_dir):
            place = f"{event.where}: " if event.where else ""
            yield f"{place}WARP_CACHE_PATH was changed on the way; Warp used the cache {event.path}"


def _children(process: ProcessRecord) -> Iterator[str]:
    for child in process.spawned:
        if not child.keeps_recorder and is_python(child.argv):
            place = child.where or child.via or f"process {process.pid}"
            yield f"{place}: starts a Python process without the environment, so it uses the user's own cache"


def _within(path: str, directory: str) -> bool:
    own = directory.rstrip("/")
    return path.rstrip("/") == own or path.startswith(f"{own}/")
