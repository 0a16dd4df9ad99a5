"""Findings and warnings of a rehearsal, drawn as those of a report, in words that are right for it."""

from warp_mcp.analysis.stakes import is_cuda
from warp_mcp.analysis.texts import counted
from warp_mcp.analysis.thresholds import LEAST_SAMPLES
from warp_mcp.analysis.warnings.rehearsed import nothing_for_cuda
from warp_mcp.models.finding import Finding, Warning
from warp_mcp.models.report import Report

_OF_A_RUN = (
    ("this run", "the rehearsal"),
    ("Measure with --samples", "Measure with --rehearsals"),
    ("compile_elapsed_ms is not known for such samples", "a real GPU machine would do so too"),
    (
        "Judge the wait by compile_elapsed_ms; cold_module_ms is the work",
        "Judge the wait by build_wait_ms; cold_module_ms is the work",
    ),
)
"""Words for a run of the program on the machine as it is, and those for a rehearsal."""


def rehearsed_findings(findings: list[Finding]) -> list[Finding]:
    """The same findings, which say that they are of a rehearsal."""
    return [_finding(finding) for finding in findings]


def _finding(finding: Finding) -> Finding:
    evidence = dict(finding.evidence)
    if isinstance(reason := evidence.get("reason"), str):
        evidence["reason"] = _told(reason)
    told = {"title": _told(finding.title), "how": _told(finding.how), "evidence": evidence}
    return finding.model_copy(update=told)


def _told(text: str) -> str:
    for ordinary, rehearsed in _OF_A_RUN:
        text = text.replace(ordinary, rehearsed)
    return text


def rehearsed_warnings(report: Report) -> list[Warning]:
    """The warnings of a report that was made of the runs of a rehearsal."""
    return [*_nothing_for_cuda(report), *(_warning(warning, report) for warning in report.warnings)]


def _nothing_for_cuda(report: Report) -> list[Warning]:
    """A program that came to its end without the device it was told of."""
    completed = any(sample.outcome == "completed" for sample in report.samples)
    if not completed or any(is_cuda(entry.device) for entry in report.modules):
        return []
    return [nothing_for_cuda()]


def _warning(warning: Warning, report: Report) -> Warning:
    completed = sum(sample.outcome == "completed" for sample in report.samples)
    if warning.code == "few_samples":
        message = (
            f"{counted(completed, 'completed rehearsal')}: a comparison needs {LEAST_SAMPLES} on each side."
        )
        hint = f"Measure with --rehearsals {LEAST_SAMPLES} before comparing."
        if completed < len(report.samples):
            hint = "Find out first why the other rehearsals did not complete."
        return warning.model_copy(update={"message": message, "next": hint})
    if warning.code == "sample_failed":
        message = warning.message.replace(" samples failed", " rehearsals failed")
        hint = (
            "See whether it stands under what could not be rehearsed; else make the program run on a GPU "
            "first. What was built until then is told."
        )
        return warning.model_copy(update={"message": message, "next": hint})
    return warning.model_copy(update={"message": _told(warning.message), "next": _told(warning.next)})
