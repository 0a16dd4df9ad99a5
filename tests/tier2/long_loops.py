"""A million launches are counted in full, and cost no memory to speak of.

pytest tests/tier2/long_loops.py
"""

import os
from pathlib import Path

import pytest

from tests.situations.measuring import Probe, python
from tests.situations.situation import Situation, holds

MILLION = 1_000_000
MORE_THAN_ARE_KEPT = 200_000
"""Distinct launches: three times as many as a process keeps apart."""

REPORT_BYTES = 200_000
"""Most that a report of a million launches may take on disk."""


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    return Probe(tmp_path)


@pytest.mark.parametrize("kernels", [1, 100])
def test_a_million_launches_in_a_loop_are_told_in_a_few_numbers(kernels: int, probe: Probe) -> None:
    command = python("launches_in_a_long_loop", str(MILLION), str(kernels))

    measured = holds(Situation("loop", command, launches=MILLION, distinct=kernels), probe)

    assert measured.launches["complete"] is True
    (sequence,) = measured.launches["sequences"]
    assert (sequence["length"], sequence["known"]) == (MILLION, MILLION)
    assert len(sequence["segments"]) < 10
    assert os.path.getsize(probe.root / "report.json") < REPORT_BYTES


def test_a_dim_that_changes_every_time_is_counted_in_full_and_said_to_be_cut(probe: Probe) -> None:
    measured = probe.measure(*python("changes_dim_every_launch", str(MORE_THAN_ARE_KEPT)))

    assert measured.sample["outcome"] == "completed"
    assert measured.launches["total"] == MORE_THAN_ARE_KEPT
    assert 65_536 <= measured.launches["distinct"] <= MORE_THAN_ARE_KEPT
    assert measured.launches["sequence_sha256"]
    assert "record_incomplete" in measured.warnings()
    assert os.path.getsize(probe.root / "report.json") < REPORT_BYTES


def test_an_order_that_never_repeats_is_counted_in_full(probe: Probe) -> None:
    measured = probe.measure(*python("launches_at_random", "200000"))

    assert measured.launches["total"] == 200_000
    assert measured.launches["distinct"] == 4
    assert measured.launches["sequences"][0]["length"] == 200_000
    assert os.path.getsize(probe.root / "report.json") < REPORT_BYTES
