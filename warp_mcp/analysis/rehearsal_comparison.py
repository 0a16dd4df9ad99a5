"""Comparing rehearsals: the same judge, on what was built for CUDA on a machine without a GPU.

A rehearsal is only ever compared with a rehearsal for the same architecture. Where both reports hold nothing
else, the verdict of the rehearsals is that of the comparison.
"""

from collections.abc import Callable

from warp_mcp.models.comparison import Comparison, RehearsalComparison
from warp_mcp.models.rehearsal import RehearsedArch
from warp_mcp.models.rehearsed import all_archs, alone, as_report, ordinary_completed
from warp_mcp.models.report import Report

Compare = Callable[[Report, Report], Comparison]

BY_REHEARSALS = (
    "Both reports hold nothing but a rehearsal of CUDA, so the verdict is that of the rehearsals for {arch}: "
    "of what is built, not of what a GPU does"
)
ONE_SIDED = (
    "the {ordinary} was measured on this machine as it is, and the {rehearsed} holds only a rehearsal of "
    "CUDA: a rehearsal is compared with rehearsals only"
)


def compare_rehearsals(baseline: Report, candidate: Report, compare: Compare) -> RehearsalComparison:
    """What the rehearsals of two reports say. `compare` compares two reports that hold no rehearsal."""
    before, after = _by_arch(baseline), _by_arch(candidate)
    only = bool(alone(baseline) and alone(candidate))
    if not before and not after:
        return RehearsalComparison()
    if not before or not after:
        side = "baseline" if before else "candidate"
        return _apart(f"only the {side} was rehearsed for CUDA", only=only)
    common = [arch for arch in before if arch in after]
    if not common:
        archs = f"{', '.join(before)} and {', '.join(after)}"
        return _apart(f"the two were rehearsed for other architectures: {archs}", only=only)
    told = {
        arch: compare(as_report(baseline, before[arch]), as_report(candidate, after[arch])) for arch in common
    }
    first, *others = common
    return _compared(first, told[first], [_other(arch, told[arch]) for arch in others], only=only)


def with_rehearsals(
    comparison: Comparison, rehearsal: RehearsalComparison, baseline: Report, candidate: Report
) -> Comparison:
    """The comparison with what the rehearsals say, which decide where there is nothing else."""
    whole = comparison.model_copy(update={"rehearsal": rehearsal})
    if rehearsal.alone:
        return _decided(whole, rehearsal)
    sides = {"baseline": baseline, "candidate": candidate}
    lone = [side for side, report in sides.items() if alone(report)]
    ordinary = [side for side, report in sides.items() if ordinary_completed(report)]
    if not lone or not ordinary:
        return whole
    reason = ONE_SIDED.format(ordinary=ordinary[0], rehearsed=lone[0])
    return whole.model_copy(update={"verdict": "invalid", "reasons": [reason], "causes": []})


def _by_arch(report: Report) -> dict[str, RehearsedArch]:
    return {one.arch: one for one in all_archs(report)}


def _apart(reason: str, *, only: bool) -> RehearsalComparison:
    return RehearsalComparison(status="not_comparable", reasons=[reason], alone=only)


def _compared(arch: str, told: Comparison, others: list[str], *, only: bool) -> RehearsalComparison:
    return RehearsalComparison(
        status="compared",
        arch=arch,
        alone=only,
        verdict=told.verdict,
        judged_on=told.judged_on,
        reasons=[_of_rehearsals(reason) for reason in told.reasons],
        causes=told.causes,
        workload=told.workload,
        timing=told.timing,
        modules=told.modules,
        structure=told.structure,
        mechanisms=told.mechanisms,
        others=others,
    )


def _of_rehearsals(reason: str) -> str:
    return reason.replace("completed sample", "completed rehearsal")


def _other(arch: str, told: Comparison) -> str:
    return f"{arch}: {told.verdict}; {_of_rehearsals(told.reasons[0])}"


def _decided(comparison: Comparison, rehearsal: RehearsalComparison) -> Comparison:
    """The comparison of two reports that hold nothing but rehearsals."""
    if rehearsal.status != "compared":
        told: dict[str, object] = {"verdict": "invalid", "reasons": rehearsal.reasons, "causes": []}
        return comparison.model_copy(update=told)
    names = ("verdict", "judged_on", "causes", "workload", "timing", "modules", "structure", "mechanisms")
    decided = {name: getattr(rehearsal, name) for name in names}
    reasons = [*rehearsal.reasons, BY_REHEARSALS.format(arch=rehearsal.arch)]
    return comparison.model_copy(update={**decided, "reasons": reasons})
