"""Putting a report together from the samples of one measurement."""

from warp_mcp.analysis.compile_trace import trace_of
from warp_mcp.analysis.environment import build_environment
from warp_mcp.analysis.equivalence import same_launches
from warp_mcp.analysis.evidence import Evidence, gather, reference_sample, sample_outcome
from warp_mcp.analysis.floor import floor_use
from warp_mcp.analysis.launches import build_launches
from warp_mcp.analysis.levers import price_levers
from warp_mcp.analysis.mechanisms import examine
from warp_mcp.analysis.metrics import Figures, warm_builds
from warp_mcp.analysis.outputs import collect_outputs
from warp_mcp.analysis.processes import list_processes, program_record
from warp_mcp.analysis.rehearsal import build_rehearsal, stands_alone
from warp_mcp.analysis.signatures import launched_kernels
from warp_mcp.analysis.steady_state import collect_times
from warp_mcp.analysis.wall import split_wall
from warp_mcp.analysis.warnings import warn
from warp_mcp.analysis.warnings.rehearsed import levers_not_rehearsed, needs_cuda, recordings_not_rehearsed
from warp_mcp.models.command import MeasureRequest, StopCondition
from warp_mcp.models.recording import Recording
from warp_mcp.models.rehearsed import ordinary_completed
from warp_mcp.models.report import Launches, Report, Sample, SampleOutcome, Structure, WarmRun
from warp_mcp.models.run import ArmRecording, Extras, Machine, SampleRecording

NOTHING_ELSE = Extras()


def build_report(
    request: MeasureRequest,
    samples: list[SampleRecording],
    machine: Machine,
    *,
    report_id: str,
    created_at: str,
    probe_killed: bool = False,
    extras: Extras = NOTHING_ELSE,
) -> Report:
    """The report of one measurement, whatever came of its samples. `created_at`: ISO 8601, UTC.

    `probe_killed`: the measurement ended with its probe, before or after its last sample. `extras`: what was
    measured beyond the samples of the unchanged program.
    """
    alone = stands_alone(samples, extras.rehearsals)
    tried, samples = samples, [] if alone else samples
    launches = _launches(samples, request.stop)
    evidence = gather(
        request,
        samples,
        machine,
        launches,
        probe_killed=probe_killed,
        floor=extras.floor,
        trace=extras.trace,
    )
    report = Report(
        report_id=report_id,
        label=request.label,
        created_at=created_at,
        command=request.command,
        cwd=request.cwd,
        stop=describe_stop(request.stop),
        environment=evidence.environment,
        isolation=evidence.isolation,
        samples=[
            _sample(sample, outcome, figures)
            for sample, outcome, figures in zip(samples, evidence.outcomes, evidence.figures, strict=True)
        ],
        metrics=evidence.metrics,
        structure=_structure(evidence),
        wall_parts=split_wall(evidence.reference) if evidence.reference else [],
        modules=evidence.modules,
        rebuilds=evidence.rebuilds,
        roots=evidence.roots,
        launches=evidence.launches,
        kernels=launched_kernels(evidence.recording),
        processes=evidence.processes,
        findings=examine(evidence),
        warnings=[*warn(evidence), *extras.warnings],
        recorder=_recorder(evidence),
        outputs=collect_outputs(extras.passes, request.outputs_budget_bytes),
        steady_state=collect_times(extras.passes),
        floor=extras.floor,
        floor_use=floor_use(extras.floor, evidence.modules),
        sampling=extras.sampling,
        rehearsal=build_rehearsal(extras.rehearsals, lambda arm: _arm_report(request, arm, machine)),
    )
    if alone:
        report = _of_rehearsal(report, tried, extras.rehearsals[0], machine)
    return _with_levers(report, request, extras, machine)


def _with_levers(report: Report, request: MeasureRequest, extras: Extras, machine: Machine) -> Report:
    """The same report with what its levers bought, or with warnings of what a rehearsal could not carry."""
    if extras.arms:
        arms = [(arm, _arm_report(request, arm, machine)) for arm in extras.arms]
        return report.model_copy(update={"levers": price_levers(report, arms)})
    if not extras.rehearsals or ordinary_completed(report):
        return report
    missed = [levers_not_rehearsed()] if request.levers or request.auto_levers else []
    missed += [recordings_not_rehearsed()] if request.outputs or request.steady_state else []
    return report.model_copy(update={"warnings": [*report.warnings, *missed]})


