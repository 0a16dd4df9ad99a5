"""Words for the lines behind the rebuilds: what happened there, whom it hit, whose they are, what to try."""

from collections.abc import Sequence

from warp_mcp.models.report import Report
from warp_mcp.models.root import CauseKind, Root, Victim
from warp_mcp.presentation.numbers import duration, joined, plural
from warp_mcp.presentation.words import APPLICATION, happened, short

MOST_OWNERS = 3
LONGEST_OWNER = 40
LONGEST_PLACE = 120
"""Characters of a name and of a place that a headline holds: both come from the program's paths."""

REMEDIES: dict[CauseKind, str] = {
    "kernel_added": "define {what}, in every variant that the program uses, before the first launch of "
    "{whom}",
    "kernel_redefined": "define {what} once, or all its variants, before the first launch of {whom}, and "
    "keep what was defined",
    "option_changed": "set {what} before the first launch of {whom}, or not at all",
    "overload_added": "create the overloads of {what} that are in use with `wp.overload()`, before the "
    "first launch of {whom}",
    "dependency_changed": "define {what} once, before the first launch of {whom}",
    "constant_changed": "give {what} its value before the first launch of {whom}, or hand it to the kernels "
    "as an argument",
    "block_dim": "leave the launches as they are, they are the work; kernels that are only ever launched "
    "with this block_dim can have a module of their own",
    "unknown": "the record does not hold what differs; look for what is created, changed or dropped before "
    "it",
}
"""What to try, by kind: `what` changed or came there, and `whom` it had built again."""


def built_again(report: Report) -> str:
    """The sentence on builds beyond the first of each module; empty where nothing can be said."""
    if report.roots:
        return _caused(report)
    completed = any(sample.outcome == "completed" for sample in report.samples)
    if report.rebuilds or not completed or not report.structure.builds:
        return ""
    if not report.isolation.ok:
        return (
            "No module was seen to be built twice, which says little here: the program uses a cache of its "
            "own, and what lies there already is not built."
        )
    return (
        f"No structural churn: no module was built twice in one process{_recorded(report)}. That does not "
        "mean that nothing can be saved: builds can be large or made one at a time, hold backward code that "
        "nobody uses, or be lost to the next start. See the findings."
    )


def _recorded(report: Report) -> str:
    """A restriction, when processes left no record."""
    missing = sum(not process.attached for process in report.processes)
    return f" that was recorded ({plural(missing, 'process', 'processes')} left no record)" if missing else ""


def _caused(report: Report) -> str:
    roots = report.roots
    cost = duration(sum(root.cost_ms for root in roots))
    victims = sum(len(root.victims) for root in roots)
    what = f"{victims} of {plural(report.structure.builds, 'build')}, {cost}"
    places = {root.where for root in roots}
    known = None not in places
    count = len(places) if known else len(roots)
    noun, one, several = ("line", "causes", "cause") if known else ("cause", "is behind", "are behind")
    verb = one if count == 1 else several
    place = where_words(roots[0], report.cwd) if count == 1 else ""
    named = f": {place}" if 0 < len(place) <= LONGEST_PLACE else ""
    return f"{plural(count, noun)} {verb} {what}; {owners(roots, count)}{named}."


def owners(roots: Sequence[Root], count: int) -> str:
    """`6 s of it is yours, 25 s is in newton`; with one owner only, who that is of `count` lines."""
    costs: dict[str, float] = {}
    for root in roots:
        costs[root.owner] = costs.get(root.owner, 0.0) + root.cost_ms
    if len(costs) == 1:
        return f"{'it is' if count == 1 else 'they are'} {_whose(roots[0].owner)}"
    yours_first = sorted(costs, key=lambda owner: (owner != APPLICATION, -costs[owner]))
    parts = [f"{duration(costs[owner])} is {_whose(owner)}" for owner in yours_first[:MOST_OWNERS]]
    parts[0] = parts[0].replace(" is ", " of it is ", 1)
    rest = yours_first[MOST_OWNERS:]
    if rest:
        others = plural(len(rest), "other library", "other libraries")
        parts.append(f"{duration(sum(costs[owner] for owner in rest))} is in {others}")
    return ", ".join(parts)


def _whose(owner: str) -> str:
    if owner == APPLICATION:
        return "yours"
    return f"in {owner}" if len(owner) <= LONGEST_OWNER else f"in {owner[: LONGEST_OWNER - 1]}…"


def where_words(root: Root, cwd: str) -> str:
    """The line of a root, or where it showed when the line is not known."""
    if root.where is not None:
        return f"`{short(root.where, cwd)}`"
    return f"line not known, near `{short(root.near, cwd)}`" if root.near else "line not known"


def root_words(root: Root) -> str:
    """What happened there."""
    return happened(root.kind, root.detail)


def victim_words(victims: Sequence[Victim]) -> list[str]:
    """`fluid.app, 3 times, 1.2 s`: one for each module, the dearest first."""
    grouped: dict[str, list[Victim]] = {}
    for victim in victims:
        grouped.setdefault(victim.module, []).append(victim)
    ordered = sorted(grouped.values(), key=lambda group: -sum(victim.ms for victim in group))
    return [_group_words(group) for group in ordered]


def _group_words(group: Sequence[Victim]) -> str:
    cost = duration(sum(victim.ms for victim in group))
    times = f", {len(group)} times" if len(group) > 1 else ""
    return f"`{group[0].module}`{times}, {cost}{_others(group)}"


def _others(group: Sequence[Victim]) -> str:
    """The causes that stay when the root is gone."""
    shared = [victim for victim in group if victim.other_causes]
    if not shared:
        return ""
    if len(group) > 1:
        return f"; {len(shared)} of them also for other reasons"
    return f"; also for {plural(shared[0].other_causes, 'other reason')}"


def remedy(root: Root, cwd: str) -> str:
    """What to try at this line, as a sentence; whose line it is when that is a library."""
    what = joined([f"`{name}`" for name in root.subjects]) or "it"
    names = list(dict.fromkeys(f"`{victim.module}`" for victim in root.victims))
    whom = f"{'module' if len(names) == 1 else 'modules'} {joined(names, limit=3)}"
    advice = REMEDIES[root.kind].format(what=what, whom=whom)
    cost = duration(root.cost_ms)
    if root.owner != APPLICATION:
        return (
            f"{where_words(root, cwd)} ({cost}) is in {root.owner}, not in your code: {advice}. Do that from "
            f"your program if {root.owner} lets you; else send its maintainers this measurement."
        )
    if root.where is not None:
        verb = "Look at" if root.kind == "block_dim" else "Edit"
        return f"{verb} {where_words(root, cwd)} ({cost}): {advice}."
    near = f", shown by `{short(root.near, cwd)}`" if root.near else ""
    return f"Find the line that did it{near} ({cost}): {advice}."


def more_roots(roots: Sequence[Root]) -> str:
    """What is said of roots that are not shown; empty when none is left."""
    if not roots:
        return ""
    cost = duration(sum(root.cost_ms for root in roots))
    return f"{plural(len(roots), 'more cause')}, {cost}{' in all' if len(roots) > 1 else ''}"
