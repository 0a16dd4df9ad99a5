"""An explanation for a terminal: the reader's own numbers first, then what the reference says.

Also the list of what can be explained, and the command that asks for an explanation.
"""

from shlex import quote

from warp_mcp.models.explanation import Explanation, ExplanationIndex, IndexEntry
from warp_mcp.models.finding import Finding
from warp_mcp.models.report import Report
from warp_mcp.presentation.evidence_lines import evidence_lines, relative
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.numbers import duration
from warp_mcp.presentation.page import Page
from warp_mcp.presentation.reference_parts import ReferencePage, plain
from warp_mcp.presentation.words import short

STATUS_WORDS = {
    "fired": "It happened in this run",
    "ruled_out": "Ruled out for this run",
    "not_reached": "Cannot be told from this run",
}
STATUS_MARKS = {"fired": ("●", "yellow"), "ruled_out": ("○", "bold"), "not_reached": ("·", "dim")}
"""As in the findings of a report."""


def explain_command(report: Report, finding: Finding) -> tuple[str, ...]:
    """Words of the command that explains a finding with the report's numbers, quoted for a shell."""
    return ("warp-mcp", "explain", quote(finding.mechanism), "--report", quote(report.report_id))


def explanation_text(explanation: Explanation, look: Look = PLAIN) -> str:
    """The whole explanation."""
    page = ReferencePage(look)
    page.paragraph(_title(explanation), "bold")
    if explanation.status is not None:
        _own(page, explanation)
        page.gap()
        page.rule("What the reference says")
    for part in explanation.parts:
        if part.heading:
            page.heading(plain(part.heading))
        elif part.text:
            page.gap()
        page.markdown(part.text)
    return str(page)


def _title(explanation: Explanation) -> str:
    name = plain(explanation.name)
    return f"{explanation.mechanism}: {name}" if explanation.mechanism else name


def _source(report_id: str | None, label: str | None) -> str:
    return f"report {label} ({report_id})" if label else f"report {report_id}"


def _own(page: ReferencePage, explanation: Explanation) -> None:
    """What this program's run says: status, evidence, ceiling, next experiment."""
    status = explanation.status or "not_reached"
    mark, style = STATUS_MARKS[status]
    arch = f", rehearsed for {explanation.rehearsed_for}" if explanation.rehearsed_for else ""
    page.paragraph(f"In {_source(explanation.report_id, explanation.report_label)}{arch}", "dim")
    page.heading(STATUS_WORDS[status])
    title = relative(explanation.title or "", explanation.cwd or "").rstrip(".")
    page.item(mark, f"{title}{_cost(explanation)}.", mark_style=style)
    _place(page, explanation)
    _evidence(page, explanation)
    if explanation.ceiling_words:
        page.heading("What the fix could save")
        page.item("·", explanation.ceiling_words)
    _before(page, explanation)
    page.heading("The next experiment")
    page.item("·", explanation.next_experiment)
    if status == "fired":
        page.item(" ", "When it is measured again:")
        page.command(("warp-mcp", "compare", quote(explanation.report_id or ""), "latest"))


def _cost(explanation: Explanation) -> str:
    if explanation.cost_ms is None:
        return ""
    estimate = " (an estimate)" if explanation.cost_kind == "estimate" else ""
    return f": {duration(explanation.cost_ms)}{estimate}"


def _place(page: Page, explanation: Explanation) -> None:
    if explanation.where:
        page.item(" ", f"at `{short(explanation.where, explanation.cwd or '')}`")
    if explanation.owner == "application":
        page.item(" ", "in the application's own code")
    elif explanation.owner:
        page.item(" ", f"in the installed library `{explanation.owner}`")


def _evidence(page: Page, explanation: Explanation) -> None:
    title = explanation.title or ""
    # A title that gives the reason already need not be followed by it.
    told = {
        key: value for key, value in explanation.evidence.items() if key != "reason" or value not in title
    }
    lines = evidence_lines(told, explanation.cwd or "")
    if not lines:
        return
    page.heading("The evidence")
    for line in lines:
        page.item("·", line)


def _before(page: Page, explanation: Explanation) -> None:
    """What to know before the change; the change itself stands in the experiment."""
    if explanation.scope or explanation.questions:
        page.heading("Before you change it")
    if explanation.scope:
        page.item("·", f"How far it may reach: {explanation.scope}")
    for question in explanation.questions:
        page.item("?", question)


def index_text(index: ExplanationIndex, look: Look = PLAIN) -> str:
    """Everything that can be explained; with a report, what it says of each mechanism."""
    page = Page(look)
    mechanisms = [entry for entry in index.entries if entry.mechanism]
    topics = [entry for entry in index.entries if not entry.mechanism]
    if index.report_id:
        page.paragraph(f"In {_source(index.report_id, index.report_label)}", "dim")
    page.heading("Mechanisms of a slow cold start")
    columns = ("", "mechanism", "called", *(("status", "cost") if index.report_id else ()))
    rows = [_row(entry, with_status=bool(index.report_id)) for entry in mechanisms]
    page.table(columns, rows, right=(4,) if index.report_id else (), whole=(0,))
    if topics:
        page.heading("Topics")
        page.table(("topic", "called"), [(plain(entry.name), entry.slug) for entry in topics], whole=(1,))
    page.gap()
    page.paragraph("Explain one by its number, by what it is called, or by words, as in:")
    page.command(("warp-mcp", "explain", "rebuilt", "after", "option", "change"))
    return str(page)


def _row(entry: IndexEntry, with_status: bool) -> tuple[str, ...]:
    first = (entry.mechanism or "", entry.name, entry.slug)
    if not with_status:
        return first
    cost = "" if entry.cost_ms is None else duration(entry.cost_ms)
    return (*first, (entry.status or "").replace("_", " "), cost)
