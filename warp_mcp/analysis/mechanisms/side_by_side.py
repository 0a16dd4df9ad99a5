"""What building ahead by several threads gave, in place of the bound of the finding that advises it."""

from collections.abc import Sequence

from warp_mcp.analysis.mechanisms.findings import rounded, ruled_out
from warp_mcp.analysis.mechanisms.serial_builds import MECHANISM
from warp_mcp.analysis.stakes import least_of
from warp_mcp.analysis.texts import counted, seconds
from warp_mcp.models.finding import Finding
from warp_mcp.models.rehearsal import WorkersTried


def with_measured_wait(
    findings: list[Finding], tried: Sequence[WorkersTried], wait_ms: float, cores: int
) -> list[Finding]:
    """The same findings; CS-13, where it fired and several threads were tried, goes by the wait of those.

    `wait_ms`: that of the builds as the launches make them. `cores`: of the machine that tried it, without
    which the wait says nothing.
    """
    if not _several(tried):
        return findings
    return [
        _measured(finding, tried, wait_ms, cores)
        if finding.mechanism == MECHANISM and finding.status == "fired"
        else finding
        for finding in findings
    ]


def _several(tried: Sequence[WorkersTried]) -> list[WorkersTried]:
    return [one for one in tried if one.workers > 1]


def _measured(finding: Finding, tried: Sequence[WorkersTried], wait_ms: float, cores: int) -> Finding:
    best = min(_several(tried), key=lambda one: one.wait_ms)
    bound_ms = finding.cost_ms or 0.0
    # Two runs differ by noise too: what no overlap can save was not saved by one.
    saved = min(wait_ms - best.wait_ms, bound_ms) if best.peak_builds > 1 else 0.0
    seen = {
        "wait_ms": rounded(wait_ms),
        "wait_by_workers_ms": {str(one.workers): rounded(one.wait_ms) for one in tried},
        "cores": cores,
        "bound_ms": rounded(bound_ms),
    }
    told = (
        f"built ahead by {best.workers} threads on {counted(cores, 'core')} the wait was "
        f"{seconds(best.wait_ms)} instead of {seconds(wait_ms)}"
    )
    if saved <= least_of(wait_ms):
        least = {"at_stake_ms": rounded(max(0.0, saved)), "least_that_counts_ms": rounded(least_of(wait_ms))}
        title = f"Building CUDA modules side by side was tried and saved nothing that counts: {told}"
        return ruled_out(MECHANISM, title, {**finding.evidence, **seen, **least})
    return finding.model_copy(
        update={
            "title": f"{finding.title}; {told}",
            "evidence": {**finding.evidence, **seen},
            "cost_ms": saved,
            "cost_kind": "measured",
            "how": "",
        }
    )
