"""What is answered for a resource that is not there or cannot be read: code, message, and what there is."""

import contextlib
from collections.abc import Callable, Generator, Mapping
from typing import Any, cast

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from warp_mcp.errors import ProbeError
from warp_mcp.models import uris
from warp_mcp.presentation.page import clean
from warp_mcp.server.door import MOST_NAMED, step_for_tools
from warp_mcp.server.door import reports_there as newest_reports
from warp_mcp.workflows import sharing

MISSING = frozenset(
    {
        "ambiguous",
        "no_reports",
        "no_such_comparison",
        "no_such_report",
        "unknown_project",
        "unknown_section",
    }
)
"""Codes of names that nothing answers to: the client's to correct. The rest went wrong on this side."""
LONGEST = 1200
"""Characters of a sentence: a name in it can be as long as a client likes."""
SHAPES = (
    f"{uris.REFERENCES}, …/mechanisms/CS-3, …/measurement/the-verdict; {uris.report_uri('latest')}; "
    f"{uris.comparison_uri('latest')}; {uris.LEDGER}"
)


def answering(read: Callable[[], str]) -> Callable[[], str]:
    """`read`, whose failures are protocol errors."""

    def reading() -> str:
        try:
            return read()
        except ProbeError as error:
            raise _protocol_error(error) from error

    return reading


def _protocol_error(error: ProbeError) -> MCPError:
    code = INVALID_PARAMS if error.code in MISSING else INTERNAL_ERROR
    data = {"code": error.code, "message": _line(error.message), "next": _line(step_for_tools(error))}
    return MCPError(code, f"{data['message']} {data['next']}", data)


def _line(text: str) -> str:
    line = clean(text)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


@contextlib.contextmanager
def reports_there() -> Generator[None, None, None]:
    """In an error on a report, say which there are in words for this door."""
    with _there(newest_reports):
        yield


@contextlib.contextmanager
def comparisons_there() -> Generator[None, None, None]:
    """In an error on a comparison, say which there are in words for this door."""
    with _there(_comparisons):
        yield


@contextlib.contextmanager
def _there(tell: Callable[[], str]) -> Generator[None, None, None]:
    try:
        yield
    except ProbeError as error:
        raise ProbeError(error.code, error.message, tell()) from error


def _comparisons() -> str:
    names = [one.comparison_id for one in sharing.newest_comparisons(MOST_NAMED)]
    return f"The newest comparisons: {', '.join(names)}." if names else "Make one with the tool compare."


async def say_what_there_is(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Say which URI could not be read; for one of no known shape, which shapes there are."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        if ctx.method != "resources/read" or not error.data:
            raise
        data = cast(Mapping[str, Any], error.data)
        uri = str((ctx.params or {}).get("uri", ""))
        if "code" in data:
            raise MCPError(error.code, error.message, {**data, "uri": _line(uri)}) from error
        if error.code != INVALID_PARAMS:
            raise
        message, following = _line(f"There is no resource {uri}."), f"There are: {SHAPES}."
        told = {"code": "no_such_resource", "message": message, "next": following, "uri": _line(uri)}
        raise MCPError(INVALID_PARAMS, f"{message} {following}", told) from error
