"""Figures as a reader meets them."""

import pytest

from warp_mcp.models.report import Metric
from warp_mcp.presentation import numbers


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0.0, "0 ms"),
        (0.42, "0.4 ms"),
        (42.4, "42 ms"),
        (999.4, "999 ms"),
        (4118.0, "4.12 s"),
        (51_300.0, "51.3 s"),
        (725_000.0, "12 min 5 s"),
    ],
)
def test_a_time_has_the_unit_and_the_digits_that_a_reader_needs(ms: float, text: str) -> None:
    assert numbers.duration(ms) == text


@pytest.mark.parametrize(
    ("median", "mad", "count", "text"),
    [
        (4118.0, 31.0, 3, "4.12 s ± 0.03 (3)"),
        (41_180.0, 1310.0, 3, "41.2 s ± 1.3 (3)"),
        (41_180.0, 20.0, 3, "41.18 s ± 0.02 (3)"),
        (420.0, 8.0, 5, "420 ms ± 8 (5)"),
        (4.2, 0.31, 3, "4.2 ms ± 0.3 (3)"),
        (4118.0, 0.0, 1, "4.12 s (1)"),
    ],
)
def test_a_median_comes_with_its_spread_and_count(median: float, mad: float, count: int, text: str) -> None:
    assert numbers.spread(median, mad, count) == text


def test_a_metric_that_could_not_be_told_is_unknown() -> None:
    assert numbers.metric(None) == "unknown"
    assert numbers.metric(Metric(median=2.0, mad=0.0, values=[2.0])) == "2.0 ms (1)"


def test_a_difference_always_has_its_sign() -> None:
    assert numbers.signed(-2110.0) == "−2.11 s"
    assert numbers.signed(50.0) == "+50 ms"


def test_a_share_of_nothing_is_no_share() -> None:
    assert numbers.percent(1.0, 0.0) == ""
    assert numbers.percent(0.2, 100.0) == "under 1 %"
    assert numbers.percent(82.0, 100.0) == "82 %"


def test_a_long_list_is_cut_and_the_rest_is_counted() -> None:
    assert numbers.joined(["a"]) == "a"
    assert numbers.joined(["a", "b", "c"]) == "a, b and c"
    assert numbers.joined(list("abcdefgh"), limit=2) == "a, b and 6 more"
    assert numbers.joined([]) == ""
