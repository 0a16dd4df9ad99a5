"""Launch times over passes, and whether two programs' launches take as long as each other."""

from collections import defaultdict
from collections.abc import Iterable

from warp_mcp.analysis.kernel_pairs import Key, Pair, pair_kernels
from warp_mcp.analysis.statistics import median, ranges_apart
from warp_mcp.analysis.texts import counted, listed
from warp_mcp.analysis.thresholds import (
    BAND_MADS,
    BAND_RANGES,
    BUSY_CORES,
    LEAST_PASSES,
    LEAST_PERCENT,
    LEAST_TIMED,
    LEAST_TIMED_US,
    MATTERS_SHARE,
    MOST_HIDDEN_PERCENT,
    MOST_TIMED,
    MOST_TIMES_COMPARED,
)
from warp_mcp.models.comparison import KernelTimeChange, SteadyComparison, SteadyStatus
from warp_mcp.models.report import Report
from warp_mcp.models.run import PassRecording
from warp_mcp.models.steady_state import KernelTime, LaunchTimes, SteadyState

MOST_NOTES = 10
MOST_NAMED = 5


def collect_times(passes: list[PassRecording]) -> SteadyState | None:
    """The launches of all `steady_state` passes of one program; None when there was none.

    A kernel with its signature has the median of the medians of its passes, and the median of their MADs.
    """
    mine = [one for one in passes if one.kind == "steady_state" and one.times is not None]
    if not mine:
        return None
    found: dict[Key, list[LaunchTimes]] = defaultdict(list)
    for one in mine:
        for key, times in _by_kernel(one.times.launches if one.times else []).items():
            found[key].append(_joined(times))
    told = [
        _kernel_time(times) for times in found.values() if sum(one.launches for one in times) >= LEAST_TIMED
    ]
    told.sort(key=lambda one: (-time_us(one), one.kernel, one.signature))
    once = max(one.times.once for one in mine if one.times)
    return SteadyState(
        passes=len(mine),
        kernels=told[:MOST_TIMED],
        too_few=len(found) - len(told) + once,
        problems=_problems(mine, len(told) - MOST_TIMED),
    )


def _by_kernel(launches: Iterable[LaunchTimes]) -> dict[Key, list[LaunchTimes]]:
    found: dict[Key, list[LaunchTimes]] = defaultdict(list)
    for one in launches:
        if one.launches > 0:
            found[one.kernel, one.module, one.signature].append(one)
    return found


def _joined(times: list[LaunchTimes]) -> LaunchTimes:
    """The same kernel in several processes of one pass: that process whose median lies in the middle of all
    launches.
    """
    ordered = sorted(times, key=lambda one: one.median_us)
    launches, passed = sum(one.launches for one in ordered), 0
    for one in ordered:
        passed += one.launches
        if 2 * passed >= launches:
            return one.model_copy(update={"launches": launches})
    return ordered[-1]


def _kernel_time(passes: list[LaunchTimes]) -> KernelTime:
    return KernelTime(
        kernel=passes[0].kernel,
        module=passes[0].module,
        signature=passes[0].signature,
        launches=sum(one.launches for one in passes),
        median_us=median([one.median_us for one in passes]),
        mad_us=median([one.mad_us for one in passes]),
        pass_medians_us=[one.median_us for one in passes],
    )


def time_us(one: KernelTime) -> float:
    """What the timed launches of a kernel take in one pass."""
    return one.launches / max(1, len(one.pass_medians_us)) * one.median_us


def _problems(passes: list[PassRecording], beyond: int) -> list[str]:
    told = dict.fromkeys(problem for one in passes for problem in (one.times.problems if one.times else []))
    for number, one in enumerate(passes, start=1):
        if one.run.outcome != "completed":
            told[f"pass {number} did not complete: {one.run.outcome.replace('_', ' ')}"] = None
    busy = [one.run.foreign_load for one in passes if one.run.foreign_load > BUSY_CORES]
    if busy:
        most = f"up to {max(busy):.1f} cores busy in {len(busy)} of {len(passes)} passes"
        told[f"other programs kept {most}"] = None
    if beyond > 0:
        told[f"{beyond} further kernels, which take less, are not kept"] = None
    return list(told)


def compare_times(baseline: Report, candidate: Report) -> SteadyComparison:
    """Whether the launches of both sides take as long, kernel by kernel; the candidate's change is told.

    Kernels outside the noise are told; they decide the status where together, slower or faster, they change
    the launch time of the program by 1 %.
    """
    before, after = baseline.steady_state, candidate.steady_state
    if before is None or after is None:
        return _not_recorded(before, after)
    pairs, unpaired = pair_kernels(baseline, candidate)
    told = [(old, new, _change(old, new)) for old, new in pairs]
    changes_us = [_change_us(old, new) for old, new, change in told if change.outside_noise]
    told.sort(key=lambda one: (not one[2].outside_noise, -max(time_us(one[0]), time_us(one[1]))))
    known = any(_enough(old, new) for old, new in pairs)
    hidden = _hidden([(old, new) for old, new, change in told if not change.outside_noise], pairs)
    return SteadyComparison(
        status=_status(changes_us, pairs, hidden) if known else "not_recorded",
        kernels=[change for _, _, change in told[:MOST_TIMES_COMPARED]],
        hidden=hidden if known else "",
        notes=_notes(before, after, len(told), unpaired)[:MOST_NOTES],
    )


