"""The files that the intervention `compile_trace` left: traced builds of each process of one run.

What a line holds is told in `interventions/_warp_mcp_interventions/compile_trace.py`.
"""

from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from warp_mcp.models.compile_trace import TracedBuild, TracedFunction, TraceSeen
from warp_mcp.reading.json_lines import objects

WHOLE = (
    "front_ms",
    "headers_ms",
    "wrap_ms",
    "optimiser_ms",
    "linker_ms",
    "assembler_ms",
    "output_ms",
    "module",
    "source",
    "block_dim",
    "arch",
    "links",
    "builds",
    "all_cpu_ms",
)
NOTHING = "No process traced a build: none compiled for CUDA and ended in order."


def read_trace(record_dir: str) -> TraceSeen:
    """What all processes of a run traced. Lines that cannot be read are counted in `problems`."""
    builds: list[TracedBuild] = []
    problems: dict[str, None] = {}
    spent = 0.0
    broken = 0
    paths = sorted(Path(record_dir).glob("*.trace"))
    for value in objects(paths, problems):
        build = _build(value)
        if build is not None:
            builds.append(build)
        elif isinstance(value.get("problem"), str):
            problems[cast(str, value["problem"])] = None
        elif isinstance(value.get("spent_ms"), (int, float)):
            spent += cast(float, value["spent_ms"])
        else:
            broken += 1
    if broken:
        problems[f"{broken} of the lines with traced builds could not be read."] = None
    if not paths:
        problems[NOTHING] = None
    return TraceSeen(builds=builds, spent_ms=spent, problems=list(problems))


def _build(value: dict[str, Any]) -> TracedBuild | None:
    try:
        return TracedBuild(
            **{name: value[name] for name in WHOLE},
            timed_cpu_ms=value["timed"]["cpu_ms"],
            traced_wall_ms=value["traced"]["wall_ms"],
            traced_cpu_ms=value["traced"]["cpu_ms"],
            counted_optimiser_ms=value["counted"]["optimiser_ms"],
            counted_assembler_ms=value["counted"]["assembler_ms"],
            functions=[TracedFunction(**one) for one in value["functions"]],
        )
    except (KeyError, TypeError, ValidationError):
        return None
