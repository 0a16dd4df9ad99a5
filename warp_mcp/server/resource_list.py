"""What `resources/list` tells: documents, ledgers, the newest reports and comparisons, with their sizes."""

import contextlib
import os
from collections.abc import Callable, Iterator
from shlex import join

from mcp_types import Annotations, Resource

from warp_mcp.errors import ProbeError
from warp_mcp.models import uris
from warp_mcp.models.mechanism import CATALOGUE
from warp_mcp.models.stored import StoredComparison, StoredReport
from warp_mcp.presentation.ledger_markdown import ledger_markdown
from warp_mcp.workflows import documents, ledger_index, sharing
from warp_mcp.workflows.ledger import to_json as ledger_json

MARKDOWN = "text/markdown"
JSON = "application/json"
MOST = 20
"""Reports, comparisons and projects that are listed, each. Some clients hand the whole list to a model; the
rest is reached by name, through the templates and their completion."""
_LONGEST = 120
"""Characters of a title or description that comes from a program or a user."""

DOCUMENT_TITLES = {
    "mechanisms": (
        "Why Warp programs start slowly",
        "Thirteen mechanisms: signs, fixes, how they go wrong. Long: read a section, as in …/CS-3.",
    ),
    "measurement": (
        "Measuring a cold start",
        "What each figure means, and when to doubt it. Long: read a section, as in …/the-verdict.",
    ),
}


def listed_resources() -> list[Resource]:
    """Everything that is listed. What cannot be read is left out: it is told when it is asked for."""
    groups: tuple[Callable[[], Iterator[Resource]], ...] = (_documents, _ledgers, _reports, _comparisons)
    found: list[Resource] = []
    for group in groups:
        with contextlib.suppress(ProbeError, OSError):
            found += group()
    return found


def _documents() -> Iterator[Resource]:
    index = documents.index()
    yield _resource(
        uris.REFERENCES, "references", "What can be read", "Every section of the reference, with its URI.",
        size=len(index.encode()),
    )  # fmt: skip
    for name, (title, description) in DOCUMENT_TITLES.items():
        size = len(documents.document(name).encode())
        yield _resource(uris.document_uri(name), name, title, description, size=size)
    sizes = documents.mechanism_sizes()
    for one in CATALOGUE:
        if one.label in sizes:
            yield _resource(
                uris.mechanism_uri(one.label), one.slug, f"{one.label}: {one.name}",
                "How it shows, the fix, how it goes wrong.", size=sizes[one.label],
            )  # fmt: skip


def _ledgers() -> Iterator[Resource]:
    listing = ledger_index.nearest_ledger()
    what = f"Declined and unverified options of {listing.project}: of this directory, or used last."
    markdown, data = len(ledger_markdown(listing).encode()), len(ledger_json(listing).encode())
    yield _resource(uris.LEDGER, "ledger", "Ledger", what, size=markdown)
    yield _resource(uris.LEDGER_JSON, "ledger.json", "Ledger as JSON", what, mime_type=JSON, size=data)
    for project in ledger_index.projects()[:MOST]:
        size = len(ledger_markdown(ledger_index.project_ledger(project)).encode())
        yield _resource(
            uris.ledger_uri(project), f"ledger-{project}", f"Ledger of {project}",
            "Options declined, deferred, or applied and not verified.", size=size,
        )  # fmt: skip


def _reports() -> Iterator[Resource]:
    for report in sharing.newest_reports(MOST):
        if report.problem is None:
            yield _report(report)


def _report(report: StoredReport) -> Resource:
    return _resource(
        uris.report_uri(report.report_id),
        report.report_id,
        f"Report {report.label or report.report_id}",
        f"Measured {report.created_at}: {join(report.command)}",
        mime_type=JSON,
        size=os.path.getsize(report.path),
        modified=report.created_at,
    )


def _comparisons() -> Iterator[Resource]:
    for comparison in sharing.newest_comparisons(MOST):
        if comparison.problem is None:
            yield _comparison(comparison)


def _comparison(comparison: StoredComparison) -> Resource:
    return _resource(
        uris.comparison_uri(comparison.comparison_id),
        comparison.comparison_id,
        f"{comparison.baseline} → {comparison.candidate}: {comparison.verdict}",
        f"The report to send, compared {comparison.created_at}.",
        size=sharing.page_bytes(comparison),
        modified=comparison.created_at,
    )


def _resource(
    uri: str,
    name: str,
    title: str,
    description: str,
    *,
    mime_type: str = MARKDOWN,
    size: int | None = None,
    modified: str | None = None,
) -> Resource:
    return Resource(
        uri=uri,
        name=name,
        title=_short(title),
        description=_short(description),
        mime_type=mime_type,
        size=size,
        annotations=Annotations(last_modified=modified) if modified else None,
    )


def _short(text: str) -> str:
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