def slower_kernels(comparison: SteadyComparison) -> list[str]:
    """The kernels that run slower, as "name (12.1 → 30.4 µs, +151 %)"; only where the status says so."""
    if comparison.status not in ("slower", "mixed"):
        return []
    return [
        f"{one.kernel} ({one.baseline_us:.1f} → {one.candidate_us:.1f} µs, {one.delta_percent:+.0f} %)"
        for one in comparison.kernels
        if one.outside_noise and one.delta_percent > 0
    ]


def slower_warning(comparison: SteadyComparison) -> list[str]:
    """The sentence that stands beside any verdict when kernels run slower."""
    slower = slower_kernels(comparison)
    if not slower:
        return []
    rest = len(slower) - MOST_NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return [f"kernels run slower: {', '.join(slower[:MOST_NAMED])}{more}"]


def _not_recorded(before: SteadyState | None, after: SteadyState | None) -> SteadyComparison:
    if before is None and after is None:
        return SteadyComparison()
    side = "baseline" if before is None else "candidate"
    return SteadyComparison(notes=[f"Launches of the {side} were not timed: measure it with --steady-state."])


def _change(old: KernelTime, new: KernelTime) -> KernelTimeChange:
    delta = new.median_us - old.median_us
    return KernelTimeChange(
        kernel=new.kernel,
        signature=new.signature,
        baseline_us=old.median_us,
        candidate_us=new.median_us,
        delta_percent=100 * delta / old.median_us if old.median_us > 0 else 0.0,
        outside_noise=stands_out(old, new),
    )


def stands_out(old: KernelTime, new: KernelTime) -> bool:
    """Whether two launch times differ by more than noise.

    All of: no pass of one side lies within the range of the other's, of three passes each; and the medians
    differ by more than twice the larger of the two ranges, 5 % of the baseline's median, two MADs of the
    launches of either side, and 0.5 µs.
    The reasons are in `thresholds.py`.
    """
    if not _enough(old, new):
        return False
    apart = ranges_apart(old.pass_medians_us, new.pass_medians_us)
    return apart and abs(new.median_us - old.median_us) > _band_us(old, new)


def _band_us(old: KernelTime, new: KernelTime) -> float:
    """The difference that launch times have to exceed to stand out."""
    return max(
        old.median_us * LEAST_PERCENT / 100,
        BAND_MADS * max(old.mad_us, new.mad_us),
        BAND_RANGES * max(_range(old.pass_medians_us), _range(new.pass_medians_us)),
        LEAST_TIMED_US,
    )


def _hidden(unnoticed: list[Pair], pairs: list[Pair]) -> str:
    """What noise may hide of kernels that do not stand out; empty where it is little.

    A kernel matters where what its band hides is more than the share of all launch time that would decide the
    status. The bands of all of them together count too: many small ones may hide as much.
    """
    whole = sum(time_us(old) for old, _ in pairs)
    timed = [(old, new) for old, new in unnoticed if _enough(old, new) and old.median_us > 0]
    bands = [(_band_us(old, new) / old.median_us, time_us(old)) for old, new in timed]
    widest = [band for band, time in bands if band * time > MATTERS_SHARE * whole]
    together = sum(band * time for band, time in bands) / whole if whole else 0.0
    percent = 100 * max([*widest, together])
    if percent > MOST_HIDDEN_PERCENT:
        return f"differences up to {percent:.0f} % are hidden by the noise"
    rare = [
        old.kernel for old, new in unnoticed if not _enough(old, new) and time_us(old) > MATTERS_SHARE * whole
    ]
    passes = f"timed in fewer than {LEAST_PASSES} passes"
    return f"{listed(rare[:MOST_NAMED])} {'was' if len(rare) == 1 else 'were'} {passes}" if rare else ""


def _enough(old: KernelTime, new: KernelTime) -> bool:
    """Whether both have been timed in as many passes as a difference needs."""
    return min(len(old.pass_medians_us), len(new.pass_medians_us)) >= LEAST_PASSES


def _change_us(old: KernelTime, new: KernelTime) -> float:
    """What the difference makes in a run, for as many launches as the baseline made."""
    return time_us(old) * (new.median_us / old.median_us - 1) if old.median_us > 0 else 0.0


def _range(values: list[float]) -> float:
    return max(values) - min(values)


def _status(changes_us: list[float], pairs: list[Pair], hidden: str) -> SteadyStatus:
    """By what the kernels outside the noise change together, slower and faster each; `hidden`: what may be
    hidden of the others.
    """
    least = MATTERS_SHARE * sum(time_us(old) for old, _ in pairs)
    slower = sum(change for change in changes_us if change > 0) > least
    faster = -sum(change for change in changes_us if change < 0) > least
    if slower and faster:
        return "mixed"
    if not slower and not faster:
        return "within_noise" if hidden else "same"
    return "slower" if slower else "faster"


def _notes(before: SteadyState, after: SteadyState, compared: int, unpaired: list[str]) -> list[str]:
    notes: list[str] = []
    if not compared:
        notes.append("No kernel was timed on both sides.")
    for side, state in (("baseline", before), ("candidate", after)):
        if 0 < state.passes < LEAST_PASSES:
            notes.append(
                f"The {side} has {state.passes} of the {LEAST_PASSES} passes that a difference needs."
            )
        if state.too_few:
            notes.append(f"In the {side} {_rare(state.too_few)} ran too rarely to be timed.")
        notes += [f"{side}: {problem}" for problem in state.problems]
    if unpaired:
        named = ", ".join(unpaired[:MOST_NAMED]) + (" …" if len(unpaired) > MOST_NAMED else "")
        notes.append(f"Timed on one side only: {named}.")
    return notes


def _rare(count: int) -> str:
    return counted(count, "kernel with its signature", "kernels with their signatures")
