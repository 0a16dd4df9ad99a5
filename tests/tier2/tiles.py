"""MathDx objects of tiles on CUDA: how many a build links, with and without MathDx and backward code.

Each program of `samples/cuda_tiles` refuses to start without a device, and runs in a rehearsal. The first
run of a program builds its objects, the others find them in the same cache: what a build asks for is the
same, and a figure of the first run alone is one of a cold start.

pytest tests/tier2/tiles.py        half an hour on two idle cores
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interventions.injected import Ran, run
from warp_mcp.models.recording import LoadRecord

SAMPLES = Path(__file__).parents[1] / "samples" / "cuda_tiles"
HOUR = 3600
PROGRAMS = ("tile_matmul", "tile_cholesky", "tile_fft")
FORWARD = {"tile_matmul": 1, "tile_cholesky": 2, "tile_fft": 1}
"""Objects of the forward pass."""
ADJOINT = {"tile_matmul": 2, "tile_cholesky": 2, "tile_fft": 1}
"""Those that only the adjoint needs."""
FATBIN = "_fatbin"
"""Ends the name of a second file of one object: a solver has code of another kind beside it."""


class Runs:
    """One run for each program and setting, on demand."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.done: dict[tuple[str, str, str], Ran] = {}

    def load(self, program: str, mathdx: str = "on", backward: str = "on") -> LoadRecord:
        """The only build of the program's module."""
        return self.ran(program, mathdx, backward).load("__main__")

    def ran(self, program: str, mathdx: str = "on", backward: str = "on") -> Ran:
        """The run; one with everything on goes before all others of its program."""
        key = (program, mathdx, backward)
        if key[1:] != ("on", "on"):
            self.ran(program)
        if key not in self.done:
            place = self.directory / "-".join(key)
            place.mkdir()
            self.done[key] = run(
                place,
                (SAMPLES / f"{program}.py").read_text(encoding="utf-8"),
                {"rehearsal": {"arch": 90}},
                name=f"{program}.py",
                command=[f"{program}.py", mathdx, backward],
                cache=self.directory / f"cache-of-{program}",
                timeout=HOUR,
            )
            assert self.done[key].code == 0, self.done[key].errors
        return self.done[key]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    yield Runs(tmp_path_factory.mktemp("tiles"))


def counts(load: LoadRecord) -> tuple[int, int]:
    """Objects for the forward pass and for the adjoint."""
    forward, adjoint = (load.lto[side].count if side in load.lto else 0 for side in ("forward", "adjoint"))
    return forward, adjoint


@pytest.mark.timeout(HOUR)
@pytest.mark.parametrize("program", PROGRAMS)
def test_a_build_links_the_objects_of_both_passes(program: str, runs: Runs) -> None:
    load = runs.load(program)

    assert counts(load) == (FORWARD[program], ADJOINT[program])
    print(row(program, load))


@pytest.mark.timeout(HOUR)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_objects_lie_in_the_cache_of_the_run(program: str, runs: Runs) -> None:
    ran = runs.ran(program)

    files = list(ran.cache.rglob("lto/*.lto"))
    assert len([one for one in files if not one.stem.endswith(FATBIN)]) == FORWARD[program] + ADJOINT[program]
    assert ran.load("__main__").lto_artifacts == len(files)


@pytest.mark.timeout(HOUR)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_option_of_the_module_leaves_the_objects_of_the_adjoint_out(program: str, runs: Runs) -> None:
    assert counts(runs.load(program, "on", "module")) == (FORWARD[program], 0)


@pytest.mark.timeout(HOUR)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_argument_of_the_kernel_leaves_them_in(program: str, runs: Runs) -> None:
    assert counts(runs.load(program, "on", "kernel")) == (FORWARD[program], ADJOINT[program])


@pytest.mark.timeout(HOUR)
@pytest.mark.parametrize("backward", ["on", "module", "kernel"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_without_mathdx_nothing_is_linked(program: str, backward: str, runs: Runs) -> None:
    assert counts(runs.load(program, "off", backward)) == (0, 0)


def row(program: str, load: LoadRecord) -> str:
    """The program's build in one line."""
    told = [f"{side} {part.count} in {part.wall_ms:.0f} ms" for side, part in sorted(load.lto.items())]
    return f"| {program} | {load.cpu_ms:.0f} ms CPU | {', '.join(told) or 'no objects'} |"
