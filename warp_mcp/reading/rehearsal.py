"""What a rehearsal of CUDA could not do: the lines of `<pid>.rehearsal` in the directory of a run's records."""

import json
from pathlib import Path
from typing import Any


def read_rehearsal(record_dir: str) -> list[tuple[str, str]]:
    """What, and why, as often as the processes told it. A line that cannot be read says so. Never raises."""
    found: list[tuple[str, str]] = []
    for path in sorted(Path(record_dir).glob("*.rehearsal")):
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as error:
            found.append((path.name, f"it could not be read: {type(error).__name__}"))
            continue
        found += [_told(line) for line in lines if line.strip()]
    return found


def _told(line: str) -> tuple[str, str]:
    try:
        value: Any = json.loads(line)
        return str(value["what"]), str(value["why"])
    except (ValueError, TypeError, KeyError):
        return "a note of the rehearsal", "its line could not be read"
