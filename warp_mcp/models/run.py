"""What running the target once looks like from outside: the runner's output."""

from typing import Literal

from warp_mcp.models.base import Model
from warp_mcp.models.compile_trace import CompileTrace, TraceSeen, TraceTarget
from warp_mcp.models.finding import Warning
from warp_mcp.models.floor import Floor
from warp_mcp.models.lever import Lever
from warp_mcp.models.outputs import OutputsSeen
from warp_mcp.models.recording import Recording
from warp_mcp.models.sampling import Sampling
from warp_mcp.models.steady_state import TimesSeen

RunOutcome = Literal["completed", "failed", "timed_out", "cancelled"]
"""How a run ended. `completed`: exit code 0, or ended by a stop condition."""


class SeenProcess(Model):
    """One Python process of the run as the operating system showed it."""

    pid: int
    parent: int
    argv: list[str]
    exit_code: int | None
    """Null when it was not our child, or was killed by the probe."""
    isolated: bool | None = None
    """Whether its environment named the run's own kernel cache; null when that could not be read."""


class RunResult(Model):
    """One run of the command, cold or warm."""

    outcome: RunOutcome
    exit_code: int | None
    """Negative for a signal, as `subprocess` does; null when the probe killed it."""
    wall_ms: float | None
    """From spawn to the end of the command itself; null when the probe was killed before it saw that end."""
    stdout_tail: str
    """Last lines of standard output; undecodable bytes replaced, control characters removed."""
    stderr_tail: str
    stopped_by: Literal[
        "none", "after_launches", "when_quiet", "until_output", "timeout", "cancel", "probe_killed"
    ]
    """`probe_killed`: only its records are left, as far as they got."""
    processes: list[SeenProcess]
    """Python processes only; others (compilers, `uname`) are not listed."""
    left_running: int
    """Processes that outlived the command and were ended by the probe."""
    foreign_load: float
    """Cores kept busy by other processes during the run, in mean; 0.0 where it cannot be told."""
    record_dir: str
    """Where the recorder's files of this run lie, until the run's directory is removed."""
    cache_dir: str
    """`WARP_CACHE_PATH` of this run."""


class Machine(Model):
    """The machine a measurement ran on, as far as it can be told without importing Warp."""

    cpu: str
    cores: int
    memory_bytes: int
    gpu: str | None
    driver: str | None
    cuda_toolkit: str | None
    platform: str
    variables: dict[str, str]
    """`WARP_*` and `CUDA_*` variables the user had set for the target (the probe's own left out)."""
    interpreters: list[str] = []
    """Interpreters here that have Warp; looked for only when that of the command has not."""
    executable: str | None = None
    """What the command's first word names, through the run's own `PATH`; null when it names nothing."""


class SampleRecording(Model):
    """One sample: the cold run, its warm run, and what was recorded in each."""

    cold: RunResult
    cold_recording: Recording
    warm: RunResult | None
    """Null when the cold run did not complete."""
    warm_recording: Recording | None


PassKind = Literal["outputs", "steady_state", "compile_trace"]
"""Runs beside the timed ones, on a cache that is filled, in which something is injected on purpose."""


class PassRecording(Model):
    """One such run, with what it saw."""

    kind: PassKind
    run: RunResult
    outputs: OutputsSeen | None = None
    times: TimesSeen | None = None
    trace: TraceSeen | None = None


class ArmRecording(Model):
    """All runs with one lever, or the unchanged ones."""

    lever: Lever | None
    """Null for the unchanged runs."""
    samples: list[SampleRecording]
    passes: list[PassRecording] = []
    problems: list[str] = []
    """What of the lever could not be applied, as the runs told."""
    changed: list[str] = []
    """Options for the process that had another value before the runs set them, as the runs told."""
    settled: str = ""
    """Why no more samples were made; empty when a number was asked for."""
    arch: int | None = None
    """The CUDA architecture of a rehearsal; null for runs on the machine as it is."""
    not_rehearsed: list[tuple[str, str]] = []
    """What a rehearsal could not do, and why; as often as in the run that did it most."""
    targets: list[TraceTarget] = []
    """The largest modules of a rehearsal: what its pass `compile_trace` looks into, or why it does not."""


class Extras(Model):
    """Everything of a measurement beyond its unchanged samples."""

    passes: list[PassRecording] = []
    """Of the unchanged program."""
    arms: list[ArmRecording] = []
    """One for each lever."""
    rehearsals: list[ArmRecording] = []
    """Those with a lever built the variants of the first ahead."""
    floor: Floor | None = None
    trace: CompileTrace | None = None
    """Of a rehearsal's runs: inside its largest modules."""
    sampling: Sampling | None = None
    warnings: list[Warning] = []
    """What of the above could not be measured."""
