"""Warnings of a report with a rehearsal of CUDA; not drawn from evidence."""

from collections.abc import Sequence

from warp_mcp.models.finding import Warning
from warp_mcp.models.run import SampleRecording

MOST_CHARACTERS = 200
"""Of the program's own last line."""


def needs_cuda(samples: Sequence[SampleRecording]) -> Warning:
    """A report holds nothing but a rehearsal."""
    failed = samples[0].cold if samples else None
    last = (failed.stderr_tail.strip().splitlines() or [""])[-1] if failed else ""
    code = f" (exit code {failed.exit_code})" if failed else ""
    said = f": {last[:MOST_CHARACTERS].rstrip('.')}" if last else ""
    return Warning(
        code="needs_cuda",
        message=f"The program does not run without CUDA{code}{said}. Only its rehearsal tells.",
        next="Measure it on a machine with a GPU for times of whole starts.",
    )


def nothing_for_cuda() -> Warning:
    """A rehearsal completed, and the program used no CUDA device in it."""
    return Warning(
        code="nothing_for_cuda",
        message="The program built and loaded nothing for CUDA in the rehearsal: it went without.",
        next=(
            "Tell it to use cuda:0, by an option of its own. What asks another library than Warp for a "
            "device finds none in a rehearsal."
        ),
    )


def levers_not_rehearsed() -> Warning:
    """Levers were asked for, and no run that could have one completed."""
    return Warning(
        code="levers_not_rehearsed",
        message="No lever was tried: levers need runs without a rehearsal, and without CUDA none completed.",
        next="Edit the program, rehearse it again, and compare the two rehearsals.",
    )


def recordings_not_rehearsed() -> Warning:
    """Outputs or launch times were asked for, and no run that could record them completed."""
    return Warning(
        code="recordings_not_rehearsed",
        message=(
            "Neither outputs nor launch times were recorded: in a rehearsal kernels run on the CPU, and "
            "without CUDA no run completed."
        ),
        next="Record them on a machine with a GPU.",
    )
