"""Lengths of overlapping time intervals. Knows nothing of what happened in them."""

from collections.abc import Iterable

Interval = tuple[float, float]
"""Begin and end, in milliseconds on one clock."""


def total(intervals: Iterable[Interval]) -> float:
    """Summed length."""
    return sum(end - begin for begin, end in intervals)


def union(intervals: Iterable[Interval]) -> float:
    """Length of the time covered by at least one interval."""
    covered, reached = 0.0, float("-inf")
    for begin, end in sorted(intervals):
        covered += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return covered


def peak(intervals: Iterable[Interval]) -> int:
    """Most intervals open at once. One that begins where another ends does not overlap it."""
    edges = [edge for begin, end in intervals if end > begin for edge in ((begin, 1), (end, -1))]
    most = now = 0
    for _, step in sorted(edges):
        now += step
        most = max(most, now)
    return most
