"""The order of runs: rounds in which the unchanged program and each lever have a turn, in own caches.

What belongs here: which run is made next and what is handed back. A sample is a cold run in empty caches and
a warm run on the caches it filled; passes follow on the same caches. In a round the unchanged program comes
first and then every lever, so that a machine that drifts does so for all of them. How one run is made is in
`target.py`; what its figures mean is none of this layer's business: a `Plan` says when to stop.
"""

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from warp_mcp.errors import CannotWrite, ProbeError
from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.lever import Lever
from warp_mcp.models.recording import ProcessRecord, Recording
from warp_mcp.models.run import ArmRecording, PassKind, PassRecording, RunResult, SampleRecording
from warp_mcp.running.injection import Injection, injection_for, preload_lever
from warp_mcp.running.isolation import SampleDirectories
from warp_mcp.running.masking import masked
from warp_mcp.running.plan import Plan, Readers, Runner
from warp_mcp.running.progress import Step, Ticker
from warp_mcp.running.tracing import forget_builds

PASSES: dict[PassKind, int] = {"outputs": 2, "steady_state": 3}
"""Those that belong to the rounds. Two passes over the outputs tell whether the program agrees with itself;
three medians have a range."""


class SamplesCutShort(CannotWrite):
    """A further sample could not be made, nearly always for want of disk space.

    Code, sentences and exit code are those of the reason, also where it is another one. `series` holds
    what was measured before, never nothing: the unchanged runs first.
    """

    def __init__(self, reason: ProbeError, series: list[ArmRecording]) -> None:
        super().__init__(reason.code, reason.message, reason.next_step)
        self.exit_code = reason.exit_code
        self.series = series


@dataclass
class _Arm:
    """One lever or one rehearsal, or neither, while its samples are made."""

    lever: Lever | None
    arch: int | None = None
    samples: list[SampleRecording] = field(default_factory=list[SampleRecording])
    passes: list[PassRecording] = field(default_factory=list[PassRecording])
    problems: list[str] = field(default_factory=list[str])
    changed: list[str] = field(default_factory=list[str])
    not_rehearsed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    targets: list[TraceTarget] = field(default_factory=list[TraceTarget])
    settled: str = ""
    ended: bool = False
    """It ran into a time-out or was cancelled: no further sample of it is tried."""

    @property
    def name(self) -> str:
        """What differs from the unchanged program, for progress."""
        if self.arch is None:
            return self.lever.text if self.lever else ""
        workers = self.lever.preload if self.lever else None
        ahead = f", built ahead by {workers} {'worker' if workers == 1 else 'workers'}" if workers else ""
        return f"CUDA sm_{self.arch} rehearsed{ahead}"

    def recording(self) -> ArmRecording:
        return ArmRecording(
            lever=self.lever,
            samples=list(self.samples),
            passes=list(self.passes),
            problems=list(dict.fromkeys(self.problems)),
            changed=list(dict.fromkeys(self.changed)),
            settled=self.settled,
            arch=self.arch,
            not_rehearsed=list(self.not_rehearsed),
            targets=list(self.targets),
        )


