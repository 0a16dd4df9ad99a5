"""Digests and comparison of compressed launch sequences. Knows nothing of launches: units are numbers.

A sequence is a list of stretches, each a pattern repeated until a length is reached. Nothing here
expands a repetition, so a loop of 10^9 launches costs as much as one of ten.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

MODULUS = (1 << 127) - 1
"""A Mersenne prime: unequal sequences of n units collide with a chance of n / 2^127 (Karp, Rabin 1987)."""

BASE = int.from_bytes(hashlib.sha256(b"warp-mcp launch sequence").digest()[:15], "big")


class Stretch(NamedTuple):
    """`pattern` repeated until `length` units are told; may end in the middle of the pattern."""

    pattern: tuple[int, ...]
    length: int


@dataclass(frozen=True)
class Rolling:
    """Polynomial hash of a sequence, that of a concatenation following from those of its parts."""

    value: int = 0
    power: int = 1
    """BASE to the power of the sequence's length."""

    def then(self, other: "Rolling") -> "Rolling":
        """The hash of this sequence followed by the other."""
        value = (self.value * other.power + other.value) % MODULUS
        return Rolling(value, self.power * other.power % MODULUS)

    def times(self, count: int) -> "Rolling":
        """The hash of this sequence `count` times in a row, by doubling."""
        result, doubled = Rolling(), self
        while count:
            if count & 1:
                result = result.then(doubled)
            doubled = doubled.then(doubled)
            count >>= 1
        return result


def unit(text: str) -> int:
    """The number that stands for a unit of work described by `text`."""
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return int.from_bytes(digest, "big") % (MODULUS - 1) + 1


def roll(units: Iterable[int]) -> Rolling:
    """The hash of a sequence told one by one."""
    value, power = 0, 1
    for number in units:
        value = (value * BASE + number) % MODULUS
        power = power * BASE % MODULUS
    return Rolling(value, power)


def roll_beginnings(stretch: Stretch, units: Mapping[int, int], lengths: Iterable[int]) -> dict[int, Rolling]:
    """The hashes of the first so many units of one stretch, for several lengths in one pass."""
    period = len(stretch.pattern)
    rests = {length % period for length in lengths}
    found: dict[int, Rolling] = {}
    value, power = 0, 1
    for place, key in enumerate(stretch.pattern):
        if place in rests:
            found[place] = Rolling(value, power)
        value = (value * BASE + units[key]) % MODULUS
        power = power * BASE % MODULUS
    whole = Rolling(value, power)
    return {length: whole.times(length // period).then(found[length % period]) for length in lengths}


def roll_stretch(stretch: Stretch, units: Mapping[int, int]) -> Rolling:
    """The hash of one stretch whose pattern holds keys of `units`."""
    return roll_beginnings(stretch, units, (stretch.length,))[stretch.length]


def roll_stretches(stretches: Iterable[Stretch], units: Mapping[int, int]) -> Rolling:
    """The hash of a whole sequence; the same however it was compressed."""
    result = Rolling()
    for stretch in stretches:
        result = result.then(roll_stretch(stretch, units))
    return result


def told(stretches: Iterable[Stretch]) -> int:
    """How many units the stretches tell."""
    return sum(stretch.length for stretch in stretches)


def take(stretches: Sequence[Stretch], length: int) -> list[Stretch]:
    """The first `length` units, or all where there are fewer."""
    kept: list[Stretch] = []
    for stretch in stretches:
        if length <= 0:
            break
        part = min(length, stretch.length)
        kept.append(Stretch(stretch.pattern[:part], part))
        length -= part
    return kept


def unit_at(stretches: Sequence[Stretch], position: int) -> int | None:
    """The unit at a position counted from 0; `None` beyond the end."""
    for stretch in stretches:
        if position < stretch.length:
            return stretch.pattern[position % len(stretch.pattern)]
        position -= stretch.length
    return None


def checkpoints(
    stretches: Sequence[Stretch], units: Mapping[int, int], positions: Iterable[int]
) -> Iterator[tuple[int, Rolling]]:
    """The hashes of the first so many units, for ascending positions within the sequence."""
    waiting = list(positions)
    behind, begin = Rolling(), 0
    for stretch in stretches:
        end = begin + stretch.length
        inside = [position - begin for position in waiting if begin < position <= end]
        rolled = roll_beginnings(stretch, units, [*inside, stretch.length])
        for length in inside:
            yield begin + length, behind.then(rolled[length])
        behind, begin = behind.then(rolled[stretch.length]), end


def checkpoint_positions(length: int) -> Iterator[int]:
    """Positions up to `length` that depend on nothing else: four to each doubling, so a bound within 25 %."""
    for exponent in range(length.bit_length()):
        for quarter in (4, 5, 6, 7):
            position = quarter << exponent
            if position <= length:
                yield position


def first_difference(left: Sequence[Stretch], right: Sequence[Stretch]) -> int | None:
    """Position, from 0, of the first unit that differs within the common length; `None` when none does.

    Where two periodic stretches agree on as many units as their periods together, they agree throughout
    (Fine and Wilf, 1965), so no repetition is looked at further than that.
    """
    position = 0
    for one, other, length in _aligned(left, right):
        for offset in range(min(length, len(one) + len(other))):
            if one[offset % len(one)] != other[offset % len(other)]:
                return position + offset
        position += length
    return None


def _aligned(
    left: Sequence[Stretch], right: Sequence[Stretch]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Both patterns, turned to start at the same place, and for how long both go on."""
    i = j = used = spent = 0
    while i < len(left) and j < len(right):
        one, other = left[i], right[j]
        length = min(one.length - used, other.length - spent)
        yield _turned(one.pattern, used), _turned(other.pattern, spent), length
        used, spent = used + length, spent + length
        if used == one.length:
            i, used = i + 1, 0
        if spent == other.length:
            j, spent = j + 1, 0


def _turned(pattern: tuple[int, ...], by: int) -> tuple[int, ...]:
    by %= len(pattern)
    return pattern[by:] + pattern[:by] if by else pattern
