"""The files that the intervention `steady_state` left: launch times of each process of one run.

What a line holds is told in `interventions/_warp_mcp_interventions/steady_state.py`.
"""

import json
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from warp_mcp.models.steady_state import LaunchTimes, TimesSeen

NOTHING = "no process left launch times"


def read_times(record_dir: str) -> TimesSeen:
    """What all processes of a run timed. Lines that cannot be read are counted in `problems`."""
    launches: list[LaunchTimes] = []
    problems: dict[str, None] = {}
    once = broken = 0
    paths = sorted(Path(record_dir).glob("*.times"))
    for line in (line for path in paths for line in _lines(path, problems)):
        value = _object(line)
        timed = _timed(value)
        if timed is not None:
            launches.append(timed)
        elif isinstance(value.get("once"), int):
            once += cast(int, value["once"])
        elif isinstance(value.get("problem"), str):
            problems[cast(str, value["problem"])] = None
        else:
            broken += 1
    if broken:
        problems[f"{broken} of the lines with launch times could not be read"] = None
    if not paths:
        problems[NOTHING] = None
    return TimesSeen(launches=launches, once=once, problems=list(problems))


def _lines(path: Path, problems: dict[str, None]) -> list[bytes]:
    try:
        return [line for line in path.read_bytes().splitlines() if line.strip()]
    except OSError as error:
        problems[f"{path.name} could not be read: {error.strerror or error}"] = None
        return []


def _object(line: bytes) -> dict[str, Any]:
    """The object on a line; an empty one for a line that is cut or damaged."""
    try:
        value: object = json.loads(line)
    except ValueError:
        return {}
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _timed(value: dict[str, Any]) -> LaunchTimes | None:
    try:
        return LaunchTimes(
            kernel=value["kernel"],
            module=value["module"],
            signature=value["signature"],
            launches=value["launches"],
            median_us=value["median_ns"] / 1000,
            mad_us=value["mad_ns"] / 1000,
        )
    except (KeyError, TypeError, ValidationError):
        return None