class Series:
    """One measurement: its arms, the unchanged one first."""

    def __init__(
        self,
        runner: Runner,
        plan: Plan,
        readers: Readers,
        ticker: Ticker,
        cancel: threading.Event,
        on_sample: Callable[[list[ArmRecording]], None] = lambda series: None,
    ) -> None:
        self._runner, self._plan, self._readers = runner, plan, readers
        self._ticker, self._cancel, self._on_sample = ticker, cancel, on_sample
        self._unchanged = _Arm(None)
        self._arms = [self._unchanged]

    def run(self) -> list[ArmRecording]:
        """Rounds until the plan, a cancel or a time-out ends them.

        Raises what the first sample raises, and SamplesCutShort for a later one.
        """
        for number in range(1, self._plan.most + 1):
            try:
                self._round(number)
            except ProbeError as error:
                if not self._unchanged.samples:
                    raise
                raise SamplesCutShort(error, self._recordings()) from error
            if self._over(number):
                break
        try:
            self._rehearse()
        except ProbeError as error:
            raise SamplesCutShort(error, self._recordings()) from error
        return self._recordings()

    def _round(self, number: int) -> None:
        self._expect(number)
        self._turn(self._unchanged, number)
        if number == 1 and self._goes_on(self._unchanged) and not self._needs_cuda():
            self._arms += [_Arm(lever) for lever in self._plan.levers(self._unchanged.samples[0])]
            self._expect(number)
        for arm in self._arms[1:]:
            if self._goes_on(self._unchanged) and self._goes_on(arm) and not arm.settled:
                self._turn(arm, number)

    def _rehearse(self) -> None:
        """Each architecture in turn. What is built for the CPU beside is the same every time, and shared."""
        if not self._plan.archs or self._cancel.is_set():
            return
        arms = [_Arm(None, arch) for arch in self._plan.archs]
        ahead = [preload_lever(workers) for workers in range(1, self._plan.rehearse_workers + 1)]
        arms[1:1] = [_Arm(lever, self._plan.archs[0]) for lever in ahead]
        with self._runner.sample() as shared:
            for arm in arms:
                self._arms.append(arm)
                for number in range(1, (1 if arm.lever else self._plan.rehearsals) + 1):
                    self._ticker.expect("cold", self._plan.rehearsals - number + 1)
                    self._ticker.expect("warm", self._plan.rehearsals - number + 1)
                    if not arm.ended:
                        self._turn(arm, number, shared.root)

    def _turn(self, arm: _Arm, number: int, shared: str = "") -> None:
        """One sample of one arm, with the passes that belong to its round."""
        if self._cancel.is_set():
            return
        with self._runner.sample() as directories:
            sample = self._sample(arm, directories, number, self._injection(arm, shared))
            arm.samples.append(sample)
            self._on_sample(self._recordings())  # before its records are gone: a kill would lose them
            if _completed(sample) and arm.arch is None:
                self._make_passes(arm, sample, directories, number)
            elif _completed(sample) and arm.lever is None and arm.arch == self._plan.archs[0]:
                self._trace(arm, sample, directories, number, shared)
        arm.ended = _ends_the_series(sample)

    def _sample(
        self, arm: _Arm, directories: SampleDirectories, number: int, injection: Injection
    ) -> SampleRecording:
        cold = self._one_run("cold", "cold", arm, directories, number, injection)
        cold_recording = _masked(self._readers.recording(cold))
        warm, warm_recording = None, None
        if cold.outcome == "completed":
            warm = self._one_run("warm", "warm", arm, directories, number, injection)
            warm_recording = _masked(self._readers.recording(warm))
        return SampleRecording(
            cold=cold, cold_recording=cold_recording, warm=warm, warm_recording=warm_recording
        )

    def _make_passes(
        self, arm: _Arm, sample: SampleRecording, directories: SampleDirectories, number: int
    ) -> None:
        for kind in self._plan.passes:
            for one in range(share(PASSES[kind], self._plan.least, number)):
                if self._cancel.is_set():
                    return
                injection = self._injection(arm).with_pass(
                    kind, sample.cold_recording, self._plan.outputs_budget_bytes
                )
                run = self._one_run(f"{kind}-{one + 1}", kind, arm, directories, number, injection)
                arm.passes.append(self._readers.seen(kind, run))

    def _trace(
        self, arm: _Arm, sample: SampleRecording, directories: SampleDirectories, number: int, shared: str
    ) -> None:
        """Once in a rehearsal: a run that builds the largest modules once more, to look into the compiler.

        It comes when the sample is complete and read, so that no figure of it can be touched, and uses its
        cache, so that it costs a warm run and those builds. Looking at the end of the timed run would save
        the warm run; but a process that ends would then build beside others that are still timed, and one
        that ends out of order would not look at all.
        """
        if arm.targets or self._cancel.is_set():
            return
        assert arm.arch is not None
        targets = self._plan.to_trace(sample.cold_recording, arm.arch)
        arm.targets = forget_builds(directories.kernels, targets)
        wanted = [target for target in arm.targets if target.not_traced is None]
        if wanted:
            self._ticker.expect("compile_trace", 1)
            injection = self._injection(arm, shared).tracing(wanted)
            run = self._one_run("compile_trace", "compile_trace", arm, directories, number, injection)
            arm.passes.append(self._readers.seen("compile_trace", run))

    def _one_run(
        self,
        place: str,
        step: Step,
        arm: _Arm,
        directories: SampleDirectories,
        number: int,
        injection: Injection,
    ) -> RunResult:
        of = (1 if arm.lever else self._plan.rehearsals) if arm.arch else None
        with self._ticker.step(step, number, arm.name, of) as tick:
            result = self._runner.run(place, directories, injection, tick)
        if arm.lever and result.outcome != "cancelled":  # what such a run did not do, it might have done
            arm.problems += self._readers.problems(result)
            arm.changed += self._readers.changed(result)
        if arm.arch and step != "compile_trace":  # it goes the way of the warm run, which has told
            # As often as in the run that did it most: cold and warm run do the same.
            told = Counter(arm.not_rehearsed) | Counter(self._readers.not_rehearsed(result))
            arm.not_rehearsed = list(told.elements())
        return result

    def _injection(self, arm: _Arm, shared: str = "") -> Injection:
        """What makes an arm what it is. A preload follows the first run without it, on the same device."""
        like = next((one for one in self._arms if one.lever is None and one.arch == arm.arch), None)
        first = like.samples[0].cold_recording if like and like.samples else None
        injection = injection_for(arm.lever, first, cuda_only=arm.arch is not None)
        return injection.rehearsing(arm.arch, shared) if arm.arch else injection

    def _over(self, number: int) -> bool:
        if not self._goes_on(self._unchanged) or self._needs_cuda():
            return True
        if number < self._plan.least or number == self._plan.most:
            return False
        unchanged = self._unchanged.recording()
        for arm in self._arms[1:] or self._arms:
            if not arm.settled:
                arm.settled = self._plan.settled(unchanged, arm.recording())
        return all(arm.settled or arm.ended for arm in self._arms[1:] or self._arms)

    def _needs_cuda(self) -> bool:
        """The program failed as it is, and a rehearsal is to come: trying again tells nothing more."""
        samples = self._unchanged.samples
        return bool(self._plan.archs and samples) and samples[0].cold.outcome == "failed"

    def _goes_on(self, arm: _Arm) -> bool:
        return not arm.ended and not self._cancel.is_set()

    def _expect(self, number: int) -> None:
        """Tell how many runs of each kind are still to come at least, with those of this round."""
        rounds = range(number, max(number, self._plan.least) + 1)
        open_arms = sum(not arm.settled and not arm.ended for arm in self._arms)
        if not self._unchanged.samples:
            open_arms += self._plan.asked
        for kind in ("cold", "warm"):
            done = sum(len(arm.samples) >= number for arm in self._arms)
            self._ticker.expect(kind, open_arms * len(rounds) - done)
        for kind in self._plan.passes:
            shares = [share(PASSES[kind], self._plan.least, one) for one in rounds]
            made = shares[0] * sum(len(arm.samples) >= number for arm in self._arms)
            self._ticker.expect(kind, open_arms * sum(shares) - made)

    def _recordings(self) -> list[ArmRecording]:
        return [arm.recording() for arm in self._arms]


def share(passes: int, rounds: int, number: int) -> int:
    """How many of so many passes the round `number` (1 = first) makes: spread evenly, early rounds first."""
    spread = min(passes, rounds)
    if number > spread:
        return 0
    return passes // spread + (1 if number <= passes % spread else 0)


def _completed(sample: SampleRecording) -> bool:
    return sample.warm is not None and sample.warm.outcome == "completed"


def _ends_the_series(sample: SampleRecording) -> bool:
    """A program that ran into its time-out once would do so again, and each try costs the whole limit."""
    return any(
        run is not None and run.outcome in ("timed_out", "cancelled") for run in (sample.cold, sample.warm)
    )


def _masked(recording: Recording) -> Recording:
    """The same recording without secrets in the arguments of processes."""
    return recording.model_copy(update={"processes": [_masked_process(one) for one in recording.processes]})


def _masked_process(process: ProcessRecord) -> ProcessRecord:
    children = [child.model_copy(update={"argv": masked(child.argv)}) for child in process.spawned]
    return process.model_copy(update={"argv": masked(process.argv), "spawned": children})
