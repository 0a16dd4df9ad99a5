"""Progress notifications of a call: each step once, and a sign of life within long ones."""

import contextlib
from typing import Any

import anyio
from mcp.server.mcpserver import Context

from warp_mcp.models.progress import Progress
from warp_mcp.presentation import progress_text

SIGN_OF_LIFE_S = 5.0
"""Between two notifications. Clients reset their time-outs on them; the shortest known is 30 s."""


class Teller:
    """Sends what is new of a run's progress."""

    def __init__(self, context: Context[Any, Any]) -> None:
        self._context = context
        self._value = 0.0
        self._told: Progress | None = None
        self._said_at = 0.0

    async def tell(self, progress: Progress | None) -> None:
        """Send it, unless it only repeats what was sent a moment ago."""
        if progress is None or progress is self._told:
            return
        last, now = self._told, anyio.current_time()
        same = last is not None and (progress.step, progress.sample) == (last.step, last.sample)
        if same and now - self._said_at < SIGN_OF_LIFE_S:
            return
        self._told, self._said_at = progress, now
        # The protocol wants each value larger than the last, and runs finished stand still within a run.
        self._value = max(float(progress.done), self._value + 0.01)
        # A client that has gone away is told to us by cancellation, not here.
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            await self._context.report_progress(self._value, float(progress.total), progress_text(progress))
