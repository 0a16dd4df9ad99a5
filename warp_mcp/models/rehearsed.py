"""A rehearsal in the shape of a report, so that what reads reports can read it too. Judges nothing."""

from warp_mcp.models.metric import Metric
from warp_mcp.models.rehearsal import RehearsedArch, RehearsedRun
from warp_mcp.models.report import Isolation, Report, Sample


def ordinary_completed(report: Report) -> bool:
    """Whether a sample completed on the machine as it is."""
    return any(sample.outcome == "completed" for sample in report.samples)


def alone(report: Report) -> RehearsedArch | None:
    """The rehearsal of a report that holds nothing else; None where a sample completed, or nothing was
    rehearsed.
    """
    return None if ordinary_completed(report) else report.rehearsal


def all_archs(report: Report) -> list[RehearsedArch]:
    """Every architecture that was rehearsed, in the order asked for."""
    return [report.rehearsal, *report.rehearsal.others] if report.rehearsal else []


def rehearsal_completed(report: Report) -> bool:
    """Whether a run of the rehearsal came to its end."""
    return any(run.outcome == "completed" for arch in all_archs(report) for run in arch.runs)


def as_report(report: Report, rehearsed: RehearsedArch) -> Report:
    """The report as if only this architecture had been measured. It has no wall times."""
    told: dict[str, object] = {
        "isolation": _isolation(rehearsed),
        "samples": [_sample(run, rehearsed, number) for number, run in enumerate(rehearsed.runs)],
        "wall_parts": [],
        "levers": [],
        "outputs": None,
        "steady_state": None,
        "floor": None,
        "floor_use": None,
        "sampling": None,
        "rehearsal": None,
        "processes": [],
    }
    same = (
        "metrics",
        "structure",
        "modules",
        "rebuilds",
        "roots",
        "launches",
        "kernels",
        "findings",
        "warnings",
    )
    return report.model_copy(update={**told, **{name: getattr(rehearsed, name) for name in same}})


def rehearsed_for(report: Report, arch: str) -> Report:
    """The same for one of its architectures, by name; the report itself where it has none of that name."""
    return next((as_report(report, one) for one in all_archs(report) if one.arch == arch), report)


def shown(report: Report) -> Report:
    """What a reader is told of a report: of one that holds nothing but a rehearsal, that."""
    rehearsed = alone(report)
    return as_report(report, rehearsed) if rehearsed else report


def _isolation(rehearsed: RehearsedArch) -> Isolation:
    left = [one.message for one in rehearsed.warnings if one.code == "isolation_escaped"]
    return Isolation(ok=not left, violations=left)


def _sample(run: RehearsedRun, rehearsed: RehearsedArch, number: int) -> Sample:
    """One run. Figures stand beside it where it is the only one or all completed: medians know no order."""
    return Sample(
        outcome=run.outcome,
        exit_code=run.exit_code,
        stderr_tail=run.stderr_tail,
        stdout_tail=run.stdout_tail,
        cold_wall_ms=None,
        cold_module_ms=_value(rehearsed.metrics.get("cold_module_ms"), number) or 0.0,
        overlap_factor=_value(rehearsed.metrics.get("overlap_factor"), number),
        peak_builds=round(_value(rehearsed.metrics.get("peak_builds"), number) or 0),
        launches=rehearsed.launches.total,
        stopped_by="none",
        foreign_load=0.0,
        warm=None,
    )


def _value(metric: Metric | None, number: int) -> float | None:
    return metric.values[number] if metric and number < len(metric.values) else None
