"""Explain a mechanism or a topic, with what a report says of it. Keeps nothing."""

import re
from pathlib import Path

from warp_mcp import storage
from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.explanation import Explanation, ExplanationIndex, IndexEntry, Part, Section
from warp_mcp.models.finding import Finding
from warp_mcp.models.mechanism import CATALOGUE
from warp_mcp.models.rehearsed import alone, as_report, shown
from warp_mcp.models.report import Report
from warp_mcp.storage.references import read_sections
from warp_mcp.workflows import keeping
from warp_mcp.workflows.experiments import ceiling, next_experiment
from warp_mcp.workflows.mechanism_words import called, nearest


class UnknownMechanism(UsageError):
    """Nothing that can be explained is called so: exit code 2. The message names the nearest three."""

    def __init__(self, asked: str, sections: list[Section]) -> None:
        near = "; ".join(_title(section) for section in nearest(asked, sections))
        super().__init__(
            "unknown_mechanism",
            f"“{asked[:80]}” is no mechanism or topic that is known, or could be several. The "
            f"nearest: {near}.",
            "Use one of these, or see all of them with: warp-mcp explain",
        )


def explain(mechanism: str, report_ref: str | None) -> Explanation:
    """A section of the reference, with what the report says of it where one is named.

    `mechanism` is a label in any case (`cs5`, `CS-5`, `5`), a slug, or words. `report_ref` is an id, unique
    prefix, label, `latest` or file. Raises `UnknownMechanism`, `UnreadableReport`, or `ProbeError` when the
    reference is not installed.
    """
    everything = _everything()
    section = called(mechanism, everything)
    if section is None:
        raise UnknownMechanism(mechanism, everything)
    if section.mechanism is not None and not section.parts:
        raise ProbeError(
            "no_reference",
            f"The reference of this installation has no section on {_title(section)}.",
            "Install warp-mcp again.",
        )
    report = keeping.find(report_ref) if report_ref is not None else None
    return Explanation.model_validate({**dict(section), **_told(section, report)})


def part_of(explanation: Explanation, part: str) -> Part:
    """The part that is meant by words of its heading, or by its number from 1 on.

    Raises `UsageError` when there is none.
    """
    told = [one for one in explanation.parts if one.heading or one.text]
    if part.strip().isdecimal() and 1 <= int(part) <= len(told):
        return told[int(part) - 1]
    words = re.findall(r"\w+", part.lower())
    for one in told:
        if words and all(word in one.heading.lower() for word in words):
            return one
    names = "; ".join(one.heading for one in told if one.heading) or "1"
    raise UsageError(
        "no_such_part", f"“{explanation.slug}” has no part “{part[:80]}”.", f"Its parts: {names}."
    )


def explainable(report_ref: str | None) -> ExplanationIndex:
    """All thirteen mechanisms by number, then the topics; with the statuses of the report, if one is named.

    Raises `UnreadableReport`, or `ProbeError` when the reference is not installed.
    """
    report = shown(keeping.find(report_ref)) if report_ref is not None else None
    return ExplanationIndex(
        report_id=report.report_id if report else None,
        report_label=report.label if report else None,
        entries=[_entry(section, report) for section in _everything()],
    )


def explanation_json(value: Explanation | ExplanationIndex) -> str:
    """The public JSON text."""
    return storage.to_json(value)


def write_explanation(value: Explanation | ExplanationIndex, path: str) -> None:
    """Write the public JSON to a file the user named. Raises `CannotWrite`."""
    storage.write_named(Path(path), storage.to_json(value))


def _everything() -> list[Section]:
    """The thirteen mechanisms by number, then the topics. A mechanism without text has no parts."""
    sections = read_sections()
    written = {section.mechanism: section for section in sections if section.mechanism}
    mechanisms = [
        written.get(one.label) or Section(mechanism=one.label, slug=one.slug, name=one.name, parts=[])
        for one in CATALOGUE
    ]
    return mechanisms + [section for section in sections if section.mechanism is None]


def _title(section: Section) -> str:
    return f"{section.mechanism} ({section.name})" if section.mechanism else section.slug


def _finding(label: str, report: Report) -> Finding:
    """The report's finding; a file that lacks one says nothing of that mechanism, which is told as such."""
    found = next((finding for finding in report.findings if finding.mechanism == label), None)
    return found or Finding(
        mechanism=label,
        status="not_reached",
        title="This report says nothing of it",
        evidence={"reason": "the report holds no finding on this mechanism"},
        cost_ms=None,
        cost_kind=None,
        where=None,
        reference="",
    )


def _where_told(label: str, report: Report) -> tuple[Finding, Report, str | None]:
    """The finding, what it is a finding of, and the architecture where that is a rehearsal of CUDA.

    A rehearsal beside ordinary samples is asked where those tell nothing.
    """
    finding = _finding(label, report)
    if report.rehearsal is None or (alone(report) is None and finding.status != "not_reached"):
        return finding, report, None
    rehearsed = as_report(report, report.rehearsal)
    other = _finding(label, rehearsed)
    if alone(report) is None and other.status == "not_reached":
        return finding, report, None
    return other, rehearsed, report.rehearsal.arch


def _told(section: Section, report: Report | None) -> dict[str, object]:
    """The fields that a report adds to a section."""
    if report is None:
        return {}
    source = {"report_id": report.report_id, "report_label": report.label, "cwd": report.cwd}
    if section.mechanism is None:
        return {**source}
    finding, told, arch = _where_told(section.mechanism, report)
    most, words = ceiling(finding, told)
    return {
        **source,
        "rehearsed_for": arch,
        **finding.model_dump(exclude={"mechanism", "reference"}),
        "ceiling_ms": most,
        "ceiling_words": words,
        "next_experiment": next_experiment(finding, told),
    }


def _entry(section: Section, report: Report | None) -> IndexEntry:
    names = {"mechanism": section.mechanism, "slug": section.slug, "name": section.name}
    if report is None or section.mechanism is None:
        return IndexEntry.model_validate(names)
    finding = _finding(section.mechanism, report)
    return IndexEntry.model_validate(
        {**names, "status": finding.status, "title": finding.title, "cost_ms": finding.cost_ms}
    )
