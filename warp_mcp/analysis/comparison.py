"""Putting a comparison together from two reports."""

from warp_mcp.analysis.comparability import environment_differences
from warp_mcp.analysis.module_changes import match_modules, module_changes
from warp_mcp.analysis.next_checks import next_checks
from warp_mcp.analysis.outputs import compare_outputs
from warp_mcp.analysis.rehearsal_comparison import compare_rehearsals, with_rehearsals
from warp_mcp.analysis.statistics import noise_band, stands_out
from warp_mcp.analysis.steady_state import compare_times, slower_warning
from warp_mcp.analysis.thresholds import STAKE_MOVED
from warp_mcp.analysis.verdict import Terms, judge
from warp_mcp.analysis.workload import compare_workloads
from warp_mcp.models.comparison import Comparison, Delta, MechanismChange, StructureChange
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.rehearsed import rehearsed_for
from warp_mcp.models.report import Metric, Report

_CARRIED = (
    "sample_failed",
    "timed_out",
    "warm_run_failed",
    "samples_disagree",
    "machine_busy",
    "record_incomplete",
    "recorder_not_attached",
    "option_arrived_too_late",
    "compilation_is_minor",
)
"""Warnings of a report that bear on a comparison with it."""


def compare_reports(
    baseline: Report,
    candidate: Report,
    *,
    comparison_id: str,
    created_at: str,
    interleaved: bool = False,
    on_wait: bool = False,
) -> Comparison:
    """Compare two reports. `created_at`: ISO 8601, UTC. There is a verdict for any two.

    `interleaved`: both sides were measured in turn in one measurement. `on_wait`: judge the wait, whatever
    changed. Rehearsals of CUDA are compared with each other alone.
    """
    terms = Terms(interleaved=interleaved, wait=on_wait)

    def compare(one: Report, other: Report) -> Comparison:
        return _compare(one, other, terms, comparison_id, created_at)

    rehearsal = compare_rehearsals(baseline, candidate, compare)
    if rehearsal.alone and rehearsal.arch is not None:
        # What is still to be checked, and the warnings, are those of the rehearsals too.
        told = compare(rehearsed_for(baseline, rehearsal.arch), rehearsed_for(candidate, rehearsal.arch))
    else:
        told = compare(baseline, candidate)
    return with_rehearsals(told, rehearsal, baseline, candidate)


def _compare(
    baseline: Report, candidate: Report, terms: Terms, comparison_id: str, created_at: str
) -> Comparison:
    """Two reports as they are, whatever was rehearsed beside."""
    matches = match_modules(baseline, candidate)
    workload = compare_workloads(baseline, candidate)
    times = compare_times(baseline, candidate)
    outputs = compare_outputs(baseline, candidate, workload)
    judgement = judge(baseline, candidate, workload, matches, terms, outputs)
    return Comparison(
        comparison_id=comparison_id,
        created_at=created_at,
        baseline=baseline.report_id,
        candidate=candidate.report_id,
        baseline_label=baseline.label,
        candidate_label=candidate.label,
        verdict=judgement.verdict,
        judged_on=judgement.judged_on,
        reasons=judgement.reasons,
        causes=judgement.causes,
        workload=workload,
        timing=_timing(baseline, candidate, terms.least_percent),
        modules=module_changes(matches),
        structure=_structure(baseline, candidate),
        mechanisms=_mechanisms(baseline, candidate, caused=bool(judgement.causes)),
        environment=environment_differences(baseline, candidate),
        next_checks=next_checks(baseline, candidate, workload, matches, times, outputs),
        warnings=[*slower_warning(times), *_warnings(baseline, candidate)],
        outputs=outputs,
        steady_state=times,
    )


def _timing(baseline: Report, candidate: Report, least_percent: float) -> list[Delta]:
    names = dict.fromkeys([*baseline.metrics, *candidate.metrics])
    return [
        _delta(name, baseline.metrics.get(name), candidate.metrics.get(name), least_percent)
        for name in names
        if name.endswith("_ms") or name.startswith("overlap_")
    ]


