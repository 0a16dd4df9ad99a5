"""Whether two runs launched the same work: what ran, in which order within each thread, by whatever names."""

from warp_mcp.analysis.matching import Numbering, pair_up, unmatched
from warp_mcp.models.report import Launches, Work


def by_signature(work: Work) -> str:
    """Two units are equal when their signatures are."""
    return work.signature


def same_launches(left: Launches, right: Launches, *, open_ended: bool) -> bool:
    """Whether two runs launched the same; with `open_ended`, as far as both went."""
    if left.sequence_sha256 is None or right.sequence_sha256 is None:
        return False
    if left.sequence_sha256 == right.sequence_sha256:
        return True
    return open_ended and common_part(left, right) is not None


def common_part(left: Launches, right: Launches) -> int | None:
    """How many launches both runs have in common when one was only ended earlier; `None` when they differ.

    Each thread of the one is then a beginning of a thread of the other, and neither has threads of its own.
    """
    ours, theirs = unmatched(left, right)
    numbering = Numbering(by_signature)
    pairs, alone, others = pair_up(
        [numbering.side(sequence, left.work) for sequence in ours],
        [numbering.side(sequence, right.work) for sequence in theirs],
    )
    if alone or others or left.other_sequences or right.other_sequences:
        return None
    if not all(pair.agreed and pair.cut_short for pair in pairs):
        return None
    matched = left.total - sum(pair.left.sequence.length for pair in pairs)
    return matched + sum(pair.agreed for pair in pairs)
