"""What ran, as a report keeps it: signatures with counts, and the order of each thread."""

from warp_mcp.models.base import Model
from warp_mcp.models.sequence import Sequence, Work


class SignatureCount(Model):
    """One launch signature, with its kernel's name, over all processes."""

    kernel: str
    module: str
    dim: list[int]
    device: str
    block_dim: int
    types: list[str]
    adjoint: bool
    count: int


class KernelContent(Model):
    """A kernel that was launched, with the digest of what it computes."""

    name: str
    digest: str
    defined_at: str | None


class Launches(Model):
    """What ran."""

    total: int
    distinct: int
    by_signature: list[SignatureCount]
    """Most frequent first; at most 500, the rest is counted in `other_signatures`."""
    other_signatures: int
    sequence_sha256: str | None
    """Over all threads of all processes, without kernel names; null when launches were not recorded."""
    work: list[Work]
    sequences: list[Sequence]
    """Of all threads that launched, equal ones once; by digest, so that thread numbers do not matter."""
    other_sequences: int = 0
    """Threads whose sequences are in `sequence_sha256` but are not kept here."""
    complete: bool
    """False when a record was cut, a launch could not be counted, or a process was not recorded."""
    stable: bool = True
    """Every completed sample made the same launches."""
