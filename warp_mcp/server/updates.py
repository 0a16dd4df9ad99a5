"""Telling clients that a resource is new or has changed, in the way of the era they speak.

Since 2026-07-28 clients listen on a stream of their own, which the SDK serves. Before, they subscribe to
URIs one by one, which the SDK leaves to the server.
"""

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, cast
from weakref import WeakKeyDictionary

import anyio
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, METHOD_NOT_FOUND
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from warp_mcp.models import uris

MOST_SUBSCRIPTIONS = 1000
"""Of one client: more is a fault of it."""

_subscribed: WeakKeyDictionary[MCPServer[Any], set[str]] = WeakKeyDictionary()
"""By server: a process that serves stdio has one client."""


def register_updates(server: MCPServer[Any]) -> None:
    """Serve subscriptions of the older era, and say so when a client connects."""
    subscribed = _subscribed.setdefault(server, set())

    async def subscriptions(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        if ctx.method == "initialize":
            return _announced(await call_next(ctx))
        if ctx.method not in ("resources/subscribe", "resources/unsubscribe") or _modern(ctx):
            return await call_next(ctx)
        return await _subscribe(ctx, call_next, subscribed)

    server.middleware.append(subscriptions)


def _modern(ctx: ServerRequestContext[Any, Any]) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def _announced(result: HandlerResult) -> HandlerResult:
    if not isinstance(result, dict):
        return result
    offered = dict(result.get("capabilities") or {})
    return {**result, "capabilities": {**offered, "resources": {"subscribe": True, "listChanged": True}}}


async def _subscribe(
    ctx: ServerRequestContext[Any, Any], call_next: CallNext, subscribed: set[str]
) -> HandlerResult:
    # The SDK checks the message and the handshake, and then finds nobody who serves it.
    try:
        return await call_next(ctx)
    except MCPError as error:
        if error.code != METHOD_NOT_FOUND:
            raise
    uri = str(cast(Mapping[str, Any], ctx.params or {}).get("uri", ""))
    if ctx.method == "resources/unsubscribe":
        subscribed.discard(uri)
    elif len(subscribed) >= MOST_SUBSCRIPTIONS:
        raise MCPError(INVALID_PARAMS, "Too many subscriptions. Unsubscribe from some first.")
    else:
        subscribed.add(uri)
    return {}


async def notify_new_report(context: Context[Any, Any], report_id: str) -> None:
    """A report is kept that was not there before."""
    await _changed(
        context,
        [
            uris.report_uri(report_id),
            uris.report_markdown_uri(report_id),
            uris.report_uri("latest"),
            uris.report_markdown_uri("latest"),
        ],
    )


async def notify_new_comparison(context: Context[Any, Any], comparison_id: str) -> None:
    """A comparison is kept that was not there before."""
    await _changed(
        context,
        [
            uris.comparison_uri(comparison_id),
            uris.comparison_json_uri(comparison_id),
            uris.comparison_uri("latest"),
            uris.comparison_json_uri("latest"),
        ],
    )


async def notify_ledger(context: Context[Any, Any], project: str) -> None:
    """An entry was appended to the ledger of a project, named as in the entry."""
    own = [uris.ledger_uri(project), uris.ledger_json_uri(project)]
    await _changed(context, [uris.LEDGER, uris.LEDGER_JSON, *own])


async def _changed(context: Context[Any, Any], changed: Sequence[str]) -> None:
    """The list has changed, and so have these. Never a failure of the call that made the change."""
    version = context.protocol_version
    if version is None:
        return
    with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
        if version in MODERN_PROTOCOL_VERSIONS:
            await context.notify_resources_changed()
            for uri in changed:
                await context.notify_resource_updated(uri)
            return
        session = context.request_context.session
        await session.send_resource_list_changed()
        for uri in changed:
            if uri in _subscribed.get(context.mcp_server, set()):
                await session.send_resource_updated(uri)
