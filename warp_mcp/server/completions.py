"""Names that a client can propose while a user types: reports, comparisons, sections, projects, commands."""

from collections.abc import Callable, Iterator
from shlex import join
from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import MCPServer
from mcp_types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

from warp_mcp.errors import ProbeError
from warp_mcp.models import uris
from warp_mcp.workflows import documents, ledger_index, sharing

MOST = 100
"""Names in one answer; the protocol allows no more."""


def register_completions(server: MCPServer[Any]) -> None:
    """Serve completion for the resources' templates and the prompts' arguments."""

    @server.completion()
    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion:
        asked = ref.name if isinstance(ref, PromptReference) else ref.uri
        names = await anyio.to_thread.run_sync(_names, asked, argument.name)
        found = _matching(names, argument.value)
        return Completion(values=found[:MOST], total=len(found), has_more=len(found) > MOST)


def _matching(names: list[str], begun: str) -> list[str]:
    """Those that begin so, then those that hold it somewhere; without regard to case."""
    wanted = begun.casefold()
    first = [name for name in names if name.casefold().startswith(wanted)]
    return first + [name for name in names if name not in first and wanted in name.casefold()]


def _names(asked: str, argument: str) -> list[str]:
    source = _SOURCES.get((asked, argument))
    try:
        return list(dict.fromkeys(source())) if source else []
    except ProbeError:
        return []


def _mechanisms() -> list[str]:
    return documents.section_names("mechanisms")


def _measurement() -> list[str]:
    return documents.section_names("measurement")


def _topics() -> list[str]:
    return [*uris.DOCUMENTS, *_mechanisms(), *_measurement()]


def _reports() -> Iterator[str]:
    kept = sharing.newest_reports()
    if kept:
        yield "latest"
    yield from (one.label for one in kept if one.label)
    yield from (one.report_id for one in kept if one.problem is None)


def _comparisons() -> Iterator[str]:
    ids = [one.comparison_id for one in sharing.newest_comparisons() if one.problem is None]
    return iter(["latest", *ids] if ids else [])


def _commands() -> Iterator[str]:
    return (join(one.command) for one in sharing.newest_reports() if one.command)


_SOURCES: dict[tuple[str, str], Callable[[], Iterator[str] | list[str]]] = {
    (uris.MECHANISM, "id"): _mechanisms,
    (uris.MEASUREMENT_SECTION, "id"): _measurement,
    (uris.TOPIC, "id"): _topics,
    (uris.REPORT, "id"): _reports,
    (uris.REPORT_MARKDOWN, "id"): _reports,
    (uris.COMPARISON, "id"): _comparisons,
    (uris.COMPARISON_JSON, "id"): _comparisons,
    (uris.PROJECT_LEDGER, "id"): ledger_index.projects,
    (uris.PROJECT_LEDGER_JSON, "id"): ledger_index.projects,
    ("diagnose", "command"): _commands,
    ("report", "baseline"): _reports,
    ("report", "candidate"): _reports,
}
"""(template or prompt, argument) to the names there are."""
