"""A report in the size a model can afford. The whole is in the stored file."""

from typing import Literal

from warp_mcp.models.finding import Finding, Warning
from warp_mcp.models.rehearsed import alone, shown
from warp_mcp.models.report import ModuleEntry, Report
from warp_mcp.models.root import Root
from warp_mcp.models.summary import FiredLine, MeasureSummary, ModuleLine, RebuildLine, RootLine
from warp_mcp.models.uris import report_uri
from warp_mcp.presentation.cutting import Cutter, figure, fitting
from warp_mcp.presentation.finding_words import (
    MOST_QUESTIONS,
    fired,
    fix_words,
    not_reached_words,
    overlap_words,
)
from warp_mcp.presentation.floor_text import floor_sentences
from warp_mcp.presentation.headline import answer, cut_short_words, failed_samples, output_tail, touches_warp
from warp_mcp.presentation.lever_words import lever_line
from warp_mcp.presentation.next_steps import TOOLS, next_steps
from warp_mcp.presentation.numbers import duration
from warp_mcp.presentation.rehearsal_summary import rehearsal_sentences
from warp_mcp.presentation.rehearsal_words import warnings_of
from warp_mcp.presentation.root_words import (
    built_again,
    root_words,
    victim_words,
    where_words,
)
from warp_mcp.presentation.tool_words import in_tool_words
from warp_mcp.presentation.words import APPLICATION, cause_words, place, relative, sample_words, short

UNKNOWN = "unknown"
"""Warp's version where no Python process of the program was recorded."""
MOST_REBUILDS = 3
"""Rebuilds told one by one: every one of them is a victim of a root."""
MOST_LEVERS = 5
"""Levers told, those that buy most first."""


def measure_summary(report: Report) -> MeasureSummary:
    """What `measure` answers to an agent."""
    told = shown(report)
    warnings = [in_tool_words(warning) for warning in warnings_of(report)]
    told = told.model_copy(update={"warnings": warnings})
    return fitting(lambda cutter: _measure(report, told, cutter))


def _measure(whole: Report, report: Report, cutter: Cutter) -> MeasureSummary:
    """`report`: what is told of the whole, a rehearsal where that holds nothing else."""
    failed = failed_samples(report)
    metrics = report.metrics
    return MeasureSummary(
        status=_status(report),
        run_id=report.report_id,
        report_id=report.report_id,
        cwd=cutter.words(report.cwd),
        interpreter=cutter.words(report.environment.executable or report.command[0]),
        warp=report.environment.warp or ("" if report.environment.python else UNKNOWN),
        resource=report_uri(report.report_id),
        answer=" ".join([*answer(whole), built_again(report)]).strip(),
        samples=cutter.cut("samples", _samples(whole, report)),
        cold_wall=figure(metrics.get("cold_wall_ms")),
        warm_wall=figure(metrics.get("warm_wall_ms")),
        compile_wait=figure(metrics.get("compile_elapsed_ms")),
        module_work=figure(metrics.get("cold_module_ms")),
        builds=report.structure.builds,
        modules=_modules(report, cutter),
        roots=_roots(report, cutter),
        rebuilds=_rebuilds(report, cutter),
        fired=_fired(report, cutter),
        costs=overlap_words(report.findings),
        levers=_levers(report, cutter),
        ruled_out=[finding.mechanism for finding in report.findings if finding.status == "ruled_out"],
        not_reached=[finding.mechanism for finding in report.findings if finding.status == "not_reached"],
        not_reached_because=cutter.sentences("reasons", not_reached_words(report.findings)),
        launches=report.launches.total,
        floor=cutter.sentences("floor", floor_sentences(report)),
        rehearsal=rehearsal_sentences(whole, cutter),
        output_tail=cutter.tail(output_tail(failed[0])) if failed else "",
        warnings=[
            Warning(code=warning.code, message=cutter.words(warning.message), next=cutter.words(warning.next))
            for warning in cutter.cut("warnings", report.warnings)
        ],
        next=cutter.sentences("next steps", [step.sentence for step in next_steps(whole, TOOLS)]),
        left_out=cutter.left_out,
    )


def _samples(whole: Report, report: Report) -> list[str]:
    """How each ended. That they are rehearsals is said."""
    before = "rehearsal " if alone(whole) else ""
    return [before + sample_words(sample) for sample in report.samples]


def _modules(report: Report, cutter: Cutter) -> list[ModuleLine]:
    """The modules that took longest, first."""
    return [
        ModuleLine(
            name=cutter.words(entry.name),
            device=cutter.words(_device(entry)),
            status=entry.status,
            builds=entry.builds,
            ms=round(entry.ms, 1),
            launches=entry.launches + entry.adjoint_launches,
        )
        for entry in cutter.cut("modules", sorted(report.modules, key=lambda entry: entry.ms, reverse=True))
    ]


def _device(entry: ModuleEntry) -> str:
    """With the block_dim where builds differ by it."""
    return entry.device if entry.block_dim <= 1 else f"{entry.device} ×{entry.block_dim}"


def _roots(report: Report, cutter: Cutter) -> list[RootLine]:
    shown = cutter.cut("roots", report.roots)
    return [_root(root, report.cwd, cutter) for root in shown]


def _root(root: Root, cwd: str, cutter: Cutter) -> RootLine:
    return RootLine(
        where=cutter.words(where_words(root, cwd).strip("`")),
        owner=cutter.words(root.owner),
        what=cutter.words(root_words(root)),
        cost_ms=round(root.cost_ms, 1),
        victims=cutter.sentences("modules of a root", victim_words(root.victims)),
    )


