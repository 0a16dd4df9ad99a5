"""The order of launches as a report keeps it: by thread, compressed, with digests that tell equal ones."""

from warp_mcp.models.base import Model


class SequenceSegment(Model):
    """A stretch of a launch sequence: `pattern` (indices into the report's `work`) repeated to `length`."""

    pattern: list[int]
    length: int


class Sequence(Model):
    """The launches of one thread, in order, as far as they are kept."""

    length: int
    known: int
    """How many launches the segments tell."""
    segments: list[SequenceSegment]
    digest: str
    """Digest of the whole sequence; equal for equal work, independent of how it was compressed."""
    checkpoints: list[tuple[int, str]] = []
    """(launches, digest of the first so many launches), ascending: locates a difference beyond `known`."""
    content_digest: str = ""
    """As `digest`, over the kernels' content too; empty when the content of a launched kernel is unknown."""
    threads: int = 1
    """Threads, over all processes, that made exactly this sequence."""


class Work(Model):
    """One distinct unit of work that sequences refer to: the signature without, and the kernel beside it."""

    signature: str
    kernel: str
    digest: str
