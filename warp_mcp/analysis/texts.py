"""Small pieces of sentences that warnings and findings share."""

from collections.abc import Sequence

from warp_mcp.analysis.thresholds import MOST_NAMED


def listed(names: Sequence[str]) -> str:
    """Names joined by commas, the first ones when there are many."""
    distinct = list(dict.fromkeys(names))
    shown = ", ".join(distinct[:MOST_NAMED])
    return f"{shown} and {len(distinct) - MOST_NAMED} more" if len(distinct) > MOST_NAMED else shown


def counted(number: int, thing: str, several: str | None = None) -> str:
    """A number with its noun: 1 build, 3 builds."""
    return f"{number} {thing}" if number == 1 else f"{number} {several or thing + 's'}"


def seconds(ms: float) -> str:
    """A time as a person reads it."""
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.0f} ms"
