"""Rehearsed runs of the programs in `samples/cuda_tiles`, and the MathDx objects that a build of each links.

The first run of a program builds its objects, the others find them in the same cache: what a build asks for
is the same, and a time of the first run alone is one of a cold start.
"""

from pathlib import Path

from tests.interventions.injected import Ran, run
from warp_mcp.models.recording import LoadRecord

SAMPLES = Path(__file__).parents[1] / "samples" / "cuda_tiles"
LIMIT_S = 3600
PROGRAMS = ("tile_matmul", "tile_cholesky", "tile_fft")
MATHDX = ("on", "off")
BACKWARD = ("on", "module", "kernel")
"""Left on, or switched off by the module's option or by the kernel's argument."""
FORWARD = {"tile_matmul": 1, "tile_cholesky": 2, "tile_fft": 1}
"""Objects of the forward pass."""
ADJOINT = {"tile_matmul": 2, "tile_cholesky": 2, "tile_fft": 1}
"""Those that only the adjoint needs."""
_FATBIN = "_fatbin"
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
        """The run, which must have ended well: the programs check their own results."""
        key = (program, mathdx, backward)
        if key not in self.done:
            place = self.directory / "-".join(key)
            place.mkdir()
            self.done[key] = run(
                place,
                (SAMPLES / f"{program}.py").read_text(encoding="utf-8"),
                {"rehearsal": {"arch": 90, "cpu_cache": str(self.directory / "cpu")}},
                name=f"{program}.py",
                command=[f"{program}.py", mathdx, backward],
                cache=self.directory / f"cache-of-{program}",
                timeout=LIMIT_S,
            )
            assert self.done[key].code == 0, self.done[key].errors
        return self.done[key]


def expected(program: str, mathdx: str, backward: str) -> tuple[int, int]:
    """Objects for the forward pass and for the adjoint: the kernel's own argument leaves the latter in."""
    if mathdx == "off":
        return 0, 0
    return FORWARD[program], 0 if backward == "module" else ADJOINT[program]


def counts(load: LoadRecord) -> tuple[int, int]:
    """Objects for the forward pass and for the adjoint."""
    forward, adjoint = (load.lto[side].count if side in load.lto else 0 for side in ("forward", "adjoint"))
    return forward, adjoint


def objects_in(cache: Path) -> list[Path]:
    """The files of linked objects in a cache, one for each object."""
    return [one for one in sorted(cache.rglob("lto/*.lto")) if not one.stem.endswith(_FATBIN)]
