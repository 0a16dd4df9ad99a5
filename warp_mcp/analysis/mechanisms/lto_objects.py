"""CS-7: building LTO objects for MathDx, which has to pay off in the launches."""

from typing import Any

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import (
    built_loads,
    fired,
    not_applicable,
    not_reached,
    rounded,
    ruled_out,
    some,
    unseen,
)
from warp_mcp.analysis.stakes import is_cuda, least_stake_ms
from warp_mcp.analysis.texts import counted, seconds
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import LoadRecord

MECHANISM = "CS-7"
QUESTION = "Whether MathDx links are worth their build"


MEASURE = "Measure enable_mathdx_* both ways, build and launches, in the precision in use."
"""What is left to try where no link is one for backward code."""


def examine(evidence: Evidence) -> Finding:
    """Fired when the time in LTO is more than what counts; whether it pays off the launches have to show."""
    builds = [load for load in built_loads(evidence) if is_cuda(load.device)]
    if not builds:
        reason = unseen(evidence)
        if reason:
            return not_reached(MECHANISM, QUESTION, reason)
        return not_applicable(MECHANISM, QUESTION, "nothing was built for CUDA in this run")
    linked = sorted((load for load in builds if _lto_ms(load) > 0), key=lambda load: -_lto_ms(load))
    spent = sum(map(_lto_ms, linked))
    if spent > least_stake_ms(evidence):
        return _fired(linked, spent)
    if unseen(evidence):
        return not_reached(MECHANISM, QUESTION, unseen(evidence) or "")
    return ruled_out(
        MECHANISM,
        "No CUDA module spent time on MathDx links that counts",
        {
            "cuda_builds": len(builds),
            "lto_ms": rounded(spent),
            "lto_artifacts": sum(load.lto_artifacts for load in builds),
        },
    )


def _lto_ms(load: LoadRecord) -> float:
    phase = load.phases.get("lto")
    return phase.wall_ms if phase else 0.0


def _fired(linked: list[LoadRecord], spent: float) -> Finding:
    objects = sum(part.count for load in linked for part in load.lto.values())
    adjoint = sum(load.lto["adjoint"].wall_ms for load in linked if "adjoint" in load.lto)
    where = next((load.where for load in linked if load.where), None)
    return fired(
        MECHANISM,
        f"{counted(len(linked), 'CUDA module')} spent {seconds(spent)} on "
        + (counted(objects, "MathDx link") if objects else "MathDx links")
        + (f", {seconds(adjoint)} of it for backward code" if adjoint else ""),
        {
            "modules": some(load.name for load in linked),
            "links": [_told(load) for load in linked[:10]],
            "adjoint_lto_ms": rounded(adjoint),
            "where": some(load.where for load in linked),
        },
        cost_ms=spent,
        where=where,
        fix="" if adjoint else MEASURE,
    )


def _told(load: LoadRecord) -> dict[str, Any]:
    return {
        "module": load.name,
        "block_dim": load.block_dim,
        "lto_ms": rounded(_lto_ms(load)),
        **{
            side: {"count": part.count, "ms": rounded(part.wall_ms)}
            for side, part in sorted(load.lto.items())
        },
    }
