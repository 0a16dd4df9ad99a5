"""The files that the intervention `compile_trace` left: traced builds of each process of one run.

What a line holds is told in `interventions/_warp_mcp_interventions/compile_trace.py`.
"""

from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from warp_mcp.models.compile_trace import TracedBuild, TracedFunction, TraceSeen
from warp_mcp.reading.json_lines import objects

WHOLE = (
    "source",
    "arch",
    "front_ms",
    "headers_ms",
    "wrap_ms",
    "optimiser_ms",
    "linker_ms",
    "assembler_ms",
    "output_ms",
)


def read_trace(record_dir: str) -> TraceSeen:
    """What all processes of a run traced. Lines that cannot be read are counted in `problems`."""
    builds: list[TracedBuild] = []
    problems: dict[str, None] = {}
    broken = 0
    for value in objects(sorted(Path(record_dir).glob("*.trace")), problems):
        build = traced_build(value)
        if build is not None:
            builds.append(build)
        elif isinstance(value.get("problem"), str):
            problems[cast(str, value["problem"])] = None
        else:
            broken += 1
    if broken:
        problems[f"{broken} of the lines with traced builds could not be read."] = None
    return TraceSeen(builds=builds, problems=list(problems))


def traced_build(value: dict[str, Any]) -> TracedBuild | None:
    """One line of a file; None where it is none of a traced build."""
    try:
        return TracedBuild(
            **{name: value[name] for name in WHOLE},
            traced_wall_ms=value["traced"]["wall_ms"],
            traced_cpu_ms=value["traced"]["cpu_ms"],
            counted_optimiser_ms=value["counted"]["optimiser_ms"],
            counted_assembler_ms=value["counted"]["assembler_ms"],
            functions=[TracedFunction(**one) for one in value["functions"]],
        )
    except (KeyError, TypeError, ValidationError):
        return None
