import random
from collections.abc import Sequence

from warp_mcp.analysis.sequences import (
    Stretch,
    checkpoint_positions,
    checkpoints,
    first_difference,
    roll,
    roll_stretches,
    take,
    told,
    unit,
    unit_at,
)

UNITS = {key: unit(f"unit {key}") for key in range(6)}


def expand(stretches: Sequence[Stretch]) -> list[int]:
    return [s.pattern[i % len(s.pattern)] for s in stretches for i in range(s.length)]


def random_stretches(rng: random.Random) -> list[Stretch]:
    patterns = [
        tuple(rng.randrange(3) for _ in range(rng.randrange(1, 5))) for _ in range(rng.randrange(1, 6))
    ]
    return [Stretch(pattern, rng.randrange(1, 20)) for pattern in patterns]


def compressed_otherwise(flat: list[int], rng: random.Random) -> list[Stretch]:
    """The same sequence in other stretches: cut at random, each folded by any period that fits."""
    found: list[Stretch] = []
    position = 0
    while position < len(flat):
        part = flat[position : position + rng.randrange(1, 9)]
        fits = [
            p for p in range(1, len(part) + 1) if all(part[i] == part[i - p] for i in range(p, len(part)))
        ]
        found.append(Stretch(tuple(part[: rng.choice(fits)]), len(part)))
        position += len(part)
    return found


def test_the_digest_does_not_depend_on_how_a_sequence_was_compressed():
    rng = random.Random(1)
    for _ in range(300):
        stretches = random_stretches(rng)
        flat = expand(stretches)
        expected = roll(UNITS[key] for key in flat)
        assert roll_stretches(stretches, UNITS) == expected
        assert roll_stretches(compressed_otherwise(flat, rng), UNITS) == expected


def test_a_changed_dropped_added_or_swapped_launch_changes_the_digest():
    rng = random.Random(2)
    for _ in range(100):
        flat = expand(random_stretches(rng))
        where = rng.randrange(len(flat))
        changed = [*flat[:where], flat[where] + 1, *flat[where + 1 :]]
        dropped = [*flat[:where], *flat[where + 1 :]]
        digests = {roll(UNITS[key] for key in each).value for each in (flat, changed, dropped)}
        assert len(digests) == 3
    assert roll([1, 2, 3]) != roll([2, 1, 3])


def test_the_first_difference_is_the_one_that_a_launch_by_launch_comparison_finds():
    rng = random.Random(3)
    for _ in range(500):
        left = random_stretches(rng)
        right = compressed_otherwise(expand(left), rng) if rng.random() < 0.7 else random_stretches(rng)
        if rng.random() < 0.5:
            flat = expand(right)
            flat[rng.randrange(len(flat))] = 5
            right = compressed_otherwise(flat, rng)
        pairs = zip(expand(left), expand(right), strict=False)
        expected = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
        assert first_difference(left, right) == expected


def test_a_loop_of_a_billion_launches_is_not_expanded():
    loop = [Stretch((0, 1), 10**9), Stretch((2,), 1)]
    other = [Stretch((0, 1, 0, 1), 6), Stretch((0, 1), 10**9 - 6), Stretch((3,), 1)]
    assert first_difference(loop, other) == 10**9
    assert roll_stretches(loop, UNITS) != roll_stretches(other, UNITS)
    assert roll_stretches(take(loop, 10**9), UNITS) == roll_stretches(take(other, 10**9), UNITS)


def test_taking_the_beginning_keeps_exactly_so_many_launches():
    rng = random.Random(4)
    for _ in range(100):
        stretches = random_stretches(rng)
        flat = expand(stretches)
        length = rng.randrange(len(flat) + 3)
        assert expand(take(stretches, length)) == flat[:length]
        assert told(take(stretches, length)) == min(length, len(flat))


def test_the_unit_at_a_position_is_that_of_the_whole_sequence():
    stretches = [Stretch((0, 1, 2), 7), Stretch((3,), 2)]
    assert [unit_at(stretches, i) for i in range(10)] == [0, 1, 2, 0, 1, 2, 0, 3, 3, None]


def test_checkpoints_are_the_digests_of_the_beginnings():
    rng = random.Random(5)
    for _ in range(50):
        stretches = random_stretches(rng)
        flat = expand(stretches)
        positions = list(checkpoint_positions(len(flat)))
        found = list(checkpoints(stretches, UNITS, positions))
        assert [position for position, _ in found] == positions
        for position, rolling in found:
            assert rolling == roll(UNITS[key] for key in flat[:position])


def test_checkpoint_positions_of_a_shorter_sequence_are_among_those_of_a_longer_one():
    longer = list(checkpoint_positions(5000))
    assert longer == sorted(set(longer))
    assert list(checkpoint_positions(100)) == [position for position in longer if position <= 100]
    assert all(
        after <= 1.25 * before for before, after in zip(longer, longer[1:], strict=False) if before >= 4
    )
