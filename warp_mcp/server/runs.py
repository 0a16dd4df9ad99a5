"""Measurements under way in this server: each in a thread, waited for by calls, ended with the server.

A run outlives the call that started it, so that a client with a short patience can ask for it again. It is
ended when that call is cancelled, when it is told to by its id, and when the server goes away.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp.server.mcpserver import Context

from warp_mcp import workflows
from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.progress import Progress
from warp_mcp.models.report import Report
from warp_mcp.server.telling import Teller

GOING_AWAY_S = 4.5
"""How long the end of a run is waited for: its processes are promised to be gone within 5 s."""
LOOK_S = 0.1
MOST_KEPT = 50
"""Runs that are remembered after their end; their reports are kept anyway."""

Recheck = Callable[[], None]
Measure = Callable[["Run"], Report]


@dataclass
class Run:
    """One measurement: under way until `over`, then with a report or an error, or both."""

    run_id: str
    request: MeasureRequest
    recheck: Recheck = lambda: None
    """Raises `Refused` when what was approved is something else by the time the run starts."""
    against: Report | None = None
    """The report whose verdict decides how many samples are made."""
    cancel: threading.Event = field(default_factory=threading.Event)
    over: threading.Event = field(default_factory=threading.Event)
    progress: Progress | None = None
    report: Report | None = None
    error: ProbeError | None = None
    crash: Exception | None = None

    def work(self, measure: Measure) -> None:
        """Measure, in a thread of its own."""
        try:
            self.report = measure(self)
        except workflows.WriteFailed as error:
            self.error = error
            self.report = error.value if isinstance(error.value, Report) else None
        except ProbeError as error:
            self.error = error
        except Exception as error:
            self.crash = error
        finally:
            self.over.set()

    def note(self, progress: Progress) -> None:
        """How far it has come."""
        self.progress = progress


@dataclass
class Runs:
    """The runs of this server, by id, oldest first."""

    measure: Measure = lambda run: workflows.measure(
        run.request, run.note, run.cancel, run_id=run.run_id, recheck=run.recheck, against=run.against
    )
    _runs: dict[str, Run] = field(default_factory=dict[str, Run])

    def start(
        self, request: MeasureRequest, recheck: Recheck = lambda: None, against: Report | None = None
    ) -> Run:
        """Begin a measurement; it queues by itself behind another one of the same user."""
        run = Run(workflows.new_run_id(), request, recheck, against)
        self._runs[run.run_id] = run
        for old in [one for one in self._runs.values() if one.over.is_set()][:-MOST_KEPT]:
            del self._runs[old.run_id]
        # A daemon: `end_all` waits for it, and nothing else may keep a server alive whose client has gone.
        threading.Thread(target=run.work, args=(self.measure,), name=run.run_id, daemon=True).start()
        return run

    def find(self, run_id: str) -> Run | None:
        """A run of this server."""
        return self._runs.get(run_id)

    async def wait(self, run: Run, budget_s: float, context: Context[Any, Any], *, owner: bool) -> bool:
        """Wait for a run and tell its progress; False when the time is over first.

        When the call is cancelled, its `owner` ends the run; one that only waits leaves it alone.
        """
        teller = Teller(context)
        try:
            with anyio.move_on_after(budget_s):
                while not run.over.is_set():
                    await teller.tell(run.progress)
                    await anyio.sleep(LOOK_S)
            await teller.tell(run.progress)  # a run may be over before the first look
        except anyio.get_cancelled_exc_class():
            if owner:
                with anyio.CancelScope(shield=True):
                    await self.end(run)
            raise
        return run.over.is_set()

    async def end(self, run: Run) -> None:
        """Cancel a run and wait until it has cleaned up, or the time for that is over."""
        run.cancel.set()
        with anyio.move_on_after(GOING_AWAY_S):
            while not run.over.is_set():
                await anyio.sleep(LOOK_S)

    async def end_all(self) -> None:
        """The same for every run: the server is going away."""
        with anyio.CancelScope(shield=True):
            under_way = [run for run in self._runs.values() if not run.over.is_set()]
            for run in under_way:
                run.cancel.set()
            async with anyio.create_task_group() as group:
                for run in under_way:
                    group.start_soon(self.end, run)


def unknown_run(run_id: str) -> UsageError:
    """The error for an id that neither this server nor the kept reports know."""
    return UsageError(
        "no_such_run",
        f"No run and no report has the id “{run_id}”.",
        "Start one with `command`, or read a kept report: compare and explain_mechanism take its id "
        "or label.",
    )
