"""MathDx objects of tiles on CUDA: how many a build links, each option both ways, and without backward code.

Each program of `samples/cuda_tiles` refuses to start without a device, and runs in a rehearsal. These are the
fewest settings that show each option both ways; `python -m tests.benchmarks.mathdx_links` goes through all.

pytest tests/tier2/tiles.py
"""

from pathlib import Path

import pytest

from tests.interventions.tiles import LIMIT_S, Runs, counts, expected, objects_in

pytestmark = pytest.mark.timeout(LIMIT_S)


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


@pytest.mark.parametrize("program", ["tile_matmul", "tile_fft"])
def test_without_backward_code_a_build_links_the_forward_objects_alone(program: str, runs: Runs) -> None:
    linked, plain = (runs.load(program, mathdx, "module") for mathdx in ("on", "off"))

    assert counts(linked) == expected(program, "on", "module") == (1, 0)
    assert counts(plain) == (0, 0)
    assert len(objects_in(runs.ran(program, "on", "module").cache)) == linked.lto_artifacts == 1


def test_a_solver_links_objects_for_both_passes_and_the_option_of_the_module_leaves_the_adjoints_out(
    runs: Runs,
) -> None:
    program = "tile_cholesky"
    both, forward, plain = (
        runs.load(program, *setting) for setting in (("on", "on"), ("on", "module"), ("off", "on"))
    )

    assert counts(both) == expected(program, "on", "on") == (2, 2)
    assert counts(forward) == (2, 0)
    assert counts(plain) == (0, 0)
    assert len(objects_in(runs.ran(program).cache)) == 4
