"""Measuring a command: checked first, then run as often as its plan says.

What belongs here: what comes before the first run, and making one real run. Which run is made next is decided
in `series.py`, how one ends in `target.py`.
"""

import os
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.lever import Lever
from warp_mcp.models.progress import Progress
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import ArmRecording, PassKind, RunResult, SampleRecording
from warp_mcp.running.command import check_command, check_platform, check_variables
from warp_mcp.running.environment import target_environment, user_environment
from warp_mcp.running.injection import Injection
from warp_mcp.running.isolation import SampleDirectories, remove_stale, sample_directories
from warp_mcp.running.plan import Plan, Readers
from warp_mcp.running.progress import Ticker
from warp_mcp.running.series import Series
from warp_mcp.running.target import RunSpec, run_target


@dataclass(frozen=True)
class FixedPlan:
    """So many samples of the unchanged program, and nothing else."""

    least: int
    passes: Sequence[PassKind] = ()
    outputs_budget_bytes: int = 0
    archs: Sequence[int] = ()
    rehearsals: int = 1
    rehearse_workers: int = 0
    asked: int = 0

    @property
    def most(self) -> int:
        """Not one more."""
        return self.least

    def levers(self, unchanged: SampleRecording) -> list[Lever]:
        """None."""
        return []

    def to_trace(self, rehearsed: Recording, arch: int) -> list[TraceTarget]:
        """None."""
        return []

    def settled(self, unchanged: ArmRecording, arm: ArmRecording) -> str:
        """Never asked: the first number of rounds is the last."""
        return ""


def measure_samples(
    request: MeasureRequest,
    *,
    read: Readers,
    on_progress: Callable[[Progress], None],
    cancel: threading.Event,
    plan: Plan | None = None,
    on_sample: Callable[[list[ArmRecording]], None] = lambda series: None,
    rescue_dir: str | None = None,
) -> list[ArmRecording]:
    """Run the command as often as the plan says and hand back what was recorded, the unchanged runs first.

    `plan`: as many samples as the request says where there is none. `read` is called after each run while
    its files still exist. `on_progress` is called at each step and at least once a second, `on_sample` after
    each sample, while its files still exist, with all so far. Should the probe be killed, the records of the
    sample under way are copied below `rescue_dir`. Setting `cancel`, from another thread, ends the run within
    five seconds; what was recorded so far is returned. Raises UsageError for a command that cannot be run,
    CannotWrite for a temp directory that cannot be used; SamplesCutShort, which holds them, when that happens
    after samples have been made.
    """
    check_platform()
    check_variables(request.env)
    check_command(request.command, request.cwd, user_environment(request))
    remove_stale()
    chosen = plan or FixedPlan(request.samples)
    ticker = Ticker(chosen.least, on_progress)
    return Series(TargetRunner(request, cancel, rescue_dir), chosen, read, ticker, cancel, on_sample).run()


class TargetRunner:
    """Runs the requested command for real."""

    def __init__(
        self, request: MeasureRequest, cancel: threading.Event, rescue_dir: str | None = None
    ) -> None:
        self._request = request
        self._rescue_dir = rescue_dir
        self._cancel = cancel
        self._user = user_environment(request)

    def sample(self) -> AbstractContextManager[SampleDirectories]:
        """Fresh directories under the system temp directory. Entering raises CannotWrite."""
        return sample_directories(secrets.token_hex(8), self._rescue_dir)

    def run(
        self, step: str, sample: SampleDirectories, injection: Injection, tick: Callable[[], None]
    ) -> RunResult:
        """Run the command under supervision with its records in the step's own directory."""
        request = self._request
        record_dir = sample.records(step)
        os.makedirs(record_dir, mode=0o700, exist_ok=True)
        injection.write(record_dir)
        run_id = sample.run_id + secrets.token_hex(4)
        env = target_environment(
            self._user,
            request.stop,
            caches=sample.caches,
            record_dir=record_dir,
            run_id=run_id,
            injected=injection.parts,
        )
        spec = RunSpec(
            argv=request.command,
            cwd=os.path.abspath(request.cwd),
            env=env,
            run_id=run_id,
            timeout_s=request.timeout_s,
            stop=request.stop,
            record_dir=record_dir,
            cache_dir=sample.kernels,
            lifeline=sample.lifeline,
        )
        return run_target(spec, tick=tick, cancel=self._cancel)
