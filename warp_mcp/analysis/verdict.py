"""The verdict: what it is judged on, its three conditions, and precedence."""

from dataclasses import dataclass

from warp_mcp.analysis.comparability import incomparable
from warp_mcp.analysis.grounds import (
    Ground,
    building_grounds,
    overlap_changed,
    overlap_grounds,
    overlap_values,
    reuse_grounds,
    values_of,
)
from warp_mcp.analysis.module_changes import Match
from warp_mcp.analysis.statistics import noise_band, ranges_apart, stands_out
from warp_mcp.analysis.texts import counted
from warp_mcp.analysis.thresholds import LEAST_PERCENT, LEAST_PERCENT_INTERLEAVED, LEAST_SAMPLES
from warp_mcp.models.comparison import OutputComparison, Verdict, Workload
from warp_mcp.models.report import Metric, Report

CPU_OF = {"cold_module_ms": "cold_module_cpu_ms", "warm_module_ms": "warm_module_cpu_ms"}
"""The same metric in CPU time."""


@dataclass(frozen=True)
class Judgement:
    """A verdict with what it rests on."""

    verdict: Verdict
    judged_on: str
    reasons: list[str]
    causes: list[str]


@dataclass(frozen=True)
class Measured:
    """What the times and the recorded changes say together."""

    direction: int
    """-1 improved, 1 regressed, 0 inconclusive."""
    reason: str
    causes: list[str]


@dataclass(frozen=True)
class Terms:
    """How the two sides were measured, as far as it bears on the verdict."""

    interleaved: bool = False
    """In turn, sample by sample, in one measurement."""
    wait: bool = False
    """Judged on the wait whatever changed: for what is meant to shorten it without less work."""

    @property
    def least_percent(self) -> float:
        """Least difference that carries a verdict, in percent of the baseline median."""
        return LEAST_PERCENT_INTERLEAVED if self.interleaved else LEAST_PERCENT


APART = Terms()
"""Two measurements of their own."""
NOT_RECORDED = OutputComparison()


def judge(
    baseline: Report,
    candidate: Report,
    workload: Workload,
    matches: list[Match],
    terms: Terms = APART,
    outputs: OutputComparison = NOT_RECORDED,
) -> Judgement:
    """Invalid outranks regressed, which outranks unverified, which outranks the rest."""
    judged_on, grounds = choose_metric(baseline, candidate, matches, wait=terms.wait)
    measured = measure_difference(baseline, candidate, judged_on, grounds, terms.least_percent)
    invalid = _invalid(baseline, candidate, workload, outputs)
    unverified = _unverified(baseline, candidate, workload, judged_on, outputs)
    verdict: Verdict
    if invalid:
        verdict, reasons = "invalid", [*invalid, measured.reason]
    elif measured.direction > 0 and _isolated(baseline, candidate):
        verdict, reasons = "regressed", [measured.reason, *unverified]
    elif unverified:
        verdict, reasons = "unverified", [*unverified, measured.reason]
    else:
        verdict, reasons = ("improved" if measured.direction < 0 else "inconclusive"), [measured.reason]
    return Judgement(verdict, judged_on, reasons, measured.causes)


def choose_metric(
    baseline: Report, candidate: Report, matches: list[Match], *, wait: bool = False
) -> tuple[str, list[Ground]]:
    """The metric that shows what changed, and the recorded changes that bear on it.

    The wait where builds overlap more or less than before; the warm run where what changed is reuse of
    the cache; else the work of building. `wait`: the wait in any case.
    """
    building = building_grounds(baseline, candidate, matches)
    reuse = reuse_grounds(baseline, candidate)
    if wait or overlap_changed(baseline, candidate):
        return _wait_of(baseline, candidate), building + overlap_grounds(baseline, candidate)
    if reuse and not ranges_apart(values_of(baseline, "builds"), values_of(candidate, "builds")):
        return "warm_module_ms", reuse
    return "cold_module_ms", building


def _wait_of(baseline: Report, candidate: Report) -> str:
    """The compile wait; of rehearsals, which have no wall times, the time in which anything was built."""
    rehearsed = all("build_wait_ms" in report.metrics for report in (baseline, candidate))
    return "build_wait_ms" if rehearsed else "compile_elapsed_ms"


def measure_difference(
    baseline: Report,
    candidate: Report,
    name: str,
    grounds: list[Ground],
    least_percent: float = LEAST_PERCENT,
) -> Measured:
    """Conditions (a), (b) and (c) for one metric."""
    old, new = baseline.metrics.get(name), candidate.metrics.get(name)
    if old is None or new is None:
        side = "baseline" if old is None else "candidate"
        return Measured(0, f"{name} is not known of the {side}", [])
    shown = _shown(name, old, new)
    if not stands_out(old, new, least_percent):
        band = noise_band(old, new)
        within = abs(new.median - old.median) <= band
        why = f"within the noise band of ±{band:.0f} ms" if within else _little(least_percent)
        return Measured(0, f"{shown}: {why}", [])
    direction = -1 if new.median < old.median else 1
    if not _cpu_agrees(baseline, candidate, name, direction, least_percent):
        text = (
            f"{shown}, but CPU time ({CPU_OF[name]}) does not confirm it: the machine was busier on one side"
        )
        return Measured(0, text, [])
    causes = [ground.text for ground in grounds if ground.direction in (0, direction)]
    if not causes:
        return Measured(0, f"{shown}, but nothing recorded explains it, so it may be noise", [])
    return Measured(direction, f"{shown}; {causes[0]}", causes)


