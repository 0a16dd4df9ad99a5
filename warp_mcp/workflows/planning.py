"""Which levers a measurement tries and how many samples it makes: decided while it runs, by what it has seen.

What belongs here: joining the analysis, which says what would help, with the running, which makes the runs.
"""

import time
from collections.abc import Sequence

from warp_mcp.analysis import build_report
from warp_mcp.analysis.lever_choice import choose_levers
from warp_mcp.analysis.sequential import settled
from warp_mcp.analysis.thresholds import LEAST_SAMPLES, MOST_SAMPLES
from warp_mcp.analysis.trace_choice import choose_builds
from warp_mcp.analysis.warnings.levers import levers_not_chosen, levers_not_tried
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.finding import Warning
from warp_mcp.models.lever import Lever
from warp_mcp.models.recording import Recording
from warp_mcp.models.report import Report
from warp_mcp.models.run import ArmRecording, Extras, Machine, PassKind, SampleRecording
from warp_mcp.models.sampling import Sampling

TIME_IS_UP = "the time for levers was used up"


class MeasurementPlan:
    """The plan of one measurement. `against`: the report it is to be compared with, if any."""

    def __init__(self, request: MeasureRequest, machine: Machine, against: Report | None = None) -> None:
        self._request, self._machine, self._against = request, machine, against
        self._chosen_by_us: set[str] = set()
        self._begun_s = time.monotonic()
        self.warnings: list[Warning] = []
        """What of the levers was not tried."""
        sequential = _is_sequential(request, against)
        self.least = _least(request, against)
        self.asked = len(request.levers)
        self.most = max(MOST_SAMPLES, self.least) if sequential else request.samples
        self.outputs_budget_bytes = request.outputs_budget_bytes
        self.archs: Sequence[int] = request.rehearse_archs
        self.rehearsals = request.rehearsals
        self.rehearse_workers = request.rehearse_workers
        self.passes: Sequence[PassKind] = _passes(request)

    def levers(self, unchanged: SampleRecording) -> list[Lever]:
        """Those asked for, and with `auto_levers` those that findings point to and there is time for."""
        asked = list(self._request.levers)
        if not self._request.auto_levers:
            return asked
        known = {lever.text for lever in asked}
        chosen = [lever for lever, _ in choose_levers(self._report([unchanged])) if lever.text not in known]
        each_s = self._each_s(unchanged)
        budget_s = self._request.lever_budget_s
        fitting = chosen[: int(budget_s // each_s)] if each_s > 0 else []
        self._chosen_by_us = {lever.text for lever in fitting}
        if unchanged.warm is None or unchanged.warm.outcome != "completed":
            self.warnings = [levers_not_chosen()]
        elif len(fitting) < len(chosen) or not chosen:
            found = [lever.text for lever in chosen]
            self.warnings = [levers_not_tried(found, len(fitting), each_s, budget_s)]
        return asked + fitting

    def to_trace(self, rehearsed: Recording, arch: int) -> list[TraceTarget]:
        """The largest modules of a rehearsal, unless that was not wanted."""
        return choose_builds(rehearsed, arch) if self._request.compile_trace else []

    def _each_s(self, unchanged: SampleRecording) -> float:
        """Seconds that one lever takes: as many runs as the unchanged program has, each as long."""
        warm_s = ((unchanged.warm.wall_ms if unchanged.warm else None) or 0.0) / 1000
        cold_s = (unchanged.cold.wall_ms or 0.0) / 1000
        return self.least * (cold_s + warm_s) + _passes_made(self._request) * warm_s

    def settled(self, unchanged: ArmRecording, arm: ArmRecording) -> str:
        """Why an arm needs no more samples; empty while it does."""
        if arm.lever is not None and arm.lever.text in self._chosen_by_us and self._time_is_up():
            return TIME_IS_UP
        candidate = self._report(arm.samples, arm)
        if arm.lever is None:
            assert self._against is not None, "without levers, only a report makes the number open"
            return settled(self._against, candidate, most=self.most)
        beside = self._report(unchanged.samples, unchanged)
        on_wait = arm.lever.preload is not None
        return settled(beside, candidate, interleaved=True, on_wait=on_wait, most=self.most)

    def sampling(self, series: list[ArmRecording]) -> Sampling | None:
        """Why there are as many samples of the unchanged program as there are; None for a fixed number."""
        if self.most == self.least:
            return None
        unchanged = series[0]
        made = sum(sample.cold.outcome == "completed" for sample in unchanged.samples)
        arms = series[1:] or [unchanged]
        over = all(arm.settled for arm in arms)
        stopped = "settled" if over else "most" if len(unchanged.samples) >= self.most else "cut_short"
        return Sampling(
            against=self._against.report_id if self._against else "unchanged",
            least=self.least,
            most=self.most,
            made=made,
            stopped=stopped,
            why=_why(stopped, arms, self.most),
        )

    def _time_is_up(self) -> bool:
        return time.monotonic() - self._begun_s > self._request.lever_budget_s

    def _report(self, samples: list[SampleRecording], arm: ArmRecording | None = None) -> Report:
        extras = Extras(passes=arm.passes) if arm else Extras()
        return build_report(self._request, samples, self._machine, report_id="", created_at="", extras=extras)


def planned_runs(request: MeasureRequest, against: Report | None = None) -> int:
    """Runs that a measurement makes at least, as far as its request tells: of all levers, with the passes.

    Levers that findings point to, and rehearsals, are counted once they begin.
    """
    return (1 + len(request.levers)) * (2 * _least(request, against) + _passes_made(request))


def _is_sequential(request: MeasureRequest, against: Report | None) -> bool:
    tries_levers = bool(request.levers) or request.auto_levers
    return against is not None or (tries_levers and request.samples >= LEAST_SAMPLES)


def _least(request: MeasureRequest, against: Report | None) -> int:
    """Rounds that are made in any case."""
    return max(LEAST_SAMPLES, request.samples) if _is_sequential(request, against) else request.samples


def _passes(request: MeasureRequest) -> list[PassKind]:
    wanted: dict[PassKind, bool] = {"outputs": request.outputs, "steady_state": request.steady_state}
    return [kind for kind, is_wanted in wanted.items() if is_wanted]


def _passes_made(request: MeasureRequest) -> int:
    """Passes of one arm."""
    from warp_mcp.running import PASSES

    return sum(PASSES[kind] for kind in _passes(request))


def _why(stopped: str, arms: list[ArmRecording], most: int) -> str:
    if stopped == "settled":
        return max((arm.settled for arm in arms), key=len)
    if stopped == "most":
        return f"a further sample could still have changed a verdict, but {most} are the most that are made"
    return "the measurement ended before its verdict was settled"
