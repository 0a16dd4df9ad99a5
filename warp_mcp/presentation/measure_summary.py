"""A report in the size a model can afford. The whole is in the stored file."""

from typing import Literal

from warp_mcp.models.finding import Warning
from warp_mcp.models.report import Report
from warp_mcp.models.summary import FiredLine, MeasureSummary, ModuleLine, RebuildLine
from warp_mcp.presentation.cutting import Cutter, figure, fitting
from warp_mcp.presentation.headline import answer, failed_samples, output_tail, touches_warp
from warp_mcp.presentation.next_steps import TOOLS, next_steps
from warp_mcp.presentation.numbers import duration
from warp_mcp.presentation.words import cause_words, place


def measure_summary(report: Report) -> MeasureSummary:
    """What `measure` answers to an agent."""
    return fitting(lambda cutter: _measure(report, cutter))


def _measure(report: Report, cutter: Cutter) -> MeasureSummary:
    failed = failed_samples(report)
    metrics = report.metrics
    return MeasureSummary(
        status=_status(report),
        report_id=report.report_id,
        answer=" ".join(answer(report)),
        samples=cutter.cut(
            "samples", [_sample_words(sample.outcome, sample.exit_code) for sample in report.samples]
        ),
        cold_wall=figure(metrics.get("cold_wall_ms")),
        warm_wall=figure(metrics.get("warm_wall_ms")),
        compile_wait=figure(metrics.get("compile_elapsed_ms")),
        module_work=figure(metrics.get("cold_module_ms")),
        builds=report.structure.builds,
        modules=_modules(report, cutter),
        rebuilds=_rebuilds(report, cutter),
        fired=_fired(report, cutter),
        ruled_out=[finding.mechanism for finding in report.findings if finding.status == "ruled_out"],
        not_reached=[finding.mechanism for finding in report.findings if finding.status == "not_reached"],
        launches=report.launches.total,
        output_tail=cutter.tail(output_tail(failed[0])) if failed else "",
        warnings=[
            Warning(code=warning.code, message=cutter.words(warning.message), next=cutter.words(warning.next))
            for warning in cutter.cut("warnings", report.warnings)
        ],
        next=cutter.sentences("next steps", [step.sentence for step in next_steps(report, TOOLS)]),
        left_out=cutter.left_out,
    )


def _modules(report: Report, cutter: Cutter) -> list[ModuleLine]:
    """The modules that took longest, first."""
    return [
        ModuleLine(
            name=cutter.words(entry.name),
            device=cutter.words(entry.device),
            status=entry.status,
            builds=entry.builds,
            ms=round(entry.ms, 1),
            launches=entry.launches + entry.adjoint_launches,
        )
        for entry in cutter.cut("modules", sorted(report.modules, key=lambda entry: entry.ms, reverse=True))
    ]


def _rebuilds(report: Report, cutter: Cutter) -> list[RebuildLine]:
    return [
        RebuildLine(
            module=cutter.words(rebuild.module),
            cost_ms=round(rebuild.cost_ms, 1),
            causes=cutter.sentences(
                "causes",
                [f"{cause_words(cause)}{place(cause.where, report.cwd)}" for cause in rebuild.causes],
            ),
        )
        for rebuild in cutter.cut("rebuilds", report.rebuilds)
    ]


def _fired(report: Report, cutter: Cutter) -> list[FiredLine]:
    return [
        FiredLine(
            mechanism=finding.mechanism,
            title=cutter.words(finding.title),
            cost_ms=finding.cost_ms,
            where=cutter.words(finding.where) or None,
        )
        for finding in report.findings
        if finding.status == "fired"
    ]


def _status(report: Report) -> Literal["completed", "no_sample_completed", "nothing_of_warp"]:
    if len(failed_samples(report)) == len(report.samples):
        return "no_sample_completed"
    return "completed" if touches_warp(report) else "nothing_of_warp"


def _sample_words(outcome: str, code: int | None) -> str:
    return outcome if code in (0, None) else f"{outcome}, exit code {code}"


def measure_summary_text(summary: MeasureSummary) -> str:
    """The same as text, for clients that show a model nothing else. The first line is the answer."""
    lines = [summary.answer, f"report_id: {summary.report_id}; samples: {', '.join(summary.samples)}"]
    for rebuild in summary.rebuilds:
        lines.append(
            f"built again: {rebuild.module}, {duration(rebuild.cost_ms)}: {'; '.join(rebuild.causes)}"
        )
    for module in summary.modules:
        lines.append(
            f"module {module.name} on {module.device}: {module.status}, {module.builds} builds, "
            f"{duration(module.ms)}, {module.launches} launches"
        )
    for fired in summary.fired:
        lines.append(f"{fired.mechanism} fired: {fired.title}{place(fired.where)}")
    lines.append(f"ruled out: {', '.join(summary.ruled_out) or 'none'}")
    lines.append(f"not reached: {', '.join(summary.not_reached) or 'none'}")
    if summary.output_tail:
        lines.append(f"the program's last output:\n{summary.output_tail}")
    lines += [f"warning {warning.code}: {warning.message} {warning.next}" for warning in summary.warnings]
    lines += [f"next: {step}" for step in summary.next]
    lines += [f"left out here: {', '.join(summary.left_out)}"] if summary.left_out else []
    return "\n".join(lines)
