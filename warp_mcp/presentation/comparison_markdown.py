"""A comparison as Markdown: the report that a person sends to their team.

What it has to say, in which order, is in the reference under "Reporting a result". It says what was measured
and promises nothing. What only the reports of both sides tell is left out, and said to be, when one is not
kept any more.
"""

from collections.abc import Iterator
from shlex import quote

from warp_mcp.models.comparison import Comparison, Delta
from warp_mcp.models.ledger import LedgerListing
from warp_mcp.models.report import Report
from warp_mcp.models.uris import comparison_json_uri
from warp_mcp.presentation import setting_markdown as setting
from warp_mcp.presentation.comparison_changes_markdown import built, same_work
from warp_mcp.presentation.comparison_ledger_markdown import entries, revert
from warp_mcp.presentation.comparison_mechanisms_markdown import mechanisms, trade_offs
from warp_mcp.presentation.comparison_text import VERDICT_WORDS, judged_words
from warp_mcp.presentation.markdown import bounded, bullets, code, section, shell, table, words
from warp_mcp.presentation.next_steps import terminal
from warp_mcp.presentation.numbers import SPREAD_NOTE, duration, percent, plural, signed, spread
from warp_mcp.presentation.steady_state_markdown import steady_comparison
from warp_mcp.presentation.words import METRIC_NAMES

MOST_LINES = 20
"""Of each list. A report that nobody reads to its end tells nothing; the rest is counted."""
MOST_MODULES_LEFT = 3
NO_EFFECT = (
    "These differences are not shown to be an effect of the change: see the verdict before reading them so."
)


def comparison_markdown(
    comparison: Comparison,
    baseline: Report | None = None,
    candidate: Report | None = None,
    ledger: LedgerListing | None = None,
) -> str:
    """The whole document. `ledger` is that of the project, where one could be looked up."""
    told = candidate or baseline
    of = f" of {setting.command(told)}" if told else ""
    lines = [
        f"# Cold start{of}: {comparison.verdict}",
        "",
        f"**{VERDICT_WORDS[comparison.verdict][0]}** {words(judged_words(comparison))}".rstrip(),
        "",
        *section("What was measured", bullets(_measured(comparison, baseline, candidate))),
        *section("Before and after", _times(comparison), _note(comparison)),
        *section("What is gone, and what is left", bullets(_left(comparison, candidate))),
        *section("Why this verdict", bullets(_reasons(comparison))),
        *section("Is it the same work?", same_work(comparison)),
        *section("What changed in what is built", built(comparison)),
        *steady_comparison(comparison.steady_state),
        *section("Mechanisms", mechanisms(comparison, baseline, candidate, ledger)),
        *section("Trade-offs", trade_offs(comparison, baseline)),
        *section("Not verified", bullets(_not_verified(comparison))),
        *section("Ledger", entries(ledger)),
        *section("How to revert", revert(comparison, baseline, candidate, ledger)),
        *section("How to repeat it", _repeat(comparison, baseline)),
        f"{setting.NOT_ELSEWHERE} Comparison {code(comparison.comparison_id)}.",
    ]
    return "\n".join(lines) + "\n"


def _measured(comparison: Comparison, baseline: Report | None, candidate: Report | None) -> Iterator[str]:
    before = setting.named(comparison.baseline, comparison.baseline_label)
    after = setting.named(comparison.candidate, comparison.candidate_label)
    yield f"Before: {before}{_side(baseline)}"
    yield f"After: {after}{_side(candidate)}"
    yield from _machines(baseline, candidate)
    differing = bounded(comparison.environment, MOST_LINES, "the comparison")
    yield from (f"Differs between the two: {words(sentence)}" for sentence in differing)


def _side(report: Report | None) -> str:
    if report is None:
        return ", a report that is not kept here"
    stop = "" if report.stop == "none" else f"; ended on purpose: {report.stop}"
    when = report.created_at.replace("T", " ").replace("Z", " UTC")
    return f", {setting.command(report)}; {setting.samples(report)}{words(stop)}; {words(when)}"


def _machines(baseline: Report | None, candidate: Report | None) -> Iterator[str]:
    sides = [(name, report) for name, report in (("before", baseline), ("after", candidate)) if report]
    if not sides:
        yield "Machine: not known here, since neither report is kept"
        return
    told = {name: setting.machine(report.environment) for name, report in sides}
    if len(set(told.values())) == 1:
        yield f"Machine: {next(iter(told.values()))}"
    else:
        yield from (f"Machine {name}: {line}" for name, line in told.items())
    for name, report in sides:
        if shown := setting.variables(report.environment):
            yield f"Variables that were set {name}: {shown}"


def _times(comparison: Comparison) -> list[str]:
    deltas = _deltas(comparison)
    shown = [deltas[name] for name in METRIC_NAMES if name in deltas]
    columns = ("", "before", "after", "difference", "noise", "outside the noise")
    return table(columns, [_time(delta, comparison.judged_on) for delta in shown], right=(1, 2, 3, 4))