def _arm_report(request: MeasureRequest, arm: ArmRecording, machine: Machine) -> Report:
    """The runs with a lever as a report of their own, to be compared with the unchanged ones."""
    extras = Extras(passes=arm.passes, trace=trace_of(arm))
    return build_report(request, arm.samples, machine, report_id="", created_at="", extras=extras)


def _of_rehearsal(
    report: Report, tried: list[SampleRecording], rehearsed: ArmRecording, machine: Machine
) -> Report:
    """The report of a program that runs only with CUDA: its versions are those of the rehearsal."""
    reference = reference_sample(rehearsed.samples)
    program = program_record(reference.cold_recording) if reference else None
    told = {
        "environment": build_environment(machine, program),
        # How many samples completed says nothing where none is meant to: the rehearsal has its own warnings.
        "warnings": [needs_cuda(tried), *(one for one in report.warnings if one.code != "few_samples")],
    }
    return report.model_copy(update=told)


def describe_stop(stop: StopCondition) -> str:
    """Kind of a stop condition with its value; "none" for a program that ends by itself."""
    value = stop.after_launches or stop.when_quiet_s or stop.until_output
    return stop.kind if value is None else f"{stop.kind} {value}"


def _launches(samples: list[SampleRecording], stop: StopCondition) -> Launches:
    """The launches of the reference run, and whether those of the other completed samples are the same."""
    reference = reference_sample(samples)
    if reference is None:
        return build_launches(
            Recording(processes=[], damaged=[], cache_dir="", lto_artifacts=0), unrecorded=False
        )
    launches = _launches_of(reference)
    others = (
        _launches_of(sample)
        for sample in samples
        if sample is not reference and sample_outcome(sample) == "completed"
    )
    open_ended = stop.kind in ("when_quiet", "until_output")
    stable = all(same_launches(launches, other, open_ended=open_ended) for other in others)
    return launches.model_copy(update={"stable": stable})


def _launches_of(sample: SampleRecording) -> Launches:
    processes = list_processes(sample.cold, sample.cold_recording)
    return build_launches(
        sample.cold_recording, unrecorded=any(not process.attached for process in processes)
    )


def _sample(sample: SampleRecording, outcome: SampleOutcome, figures: Figures) -> Sample:
    cold = sample.cold
    return Sample(
        outcome=outcome,
        exit_code=cold.exit_code,
        stderr_tail=cold.stderr_tail,
        stdout_tail=cold.stdout_tail,
        cold_wall_ms=cold.wall_ms,
        cold_module_ms=figures["cold_module_ms"],
        overlap_factor=figures.get("overlap_factor"),
        peak_builds=int(figures["peak_builds"]),
        launches=sum(process.launches for process in sample.cold_recording.processes),
        stopped_by=cold.stopped_by,
        foreign_load=cold.foreign_load,
        warm=_warm(sample),
    )


def _warm(sample: SampleRecording) -> WarmRun | None:
    if sample.warm is None:
        return None
    processes = sample.warm_recording.processes if sample.warm_recording else []
    return WarmRun(
        outcome=sample.warm.outcome,
        exit_code=sample.warm.exit_code,
        wall_ms=sample.warm.wall_ms,
        module_ms=sum(load.ms for process in processes for load in process.loads),
        compiled=_names(sample),
    )


def _names(sample: SampleRecording) -> list[str]:
    return sorted({load.name for load in warm_builds(sample)})


def _structure(evidence: Evidence) -> Structure:
    figures = evidence.reference_figures
    return Structure(
        identities=int(figures.get("identities", 0)),
        modules=int(figures.get("modules", 0)),
        builds=int(figures.get("builds", 0)),
        generated_source_bytes=int(figures.get("generated_source_bytes", 0)),
        lto_artifacts=int(figures.get("lto_artifacts", 0)),
        header_builds=int(figures.get("header_builds", 0)),
        warm_compiled=_names(evidence.reference) if evidence.reference else [],
    )


def _recorder(evidence: Evidence) -> dict[str, float]:
    """The recorder's own time in the reference run, in milliseconds and in percent of its cold wall."""
    hooks = sum((process.hook_ms for process in evidence.recording.processes), 0.0)
    wall = (evidence.reference.cold.wall_ms or 0.0) if evidence.reference else 0.0
    return {"hook_ms": hooks, "hook_percent": 100 * hooks / wall if wall > 0 else 0.0}
