"""Serving over stdio, and going away in order.

Standard output belongs to the protocol. A closed stdin and a cancelled call reach the tools as cancellation;
signals are waited for here; a kill is noticed by the supervisor of each run, which holds a pipe from here.
"""

import os
import signal

import anyio

from warp_mcp.server.app import build_server
from warp_mcp.server.runs import Runs

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def serve() -> int:
    """Serve until the client closes standard input (returns 0) or a signal comes (128 + its number)."""
    anyio.run(_serve)
    return 0


async def _serve() -> None:
    runs = Runs()
    async with anyio.create_task_group() as group:
        group.start_soon(_go_away_on_signal, runs)
        await build_server(runs).run_stdio_async()
        group.cancel_scope.cancel()


async def _go_away_on_signal(runs: Runs) -> None:
    with anyio.open_signal_receiver(*SIGNALS) as received:
        async for number in received:
            await runs.end_all()
            # A thread still waits for a line on stdin and cannot be interrupted; nothing else is left to do.
            os._exit(128 + number)