def _rebuilds(report: Report, cutter: Cutter) -> list[RebuildLine]:
    rest = len(report.rebuilds) - MOST_REBUILDS
    if rest > 0:
        cutter.left_out.append(f"{rest} more of rebuilds")
    return [
        RebuildLine(
            module=cutter.words(rebuild.module),
            cost_ms=round(rebuild.cost_ms, 1),
            causes=cutter.sentences(
                "causes",
                [f"{cause_words(cause)}{place(cause.where, report.cwd)}" for cause in rebuild.causes],
            ),
        )
        for rebuild in cutter.cut("the first rebuilds", report.rebuilds[:MOST_REBUILDS])
    ]


def _fired(report: Report, cutter: Cutter) -> list[FiredLine]:
    """Every finding that fired, the dearest first; with the fixes of as many as there is room for."""
    hits = fired(report.findings)
    whole = len(cutter.cut("fixes", hits))
    lines = [_fired_line(finding, report.cwd, cutter) for finding in hits]
    return [*lines[:whole], *(_bare(line) for line in lines[whole:])]


def _levers(report: Report, cutter: Cutter) -> list[str]:
    rest = len(report.levers) - MOST_LEVERS
    if rest > 0:
        cutter.left_out.append(f"{rest} more of levers")
    return cutter.sentences("the first levers", [lever_line(one) for one in report.levers[:MOST_LEVERS]])


def _bare(line: FiredLine) -> FiredLine:
    return FiredLine(
        mechanism=line.mechanism,
        title=line.title,
        cost_ms=line.cost_ms,
        cost_kind=line.cost_kind,
        where=None,
    )


def _fired_line(finding: Finding, cwd: str, cutter: Cutter) -> FiredLine:
    return FiredLine(
        mechanism=finding.mechanism,
        title=cutter.words(relative(finding.title, cwd)),
        cost_ms=None if finding.cost_ms is None else round(finding.cost_ms, 1),
        cost_kind=finding.cost_kind,
        where=cutter.words(short(finding.where, cwd)) if finding.where else None,
        owner=cutter.words(finding.owner) or None,
        fix=cutter.words(fix_words(finding, cwd)),
        questions=[cutter.words(question) for question in finding.questions[:MOST_QUESTIONS]],
    )


def _status(report: Report) -> Literal["completed", "cancelled", "no_sample_completed", "nothing_of_warp"]:
    if cut_short_words(report):
        return "cancelled"
    if len(failed_samples(report)) == len(report.samples):
        return "no_sample_completed"
    return "completed" if touches_warp(report) else "nothing_of_warp"


def measure_summary_text(summary: MeasureSummary) -> str:
    """The same as text, for clients that show a model nothing else. The first line is the answer."""
    lines = [
        summary.answer,
        f"report_id: {summary.report_id or 'none'}; samples: {', '.join(summary.samples)}",
        f"ran in {summary.cwd} with {summary.interpreter}, Warp {summary.warp or 'not imported'}",
    ]
    lines += [_root_text(root) for root in summary.roots]
    for rebuild in (one for one in summary.rebuilds if len(one.causes) > 1 or not summary.roots):
        lines.append(
            f"built again: {rebuild.module}, {duration(rebuild.cost_ms)}: {'; '.join(rebuild.causes)}"
        )
    for module in summary.modules:
        lines.append(
            f"module {module.name} on {module.device}: {module.status}, {module.builds} builds, "
            f"{duration(module.ms)}, {module.launches} launches"
        )
    for line in summary.fired:
        lines += _fired_text(line)
    lines += [summary.costs] if summary.costs else []
    lines += [f"lever {line}" for line in summary.levers]
    lines += [f"rehearsed: {line}" for line in summary.rehearsal]
    lines.append(f"ruled out: {', '.join(summary.ruled_out) or 'none'}")
    lines.append(f"not reached: {'; '.join(summary.not_reached_because) or 'none'}")
    lines += [f"floor: {' '.join(summary.floor)}"] if summary.floor else []
    if summary.output_tail:
        lines.append(f"the program's last output:\n{summary.output_tail}")
    lines += [f"warning {warning.code}: {warning.message} {warning.next}" for warning in summary.warnings]
    lines += [f"left out here: {', '.join(summary.left_out)}"] if summary.left_out else []
    lines += [f"the whole report: {summary.resource}"] if summary.resource else []
    lines += [f"next: {step}" for step in summary.next]
    return "\n".join(lines)


def _root_text(root: RootLine) -> str:
    whose = "your code" if root.owner == APPLICATION else f"in {root.owner}"
    victims = "; ".join(root.victims)
    return f"root {root.where} ({whose}), {duration(root.cost_ms)}: {root.what}; built again: {victims}"


def _fired_text(fired: FiredLine) -> list[str]:
    cost = "" if fired.cost_ms is None else f", {duration(fired.cost_ms)}"
    estimate = " (an estimate)" if fired.cost_kind == "estimate" else ""
    library = f", in {fired.owner}" if fired.owner not in (None, "", APPLICATION) else ""
    lines = [f"{fired.mechanism} fired{cost}{estimate}{library}: {fired.title}{place(fired.where)}"]
    lines += [f"  try first: {fired.fix}"] if fired.fix else []
    return lines + [f"  ask before: {question}" for question in fired.questions]
