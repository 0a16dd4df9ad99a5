"""The summary that is made in the program, against the same worked out by Python alone."""

import importlib.util
import math
import random
from typing import Any

import numpy

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
