"""How long a call may wait for a measurement before it answers "running": by client, as far as known."""

import os
from typing import Any

from mcp.server.mcpserver import Context

from warp_mcp.errors import UsageError

VARIABLE = "WARP_MCP_WAIT_S"

DEFAULT_S = 25.0
"""Under the shortest limit known, about 30 s (Copilot in JetBrains); TypeScript clients have 60 s."""

KNOWN_S = {
    "claude-code": 600.0,
    "claude-ai": 200.0,
    "claude-desktop": 200.0,
    "codex": 240.0,
    "cursor": 240.0,
}
"""By the beginning of the client's name: Claude Code waits as long as there is progress, Claude Desktop about
240 s, Codex 300 s, Cursor about 5 minutes. A margin is left for the answer."""

MOST_S = 3600.0


def patience_s(asked: float | None, context: Context[Any, Any]) -> float:
    """Seconds to wait: as asked, else as the variable says, else by the client's name.

    Raises `UsageError` for a number that is none or not within 0 to 3600.
    """
    if asked is not None:
        return _within(asked, "wait_s", "Give fewer seconds, or leave it out; wait on with the run_id.")
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        return _within(_number(named), VARIABLE, "Give wait_s, and have the server's environment corrected.")
    name = client_name(context).lower()
    return next((seconds for known, seconds in KNOWN_S.items() if name.startswith(known)), DEFAULT_S)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _within(seconds: float, name: str, step: str) -> float:
    if not 0 <= seconds <= MOST_S:
        raise UsageError("bad_value", f"{name} has to be seconds, from 0 to {MOST_S:.0f}.", step)
    return seconds


def client_name(context: Context[Any, Any]) -> str:
    """What the client calls itself; empty where it does not say."""
    params = context.request_context.session.client_params
    return params.client_info.name if params is not None else ""
