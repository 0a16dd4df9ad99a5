"""The lines of the `outputs` intervention to one `OutputsSeen`. What cannot be read is told in `problems`."""

import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from warp_mcp.models.outputs import OutputRecord, OutputsSeen

BUDGET = "outputs.hashed"
"""File of eight bytes: how many were hashed, over all processes."""

_Line = dict[str, Any]


@dataclass
class _Process:
    """What one process wrote. A program that replaces itself by another one keeps its number."""

    started: int
    lines: list[_Line] = field(default_factory=list[_Line])


def read_outputs(record_dir: str) -> OutputsSeen:
    """What one pass recorded, processes numbered by their start. Never raises for what a file holds."""
    processes: list[_Process] = []
    problems: list[str] = []
    for path in sorted(Path(record_dir).glob("*.outputs")):
        try:
            found, broken = _read(path)
        except OSError as error:
            problems.append(f"{path.name} could not be read: {type(error).__name__}")
            continue
        processes += found
        if broken:
            problems.append(f"{path.name}: {broken} lines could not be read")
    processes.sort(key=lambda process: process.started)
    records: list[OutputRecord] = []
    left_out = 0
    for number, process in enumerate(processes):
        for line in process.lines:
            if line["e"] == "record":
                _add(records, problems, number, line)
            elif line["e"] == "left_out":
                left_out += 1
            elif line["e"] == "problem":
                problems.append(str(line.get("text", "")))
    return OutputsSeen(
        records=records,
        hashed_bytes=_hashed(Path(record_dir)),
        left_out=left_out,
        problems=list(dict.fromkeys(problems)),
    )


def _read(path: Path) -> tuple[list[_Process], int]:
    """Processes that wrote this file, one after the other, and how many lines are broken."""
    processes: list[_Process] = []
    broken = 0
    for raw in path.read_bytes().splitlines():
        line = _parsed(raw)
        if line is not None and line["e"] == "process" and isinstance(line.get("started"), int):
            processes.append(_Process(line["started"]))
        elif line is not None and processes:
            processes[-1].lines.append(line)
        else:
            broken += 1
    return processes, broken


def _parsed(raw: bytes) -> _Line | None:
    try:
        line: Any = json.loads(raw)
    except ValueError:
        return None
    if not isinstance(line, dict):
        return None
    found = cast(_Line, line)
    return found if isinstance(found.get("e"), str) else None


def _add(records: list[OutputRecord], problems: list[str], process: int, line: _Line) -> None:
    try:
        told = {key: value for key, value in line.items() if key != "e"}
        records.append(OutputRecord.model_validate({**told, "process": process}))
    except ValueError:
        problems.append("a record of outputs could not be understood")


def _hashed(record_dir: Path) -> int:
    try:
        return int(struct.unpack("<Q", (record_dir / BUDGET).read_bytes())[0])
    except (OSError, struct.error):
        return 0