def _delta(name: str, old: Metric | None, new: Metric | None, least_percent: float) -> Delta:
    difference = new.median - old.median if old and new else None
    return Delta(
        metric=name,
        baseline_median=old.median if old else None,
        baseline_mad=old.mad if old else None,
        baseline_count=len(old.values) if old else 0,
        candidate_median=new.median if new else None,
        candidate_mad=new.mad if new else None,
        candidate_count=len(new.values) if new else 0,
        delta=difference,
        delta_percent=100 * difference / old.median
        if old and old.median and difference is not None
        else None,
        band=noise_band(old, new) if old and new else None,
        outside_noise=stands_out(old, new, least_percent) if old and new else False,
    )


def _structure(baseline: Report, candidate: Report) -> list[StructureChange]:
    before, after = baseline.structure, candidate.structure
    pairs = {
        "identities": (before.identities, after.identities),
        "modules": (before.modules, after.modules),
        "builds": (before.builds, after.builds),
        "rebuilds": (len(baseline.rebuilds), len(candidate.rebuilds)),
        "generated_source_bytes": (before.generated_source_bytes, after.generated_source_bytes),
        "lto_artifacts": (before.lto_artifacts, after.lto_artifacts),
        "header_builds": (before.header_builds, after.header_builds),
        "warm_builds": (len(before.warm_compiled), len(after.warm_compiled)),
    }
    return [StructureChange(name=name, baseline=old, candidate=new) for name, (old, new) in pairs.items()]


BY_COST = ("CS-4", "CS-7", "CS-9", "CS-10", "CS-11", "CS-12", "CS-13")
"""Mechanisms that fire when enough is at stake: a slower run alone can lift one over the threshold."""


def _mechanisms(baseline: Report, candidate: Report, *, caused: bool) -> MechanismChange:
    """Fixed only where the candidate's record rules the mechanism out; what it cannot tell is in no list.

    One that goes by its cost is neither fixed nor new where nothing recorded (`caused`) has changed, nor
    where it only passed the threshold: a faster start makes the same stake a larger share.
    """
    before = {finding.mechanism: finding.status for finding in baseline.findings}
    after = {finding.mechanism: finding.status for finding in candidate.findings}
    fired = [label for label in MECHANISMS if before.get(label) == "fired"]
    moved = {label for label in BY_COST if caused and _stake_moved(label, baseline, candidate)}
    told = [label for label in MECHANISMS if label in moved or label not in BY_COST]
    return MechanismChange(
        fixed=[label for label in fired if after.get(label) == "ruled_out" and label in told],
        remaining=[label for label in fired if after.get(label) == "fired"],
        new=[label for label in told if after.get(label) == "fired" and label not in fired],
    )


def _stake_moved(label: str, baseline: Report, candidate: Report) -> bool:
    """Whether what is at stake differs by more than `STAKE_MOVED`; also where a side does not tell it."""
    stakes = [_stake(label, report) for report in (baseline, candidate)]
    known = [stake for stake in stakes if stake is not None]
    return len(known) < len(stakes) or max(known) > STAKE_MOVED * min(known)


def _stake(label: str, report: Report) -> float | None:
    """Of a finding that fired its cost, of one that was ruled out what its evidence tells."""
    finding = next((one for one in report.findings if one.mechanism == label), None)
    if finding is None:
        return None
    stake = finding.cost_ms if finding.status == "fired" else finding.evidence.get("at_stake_ms")
    return float(stake) if isinstance(stake, int | float) else None


def _warnings(baseline: Report, candidate: Report) -> list[str]:
    return [
        f"{side}: {warning.message}"
        for side, report in (("baseline", baseline), ("candidate", candidate))
        for warning in report.warnings
        if warning.code in _CARRIED
    ]
