"""The lines behind the rebuilds: each rebuild under exactly one root, so that costs add up.

A rebuild can have several causes. Those that make Warp hash the module anew go before those that only
ride along, which alone would have built nothing. Among them it is given to the root that explains the most
rebuilds: the fewest lines that explain all of them (set cover, greedy: Chvátal 1979, A Greedy Heuristic for
the Set-Covering Problem). Between equals, the first cause of a rebuild.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from warp_mcp.analysis.content_changes import shown
from warp_mcp.analysis.owners import owner_of
from warp_mcp.models.recording import Recording
from warp_mcp.models.report import Cause, Rebuild
from warp_mcp.models.root import Root, Victim


class _Key(NamedTuple):
    """What two rebuilds share when they have the same root."""

    sort: str
    """Kind of cause; kernels that one `def` makes, beside or in place of earlier ones, are of one sort."""
    place: str
    """The line; where that is not known, what changed to what."""


_Claims = dict[_Key, list[tuple[int, Cause]]]
"""The roots that a rebuild can be given to, the first cause first: the numbers of the causes that each would
explain, each with what to tell of it."""

_Constant = tuple[str, str]
"""Last component of a constant's name, and its new value."""


class _Known(NamedTuple):
    """What is known of changed constants over the whole run."""

    lines: Mapping[_Constant, str]
    """The one line that assigned each."""
    files: Mapping[_Constant, set[str]]
    """Files whose kernels refer to one by its name alone: it is a global of theirs."""


_KERNELS = ("kernel_added", "kernel_redefined")
_SENTENCES = (*_KERNELS, "overload_added", "unknown")
_MOST_DETAILS = 3


def find_roots(recording: Recording, rebuilds: Sequence[Rebuild]) -> list[Root]:
    """The roots of the rebuilds of a run, the dearest first."""
    known = _Known(_assignments(recording), _files(rebuilds))
    claims = [_claims(rebuild, known) for rebuild in rebuilds]
    given: dict[_Key, list[int]] = defaultdict(list)
    for number, key in enumerate(_fewest(claims)):
        given[key].append(number)
    roots = [
        _root([(rebuilds[number], claims[number][key]) for number in numbers], known)
        for key, numbers in given.items()
    ]
    return sorted(roots, key=lambda root: -root.cost_ms)


def _assignments(recording: Recording) -> Mapping[_Constant, str]:
    """Where constants were given their values, as far as any kernel of the run tells one line for it."""
    places: dict[tuple[str, str], set[str]] = defaultdict(set)
    for process in recording.processes:
        for kernel in process.kernels:
            for name, place in kernel.constants_at.items():
                places[_last(name), shown(kernel.constants.get(name))].add(place)
    return {constant: found.pop() for constant, found in places.items() if len(found) == 1}


def _files(rebuilds: Sequence[Rebuild]) -> Mapping[_Constant, set[str]]:
    found: dict[_Constant, set[str]] = defaultdict(set)
    for rebuild in rebuilds:
        for cause in rebuild.causes:
            for reason in _reasons(cause):
                if reason.kind == "constant_changed" and "." not in reason.subject:
                    found[_last(reason.subject), reason.value].add(_file(reason))
    return found


def _file(cause: Cause) -> str:
    return (cause.where or "").rpartition(":")[0]


def _last(name: str) -> str:
    """A constant that is reached through a function is told as `function.NAME`."""
    return name if name.startswith("static(") else name.rpartition(".")[2]


def _claims(rebuild: Rebuild, known: _Known) -> _Claims:
    claims: _Claims = {}
    for number, cause in enumerate(rebuild.causes):
        for reason in _reasons(cause):
            claims.setdefault(_key(reason, rebuild, known), []).append((number, reason))
    forcing = {key: told for key, told in claims.items() if any(_forces(cause) for _, cause in told)}
    return forcing or claims


def _forces(cause: Cause) -> bool:
    """Whether the rebuild would have come without the others. One kernel that repeats a change does not."""
    return cause.forces or (
        cause.kind in (*_KERNELS, "overload_added", "block_dim") and not cause.same_otherwise
    )


