"""Runs of the programs in `samples/cuda_only` in a rehearsal, and what they left."""

from pathlib import Path
from typing import Any

from tests.interventions.injected import Ran, run
from warp_mcp.models.recording import LoadRecord
from warp_mcp.reading import read_rehearsal

SAMPLES = Path(__file__).parents[1] / "samples" / "cuda_only"


def rehearse(directory: Path, sample: str, arch: int = 90, *words: str, **told: Any) -> Ran:
    """Run a sample, or the text of a program, as on a machine with a GPU of that architecture."""
    program = sample
    if "\n" not in sample:
        program = (SAMPLES / f"{sample}.py").read_text(encoding="utf-8")
    parts = {"rehearsal": {"arch": arch, "cpu_cache": str(directory / "cpu"), **told}}
    return run(directory, program, parts, command=["program.py", *words])


def completed(ran: Ran) -> Ran:
    """The run, which must have ended well: the programs check their own results."""
    assert ran.code == 0, ran.output + ran.errors
    return ran


def said(ran: Ran) -> list[tuple[str, str]]:
    """What could not be rehearsed, as often as it happened."""
    return read_rehearsal(str(ran.records))


def variants(ran: Ran) -> list[tuple[str, str, int, str]]:
    """Device, module, block dimension and outcome of each load, in order."""
    return [(one.device, one.name, one.block_dim, one.status) for one in loads(ran)]


def loads(ran: Ran) -> list[LoadRecord]:
    """All loads of all processes, in order."""
    return sorted(ran.loads(), key=lambda one: one.begin_ms)
