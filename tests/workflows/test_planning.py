"""How many runs a measurement makes, and which levers it tries, by what has been seen so far."""

from typing import Any

import pytest

from warp_mcp import workflows
from warp_mcp.workflows.planning import planned_runs


@pytest.mark.parametrize(
    ("asked", "runs"),
    [
        ({}, 6),
        ({"samples": 1}, 2),
        ({"samples": 1, "levers": ["max_unroll=4", "mode=debug"]}, 6),
        ({"levers": ["max_unroll=4", "mode=debug"]}, 18),
        ({"levers": ["max_unroll=4"], "outputs": True}, 16),
        ({"samples": 1, "outputs": True, "steady_state": True}, 7),
    ],
)
def test_runs_of_levers_and_passes_are_planned_from_the_beginning(asked: dict[str, Any], runs: int) -> None:
    assert planned_runs(workflows.make_request(["python"], **asked)) == runs
