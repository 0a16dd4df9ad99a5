"""Runs a target once, under its supervisor, and says how it went.

What belongs here: the loop that reads what comes from the target and its supervisor, and the rules by which
a run has completed, failed, timed out or was cancelled. Which runs are made, and in which order, is decided
in `samples.py`.
"""

import selectors
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from warp_mcp.models.command import StopCondition
from warp_mcp.models.run import RunOutcome, RunResult, SeenProcess
from warp_mcp.running.headers import HeaderFolders
from warp_mcp.running.load import LoadMeter
from warp_mcp.running.masking import masked, secret_values, without
from warp_mcp.running.output import Tail
from warp_mcp.running.stopping import Stopper, stopper_for
from warp_mcp.running.supervision import Supervision

STEP_S = 0.05
"""How often time-out, cancel and stop conditions are looked at."""
DRAIN_S = 0.5
"""How long output is read on when nothing of the target is left: whoever holds the pipe then is not ours."""

Ending = Literal["none", "after_launches", "when_quiet", "until_output", "timeout", "cancel"]
_ABORTED: dict[Ending, RunOutcome] = {"timeout": "timed_out", "cancel": "cancelled"}


@dataclass(frozen=True)
class RunSpec:
    """One run to be made."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    run_id: str
    timeout_s: float
    stop: StopCondition
    record_dir: str
    cache_dir: str
    lifeline: int | None = None
    """Descriptor of the sample's guard, held by the supervisor too."""


def run_target(spec: RunSpec, *, tick: Callable[[], None], cancel: threading.Event) -> RunResult:
    """Run the command to its end, its time-out, its stop condition or a cancel.

    `tick` is called about twenty times a second. Raises UsageError when the command cannot be started.
    Whatever is raised, also by `tick`, nothing of the target is left running.
    """
    headers = HeaderFolders(spec.env)
    try:
        with Supervision(spec.argv, spec.cwd, spec.env, spec.run_id, spec.lifeline) as supervision:
            return _Watch(spec, supervision).until_done(tick, cancel)
    finally:
        headers.remove_left(spec.record_dir)


class _Watch:
    """One run while it lasts."""

    def __init__(self, spec: RunSpec, supervision: Supervision) -> None:
        self._spec = spec
        self._supervision = supervision
        self._stopper: Stopper = stopper_for(spec.stop, spec.record_dir)
        self._tails = {"stdout": Tail(), "stderr": Tail()}
        self._meter = LoadMeter()
        self._deadline = time.monotonic() + spec.timeout_s
        self._ending: Ending = "none"

    def until_done(self, tick: Callable[[], None], cancel: threading.Event) -> RunResult:
        """Read until the supervisor has reported that nothing is left."""
        with selectors.DefaultSelector() as selector:
            for name, pipe in self._supervision.pipes.items():
                selector.register(pipe, selectors.EVENT_READ, name)
            while not self._supervision.done:
                self._read(selector, STEP_S)
                self._decide(cancel)
                tick()
            until = time.monotonic() + DRAIN_S
            while selector.get_map() and time.monotonic() < until:
                self._read(selector, STEP_S)
        return self._result()

    def _read(self, selector: selectors.BaseSelector, wait_s: float) -> None:
        for key, _ in selector.select(wait_s):
            chunk = self._supervision.read(key.data)
            if not chunk:
                selector.unregister(key.fileobj)
            elif key.data != "report":
                self._tails[key.data].feed(chunk)
                self._stopper.feed(key.data, chunk)

    def _decide(self, cancel: threading.Event) -> None:
        """End the target when there is a reason to; the first reason stays."""
        if self._ending == "none":
            self._ending = self._reason(cancel)
        if self._ending != "none":
            self._supervision.end()

    def _reason(self, cancel: threading.Event) -> Ending:
        if self._stopper.due():
            return _kind(self._spec.stop)
        if cancel.is_set():
            return "cancel"
        overdue = time.monotonic() > self._deadline and not self._supervision.exited
        return "timeout" if overdue else "none"

    def _result(self) -> RunResult:
        report = self._supervision.report
        stopped_by = self._stopped_by(report.ended)
        code = None if report.ended else report.code
        secrets = secret_values(self._spec.argv, self._spec.env)
        return RunResult(
            outcome=_outcome(stopped_by, code),
            exit_code=code,
            wall_ms=report.wall_ms,
            stdout_tail=without(self._tails["stdout"].text(), secrets),
            stderr_tail=without(self._tails["stderr"].text(), secrets),
            stopped_by=stopped_by,
            processes=[
                SeenProcess(
                    pid=seen.pid,
                    parent=seen.parent,
                    argv=masked(seen.argv),
                    exit_code=seen.code,
                    isolated=seen.isolated,
                )
                for seen in report.processes
            ],
            left_running=report.left_running,
            foreign_load=self._meter.foreign_load(report.cpu_s),
            record_dir=self._spec.record_dir,
            cache_dir=self._spec.cache_dir,
        )

    def _stopped_by(self, ended: bool) -> Ending:
        """A program that ended by itself just before it was told to has not been cut off."""
        if self._stopper.reached():
            return _kind(self._spec.stop)
        return self._ending if ended else "none"


def _kind(stop: StopCondition) -> Ending:
    assert stop.kind in get_args(Ending)
    return stop.kind


def _outcome(stopped_by: Ending, code: int | None) -> RunOutcome:
    if stopped_by in _ABORTED:
        return _ABORTED[stopped_by]
    return "completed" if stopped_by != "none" or code == 0 else "failed"
