"""The lines of one record file: parsing, and telling a cut or damaged file from a whole one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Event = dict[str, Any]
"""One line of a record; the kinds are listed in the recorder's `wire.py`."""

WIRE_VERSION = 1
"""The wire version this reader understands."""


class DamagedRecord(Exception):
    """A record that is not one, or not one of this version."""


def read_lines(path: Path) -> tuple[list[Event], int]:
    """All events of a record file, handshake first, and how many lines could not be parsed.

    Raises:
        DamagedRecord: the file is empty, does not begin with a handshake, or has another wire version.
    """
    events: list[Event] = []
    broken = 0
    for line in _lines(path):
        event = _parse(line)
        if event is None:
            broken += 1
        else:
            events.append(event)
    if not events or events[0].get("e") != "process":
        raise DamagedRecord(f"{path.name}: does not begin with a handshake")
    if events[0].get("wire") != WIRE_VERSION:
        raise DamagedRecord(f"{path.name}: wire version {events[0].get('wire')}, not {WIRE_VERSION}")
    return events, broken


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                yield line


def _parse(line: bytes) -> Event | None:
    """A line as an event; None for one that was cut off by the end of its process."""
    try:
        event: Any = json.loads(line)
    except ValueError:
        return None
    if b"\\ud" in line:
        event = _printable(event)
    return event if isinstance(event, dict) and isinstance(event.get("e"), str) else None  # pyright: ignore


def _printable(value: Any) -> Any:
    """The value without lone surrogates, which stand for bytes that are not UTF-8 and fit no file."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_printable(one) for one in value]  # pyright: ignore
    if isinstance(value, dict):
        return {_printable(key): _printable(one) for key, one in value.items()}  # pyright: ignore
    return value
