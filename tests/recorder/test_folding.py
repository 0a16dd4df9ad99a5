"""Folding tells a sequence exactly, and in few words when blocks repeat."""

import random
from array import array

import pytest
from _warp_mcp_recorder import folding


def packed(entries: list[int]) -> bytes:
    return array("I", entries).tobytes()


def unfolded(segments: list[tuple[bytes, int]]) -> bytes:
    return b"".join(folding.repeated(pattern, 0, length) for pattern, length in segments)


@pytest.mark.parametrize("seed", range(40))
def test_compressed_data_unfold_to_themselves(seed: int) -> None:
    chance = random.Random(seed)
    entries: list[int] = []
    while len(entries) < 3000:
        block = [chance.randrange(1, 6) for _ in range(chance.randrange(1, 60))]
        entries += block * chance.randrange(1, 30)
    data = packed(entries)
    assert unfolded(folding.compress(data)) == data


def test_a_block_that_repeats_becomes_one_segment() -> None:
    data = packed(list(range(1, 101)) * 40)
    assert [(len(pattern) // 4, length // 4) for pattern, length in folding.compress(data)] == [(100, 4000)]


def test_what_never_repeats_stays_one_literal() -> None:
    data = packed(random.Random(1).sample(range(1, 100000), 4000))
    assert folding.compress(data) == [(data, len(data))]


@pytest.mark.parametrize("period", [1, 2, 7, 100, 1201, 5000])
def test_the_period_of_a_loop_is_found_from_its_end(period: int) -> None:
    entries = [1 + index * 31 % 997 for index in range(period)]
    data = packed([7] * 50 + entries * (12000 // period + 3))
    found, covered = folding.find_period(data, [], len(data))
    assert 0 < found and found % 4 == 0
    assert data[-covered:] == folding.repeated(data[-covered:][:found], 0, covered)
    assert covered >= len(data) - 4 * (50 + period)


def test_nothing_is_found_where_nothing_repeats() -> None:
    data = packed(random.Random(2).sample(range(1, 100000), 5000))
    assert folding.find_period(data, [], len(data)) == (0, 0)


@pytest.mark.parametrize("seed", range(20))
def test_the_common_prefix_is_the_longest(seed: int) -> None:
    chance = random.Random(seed)
    left = [chance.randrange(3) for _ in range(chance.randrange(200))]
    right = left[: chance.randrange(len(left) + 1)] + [chance.randrange(3) for _ in range(50)]
    expected = next(
        (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right))
    )
    assert folding.common_prefix(packed(left), packed(right)) == 4 * expected
