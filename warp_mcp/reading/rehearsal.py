"""What a rehearsal of CUDA could not do: the lines of `<pid>.rehearsal` in the directory of a run's records.

What a line holds is told in `interventions/_warp_mcp_interventions/rehearsal.py`.
"""

import json
from pathlib import Path
from typing import Any, cast

MOST = 1_000_000
"""Of one kind. A program that does more of it has long said what matters."""
NOTE = "a note of the rehearsal"

Said = tuple[str, str]
"""What could not be rehearsed, and why."""


def read_rehearsal(record_dir: str) -> list[Said]:
    """What, and why, as often as it happened in all processes. A line that is damaged says so. Never raises.

    A process writes running counts, so its last is the total; of one that was killed it may be half of that.
    """
    found: list[Said] = []
    for path in sorted(Path(record_dir).glob("*.rehearsal")):
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError as error:
            found.append((path.name, f"it could not be read: {type(error).__name__}"))
            continue
        for said, count in _totals(lines).items():
            found += [said] * min(count, MOST)
    return found


def _totals(lines: list[str]) -> dict[Said, int]:
    """How often each was said by one process, in the order of first mention."""
    totals: dict[Said, int] = {}
    for line in filter(str.strip, lines):
        said, count = _told(line)
        # Lines without a count each stand for once.
        totals[said] = totals.get(said, 0) + 1 if count is None else max(totals.get(said, 0), count)
    return totals


def _told(line: str) -> tuple[Said, int | None]:
    try:
        value = cast(dict[str, Any], json.loads(line))
        if "unsupported" in value:
            return _unsupported(value), 1
        count = value.get("count")
        return (str(value["what"]), str(value["why"])), count if isinstance(count, int) else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return (NOTE, "its line could not be read"), None


def _unsupported(value: dict[str, Any]) -> Said:
    archs = ", ".join(f"sm_{arch}" for arch in value["supported"]) or "none without a driver"
    return f"compiling for sm_{value['unsupported']}", f"the architectures of this Warp: {archs}"
