"""What a rehearsal showed: a report of the runs with a CUDA device that is not there, without its wall times.

Builds in it are real. Kernels ran on the CPU and were built for it beside, so that nothing of the wall says
anything: only what was built, how long that took, and what was launched.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from warp_mcp.analysis.compile_trace import trace_of
from warp_mcp.analysis.mechanisms.side_by_side import with_measured_wait
from warp_mcp.analysis.rehearsal_words import rehearsed_findings, rehearsed_warnings
from warp_mcp.analysis.statistics import summarise
from warp_mcp.analysis.trace_evidence import with_kernels
from warp_mcp.models.metric import Metric
from warp_mcp.models.rehearsal import NotRehearsed, Rehearsal, RehearsedArch, RehearsedRun, WorkersTried
from warp_mcp.models.report import Report
from warp_mcp.models.run import ArmRecording, RunResult, SampleRecording

OF_THE_WALL = ("cold_wall_ms", "warm_wall_ms", "compile_elapsed_ms")
"""Metrics that a rehearsal cannot have."""

WAIT = "build_wait_ms"
"""The time in which anything was being built: what a rehearsal has in place of the compile wait."""

MOST_NOT_REHEARSED = 50

MakeReport = Callable[[ArmRecording], Report]


def build_rehearsal(arms: Sequence[ArmRecording], make_report: MakeReport) -> Rehearsal | None:
    """The rehearsal of a report; None when there was none. `make_report`: the report of one arm's runs."""
    plain = [arm for arm in arms if arm.lever is None and arm.samples]
    if not plain:
        return None
    reports = [make_report(without_wall(arm)) for arm in plain]
    ahead = [arm for arm in arms if arm.lever is not None and arm.samples]
    tried = [_tried(arm, make_report(without_wall(arm)), reports[0]) for arm in ahead]
    first, *others = [_arch(arm, report) for arm, report in zip(plain, reports, strict=True)]
    return Rehearsal(
        **_with_workers(first, tried, reports[0].environment.cores).__dict__,
        archs=[f"sm_{arm.arch}" for arm in plain],
        others=others,
    )


def _with_workers(one: RehearsedArch, tried: list[WorkersTried], cores: int) -> RehearsedArch:
    """The same with what building ahead gave, and the finding that advises it in the light of that."""
    findings = one.findings
    if WAIT in one.metrics:
        findings = with_measured_wait(findings, tried, one.metrics[WAIT].median, cores)
    return one.model_copy(update={"workers": tried, "findings": findings})


def completed(arms: Sequence[ArmRecording]) -> bool:
    """Whether a run of the rehearsal came to its end."""
    return any(sample.cold.outcome == "completed" for arm in arms for sample in arm.samples)


def stands_alone(samples: Sequence[SampleRecording], arms: Sequence[ArmRecording]) -> bool:
    """Whether the program ran with CUDA rehearsed, and did not without."""
    return completed(arms) and all(sample.cold.outcome == "failed" for sample in samples)


def without_wall(arm: ArmRecording) -> ArmRecording:
    """The same runs without their wall times."""
    return arm.model_copy(update={"samples": [_timeless(sample) for sample in arm.samples]})


def _timeless(sample: SampleRecording) -> SampleRecording:
    def without(run: RunResult) -> RunResult:
        return run.model_copy(update={"wall_ms": None})

    warm = without(sample.warm) if sample.warm else None
    return sample.model_copy(update={"cold": without(sample.cold), "warm": warm})


def _arch(arm: ArmRecording, report: Report) -> RehearsedArch:
    trace = trace_of(arm)
    return RehearsedArch(
        arch=f"sm_{arm.arch}",
        runs=[_run(sample.cold) for sample in arm.samples],
        metrics=_metrics(report),
        structure=report.structure,
        modules=report.modules,
        rebuilds=report.rebuilds,
        roots=report.roots,
        launches=report.launches,
        kernels=report.kernels,
        findings=with_kernels(rehearsed_findings(report.findings), trace),
        warnings=rehearsed_warnings(report),
        not_rehearsed=_not_rehearsed(arm),
        compile_trace=trace,
    )


def _run(run: RunResult) -> RehearsedRun:
    return RehearsedRun(
        outcome=run.outcome,
        exit_code=run.exit_code,
        stderr_tail=run.stderr_tail,
        stdout_tail=run.stdout_tail,
    )


def _metrics(report: Report) -> dict[str, Metric]:
    told = {name: metric for name, metric in report.metrics.items() if name not in OF_THE_WALL}
    work, overlap = told.get("cold_module_ms"), told.get("overlap_factor")
    if work and overlap and len(work.values) == len(overlap.values):
        waits = [ms / factor for ms, factor in zip(work.values, overlap.values, strict=True) if factor > 0]
        if len(waits) == len(work.values):
            told[WAIT] = summarise(waits)
    return told


def _not_rehearsed(arm: ArmRecording) -> list[NotRehearsed]:
    counts = Counter(arm.not_rehearsed)
    return [
        NotRehearsed(what=what, why=why, count=count)
        for (what, why), count in counts.most_common(MOST_NOT_REHEARSED)
    ]


def _tried(arm: ArmRecording, report: Report, plain: Report) -> WorkersTried:
    """What building ahead gave. The wait is the time in which anything was being built: work ÷ overlap."""
    assert arm.lever is not None
    work = report.metrics["cold_module_ms"].median if "cold_module_ms" in report.metrics else 0.0
    overlap = report.metrics["overlap_factor"].median if "overlap_factor" in report.metrics else 1.0
    used = {(entry.name, entry.device, entry.block_dim) for entry in plain.modules}
    built = [entry for entry in report.modules if entry.builds]
    return WorkersTried(
        workers=arm.lever.preload or 1,
        wait_ms=work / overlap,
        work_ms=work,
        builds=report.structure.builds,
        duplicates=sum((entry.name, entry.device, entry.block_dim) not in used for entry in built),
        peak_builds=max((sample.peak_builds for sample in report.samples), default=0),
    )
