from warp_mcp.analysis.intervals import peak, total, union


def test_time_covered_twice_counts_once_in_the_union():
    spans = [(0.0, 10.0), (5.0, 15.0), (20.0, 30.0)]
    assert total(spans) == 30.0
    assert union(spans) == 25.0


def test_an_interval_within_another_adds_nothing_to_the_union():
    assert union([(0.0, 10.0), (2.0, 3.0)]) == 10.0


def test_one_that_begins_where_another_ends_does_not_overlap_it():
    assert peak([(0.0, 1.0), (1.0, 2.0)]) == 1
    assert peak([(0.0, 2.0), (1.0, 3.0), (1.5, 1.8)]) == 3


def test_nothing_covers_nothing():
    assert union([]) == 0.0
    assert peak([]) == 0
