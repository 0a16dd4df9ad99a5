"""The resources: references, reports, comparisons, ledgers. Each reads one workflow's text.

What is listed is in `resource_list.py`, what is answered for what is not there in `resource_errors.py`, how
clients hear of changes in `updates.py`, which names are proposed in `completions.py`. A name in a URI is
looked for among what is kept; none is ever a path.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio.to_thread
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resources import ResourceSecurity

from warp_mcp.models import uris
from warp_mcp.presentation.ledger_markdown import ledger_markdown
from warp_mcp.server.completions import register_completions
from warp_mcp.server.resource_errors import answering, comparisons_there, reports_there, say_what_there_is
from warp_mcp.server.resource_list import DOCUMENT_TITLES, JSON, MARKDOWN, listed_resources
from warp_mcp.server.updates import (
    notify_ledger,
    notify_new_comparison,
    notify_new_report,
    register_updates,
)
from warp_mcp.workflows import documents, ledger_index, sharing
from warp_mcp.workflows.ledger import to_json as ledger_json

__all__ = ["notify_ledger", "notify_new_comparison", "notify_new_report", "register_resources"]

LONGEST_NAME = 200
"""Characters of a name that is looked for: words are compared with it one by one."""
ANY_NAME = ResourceSecurity(reject_path_traversal=False, reject_absolute_paths=False, reject_null_bytes=False)
"""The SDK would call such names unknown without saying what there is. They are compared, never opened."""


def register_resources(server: MCPServer[Any]) -> None:
    """Add all resources, their listing, their completion, and subscriptions to a server."""
    for uri, name, title, read, mime_type in _fixed():
        server.resource(uri, name=name, title=title, description=f"{title}.", mime_type=mime_type)(
            answering(read)
        )
    for uri, name, title, find, mime_type in _named():
        server.resource(
            uri, name=name, title=title, description=f"{title}.", mime_type=mime_type, security=ANY_NAME
        )(_finding(find))
    register_completions(server)
    register_updates(server)
    server.middleware.append(_listing)
    server.middleware.append(say_what_there_is)


def _finding(find: Callable[[str], str]) -> Callable[[str], str]:
    # The SDK wants a parameter with the name of the template's variable.
    def finding(id: str) -> str:
        # A mark that no name has keeps the beginning of an endless one from being found.
        name = id if len(id) <= LONGEST_NAME else id[:LONGEST_NAME] + "…"
        return answering(partial(find, name))()

    return finding


def _fixed() -> list[tuple[str, str, str, Callable[[], str], str]]:
    """URI, name, title, what reads it, MIME type."""
    recorded = "Options declined, deferred, or applied and not verified"
    return [
        (uris.REFERENCES, "references", "What can be read", documents.index, MARKDOWN),
        *(
            (uris.document_uri(name), name, title, partial(documents.document, name), MARKDOWN)
            for name, (title, _) in DOCUMENT_TITLES.items()
        ),
        (uris.LEDGER, "ledger", recorded, lambda: ledger_markdown(ledger_index.nearest_ledger()), MARKDOWN),
        (uris.LEDGER_JSON, "ledger.json", recorded, lambda: ledger_json(ledger_index.nearest_ledger()), JSON),
    ]


def _named() -> list[tuple[str, str, str, Callable[[str], str], str]]:
    """URI with `{id}`, name, title, what finds it, MIME type. The first that fits a URI is taken."""
    mechanisms, measurement = uris.DOCUMENTS
    return [
        (
            uris.MECHANISM,
            "mechanism",
            "A mechanism, by label (CS-3) or slug",
            partial(documents.section, mechanisms),
            MARKDOWN,
        ),
        (
            uris.MEASUREMENT_SECTION,
            "measurement-section",
            "A section on measuring, by slug",
            partial(documents.section, measurement),
            MARKDOWN,
        ),
        (uris.TOPIC, "topic", "A section of either document, by label or slug", documents.topic, MARKDOWN),
        (
            uris.PROJECT_LEDGER_JSON,
            "project-ledger.json",
            "The ledger of a project, as JSON",
            _ledger_data,
            JSON,
        ),
        (uris.PROJECT_LEDGER, "project-ledger", "The ledger of a project", _ledger, MARKDOWN),
        (uris.REPORT_MARKDOWN, "report.md", "A report to read, by id, label or `latest`", _report, MARKDOWN),
        (uris.REPORT, "report", "A report whole, by id, label or `latest`", _report_data, JSON),
        (
            uris.COMPARISON_JSON,
            "comparison.json",
            "A comparison whole, by id or `latest`",
            _comparison_data,
            JSON,
        ),
        (
            uris.COMPARISON,
            "comparison",
            "The report to send to a team, by a comparison's id or `latest`",
            _comparison,
            MARKDOWN,
        ),
    ]


def _ledger(project: str) -> str:
    return ledger_markdown(ledger_index.project_ledger(project))


def _ledger_data(project: str) -> str:
    return ledger_json(ledger_index.project_ledger(project))


def _report(name: str) -> str:
    with reports_there():
        return sharing.report_page(name)


def _report_data(name: str) -> str:
    with reports_there():
        return sharing.report_json(name)


def _comparison(name: str) -> str:
    with comparisons_there():
        return sharing.comparison_page(name)


def _comparison_data(name: str) -> str:
    with comparisons_there():
        return sharing.comparison_json(name)


async def _listing(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Put what is kept now, with sizes, in the place of what was registered."""
    result = await call_next(ctx)
    if ctx.method != "resources/list" or not isinstance(result, dict):
        return result
    listed = await anyio.to_thread.run_sync(listed_resources)
    told = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in listed]
    known = {one["uri"] for one in told}
    others = [one for one in result.get("resources", []) if one["uri"] not in known]
    return {**result, "resources": [*told, *others]}