def _deltas(comparison: Comparison) -> dict[str, Delta]:
    return {delta.metric: delta for delta in comparison.timing}


def _time(delta: Delta, judged_on: str) -> tuple[str, ...]:
    name = METRIC_NAMES[delta.metric]
    return (
        f"**{name}**" if delta.metric == judged_on else name,
        _figure(delta.baseline_median, delta.baseline_mad, delta.baseline_count),
        _figure(delta.candidate_median, delta.candidate_mad, delta.candidate_count),
        _change(delta),
        "" if delta.band is None else f"± {duration(delta.band)}",
        "yes" if delta.outside_noise else "no",
    )


def _figure(median: float | None, mad: float | None, count: int) -> str:
    return "unknown" if median is None else spread(median, mad, count)


def _change(delta: Delta) -> str:
    if delta.delta is None:
        return ""
    share = "" if delta.delta_percent is None else f" ({delta.delta_percent:+.0f} %)".replace("-", "−")
    return signed(delta.delta) + share


def _note(comparison: Comparison) -> list[str]:
    name = METRIC_NAMES.get(comparison.judged_on, comparison.judged_on)
    return [f"Medians. {SPREAD_NOTE} The verdict rests on: {words(name)}.", ""]


def _left(comparison: Comparison, candidate: Report | None) -> Iterator[str]:
    """The difference and what is left, sized against what the user waits for."""
    if comparison.verdict not in ("improved", "regressed"):
        yield NO_EFFECT
    deltas = _deltas(comparison)
    wall, wait = deltas.get("cold_wall_ms"), deltas.get("compile_elapsed_ms")
    yield _start(wall, "cold start")
    yield _wait(wall, wait)
    warm = deltas.get("warm_wall_ms")
    if comparison.judged_on == "warm_module_ms" or (warm is not None and warm.outside_noise):
        yield _start(warm, "second start, with the caches filled,")
    if candidate is not None:
        yield from _builds_left(candidate)


def _start(wall: Delta | None, name: str) -> str:
    """A start on both sides, and the difference as a share of it."""
    if wall is None or wall.baseline_median is None or wall.candidate_median is None:
        return f"The {name} is not known of both sides, so no difference can be sized against it."
    before, after = wall.baseline_median, wall.candidate_median
    share = percent(abs(after - before), before) or "0 %"
    more = "less" if after <= before else "more"
    noise = "" if wall.outside_noise else ", which is within the noise of this figure"
    return (
        f"The {name} takes {duration(after)} in place of {duration(before)}: {duration(abs(after - before))} "
        f"{more}, {share} of what it was{noise}."
    )


def _wait(wall: Delta | None, wait: Delta | None) -> str:
    if wall is None or wall.candidate_median is None or wait is None or wait.candidate_median is None:
        return "How much of what is left is compilation is not known: no usable warm run after the change."
    whole, part = wall.candidate_median, wait.candidate_median
    return (
        f"Of the {duration(whole)} that are left, {duration(part)} ({percent(part, whole) or '0 %'}) are "
        "waiting for compilation. The rest is imports, loading what is compiled, and the program's own work."
    )


def _builds_left(candidate: Report) -> Iterator[str]:
    structure = candidate.structure
    built_now = [module for module in candidate.modules if module.builds]
    largest = sorted(built_now, key=lambda module: -module.ms)[:MOST_MODULES_LEFT]
    named = ", ".join(f"{code(module.name)} {duration(module.ms)}" for module in largest)
    end = f"; the largest: {named}" if named else ""
    yield (
        f"Still built in a cold start: {plural(structure.builds, 'build')} of "
        f"{plural(structure.modules, 'module')}{end}."
    )


def _reasons(comparison: Comparison) -> list[str]:
    causes = [f"On record: {words(cause)}" for cause in comparison.causes]
    if not causes:
        causes = ["On record: nothing that explains a difference in this direction."]
    return [*map(words, bounded(comparison.reasons, MOST_LINES, "the comparison")), *causes[:MOST_LINES]]


def _not_verified(comparison: Comparison) -> list[str]:
    scope = (
        "Anything but this command on this machine: other commands, devices, sizes and machines were not "
        "measured."
    )
    where = code(comparison_json_uri(comparison.comparison_id))
    told = [*map(words, comparison.next_checks), scope]
    return [*told, *bounded([words(f"Doubt: {one}") for one in comparison.warnings], MOST_LINES, where)]


def _repeat(comparison: Comparison, baseline: Report | None) -> list[str]:
    compare = ("warp-mcp", "compare", quote(comparison.baseline), "latest")
    if baseline is None:
        return shell(compare)
    measure = terminal(None).measure(baseline, "again").command
    return ["In the directory the program runs in:", "", *shell(measure, compare)]
