"""Median, spread and noise band of a few samples. Knows nothing of what was measured."""

from collections.abc import Sequence

from warp_mcp.analysis.thresholds import BAND_MADS, BAND_PERCENT, LEAST_PERCENT
from warp_mcp.models.report import Metric


def median(values: Sequence[float]) -> float:
    """The middle value; the mean of the two middle ones for an even count. `values` holds at least one."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def mad(values: Sequence[float]) -> float:
    """Median absolute deviation from the median, not scaled to a standard deviation."""
    centre = median(values)
    return median([abs(value - centre) for value in values])


def summarise(values: Sequence[float]) -> Metric:
    """Median and spread of at least one value, in the unit of the values."""
    return Metric(median=median(values), mad=mad(values), values=list(values))


def noise_band(baseline: Metric, candidate: Metric) -> float:
    """Half width within which a difference of medians is noise.

    The largest of 1 % of the baseline median and two MADs of either side; reasons in `thresholds.py`.
    """
    return max(abs(baseline.median) * BAND_PERCENT / 100, BAND_MADS * baseline.mad, BAND_MADS * candidate.mad)


def stands_out(baseline: Metric, candidate: Metric, least_percent: float = LEAST_PERCENT) -> bool:
    """Condition (a) of the verdict: outside the noise band, and at least so much of the baseline median."""
    difference = abs(candidate.median - baseline.median)
    least = abs(baseline.median) * least_percent / 100
    return difference > noise_band(baseline, candidate) and difference >= least


def ranges_apart(left: Sequence[float], right: Sequence[float]) -> bool:
    """Whether no value of one side lies within the range of the other; false when a side is empty."""
    if not left or not right:
        return False
    return max(left) < min(right) or max(right) < min(left)
