"""Signs of life: what runs now, how long it has run, and how long the rest will take.

What belongs here: turning steps into `Progress` values, at most once a second within a step.
"""

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Literal

from warp_mcp.models.progress import Progress

Step = Literal["cold", "warm", "outputs", "steady_state", "compile_trace", "floor"]
EVERY_S = 1.0


class Ticker:
    """Counts the runs of one measurement. `clock` gives seconds; tests give their own."""

    def __init__(
        self,
        samples: int,
        on_progress: Callable[[Progress], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._samples = samples
        self._on_progress = on_progress
        self._clock = clock
        self._begun_s = clock()
        self._taken_s: dict[Step, list[float]] = defaultdict(list)
        self._to_come: dict[Step, int] = {"cold": samples, "warm": samples}
        self._seen: set[tuple[Step, str]] = set()
        """Kinds of runs, by lever or architecture, that one has ended of."""

    def expect(self, step: Step, count: int) -> None:
        """So many runs of a kind are still to come, as far as can be told now."""
        self._to_come[step] = max(0, count)

    @contextmanager
    def step(
        self, step: Step, sample: int, arm: str = "", of: int | None = None
    ) -> Generator[Callable[[], None]]:
        """One run: says that it begins, yields what to call while it lasts, and says that it has ended.

        `arm` is the lever or the rehearsal it is made with, if any; `of`: how many like it are made, where
        that is not the number of samples.
        """
        begun_s = said_s = self._clock()
        whole = max(of or self._samples, sample)
        self._say(step, sample, whole, arm, begun_s)

        def tick() -> None:
            nonlocal said_s
            if self._clock() - said_s >= EVERY_S:
                said_s = self._clock()
                self._say(step, sample, whole, arm, begun_s)

        yield tick
        self._seen.add((step, arm))
        self._taken_s[step].append(self._clock() - begun_s)
        self._to_come[step] = max(0, self._to_come.get(step, 0) - 1)
        self._say(step, sample, whole, arm, None)

    def _say(self, step: Step, sample: int, whole: int, arm: str, begun_s: float | None) -> None:
        now_s = self._clock()
        verb = "running" if begun_s is not None else "finished"
        done = sum(map(len, self._taken_s.values()))
        self._on_progress(
            Progress(
                step=step,
                sample=sample,
                samples=whole,
                done=done,
                total=done + sum(self._to_come.values()),
                elapsed_s=now_s - self._begun_s,
                remaining_s=self._remaining_s(step, arm, 0.0 if begun_s is None else now_s - begun_s),
                message=f"{step} run {sample} of {whole} {verb}",
                lever=arm,
            )
        )

    def _remaining_s(self, step: Step, arm: str, running_s: float) -> float | None:
        """Runs still to come times the median of their kind; no run is expected to be longer than a cold one.

        What the current run has taken already is deducted, down to nothing of its own expected length. The
        first of its arm may be of another length altogether: once it is, nothing can be told.
        """
        if not self._taken_s["cold"]:
            return None
        if (step, arm) not in self._seen and running_s > self._usual_s(step):
            return None
        left_s = sum(count * self._usual_s(kind) for kind, count in self._to_come.items())
        return max(0.0, left_s - min(running_s, self._usual_s(step)))

    def _usual_s(self, step: Step) -> float:
        """What a run of this kind takes; of a kind not seen yet, what a warm one does, or a cold one."""
        seen = self._taken_s[step] or self._taken_s["warm"] or self._taken_s["cold"]
        return statistics.median(seen)
