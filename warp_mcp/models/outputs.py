"""What launches computed: digests and small summaries of the arrays that they wrote."""

from typing import Literal

from warp_mcp.models.base import Model


class ArraySummary(Model):
    """One array after one launch, or one gradient after one backward pass."""

    name: str
    """Name of the kernel's argument; `state.q` for an array in a struct."""
    dtype: str
    shape: list[int]
    digest: str
    """Digest of its bytes in order, with dtype and shape: equal for bit-identical arrays."""
    wrote: bool = True
    """False: the launch left it as it was, and only its digest is told."""
    minimum: float | None = None
    """Of the finite values, like the following three; null where there is none, or it is not numeric."""
    maximum: float | None = None
    mean: float | None = None
    rms: float | None = None
    """Root of the mean square."""
    nan_count: int = 0
    infinite_count: int = 0
    sketch: str = ""
    """Base64 of float64 values from which the distance of two arrays is worked out: see
    `analysis/outputs_distance.py`. All values of a small array; a projection of a large one."""
    bound: float | None = None
    """Where values far beyond the others are clipped: 16 times the 90th percentile of the magnitudes. Null
    where that clips nothing, and for a small array."""
    clipped_rms: float | None = None
    """Root of the mean square of the clipped values."""
    clipped_sketch: str = ""
    """As `sketch`, of the clipped values."""


class OutputRecord(Model):
    """The arrays after one launch or one backward pass."""

    kind: Literal["launch", "gradients"]
    process: int
    """Number of the process, by its start; 0 = first."""
    thread: int
    """Number of the thread within its process, by first launch."""
    number: int
    """Launch within its thread, or backward pass within its process; 1 = first."""
    kernel: str
    """Last component of the kernel's key; empty for gradients."""
    signature: str
    """As in the report's `launches`; empty for gradients."""
    occurrence: int
    """Which launch of its kernel and signature, or which backward pass; 1 = first."""
    arrays: list[ArraySummary]


class OutputsSeen(Model):
    """What one pass recorded."""

    records: list[OutputRecord]
    hashed_bytes: int
    left_out: int
    """Launches and backward passes that were to be recorded and were not: the budget was used up."""
    problems: list[str] = []
    """Sentences: what could not be recorded, and why."""


class Unstable(Model):
    """Something that two passes over the same program did not compute alike."""

    number: int
    kernel: str
    """Empty for gradients."""
    array: str
    process: int = 0
    thread: int = 0


class Outputs(Model):
    """The outputs of one program, by passes of their own outside the timed runs."""

    passes: int
    budget_bytes: int
    """Most bytes hashed in one pass."""
    hashed_bytes: int
    records: list[OutputRecord]
    """Of the first pass, as far as the report keeps them."""
    left_out: int
    """Launches that were not recorded, or are not kept here."""
    unstable: list[Unstable] = []
    """Where the passes differ from each other: the program itself is not deterministic there."""
    problems: list[str] = []
