"""The files that the intervention `steady_state` left: launch times of each process of one run.

What a line holds is told in `interventions/_warp_mcp_interventions/steady_state.py`.
"""

from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from warp_mcp.models.steady_state import LaunchTimes, TimesSeen
from warp_mcp.reading.json_lines import objects

NOTHING = "no process left launch times"


def read_times(record_dir: str) -> TimesSeen:
    """What all processes of a run timed. Lines that cannot be read are counted in `problems`."""
    launches: list[LaunchTimes] = []
    problems: dict[str, None] = {}
    once = broken = 0
    paths = sorted(Path(record_dir).glob("*.times"))
    for value in objects(paths, problems):
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
