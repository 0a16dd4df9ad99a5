"""Blocking work in threads: its progress, its cancellation, and its end before the server's own."""

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context

from warp_mcp.models.progress import Progress
from warp_mcp.presentation import progress_text

SIGN_OF_LIFE_S = 5.0
"""Between two progress notifications. Clients reset their time-outs on them; the shortest known is 30 s."""
GOING_AWAY_S = 4.5
"""How long a signal waits for children to end: they are promised to be gone within 5 s."""
LOOK_S = 0.1

_Value = TypeVar("_Value")
Work = Callable[[Callable[[Progress], None], threading.Event], _Value]


@dataclass
class Runs:
    """The runs in progress."""

    _cancels: set[threading.Event] = field(default_factory=set[threading.Event])

    async def end_all(self) -> None:
        """Cancel every run and wait until each has cleaned up, or the time for that is over."""
        with anyio.move_on_after(GOING_AWAY_S):
            while self._cancels:
                for cancel in self._cancels:
                    cancel.set()
                await anyio.sleep(LOOK_S)

    async def in_thread(self, work: Work[_Value], context: Context[Any, Any]) -> _Value:
        """Do the work with progress; when the call is cancelled, end the work and wait for its end."""
        cancel = threading.Event()
        latest: list[Progress] = []

        values: list[_Value] = []
        errors: list[Exception] = []

        def guarded() -> None:
            # Raised below instead: a task group would wrap it in an exception group.
            try:
                values.append(work(latest.append, cancel))
            except Exception as error:
                errors.append(error)

        self._cancels.add(cancel)
        try:
            async with anyio.create_task_group() as group:
                teller = _Teller(latest, context)
                group.start_soon(_tell, teller, cancel)
                # This wait cannot be cancelled: the thread owns processes. `_tell` can, and sets `cancel`.
                await anyio.to_thread.run_sync(guarded)
                await teller.tell()  # a run may be over before the first look
                group.cancel_scope.cancel()
        finally:
            self._cancels.discard(cancel)
        for error in errors:
            raise error
        return values[0]


class _Teller:
    """Sends what is new of a run's progress: each step, and a sign of life within long ones."""

    def __init__(self, latest: list[Progress], context: Context[Any, Any]) -> None:
        self._latest = latest
        self._context = context
        self._value = 0.0
        self._step: tuple[str, int] | None = None
        self._said_at = 0.0

    async def tell(self) -> None:
        """Send the latest progress, unless it only repeats what was sent a moment ago."""
        if not self._latest:
            return
        progress = self._latest[-1]
        del self._latest[:-1]
        step, now = (progress.step, progress.sample), anyio.current_time()
        if step == self._step and now - self._said_at < SIGN_OF_LIFE_S:
            return
        self._step, self._said_at = step, now
        # The protocol wants each value larger than the last, and runs finished stand still within a run.
        self._value = max(float(progress.done), self._value + 0.01)
        # A client that has gone away is told to us by cancellation, not here.
        with contextlib.suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            await self._context.report_progress(self._value, float(progress.total), progress_text(progress))


async def _tell(teller: _Teller, cancel: threading.Event) -> None:
    """Look for new progress until cancelled, and let a cancelled call end its run."""
    try:
        while True:
            await anyio.sleep(LOOK_S)
            await teller.tell()
    finally:
        cancel.set()
