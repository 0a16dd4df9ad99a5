"""The launches of one process as they were recorded: signatures with counts, and the order of each thread."""

from warp_mcp.models.base import Model


class Signature(Model):
    """One launch signature of one process, and how often it ran."""

    slot: int
    module: int
    hash: str
    """Identity that was launched; with `device` and `block_dim` it names the entry of `modules`."""
    kernel: str
    """Last component of the kernel's key. Not part of equivalence."""
    kernel_digest: str
    """Digest over the kernel's content; empty when unknown."""
    device: str
    block_dim: int
    dim: list[int]
    types: list[str]
    adjoint: bool
    count: int

    @property
    def equivalence(self) -> str:
        """Text that is equal exactly when two launches are the same work, by whatever kernel name."""
        shape = "x".join(map(str, self.dim))
        way = "adjoint" if self.adjoint else "forward"
        return f"[{shape}] {self.device} block_dim={self.block_dim} {way} ({', '.join(self.types)})"


class Segment(Model):
    """A stretch of a launch sequence: `pattern` repeated until `length` launches are told."""

    pattern: list[int]
    """Slots."""
    length: int
    """Launches in this stretch; may end in the middle of the pattern."""


class LaunchStream(Model):
    """The launches of one thread in order."""

    thread: int
    """Number of the thread within its process, by first launch."""
    length: int
    """Launches in all, also beyond a cut."""
    segments: list[Segment]
    """Compressed sequence; tells the first `known` launches."""
    known: int
    """How many launches the segments tell. Less than `length` when the sequence was cut."""
    tail_digest: str | None
    """Running digest of everything beyond `known`; null when nothing is."""
