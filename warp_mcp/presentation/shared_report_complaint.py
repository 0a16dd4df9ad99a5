"""What a change takes of the wait that somebody complained about, where the complaint names a time."""

import re

from warp_mcp.models.comparison import Comparison, Delta
from warp_mcp.presentation.numbers import duration
from warp_mcp.presentation.shared_report_words import Room

_UNITS_MS = {"ms": 1.0, "s": 1e3, "m": 6e4, "h": 3.6e6}
_UNIT = r"(ms|milliseconds?|msecs?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)(?![^\W\d_])"
_NUMBER = r"\d+(?:[.,]\d+)*"
_PART = rf"({_NUMBER})\s*{_UNIT}"
_TIME = re.compile(rf"(?i)(?<![\w.,:/-]){_PART}(?:\s*(?:and\s+)?{_PART})?")
_RANGE = re.compile(rf"(?i){_NUMBER}\s*(?:{_UNIT}\s*)?(?:-|–|to|or)\s*{_NUMBER}\s*{_UNIT}")
_NEAR = 0.25
"""A complaint further than this from the start that was measured is about more, or less, than it."""
_SAME = 0.05
"""A complaint no further than this from it names the start that was measured."""
_LONGEST_MS = 7 * 24 * 3.6e6
"""A week: what is longer is no start of a program."""

_NOTHING = {
    "inconclusive": "No effect was shown, so none of the {said} can be called gone.",
    "invalid": "The two sides did not do the same, so nothing can be said of the {said}.",
    "unverified": "It is not proven what the change did, so nothing can be said of the {said} yet.",
}
_WAITS = {
    "cold_wall_ms": "of the start",
    "warm_wall_ms": "of the second start, with the caches filled",
    "compile_elapsed_ms": "of waiting for compilation",
    "build_wait_ms": "of time with builds under way",
    "cold_module_ms": "of building modules",
    "warm_module_ms": "of loading modules with the caches filled",
}


def time_in(complaint: str) -> tuple[float, str] | None:
    """Milliseconds, and the time as typed; `None` where the complaint names no time, or a range of them."""
    if _RANGE.search(complaint):
        return None
    found = _TIME.search(complaint)
    if found is None:
        return None
    total = _ms(found[1], found[2]) + (_ms(found[3], found[4]) if found[3] else 0.0)
    return (total, " ".join(found[0].split())) if 0 < total <= _LONGEST_MS else None


def _ms(number: str, unit: str) -> float:
    short = "ms" if unit.lower().startswith(("ms", "milli")) else unit[0].lower()
    plain = re.sub(r",(?=\d{3}(?:\D|$))", "", number).replace(",", ".")
    try:
        return float(plain) * _UNITS_MS[short]
    except ValueError:  # more points than a number has
        return 0.0


def complaint_lines(complaint: str, comparison: Comparison, room: Room) -> list[str]:
    """The complaint in quotes, and what became of it."""
    if not complaint.strip():
        return []
    told = time_in(complaint)
    sized = f" {_sized(*told, comparison)}" if told else ""
    return [f"The complaint: {room.quoted(complaint)}.{sized}", ""]


def _sized(whole: float, said: str, comparison: Comparison) -> str:
    nothing = _NOTHING.get(comparison.verdict)
    if nothing is not None:
        return nothing.format(said=said)
    deltas = {delta.metric: delta for delta in comparison.timing}
    judged = comparison.judged_on
    first = ("warm_wall_ms",) if judged == "warm_module_ms" else ("cold_wall_ms", "compile_elapsed_ms")
    known = [deltas[name] for name in (*first, judged) if name in deltas and _shown(deltas[name], comparison)]
    if not known:
        return f"No figure of the wait differs beyond its noise, so none of the {said} is shown to be gone."
    wall, change = deltas.get(first[0]), known[0].delta or 0.0
    if whole + change < 0:
        return _longer(change, said, wall)
    told = _change(known[0], wall, deltas.get("compile_elapsed_ms"))
    return f"{told}{_not_reproduced(wall, whole, said)}"


def _shown(delta: Delta, comparison: Comparison) -> bool:
    """Whether it differs beyond its noise, in the direction of the verdict."""
    less = comparison.verdict == "improved"
    return delta.outside_noise and delta.delta is not None and (delta.delta < 0) == less


def _change(delta: Delta, wall: Delta | None, wait: Delta | None) -> str:
    """The change in figures that were measured, never as a part of a time that was not."""
    does = f"The change {'takes' if (delta.delta or 0.0) <= 0 else 'adds'} {_amount(delta)}"
    if wall is None or delta.metric == "warm_wall_ms":
        return f"{does}: {_both(delta)}."
    if delta.metric != wall.metric:
        return f"{does}: {_both(delta)}. The start that was measured took {_both(wall)}."
    compiling = wait.candidate_median if wait else None
    rest = "how much of that is compiling is unknown"
    if compiling is not None:
        rest = f"of which {duration(compiling)} {'is' if compiling < 2000 else 'are'} compiling"
    return f"{does}: the start that was measured took {_both(wall)}, {rest}."


def _both(delta: Delta) -> str:
    before, after = (
        "an unknown time" if value is None else duration(value)
        for value in (delta.baseline_median, delta.candidate_median)
    )
    return f"{before} before it and {after} after it"


def _amount(delta: Delta) -> str:
    """How much more or less, and of what where that is not the start itself."""
    what = "" if delta.metric == "cold_wall_ms" else f" {_WAITS.get(delta.metric, '')}".rstrip()
    return f"{duration(abs(delta.delta or 0.0))}{what}"


def _longer(change: float, said: str, wall: Delta | None) -> str:
    """The change takes more than the complaint is about."""
    before = wall.baseline_median if wall else None
    took = f" took {duration(before)} before it" if before is not None else " is a longer one"
    return (
        f"The change takes {duration(-change)}, more than the {said} complained about: the start that was "
        f"measured{took}."
    )


def _not_reproduced(wall: Delta | None, whole: float, said: str) -> str:
    """What of the complaint no run here showed: of that nothing can be called gone or left."""
    before = wall.baseline_median if wall else None
    if before is None or abs(before - whole) <= _SAME * whole:
        return ""
    if before > whole:
        return f" That is more than the {said} complained about."
    missing = duration(whole - before)
    if whole - before <= _NEAR * whole:
        return f" Of the {said} complained about, {missing} was not reproduced here."
    return (
        f" Of the {said} complained about, {missing} was not reproduced here: that is about something else, "
        "or another machine."
    )
