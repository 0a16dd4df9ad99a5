"""The order of runs: each cold sample in caches of its own, followed by its warm run on the cache it filled.

What belongs here: which run is made next and what is handed back. How one run is made is in `target.py`;
what its figures mean is none of this layer's business.
"""

import os
import secrets
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from warp_mcp.errors import CannotWrite, ProbeError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.progress import Progress
from warp_mcp.models.recording import ProcessRecord, Recording
from warp_mcp.models.run import RunResult, SampleRecording
from warp_mcp.running.command import check_command, check_platform, check_variables
from warp_mcp.running.environment import target_environment, user_environment
from warp_mcp.running.isolation import SampleDirectories, remove_stale, sample_directories
from warp_mcp.running.masking import masked
from warp_mcp.running.progress import Ticker
from warp_mcp.running.target import RunSpec, run_target

Step = Literal["cold", "warm"]
Read = Callable[[RunResult], Recording]


class SamplesCutShort(CannotWrite):
    """A further sample could not be made, nearly always for want of disk space.

    Code, sentences and exit code are those of the reason, also where it is another one. `samples` holds
    what was measured before, never nothing.
    """

    def __init__(self, reason: ProbeError, samples: list[SampleRecording]) -> None:
        super().__init__(reason.code, reason.message, reason.next_step)
        self.exit_code = reason.exit_code
        self.samples = samples


class Runner(Protocol):
    """Makes one run; replaced in tests of the order."""

    def sample(self) -> AbstractContextManager[SampleDirectories]:
        """Fresh directories for one sample, removed at the end."""
        ...

    def run(self, step: Step, sample: SampleDirectories, tick: Callable[[], None]) -> RunResult:
        """Run the target once."""
        ...


def measure_samples(
    request: MeasureRequest,
    *,
    read: Read,
    on_progress: Callable[[Progress], None],
    cancel: threading.Event,
    on_sample: Callable[[list[SampleRecording]], None] = lambda samples: None,
    rescue_dir: str | None = None,
) -> list[SampleRecording]:
    """Run the command as often as asked for and hand back what was recorded, oldest sample first.

    `read` is called after each run while its files still exist. `on_progress` is called at each step and at
    least once a second, `on_sample` after each sample, while its files still exist, with all so far.
    Should the probe be killed, the records of the sample under way are copied below `rescue_dir`. Setting
    `cancel`, from another thread, ends the run within five seconds; what was recorded so far is returned.
    Raises UsageError for a command that cannot be run, CannotWrite for a temp directory that cannot be used;
    SamplesCutShort, which holds them, when that happens after samples have been made.
    """
    check_platform()
    check_variables(request.env)
    check_command(request.command, request.cwd, user_environment(request))
    remove_stale()
    ticker = Ticker(request.samples, on_progress)
    runner = TargetRunner(request, cancel, rescue_dir)
    return run_in_order(runner, request.samples, read, ticker, cancel, on_sample)


def run_in_order(
    runner: Runner,
    samples: int,
    read: Read,
    ticker: Ticker,
    cancel: threading.Event,
    on_sample: Callable[[list[SampleRecording]], None] = lambda samples: None,
) -> list[SampleRecording]:
    """Cold, warm, cold, warm …, up to a time-out or a cancel."""
    recorded: list[SampleRecording] = []
    for number in range(1, samples + 1):
        if cancel.is_set():
            break
        try:
            with runner.sample() as directories:
                sample = _one_sample(runner, directories, number, read, ticker)
                recorded.append(sample)
                on_sample(recorded)  # before its records are gone: a kill in between would lose them
        except ProbeError as error:
            if not recorded:
                raise
            raise SamplesCutShort(error, recorded) from error
        if _ends_the_series(sample):
            break
    return recorded


def _one_sample(
    runner: Runner, directories: SampleDirectories, number: int, read: Read, ticker: Ticker
) -> SampleRecording:
    with ticker.step("cold", number) as tick:
        cold = runner.run("cold", directories, tick)
    cold_recording = _masked(read(cold))
    warm, warm_recording = None, None
    if cold.outcome == "completed":
        with ticker.step("warm", number) as tick:
            warm = runner.run("warm", directories, tick)
        warm_recording = _masked(read(warm))
    return SampleRecording(cold=cold, cold_recording=cold_recording, warm=warm, warm_recording=warm_recording)


def _masked(recording: Recording) -> Recording:
    """The same recording without secrets in the arguments of processes."""
    return recording.model_copy(update={"processes": [_masked_process(one) for one in recording.processes]})


def _masked_process(process: ProcessRecord) -> ProcessRecord:
    children = [child.model_copy(update={"argv": masked(child.argv)}) for child in process.spawned]
    return process.model_copy(update={"argv": masked(process.argv), "spawned": children})


def _ends_the_series(sample: SampleRecording) -> bool:
    """A program that ran into its time-out once would do so again, and each try costs the whole limit."""
    return any(
        run is not None and run.outcome in ("timed_out", "cancelled") for run in (sample.cold, sample.warm)
    )


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

    def run(self, step: Step, sample: SampleDirectories, tick: Callable[[], None]) -> RunResult:
        """Run the command under supervision with its records in the step's own directory."""
        request = self._request
        record_dir = sample.records(step)
        run_id = sample.run_id + secrets.token_hex(4)
        env = target_environment(
            self._user, request.stop, caches=sample.caches, record_dir=record_dir, run_id=run_id
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
