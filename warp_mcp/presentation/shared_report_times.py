"""Of a report for a team: the times before and after, what is gone, and what is left."""

from collections.abc import Iterator

from warp_mcp.models.comparison import Delta
from warp_mcp.models.report import Report
from warp_mcp.presentation.markdown import bullets, code, table, words
from warp_mcp.presentation.numbers import SPREAD_NOTE, duration, noise_words, percent, plural, signed, spread
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.presentation.words import METRIC_NAMES

MOST_MODULES_LEFT = 3
NO_EFFECT = (
    "These differences are not shown to be an effect of the change: see the verdict before reading them so."
)
WAITS = {
    "cold_wall_ms": "cold start",
    "compile_elapsed_ms": "waiting for compilation",
    "build_wait_ms": "time with builds under way",
    "cold_module_ms": "building modules, summed",
    "warm_wall_ms": "second start, with the caches filled",
}
"""What a user waits for, and the work behind it."""


def times(shared: Shared) -> list[str]:
    """Medians with spread and count on both sides."""
    deltas = shared.deltas
    rows = [_time(deltas[name], shared.comparison.judged_on) for name in METRIC_NAMES if name in deltas]
    columns = ("", "before", "after", "difference", "noise", "outside the noise")
    judged = shared.comparison.judged_on
    note = f"Medians. {SPREAD_NOTE} The verdict rests on: {words(METRIC_NAMES.get(judged, judged))}."
    return [*table(columns, rows, right=(1, 2, 3, 4)), note, ""]


def _time(delta: Delta, judged_on: str) -> tuple[str, ...]:
    name = METRIC_NAMES[delta.metric]
    return (
        f"**{name}**" if delta.metric == judged_on else name,
        _figure(delta.baseline_median, delta.baseline_mad, delta.baseline_count),
        _figure(delta.candidate_median, delta.candidate_mad, delta.candidate_count),
        _change(delta),
        "unknown" if delta.band is None else f"± {duration(delta.band)}",
        noise_words(delta),
    )


def _figure(median: float | None, mad: float | None, count: int) -> str:
    return "unknown" if median is None else spread(median, mad, count)


def _change(delta: Delta) -> str:
    if delta.delta is None:
        return "unknown"
    share = "" if delta.delta_percent is None else f" ({delta.delta_percent:+.0f} %)".replace("-", "−")
    return signed(delta.delta) + share


def left(shared: Shared) -> list[str]:
    """The difference and what is left, each in milliseconds and as a share of what was there before."""
    effect = shared.comparison.verdict in ("improved", "regressed")
    rows = [_left(shared.deltas[name], WAITS[name]) for name in WAITS if name in shared.deltas]
    shown = table(("", "before", "difference", "left"), rows, right=(1, 2, 3)) if rows else []
    return [
        *([] if effect else [NO_EFFECT, ""]),
        *(shown or ["No time is known of either side.", ""]),
        *bullets(_sentences(shared)),
    ]


def _left(delta: Delta, name: str) -> tuple[str, ...]:
    before, after = delta.baseline_median, delta.candidate_median
    if before is None or after is None:
        return name, _ms(before), "unknown", _ms(after)
    change = after - before
    sign = "−" if change < 0 else "+"
    noise = "" if delta.outside_noise else ", within the noise"
    return (
        name,
        _ms(before),
        f"{sign}{_ms(abs(change))}{_share(abs(change), before, sign)}{noise}",
        f"{_ms(after)}{_share(after, before)}",
    )


def _ms(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.{0 if abs(value) >= 10 else 1}f} ms"


def _share(part: float, whole: float, sign: str = "") -> str:
    share = percent(part, whole)
    return f" ({sign if share[:1].isdigit() else ''}{share})" if share else ""


def _sentences(shared: Shared) -> Iterator[str]:
    wall, wait = shared.deltas.get("cold_wall_ms"), shared.deltas.get("compile_elapsed_ms")
    whole = wall.candidate_median if wall else None
    part = wait.candidate_median if wait else None
    if shared.comparison.rehearsal.alone:
        yield "A rehearsal tells the work of building, not the wait around it: that needs a GPU."
    elif whole is None or part is None:
        yield "How much of what is left is compilation is unknown: no usable warm run after the change."
    else:
        yield (
            f"Of the {duration(whole)} that are left, {duration(part)} ({percent(part, whole) or '0 %'}) are "
            "waiting for compilation. The rest is imports, loading what is compiled, and the program's own "
            "work."
        )
    if shared.candidate is not None:
        yield _builds_left(shared.candidate)


def _builds_left(candidate: Report) -> str:
    structure = candidate.structure
    built: dict[str, float] = {}
    for module in candidate.modules:
        if module.builds:
            built[module.name] = built.get(module.name, 0.0) + module.ms
    largest = sorted(built, key=lambda name: -built[name])[:MOST_MODULES_LEFT]
    named = ", ".join(f"{code(name)} {duration(built[name])}" for name in largest)
    end = f"; the largest: {named}" if named else ""
    return (
        f"Still built in the first complete cold start: {plural(structure.builds, 'build')} of "
        f"{plural(structure.modules, 'module')}{end}."
    )
