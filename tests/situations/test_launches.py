"""Launches are counted however they happen, and a million of them cost no memory to speak of."""

import os

import pytest

from tests.situations.measuring import Measured, Probe, python
from tests.situations.situation import Situation, holds

MILLION = 1_000_000
REPORT_BYTES = 200_000
"""Most that a report of a million launches may take on disk."""


def _half_adjoint(measured: Measured) -> None:
    counts = measured.launches["by_signature"]
    assert {entry["kernel"]: entry["count"] for entry in counts if entry["adjoint"]} == {
        "square": 2,
        "total": 2,
    }
    assert sum(entry["adjoint_launches"] for entry in measured.modules()) == 4


def _dims(*expected: list[int]):
    def check(measured: Measured) -> None:
        assert sorted(entry["dim"] for entry in measured.launches["by_signature"]) == sorted(expected)

    return check


def _two_threads(measured: Measured) -> None:
    assert sorted(sequence["length"] for sequence in measured.launches["sequences"]) == [20, 20]


def _resolved(measured: Measured) -> None:
    assert {(entry["device"], entry["block_dim"]) for entry in measured.launches["by_signature"]} == {
        ("cpu", 1)
    }


TABLE = [
    Situation(
        "in every calling style",
        python("launches_in_every_style"),
        launches=14,
        distinct=5,
        also=_dims([8], [5], [4, 2], [2, 2, 2], [2, 2, 2, 1]),
    ),
    Situation(
        "with launch_tiled, whose block is one thread on the CPU",
        python("launches_tiled"),
        launches=4,
        distinct=1,
        also=_resolved,
    ),
    Situation(
        "as recorded commands",
        python("replays_recorded_launches"),
        launches=5,
        distinct=2,
        also=_dims([8], [4]),
    ),
    Situation("as replays of a captured graph", python("replays_captured_graph"), launches=13, distinct=2),
    Situation(
        "as adjoints of a backward pass", python("runs_backward"), launches=8, distinct=4, also=_half_adjoint
    ),
    Situation("through wp.map", python("maps_a_function"), launches=2, distinct=1),
    Situation("through warp.fem", python("integrates_with_fem"), launches=1),
    Situation("through wp.optim", python("optimises"), launches=3, distinct=1),
    Situation(
        "from two threads", python("launches_from_threads"), launches=40, distinct=2, also=_two_threads
    ),
]


@pytest.mark.parametrize("situation", TABLE, ids=lambda situation: situation.says)
def test_launches_are_counted(situation: Situation, probe: Probe) -> None:
    holds(situation, probe)


@pytest.mark.parametrize("kernels", [1, 2, 100])
def test_a_million_launches_in_a_loop_are_told_in_a_few_numbers(kernels: int, probe: Probe) -> None:
    command = python("launches_in_a_long_loop", str(MILLION), str(kernels))

    measured = holds(Situation("loop", command, launches=MILLION, distinct=kernels), probe)

    assert measured.launches["complete"] is True
    (sequence,) = measured.launches["sequences"]
    assert (sequence["length"], sequence["known"]) == (MILLION, MILLION)
    assert len(sequence["segments"]) < 10
    assert os.path.getsize(probe.root / "report.json") < REPORT_BYTES


def test_a_dim_that_changes_every_time_is_counted_in_full_and_said_to_be_cut(probe: Probe) -> None:
    measured = probe.measure(*python("changes_dim_every_launch", str(MILLION)))

    assert measured.sample["outcome"] == "completed"
    assert measured.launches["total"] == MILLION
    assert 65_536 <= measured.launches["distinct"] <= MILLION
    assert measured.launches["sequence_sha256"]
    assert "record_incomplete" in measured.warnings()
    assert os.path.getsize(probe.root / "report.json") < REPORT_BYTES


def test_an_order_that_never_repeats_is_counted_in_full(probe: Probe) -> None:
    measured = probe.measure(*python("launches_at_random", "200000"))

    assert measured.launches["total"] == 200_000
    assert measured.launches["distinct"] == 4
    assert measured.launches["sequences"][0]["length"] == 200_000
    assert os.path.getsize(probe.root / "report.json") < REPORT_BYTES