def _little(least_percent: float) -> str:
    return f"under {least_percent:g} % of the baseline, the least that a verdict needs"


def _shown(name: str, old: Metric, new: Metric) -> str:
    percent = f" ({100 * (new.median - old.median) / old.median:+.1f} %)" if old.median else ""
    return (
        f"{name} {old.median:.0f} → {new.median:.0f} ms{percent}, medians of "
        f"{len(old.values)} and {len(new.values)}, MAD {old.mad:.0f} and {new.mad:.0f} ms"
    )


def _cpu_agrees(baseline: Report, candidate: Report, name: str, direction: int, least_percent: float) -> bool:
    """Condition (b): where builds did not overlap, CPU time has to say the same."""
    if name not in CPU_OF or _overlapped(baseline, name) or _overlapped(candidate, name):
        return True
    old, new = baseline.metrics.get(CPU_OF[name]), candidate.metrics.get(CPU_OF[name])
    if old is None or new is None or not stands_out(old, new, least_percent):
        return False
    return (new.median > old.median) == (direction > 0)


def _overlapped(report: Report, name: str) -> bool:
    peaks = values_of(report, "warm_peak_builds") if name == "warm_module_ms" else overlap_values(report)
    return max(peaks, default=0.0) > 1


def _invalid(baseline: Report, candidate: Report, workload: Workload, outputs: OutputComparison) -> list[str]:
    found = incomparable(baseline, candidate)
    if workload.status == "changed":
        found.append(f"the launches changed: {(workload.differences or ['see the first divergence'])[0]}")
    if outputs.status == "different" and outputs.first_difference is not None:
        found.append(f"the outputs differ: {outputs.first_difference.what}")
    return found


def _isolated(baseline: Report, candidate: Report) -> bool:
    return baseline.isolation.ok and candidate.isolation.ok


def _unverified(
    baseline: Report, candidate: Report, workload: Workload, judged_on: str, outputs: OutputComparison
) -> list[str]:
    """Why an improvement could not be believed, or its absence."""
    found = _few(baseline, candidate)
    for side, report in (("baseline", baseline), ("candidate", candidate)):
        known = len(values_of(report, judged_on))
        if 0 < known < LEAST_SAMPLES <= _completed(report):
            found.append(f"{judged_on} is known of {counted(known, 'sample')} of the {side} only")
        if not report.isolation.ok:
            found.append(f"the {side} left its isolated cache: {report.isolation.violations[0]}")
    if workload.kernels_changed:
        found += _changed_kernels(workload, outputs)
    elif workload.status == "unverified":
        found.append((workload.differences or ["the launches could not be compared"])[0])
    return found


def _few(baseline: Report, candidate: Report) -> list[str]:
    """Which sides have too few samples for a verdict, in one sentence where both have as many."""
    sides = {"the baseline has": _completed(baseline), "the candidate has": _completed(candidate)}
    if len(set(sides.values())) == 1:
        sides = {"both sides have": _completed(baseline)}
    return [
        f"{side} {counted(completed, 'completed sample')}; a verdict needs {LEAST_SAMPLES}"
        for side, completed in sides.items()
        if completed < LEAST_SAMPLES
    ]


def _completed(report: Report) -> int:
    return sum(sample.outcome == "completed" for sample in report.samples)


def _changed_kernels(workload: Workload, outputs: OutputComparison) -> list[str]:
    """Why a changed kernel is not known to compute the same; nothing where it is."""
    names, why = workload.kernels_changed, "their outputs were not compared"
    if outputs.status in ("identical", "within_tolerance", "incomplete"):
        return [
            f"the code of kernels changed: {', '.join(kernels[:5])}, which {why}"
            for why, kernels in _by_reason(outputs).items()
        ]
    if outputs.status == "different":
        why = "their outputs differ"
    elif outputs.status == "not_deterministic":
        why = "their outputs cannot be compared: the program does not agree with itself"
    return [f"the code of kernels changed ({', '.join(names[:5])}) and {why}"] if names else []


def _by_reason(outputs: OutputComparison) -> dict[str, list[str]]:
    """Changed kernels of which nothing was compared, by the reason."""
    found: dict[str, list[str]] = {}
    for name in outputs.uncovered:
        found.setdefault(outputs.uncovered_why.get(name, "was not compared"), []).append(name)
    return found
