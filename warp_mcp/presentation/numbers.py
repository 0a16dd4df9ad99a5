"""Figures as text: times, sizes, medians with spread and count. No sentences."""

from collections.abc import Sequence

from warp_mcp.models.comparison import Delta
from warp_mcp.models.report import Metric
from warp_mcp.presentation.measure_command import FOR_A_VERDICT

SPREAD_NOTE = "± is the median absolute deviation, the number in brackets counts the samples."

_FINE_SPREAD_MS = 50.0
"""Below this spread one decimal of a second would show `± 0.0`."""


def duration(ms: float) -> str:
    """`0.4 ms`, `42 ms`, `4.12 s`, `51.3 s`, `12 min 5 s`."""
    if abs(ms) < 1000:
        return f"{ms:.1f} ms" if 0.05 <= abs(ms) < 10 else f"{ms:.0f} ms"
    seconds = ms / 1000
    if abs(seconds) < 600:
        return f"{seconds:.{_decimals(seconds)}f} s"
    return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def _decimals(seconds: float) -> int:
    return 2 if abs(seconds) < 10 else 1


def spread(median: float, mad: float | None, count: int) -> str:
    """`4.12 s ± 0.03 (3)`; both figures in the unit of the median."""
    if mad is None or count < 2:
        return f"{duration(median)} ({count})"
    if abs(median) < 1000:
        return f"{duration(median)} ± {mad:.{0 if abs(median) >= 10 else 1}f} ({count})"
    decimals = 2 if mad < _FINE_SPREAD_MS or abs(median) < 10_000 else 1
    return f"{median / 1000:.{decimals}f} s ± {mad / 1000:.{decimals}f} ({count})"


def metric(value: Metric | None) -> str:
    """A metric in milliseconds; `unknown` where it could not be told."""
    return "unknown" if value is None else spread(value.median, value.mad, len(value.values))


def signed(ms: float) -> str:
    """A difference, always with its sign: `−2.11 s`."""
    return ("−" if ms < 0 else "+") + duration(abs(ms))


def percent(part: float, whole: float) -> str:
    """`82 %`; empty where the whole is nothing."""
    if whole <= 0:
        return ""
    share = 100 * part / whole
    return "under 1 %" if 0 < share < 1 else f"{share:.0f} %"


def plural(count: int, noun: str, several: str | None = None) -> str:
    """`1 build`, `3 builds`."""
    return f"{count:,} {noun if count == 1 else several or noun + 's'}"


def size(count: float) -> str:
    """Bytes: `812 bytes`, `41 kB`, `3.2 MB`."""
    if count < 1000:
        return f"{count:.0f} bytes"
    return f"{count / 1000:.0f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"


def number(value: float) -> str:
    """A count or ratio without needless decimals: `12,400`, `1.62`."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.2f}"


def joined(words: Sequence[str], limit: int = 6) -> str:
    """`a, b and c`; what is beyond `limit` is counted."""
    shown = list(words[:limit])
    if len(words) > limit:
        shown.append(f"{len(words) - limit} more")
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}" if shown else ""


def noise_words(delta: Delta) -> str:
    """Whether a difference is outside the noise; with too few values on a side nobody can tell."""
    if delta.delta is None or min(delta.baseline_count, delta.candidate_count) < FOR_A_VERDICT:
        return "unknown"
    return "yes" if delta.outside_noise else "no"
