"""The summary that is made in the program, against the same worked out by Python alone."""

import importlib.util
import math
import random
from typing import Any

import numpy
import pytest

from tests.analysis.test_outputs import array, sketched
from warp_mcp.analysis.outputs_distance import distance
from warp_mcp.models.outputs import ArraySummary
from warp_mcp.running.environment import PACKAGE

_PLACE = f"{PACKAGE}/interventions/_warp_mcp_interventions/outputs_summary.py"


def made() -> Any:
    """The injected module, found by its place as in a program."""
    spec = importlib.util.spec_from_file_location("outputs_summary", _PLACE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def summary(values: Any, **options: Any) -> ArraySummary:
    return array(*values.shape).model_copy(update=made().summary(values, **options))


def test_a_large_array_is_sketched_the_same_way_everywhere():
    numbers = [random.Random(2).gauss(0, 1) for _ in range(1000)]
    mine = summary(numpy.array(numbers)).model_copy(update={"shape": [1000]})
    found = distance(sketched(numbers), mine)
    assert found is not None and found.rms < 1e-12


def test_values_that_are_no_numbers_are_counted_apart():
    found = summary(numpy.array([1.0, math.nan, -3.0, math.inf, -math.inf], dtype="f4"))
    assert (found.minimum, found.maximum, found.mean) == (-3.0, 1.0, -1.0)
    assert (found.rms, found.nan_count, found.infinite_count) == (math.sqrt(5.0), 1, 2)
    nothing = summary(numpy.array([math.nan]))
    assert (nothing.minimum, nothing.rms, nothing.nan_count) == (None, None, 1)


def test_half_precision_of_the_other_kind_is_read_from_its_bits():
    found = summary(numpy.array([0x3F80, 0xC000], dtype="u2"), half_bits=True)
    assert (found.minimum, found.maximum) == (-2.0, 1.0)


def test_a_digest_goes_by_order_type_and_shape_not_by_memory():
    digest = made().digest
    whole = numpy.arange(12.0).reshape(3, 4)
    assert digest([whole[:, ::2]], "a") == digest([numpy.ascontiguousarray(whole[:, ::2])], "a")
    assert digest([whole], "a") != digest([whole.T], "a")
    assert digest([whole], "a") != digest([whole], "b")


def apart(before: Any, after: Any) -> float:
    """Relative distance of two large arrays, by their summaries."""
    old, new = (summary(one).model_copy(update={"shape": [one.size]}) for one in (before, after))
    found = distance(old, new)
    assert found is not None
    return found.relative


def with_sentinel(*, value: float = 1e10, size: int = 1000) -> Any:
    numbers = numpy.arange(size) % 7.0
    numbers[0] = value
    return numbers


@pytest.mark.parametrize("size", [1000, 3_000_000])
def test_a_sentinel_does_not_hide_what_became_of_the_other_values(size: int):
    before, after = with_sentinel(size=size), with_sentinel(size=size)
    after[1:] = 0.5
    assert apart(before, after) > 0.5
    after = with_sentinel(size=size)
    after[1:] = numpy.roll(after[1:], 1)
    assert apart(before, after) > 0.5, "with the same minimum, maximum and mean"
    assert apart(before, before * (1 + 1e-6)) < 3e-6, "rounding, also of where values are clipped"


def test_a_sentinel_that_only_one_side_has_is_seen_and_one_that_differs_little_is_not():
    assert apart(with_sentinel(), with_sentinel(value=3.0)) > 0.5
    assert apart(with_sentinel(value=3.0), with_sentinel()) > 0.5
    assert apart(with_sentinel(), with_sentinel(value=1e10 + 1000.0)) < 1e-5
    pair, other = with_sentinel(), with_sentinel(value=1e10 + 1000.0)
    pair[1] = other[1] = -1e10
    assert apart(pair, other) < 1e-5, "the mean moved by 1, which is rounding beside 1e10"


def test_values_without_far_outliers_are_not_clipped_and_take_no_more_room():
    numbers = numpy.random.default_rng(1).normal(size=10_000)
    assert (summary(numbers).bound, summary(numbers).clipped_sketch) == (None, "")
    assert summary(with_sentinel(size=64)).bound is None, "all values are there"


def test_what_is_usual_in_an_array_of_mostly_zeros_is_told_by_the_others():
    numbers = numpy.zeros(1000)
    numbers[:21] = [1e10, *range(1, 21)]
    found = summary(numbers)
    assert found.bound is not None and 16 * 10 < found.bound <= 16 * 20
    other = numbers.copy()
    other[1:21] = other[20:0:-1]
    assert apart(numbers, other) > 0.1
    assert summary(numpy.zeros(1000)).bound is None
