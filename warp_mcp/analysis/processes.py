"""Which processes a run had, which of them were recorded, and which one is the program itself."""

import re

from warp_mcp.models.recording import LoadRecord, ProcessRecord, Recording, SpawnRecord
from warp_mcp.models.report import ProcessEntry
from warp_mcp.models.run import RunResult, SeenProcess

_PYTHON = re.compile(r"python(\d+(\.\d+)*)?[a-z]?(\.exe)?$", re.IGNORECASE)


def base_name(path: str) -> str:
    """Last component of a path."""
    return path.rstrip("/").rsplit("/", 1)[-1]


def is_python(argv: list[str]) -> bool:
    """Whether a command is a Python interpreter by its name."""
    return bool(argv) and bool(_PYTHON.match(base_name(argv[0])))


def ignoring_flag(argv: list[str]) -> str | None:
    """The flag with which an interpreter does not look at PYTHONPATH or site packages; `None` without one."""
    for flag in argv[1:]:
        if not flag.startswith("-") or flag in ("-c", "-m"):
            return None
        if not flag.startswith("--") and set(flag[1:]) & set("IES"):
            return flag
    return None


def all_loads(recording: Recording) -> list[LoadRecord]:
    """The loads of every process, in order of their begin."""
    loads = [load for process in recording.processes for load in process.loads]
    return sorted(loads, key=lambda load: load.begin_ms)


def compiled_loads(recording: Recording) -> list[LoadRecord]:
    """The loads that were compiled, of every process, in order of their begin."""
    return [load for load in all_loads(recording) if load.status == "compiled"]


def program_record(recording: Recording) -> ProcessRecord | None:
    """The process that is the program: of those with Warp the one with most work, else the first one."""

    def rank(process: ProcessRecord) -> tuple[bool, float, int, float]:
        work = sum(load.ms for load in process.loads)
        return process.warp_version is not None, work, process.launches, -process.started_ms

    return max(recording.processes, key=rank, default=None)


def list_processes(run: RunResult, recording: Recording) -> list[ProcessEntry]:
    """Every Python process of a run, recorded or not, in the order in which they came up."""
    seen = {process.pid: process for process in run.processes}
    replaced = _replaced(recording)
    entries: dict[int, ProcessEntry] = {}
    for record in sorted(recording.processes, key=lambda record: record.started_ms):
        known = seen.get(record.pid)
        entries[record.pid] = ProcessEntry(
            pid=record.pid,
            parent=record.parent,
            argv=replaced.get(record.pid, record).argv,
            attached=record.pid not in replaced,
            exit_code=known.exit_code if known else None,
        )
    for process in [*run.processes, *_spawned_unseen(recording)]:
        if process.pid not in entries:
            entries[process.pid] = ProcessEntry(
                pid=process.pid,
                parent=process.parent,
                argv=process.argv,
                attached=False,
                exit_code=process.exit_code,
            )
    return list(entries.values())


def _replaced(recording: Recording) -> dict[int, SpawnRecord]:
    """Processes that went on as another Python program, through `exec`, which left no record."""
    last = {record.pid: record.attached_ms for record in recording.processes}
    return {
        record.pid: child
        for record in recording.processes
        for child in record.spawned
        if child.pid == record.pid and last[record.pid] < child.t_ms
    }


def _spawned_unseen(recording: Recording) -> list[SeenProcess]:
    """Python children that a recorded process started: short-lived ones escape the runner's look."""
    return [
        SeenProcess(pid=child.pid, parent=record.pid, argv=child.argv, exit_code=None)
        for record in recording.processes
        for child in record.spawned
    ]
