"""Serving over stdio, and going away in order.

Standard output belongs to the protocol. A closed stdin and a cancelled call reach the tools as cancellation;
signals are waited for here; a kill is noticed by the supervisor of each run and by the guard of each sample,
which hold pipes from here.
"""

import os
import signal
from collections.abc import Sequence

import anyio

from warp_mcp.server.app import build_server
from warp_mcp.server.policy import Policy
from warp_mcp.server.runs import Runs

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def serve(roots: Sequence[str] = (), commands: Sequence[str] = (), *, measuring: bool = True) -> int:
    """Serve until the client closes standard input (returns 0) or a signal comes (128 + its number).

    The arguments are the server's limits, see `policy.Policy`. Raises `ProbeError` for limits that are none.
    """
    anyio.run(_serve, Policy.of(roots, commands, measuring=measuring))
    return 0


async def _serve(policy: Policy) -> None:
    runs = Runs()
    async with anyio.create_task_group() as group:
        group.start_soon(_go_away_on_signal, runs)
        try:
            await build_server(runs, policy).run_stdio_async()
        finally:
            await runs.end_all()
        group.cancel_scope.cancel()


async def _go_away_on_signal(runs: Runs) -> None:
    with anyio.open_signal_receiver(*SIGNALS) as received:
        async for number in received:
            await runs.end_all()
            # A thread still waits for a line on stdin and cannot be interrupted; nothing else is left to do.
            os._exit(128 + number)
