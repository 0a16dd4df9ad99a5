"""Decides when a target that does not end by itself has shown enough.

What belongs here: one class per kind of stop condition, each answering `due`. Ending the target is the
supervisor's business; ending it exactly at a launch is that of the package in
`interventions/stop_after_launches`.
"""

import json
import os
import time
from contextlib import suppress
from typing import Protocol

from warp_mcp.models.command import StopCondition
from warp_mcp.running.output import Finder

STOPPED = "stopped"
"""File in the record directory by which a process says that it left at its N-th launch."""

LOOK_S = 0.05
"""How often records are looked at, however much the target prints."""
LEAVING_S = 0.25
"""Given to a process that is about to leave by itself, and to a line that is about to be completed."""


class Stopper(Protocol):
    """One stop condition during one run."""

    def feed(self, stream: str, chunk: bytes) -> None:
        """Take output of the target; `stream` is "stdout" or "stderr"."""

    def due(self) -> bool:
        """Whether the target has reached the point at which it is to end."""
        ...

    def reached(self) -> bool:
        """Whether a target that has meanwhile ended by itself had reached that point."""
        ...


def stopper_for(stop: StopCondition, record_dir: str) -> Stopper:
    """The stop condition of a request, watching one run."""
    if stop.until_output is not None:
        return UntilOutput(stop.until_output)
    if stop.when_quiet_s is not None:
        return WhenQuiet(stop.when_quiet_s, record_dir)
    return AfterLaunches(record_dir) if stop.after_launches is not None else Never()


class Never:
    """The program ends by itself."""

    def feed(self, stream: str, chunk: bytes) -> None:
        """Output decides nothing."""

    def due(self) -> bool:
        """Never."""
        return False

    reached = due


class UntilOutput(Never):
    """At the first line of standard output or standard error that contains a text."""

    def __init__(self, text: str) -> None:
        self._finders = {"stdout": Finder(text), "stderr": Finder(text)}
        self._found_s: float | None = None

    def feed(self, stream: str, chunk: bytes) -> None:
        """Look for the text in either stream by itself."""
        self._finders[stream].feed(chunk)

    def due(self) -> bool:
        """The text was there, and its line is complete or stays as it is: a prompt has no end."""
        if self._found_s is None:
            self._found_s = time.monotonic() if self.reached() else None
        ended = any(finder.line_ended for finder in self._finders.values())
        return ended or (self._found_s is not None and time.monotonic() - self._found_s > LEAVING_S)

    def reached(self) -> bool:
        """The text was there."""
        return any(finder.found for finder in self._finders.values())


class AfterLaunches(Never):
    """One process of the target has made its N launches and left; the rest of the target is to end."""

    def __init__(self, record_dir: str) -> None:
        self._file = os.path.join(record_dir, STOPPED)
        self._seen_s: float | None = None

    def due(self) -> bool:
        """The process has said so, and has had a moment to leave by itself, with its own exit code."""
        if self._seen_s is None:
            self._seen_s = time.monotonic() if self.reached() else None
        return self._seen_s is not None and time.monotonic() - self._seen_s > LEAVING_S

    def reached(self) -> bool:
        """The process has said so."""
        return os.path.exists(self._file)


class WhenQuiet(Never):
    """Nothing was built or loaded for a while after the first launch, and no build is under way.

    Loads from the cache count as well: a warm run then ends at the same point of the program as its cold run.
    """

    def __init__(self, quiet_s: float, record_dir: str) -> None:
        self._quiet_ns = int(quiet_s * 1e9)
        self._records: dict[str, RecordWatch] = {}
        self._record_dir = record_dir
        self._next_look_s = 0.0

    def due(self) -> bool:
        """Quiet for long enough, over all processes of the target."""
        if time.monotonic() < self._next_look_s:
            return False
        self._next_look_s = time.monotonic() + LOOK_S
        self._look()
        records = self._records.values()
        launched = any(record.launched for record in records)
        if not launched or any(record.building for record in records):
            return False
        return time.monotonic_ns() - max(record.latest_ns for record in records) >= self._quiet_ns

    def reached(self) -> bool:
        """A program that ended by itself was not ended for being quiet."""
        return False

    def _look(self) -> None:
        """Read what the records have gained. A program may have removed them: then nothing is quiet."""
        with suppress(OSError):
            for name in os.listdir(self._record_dir):
                if name.endswith(".jsonl") and name not in self._records:
                    self._records[name] = RecordWatch(os.path.join(self._record_dir, name))
        for record in self._records.values():
            record.follow()


class RecordWatch:
    """Follows one process's record while it is being written; reads each line once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._pid = int(os.path.basename(path).split("-")[0])
        self._offset = 0
        self._cut = b""
        self._open: dict[object, int] = {}
        self.launched = False
        self.latest_ns = 0

    @property
    def building(self) -> bool:
        """A build has begun and not ended, in a process that lives."""
        return any(self._open.values()) and _lives(self._pid)

    def follow(self) -> None:
        """Read what was added since the last time."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                added = file.read()
        except OSError:
            return
        self._offset += len(added)
        *lines, self._cut = (self._cut + added).split(b"\n")
        for line in lines:
            self._note(line)

    def _note(self, line: bytes) -> None:
        try:
            event = json.loads(line)
            kind, times = event["e"], [event[key] for key in ("t", "t1") if key in event]
        except (ValueError, KeyError, TypeError):
            return
        if kind == "mark" and event.get("name") == "first_launch":
            self.launched = True
        elif kind == "build_begin":
            self._open[_thread(event)] = self._open.get(_thread(event), 0) + 1
        elif kind == "load":
            self._open[_thread(event)] = 0
        else:
            return
        self.latest_ns = max([self.latest_ns, *times])


def _thread(event: dict[str, object]) -> object:
    """Builds run in the thread that asked for them, so a load ends the build of its own thread."""
    return event.get("thread")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
