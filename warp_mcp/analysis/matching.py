"""Setting the launch sequences of two runs side by side: which belong together, and where they part.

Works on `Launches`, so on reports as well as on runs. Draws no conclusion.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from warp_mcp.analysis import sequences
from warp_mcp.analysis.sequences import Stretch
from warp_mcp.analysis.thresholds import MOST_PAIRS
from warp_mcp.models.report import Launches, Sequence, Work

Token = Callable[[Work], str]
"""What two units of work have in common when they count as equal."""


@dataclass(frozen=True)
class Side:
    """One sequence as stretches over numbers that mean the same on both sides."""

    sequence: Sequence
    stretches: list[Stretch]

    @property
    def known(self) -> int:
        """Launches that are told one by one."""
        return sequences.told(self.stretches)


@dataclass(frozen=True)
class Parting:
    """How far two sequences agree."""

    left: Side
    right: Side
    agreed: int
    """Launches known to agree, from the first on."""
    differs_at: int | None
    """Position, from 0, of the first launch known to differ; `None` when none is known."""
    bound: int | None = None
    """The first difference is among this many launches, where digests tell; `None` when unknown."""

    @property
    def cut_short(self) -> bool:
        """True when, as far as is told, one sequence is only shorter than the other."""
        shorter, longer = sorted((self.left.sequence.length, self.right.sequence.length))
        return shorter < longer and self.bound is None and self.differs_at in (None, shorter)


class Numbering:
    """Numbers for units of work, the same on both sides for equal tokens."""

    def __init__(self, token: Token) -> None:
        self._token = token
        self._numbers: dict[str, int] = {}

    def side(self, sequence: Sequence, work: list[Work]) -> Side:
        """A sequence in these numbers."""
        numbers = [self._numbers.setdefault(self._token(unit), len(self._numbers)) for unit in work]
        stretches = [
            Stretch(tuple(numbers[index] for index in segment.pattern), segment.length)
            for segment in sequence.segments
        ]
        return Side(sequence, stretches)


def unmatched(left: Launches, right: Launches) -> tuple[list[Sequence], list[Sequence]]:
    """The sequences of each side that the other does not have as they are, one for each thread."""
    ours = Counter({sequence.digest: 0 for sequence in left.sequences})
    theirs = Counter({sequence.digest: 0 for sequence in right.sequences})
    for sequence in left.sequences:
        ours[sequence.digest] += sequence.threads
    for sequence in right.sequences:
        theirs[sequence.digest] += sequence.threads
    return _beyond(left.sequences, theirs), _beyond(right.sequences, ours)


def _beyond(kept: list[Sequence], others: Counter[str]) -> list[Sequence]:
    left_over: list[Sequence] = []
    remaining = Counter(others)
    for sequence in kept:
        missing = max(0, sequence.threads - remaining[sequence.digest])
        remaining[sequence.digest] -= sequence.threads - missing
        left_over += [sequence] * min(missing, MOST_PAIRS)
    return left_over


def pair_up(left: list[Side], right: list[Side]) -> tuple[list[Parting], list[Side], list[Side]]:
    """Pairs of unlike sequences, those with the longest common beginning first, and what has no partner."""
    pairs = [(part(one, other), i, j) for i, one in _first(left) for j, other in _first(right)]
    pairs.sort(key=lambda pair: (-pair[0].agreed, pair[1], pair[2]))
    found: list[Parting] = []
    used: tuple[set[int], set[int]] = (set(), set())
    for parting, i, j in pairs:
        if i not in used[0] and j not in used[1]:
            found.append(parting)
            used[0].add(i)
            used[1].add(j)
    return found, _rest(left, used[0]), _rest(right, used[1])


def _first(sides: list[Side]) -> Iterator[tuple[int, Side]]:
    return enumerate(sides[:MOST_PAIRS])


def _rest(sides: list[Side], used: set[int]) -> list[Side]:
    return [side for index, side in enumerate(sides) if index not in used]


def part(left: Side, right: Side) -> Parting:
    """Where two sequences part: launch by launch as far as both are told, then by their checkpoints."""
    common = min(left.known, right.known)
    differs = sequences.first_difference(left.stretches, right.stretches)
    if differs is not None:
        return Parting(left, right, differs, differs)
    shorter = min(left.sequence.length, right.sequence.length)
    if common == shorter:
        return _at_the_end(left, right, common)
    return _by_checkpoints(left, right, common)


def _at_the_end(left: Side, right: Side, common: int) -> Parting:
    if left.sequence.length == right.sequence.length:
        return Parting(left, right, common, None)
    return Parting(left, right, common, common)


def _by_checkpoints(left: Side, right: Side, agreed: int) -> Parting:
    theirs = dict(right.sequence.checkpoints)
    for position, digest in left.sequence.checkpoints:
        other = theirs.get(position)
        if other is None or position <= agreed:
            continue
        if other != digest:
            return Parting(left, right, agreed, None, bound=position)
        agreed = position
    return Parting(left, right, agreed, None)
