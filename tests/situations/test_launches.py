"""Launches are counted however they happen. A million of them: `tests/tier2/long_loops.py`."""

import pytest

from tests.situations.measuring import Measured, Probe, python
from tests.situations.situation import Situation, holds


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
