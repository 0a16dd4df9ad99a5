"""Signs of life: what runs now, how long it has run, and how long the rest will take.

What belongs here: turning steps into `Progress` values, at most once a second within a step.
"""

import statistics
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Literal

from warp_mcp.models.progress import Progress

Step = Literal["cold", "warm"]
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
        self._taken_s: dict[Step, list[float]] = {"cold": [], "warm": []}

    @contextmanager
    def step(self, step: Step, sample: int) -> Generator[Callable[[], None]]:
        """One run: says that it begins, yields what to call while it lasts, and says that it has ended."""
        begun_s = said_s = self._clock()
        self._say(step, sample, begun_s)

        def tick() -> None:
            nonlocal said_s
            if self._clock() - said_s >= EVERY_S:
                said_s = self._clock()
                self._say(step, sample, begun_s)

        yield tick
        self._taken_s[step].append(self._clock() - begun_s)
        self._say(step, sample, None)

    def _say(self, step: Step, sample: int, begun_s: float | None) -> None:
        now_s = self._clock()
        verb = "running" if begun_s is not None else "finished"
        self._on_progress(
            Progress(
                step=step,
                sample=sample,
                samples=self._samples,
                done=sum(map(len, self._taken_s.values())),
                total=2 * self._samples,
                elapsed_s=now_s - self._begun_s,
                remaining_s=self._remaining_s(step, 0.0 if begun_s is None else now_s - begun_s),
                message=f"{step} run {sample} of {self._samples} {verb}",
            )
        )

    def _remaining_s(self, step: Step, running_s: float) -> float | None:
        """Runs still to come times the median of their kind; a warm run is no longer than a cold one.

        What the current run has taken already is deducted, down to nothing of its own expected length.
        """
        if not self._taken_s["cold"]:
            return None
        usual_s = {"cold": statistics.median(self._taken_s["cold"])}
        usual_s["warm"] = statistics.median(self._taken_s["warm"] or [usual_s["cold"]])
        left_s = sum((self._samples - len(taken)) * usual_s[kind] for kind, taken in self._taken_s.items())
        return max(0.0, left_s - min(running_s, usual_s[step]))