def _reasons(cause: Cause) -> Iterator[Cause]:
    """The cause itself and the changes behind it; those first where they are all there is to it."""
    if cause.same_otherwise:
        yield from cause.changes
    yield cause
    if not cause.same_otherwise:
        yield from cause.changes


def _key(cause: Cause, rebuild: Rebuild, known: _Known) -> _Key:
    sort = "kernel" if cause.kind in _KERNELS else cause.kind
    line = _line(cause, known)
    if line is not None:
        return _Key(sort, line)
    if sort == "constant_changed":
        # One assignment reaches modules that had loaded under different earlier values; globals of several
        # files that only have their name and value in common took several.
        constant = (_last(cause.subject), cause.value)
        several = "." not in cause.subject and len(known.files.get(constant, ())) > 1
        return _Key(sort, f"{_file(cause) if several else ''} {constant[0]} = {constant[1]}")
    if sort == "unknown":
        return _Key(sort, f"{rebuild.module} {cause.where}")
    return _Key(sort, f"{cause.subject} = {cause.value}")


def _line(cause: Cause, known: _Known) -> str | None:
    """The line that did it; `None` where only a place that stands in for it is known."""
    if cause.exact and cause.where is not None:
        return cause.where
    if cause.kind == "constant_changed":
        return known.lines.get((_last(cause.subject), cause.value))
    return None


def _fewest(claims: Sequence[_Claims]) -> list[_Key]:
    """For each rebuild the root it is given to: again and again the one that explains most of the rest."""
    holders: dict[_Key, list[tuple[int, int]]] = defaultdict(list)
    for number, claim in enumerate(claims):
        for position, key in enumerate(claim):
            holders[key].append((position, number))
    given: dict[int, _Key] = {}
    # What a root explains of the rest only shrinks: an old rank is looked at again when it comes up.
    queue = [(_rank(places, given), key) for key, places in holders.items()]
    heapify(queue)
    while len(given) < len(claims):
        rank, key = heappop(queue)
        now = _rank(holders[key], given)
        if now == rank:
            given.update({number: key for _, number in holders[key] if number not in given})
        elif now != _NOTHING_LEFT:
            heappush(queue, (now, key))
    return [given[number] for number in range(len(claims))]


_NOTHING_LEFT = (0, (0, 0))


def _rank(places: Sequence[tuple[int, int]], given: Mapping[int, _Key]) -> tuple[int, tuple[int, int]]:
    """Most rebuilds first, then the first cause, then the first rebuild."""
    left = [place for place in places if place[1] not in given]
    return (-len(left), min(left)) if left else _NOTHING_LEFT


def _root(hits: Sequence[tuple[Rebuild, list[tuple[int, Cause]]]], known: _Known) -> Root:
    causes = [cause for _, told in hits for _, cause in told]
    first = causes[0]
    where = _line(first, known)
    near = None if where is not None else first.where
    return Root(
        kind=first.kind,
        detail=_detail(causes),
        subjects=_subjects(causes),
        where=where,
        near=near,
        owner=owner_of(where or near),
        cost_ms=sum(rebuild.cost_ms for rebuild, _ in hits),
        victims=[_victim(rebuild, told) for rebuild, told in hits],
    )


def _victim(rebuild: Rebuild, told: list[tuple[int, Cause]]) -> Victim:
    return Victim(
        module=rebuild.module,
        from_hash=rebuild.from_hash,
        to_hash=rebuild.to_hash,
        ms=rebuild.cost_ms,
        other_causes=len(rebuild.causes) - len({number for number, _ in told}),
    )


def _subjects(causes: Sequence[Cause]) -> list[str]:
    return list(dict.fromkeys(_last(cause.subject) for cause in causes if cause.subject))[:_MOST_DETAILS]


def _detail(causes: Sequence[Cause]) -> str:
    """What happened there. The same of other kernels and modules is not told again."""
    distinct = {(_last(cause.subject), cause.value): cause.detail for cause in reversed(causes)}
    details = list(dict.fromkeys(reversed(distinct.values())))
    most = 1 if causes[0].kind in _SENTENCES else _MOST_DETAILS
    shown_ones, more = "; ".join(details[:most]), len(details) - most
    return shown_ones if more < 1 else f"{shown_ones}; and {more} more like it"
