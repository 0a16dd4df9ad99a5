"""Launch times as sentences and rows, for every kind of page. Decides nothing."""

from warp_mcp.models.comparison import KernelTimeChange, SteadyComparison
from warp_mcp.models.steady_state import KernelTime, SteadyState
from warp_mcp.presentation.numbers import duration, joined, percent, plural

HEADING = "Do the kernels run as fast as before?"
REPORT_HEADING = "How long launches take, once everything is built"
COLUMNS = ("kernel", "launched with", "before", "after", "difference", "outside the noise")
REPORT_COLUMNS = ("kernel", "launched with", "a launch", "launches in a run", "share of launch time")
ROWS = 8
"""Kernels shown; the file has them all."""
MOST_NAMED = 3
HOW = "Timed in warm runs of their own, each launch synchronised; ± is the MAD of the launches."


def time(us: float) -> str:
    """`0.9 µs`, `124 µs`, `1.9 ms`."""
    if us < 1000:
        return f"{us:.1f} µs" if us < 100 else f"{us:.0f} µs"
    return f"{us / 1000:.1f} ms" if us < 10_000 else duration(us / 1000)


def steady_sentence(times: SteadyComparison) -> str:
    """The answer in one sentence; empty where neither side was timed."""
    slower = [one for one in times.kernels if one.outside_noise and one.delta_percent > 0]
    faster = [one for one in times.kernels if one.outside_noise and one.delta_percent < 0]
    if times.status == "not_recorded":
        return f"Launch times were not compared. {times.notes[0]}" if times.notes else ""
    beyond = f"; {plural(len(slower + faster), 'kernel')} of little weight differ" if slower + faster else ""
    if times.status == "same":
        return f"Launches take as long as before, within the noise: {_compared(times)}{beyond}."
    if times.status == "within_noise":
        return f"Nothing stands out, but {times.hidden or 'noise hides much'}: {_compared(times)}{beyond}."
    return f"{_changed(times, slower, faster)}{_unsure(times)}"


def _unsure(times: SteadyComparison) -> str:
    return f" Of the others {times.hidden}." if times.hidden else ""


def _changed(times: SteadyComparison, slower: list[KernelTimeChange], faster: list[KernelTimeChange]) -> str:
    if times.status == "slower":
        return f"Kernels run slower once everything is built: {_named(slower)}."
    if times.status == "faster":
        return f"Kernels run faster once everything is built: {_named(faster)}."
    return f"Some kernels run slower ({_named(slower)}), others faster ({_named(faster)})."


def _compared(times: SteadyComparison) -> str:
    return f"{plural(len(times.kernels), 'kernel')} timed on both sides"


def _named(changes: list[KernelTimeChange]) -> str:
    return joined([f"`{one.kernel}` {change_words(one)}" for one in changes], MOST_NAMED)


def change_words(one: KernelTimeChange) -> str:
    """`12.1 µs → 30.4 µs, +151 %`."""
    return f"{time(one.baseline_us)} → {time(one.candidate_us)}, {_percent(one)}"


def change_row(one: KernelTimeChange) -> tuple[str, ...]:
    """Cells for `COLUMNS`."""
    outside = "yes" if one.outside_noise else "no"
    return one.kernel, one.signature, time(one.baseline_us), time(one.candidate_us), _percent(one), outside


def _percent(one: KernelTimeChange) -> str:
    return f"{one.delta_percent:+.0f} %".replace("-", "−")


def kernel_row(one: KernelTime, state: SteadyState) -> tuple[str, ...]:
    """Cells for `REPORT_COLUMNS`."""
    passes = max(1, len(one.pass_medians_us))
    whole = sum(_in_all(kernel) for kernel in state.kernels)
    spread = f"{time(one.median_us)} ± {time(one.mad_us)}"
    runs = f"{one.launches / passes:,.0f}"
    return one.kernel, one.signature, spread, runs, percent(_in_all(one), whole)


def _in_all(one: KernelTime) -> float:
    return one.launches * one.median_us


def state_notes(state: SteadyState) -> list[str]:
    """What is to be known of the figures, one sentence each."""
    told = [f"{plural(state.passes, 'pass', 'passes')}."]
    if state.too_few:
        rare = plural(state.too_few, "kernel with its signature", "kernels with their signatures")
        told.append(f"{rare} ran too rarely to be timed.")
    return told + [f"{problem[:1].upper()}{problem[1:]}." for problem in state.problems[:MOST_NAMED]]


def state_sentence(state: SteadyState) -> str:
    """The dearest kernels in one sentence; empty without any."""
    if not state.kernels:
        return ""
    shown = [f"`{one.kernel}` {time(one.median_us)}" for one in state.kernels[:MOST_NAMED]]
    count = plural(len(state.kernels), "kernel with its signature", "kernels with their signatures")
    return f"{count} timed, synchronised; the dearest: {joined(shown)} a launch."
