"""What a series of runs needs from outside: when to stop, who runs, who reads. No order of its own."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.lever import Lever
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import ArmRecording, PassKind, PassRecording, RunResult, SampleRecording
from warp_mcp.running.injection import Injection
from warp_mcp.running.isolation import SampleDirectories


class Plan(Protocol):
    """What is decided from the outside, by what has been measured so far."""

    @property
    def least(self) -> int:
        """Rounds that are made in any case, unless something ends them."""
        ...

    @property
    def most(self) -> int:
        """Rounds that are made at most."""
        ...

    @property
    def asked(self) -> int:
        """Levers that are known before the first sample."""
        ...

    @property
    def passes(self) -> Sequence[PassKind]:
        """What is looked at in passes beside the samples."""
        ...

    @property
    def outputs_budget_bytes(self) -> int:
        """Most bytes hashed in one pass over the outputs."""
        ...

    @property
    def archs(self) -> Sequence[int]:
        """CUDA architectures to rehearse for, after the rounds."""
        ...

    @property
    def rehearsals(self) -> int:
        """Samples of the rehearsal for each of them."""
        ...

    @property
    def rehearse_workers(self) -> int:
        """Most threads that build the variants of the first of them ahead; 0: that is not tried."""
        ...

    def levers(self, unchanged: SampleRecording) -> list[Lever]:
        """The levers to try, once the first unchanged sample is there."""
        ...

    def to_trace(self, rehearsed: Recording, arch: int) -> list[TraceTarget]:
        """Builds of a rehearsal to look into, in one further run; none for no such run."""
        ...

    def settled(self, unchanged: ArmRecording, arm: ArmRecording) -> str:
        """Why an arm needs no more samples; empty while it does.

        Asked after each round from `least` on, not after the last that may be made.
        """
        ...


class Runner(Protocol):
    """Makes one run; replaced in tests of the order."""

    def sample(self) -> AbstractContextManager[SampleDirectories]:
        """Fresh directories for one sample, removed at the end."""
        ...

    def run(
        self, step: str, sample: SampleDirectories, injection: Injection, tick: Callable[[], None]
    ) -> RunResult:
        """Run the target once; `step` names the directory for its records."""
        ...


@dataclass(frozen=True)
class Readers:
    """What reads the files of a run while they exist."""

    recording: Callable[[RunResult], Recording]
    seen: Callable[[PassKind, RunResult], PassRecording] = lambda kind, run: PassRecording(kind=kind, run=run)
    problems: Callable[[RunResult], list[str]] = lambda run: []
    """What an injected lever could not do."""
    changed: Callable[[RunResult], list[str]] = lambda run: []
    """Options for the process to which a lever gave another value."""
    not_rehearsed: Callable[[RunResult], list[tuple[str, str]]] = lambda run: []
    """What a rehearsal could not do, and why."""
