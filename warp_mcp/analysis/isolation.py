"""Whether every run stayed in its own empty caches. A violation is a sentence, with its line if known."""

from collections.abc import Iterator
from typing import NamedTuple

from warp_mcp.analysis.thresholds import MOST_NAMED
from warp_mcp.models.recording import ProcessRecord, Recording
from warp_mcp.models.report import Isolation
from warp_mcp.models.run import RunResult, SampleRecording

_UNKNOWN = "an unknown line"


def check_isolation(samples: list[SampleRecording]) -> Isolation:
    """Look at the cold and the warm run of every sample."""
    runs = [(sample.cold, sample.cold_recording) for sample in samples]
    runs += [(one.warm, one.warm_recording) for one in samples if one.warm and one.warm_recording]
    found: dict[tuple[str, str], str] = {}
    for run, recording in runs:
        for escape in [*_escapes(recording), *_unrecorded(run, recording)]:
            # A directory that is new in each run is one violation, told with the first one.
            found.setdefault(
                (escape.place, escape.what), f"{escape.place}: {escape.what} {escape.path}".rstrip()
            )
    violations = list(found.values())
    if len(violations) > MOST_NAMED:
        more = len(violations) - MOST_NAMED + 1
        violations = [*violations[: MOST_NAMED - 1], f"and {more} more of the kind"]
    return Isolation(ok=not violations, violations=violations)


class _Escape(NamedTuple):
    place: str
    what: str
    path: str


def _escapes(recording: Recording) -> Iterator[_Escape]:
    for process in recording.processes:
        assigned = list(_assigned(process, recording.cache_dir))
        yield from assigned
        if not assigned:
            yield from _directories(process, recording.cache_dir)
        yield from _children(process)


def _assigned(process: ProcessRecord, cache_dir: str) -> Iterator[_Escape]:
    """Assignments to `kernel_cache_dir` that lead out of the run's own directory."""
    for change in process.config:
        path = change.new.strip("'\"")
        if change.name == "kernel_cache_dir" and not _within(path, cache_dir):
            place = change.where or change.via or _UNKNOWN
            yield _Escape(place, "the program sets warp.config.kernel_cache_dir to", path)


def _directories(process: ProcessRecord, cache_dir: str) -> Iterator[_Escape]:
    """Directories that Warp settled on although nothing was assigned: the variable was changed on the way."""
    for event in process.cache:
        if event.kind == "directory" and event.path and not _within(event.path, cache_dir):
            place = event.where or event.via or _UNKNOWN
            yield _Escape(place, "WARP_CACHE_PATH was changed on the way; Warp used the cache", event.path)


def _children(process: ProcessRecord) -> Iterator[_Escape]:
    """Python children without the environment. With -I the recorder is lost, the variables are not."""
    for child in process.spawned:
        if not child.keeps_caches:
            what = "starts a Python process without the environment, so it uses the user's own cache"
            yield _Escape(child.where or child.via or _UNKNOWN, what, "")


def _unrecorded(run: RunResult, recording: Recording) -> Iterator[_Escape]:
    """Python processes that were only seen from outside, without the run's cache in their environment."""
    told = {process.pid for process in recording.processes}
    told |= {child.pid for process in recording.processes for child in process.spawned}
    for process in run.processes:
        if process.isolated is False and process.pid not in told:
            place = " ".join(process.argv[:3])
            yield _Escape(place, "runs without the environment, so it uses the user's own cache", "")


def _within(path: str, directory: str) -> bool:
    own = directory.rstrip("/")
    return path.rstrip("/") == own or path.startswith(f"{own}/")
