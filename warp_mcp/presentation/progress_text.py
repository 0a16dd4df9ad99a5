"""Progress as one line."""

from warp_mcp.models.progress import Progress
from warp_mcp.presentation.numbers import duration

_RUNS = {
    "cold": "cold run {sample} of {samples}{lever} (empty caches)",
    "warm": "warm run {sample} of {samples}{lever} (the caches it filled)",
    "outputs": "recording outputs in a further run of sample {sample} of {samples}{lever}",
    "steady_state": "timing launches in a further run of sample {sample} of {samples}{lever}",
    "compile_trace": "looking into the compiler in a further run of sample {sample} of {samples}{lever}",
    "floor": "building one-kernel modules, run {sample} of {samples}",
}


def progress_text(progress: Progress) -> str:
    """What runs now, for how long it has all been running, and how long it will still take."""
    pattern = _RUNS.get(progress.step)
    words = [
        pattern.format(sample=progress.sample, samples=progress.samples, lever=_lever(progress))
        if pattern
        else progress.message
    ]
    if progress.step != "analysing" and progress.elapsed_s >= 1:
        words.append(_round(progress.elapsed_s))
    if progress.remaining_s:
        words.append(f"about {_round(progress.remaining_s)} left")
    return " · ".join(words)


def _lever(progress: Progress) -> str:
    return f" with {progress.lever}" if progress.lever else ""


def _round(seconds: float) -> str:
    """Whole seconds: nobody reads tenths of a wait."""
    return f"{max(1, round(seconds))} s" if seconds < 600 else duration(1000 * seconds)
