import pytest

from warp_mcp.analysis.statistics import mad, median, noise_band, ranges_apart, stands_out, summarise


def test_the_median_of_an_even_count_lies_between_the_middle_two():
    assert median([4.0, 1.0, 3.0, 2.0]) == 2.5


def test_the_mad_ignores_one_wild_value():
    assert mad([10.0, 11.0, 12.0, 1000.0, 9.0]) == 1.0


def test_the_noise_band_is_the_widest_of_one_percent_and_two_mads_of_either_side():
    quiet = summarise([100.0, 100.0, 100.0])
    spread = summarise([100.0, 110.0, 120.0])
    assert noise_band(quiet, quiet) == 1.0
    assert noise_band(quiet, spread) == noise_band(spread, quiet) == 20.0


@pytest.mark.parametrize(
    ("candidate", "expected"), [(96.0, False), (95.0, True), (104.9, False), (105.0, True)]
)
def test_under_five_percent_of_the_baseline_nothing_stands_out(candidate: float, expected: bool):
    assert stands_out(summarise([100.0] * 3), summarise([candidate] * 3)) is expected


def test_a_difference_inside_two_mads_does_not_stand_out_however_large_it_is():
    assert not stands_out(summarise([100.0, 150.0, 200.0]), summarise([60.0, 60.0, 60.0]))


def test_equal_zeros_do_not_stand_out():
    assert not stands_out(summarise([0.0] * 3), summarise([0.0] * 3))


def test_ranges_that_touch_are_not_apart():
    assert not ranges_apart([1, 2], [2, 3])
    assert ranges_apart([1, 2], [3, 3])
    assert not ranges_apart([], [3])
