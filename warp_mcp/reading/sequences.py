"""Launch sequences: fold lines of the record and the memory map of each thread, put together.

The layout of a map is described in the recorder's `sequence.py`. What a map holds beyond the fold
lines is the work of a process that was ended without warning.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from warp_mcp.models.launching import LaunchStream, Segment
from warp_mcp.reading.lines import Event

MAGIC = 0x7761727032
HEADER_BYTES = 256
HALF_ENTRIES = 4096
COUNTS_AT = HEADER_BYTES + 2 * HALF_ENTRIES * 4


@dataclass
class Threads:
    """What the threads of one process launched."""

    streams: list[LaunchStream] = field(default_factory=list[LaunchStream])
    counts: Counter[int] = field(default_factory=Counter[int])
    """Launches by slot."""
    beyond: int = 0
    """Launches whose signature found no room."""


@dataclass
class _Map:
    """The decoded header and tail of one `.launches` file."""

    generation: int
    thread: int
    open_length: int
    cut: bool
    after_cut: int
    digest: str
    beyond: int
    tail: list[int]
    counts: dict[int, int]


def read_threads(events: list[Event], record: Path) -> Threads:
    """Launch sequences of every thread of one process."""
    maps = _maps(record)
    result = Threads()
    folds: dict[int, list[Event]] = {}
    for event in events:
        if event["e"] == "fold":
            folds.setdefault(event["thread"], []).append(event)
    for event in events:
        if event["e"] == "thread":
            thread = event["thread"]
            _add_thread(result, thread, folds.get(thread, []), maps.get(thread))
    return result


def _add_thread(result: Threads, thread: int, folds: list[Event], found: _Map | None) -> None:
    segments, pattern, ended, tail = _closed_segments(folds, found)
    if found is not None and not ended:
        if pattern and found.open_length:
            segments.append(Segment(pattern=pattern, length=found.open_length))
        if found.tail and not found.cut:
            _append_tail(segments, found.tail)
    known = sum(segment.length for segment in segments)
    after, digest = _beyond_the_cut(found, ended, tail, result)
    for segment in segments:
        _count(segment, result.counts)
    if known + after:
        stream = LaunchStream(
            thread=thread,
            length=known + after,
            segments=segments,
            known=known,
            tail_digest=digest if after else None,
        )
        result.streams.append(stream)


def _append_tail(segments: list[Segment], tail: list[int]) -> None:
    """Add the unfolded entries: to the last run as far as they continue it, the rest as they are."""
    if segments:
        run = segments[-1]
        period = len(run.pattern)
        same = 0
        while same < len(tail) and tail[same] == run.pattern[(run.length + same) % period]:
            same += 1
        segments[-1] = Segment(pattern=run.pattern, length=run.length + same)
        tail = tail[same:]
    if tail:
        segments.append(Segment(pattern=tail, length=len(tail)))


def _closed_segments(
    folds: list[Event], found: _Map | None
) -> tuple[list[Segment], list[int] | None, bool, tuple[int, str] | None]:
    """(closed segments, pattern of the open run, whether the thread ended, its tail beyond a cut)."""
    segments: list[Segment] = []
    pattern: list[int] | None = None
    for fold in folds:
        if not fold["end"] and found is not None and fold["gen"] >= found.generation:
            continue  # written, but its process ended before the fold became valid
        for closed, length in fold["closed"]:
            told = closed if closed is not None else pattern
            if told:
                segments.append(Segment(pattern=told, length=length))
            pattern = None
        pattern = fold["open"] or pattern
        if fold["end"]:
            tail = fold.get("tail")
            return segments, None, True, (tail[0], tail[1]) if tail else None
    return segments, pattern, False, None


def _beyond_the_cut(
    found: _Map | None, ended: bool, tail: tuple[int, str] | None, result: Threads
) -> tuple[int, str]:
    """(launches, digest) beyond the cut; their counts by slot go into `result`."""
    if found is None or not found.cut:
        return tail or (0, "")
    result.counts.update(found.counts)
    result.beyond += found.beyond
    if ended and tail:
        return tail
    # What the last, unfolded half holds is counted, but no longer in the digest.
    result.counts.update(slot for slot in found.tail if slot < 0x80000000)
    result.beyond += sum(slot >= 0x80000000 for slot in found.tail)
    digest = f"{found.digest}+{len(found.tail)}:{hash_of(found.tail)}" if found.tail else found.digest
    return found.after_cut + len(found.tail), digest


def hash_of(slots: list[int]) -> str:
    """Short digest of a list of slots."""
    import hashlib

    return hashlib.sha256(repr(slots).encode("ascii")).hexdigest()[:16]


def _count(segment: Segment, counts: Counter[int]) -> None:
    whole, rest = divmod(segment.length, len(segment.pattern))
    for slot, number in Counter(segment.pattern).items():
        counts[slot] += number * whole
    counts.update(segment.pattern[:rest])


def _maps(record: Path) -> dict[int, _Map]:
    """Maps of a process by the number of the thread that used each last."""
    found: dict[int, _Map] = {}
    stem = record.name.removesuffix(".jsonl")
    for path in record.parent.glob(f"{stem}.*.launches"):
        decoded = _decode(path.read_bytes())
        if decoded is not None:
            found[decoded.thread] = decoded
    return found


def _decode(data: bytes) -> _Map | None:
    """None for a map that was never begun."""
    if len(data) < COUNTS_AT:
        return None
    words = memoryview(data)[:HEADER_BYTES].cast("Q")
    if words[0] != MAGIC:
        return None
    generation, side = words[1], words[1] % 2
    half_at = HEADER_BYTES + side * HALF_ENTRIES * 4
    half = memoryview(data)[half_at : half_at + HALF_ENTRIES * 4].cast("I").tolist()
    tail = half[: half.index(0)] if 0 in half else half
    cut = bool(words[5])
    digest = b"".join(words[8 + 4 * side + index].to_bytes(8, "little") for index in range(4)).hex()
    return _Map(
        generation=generation,
        thread=words[2],
        open_length=words[3 + side],
        cut=cut,
        after_cut=words[6 + side],
        digest=digest,
        beyond=words[16],
        tail=[entry - 1 for entry in tail],
        counts=_slot_counts(data) if cut else {},
    )


def _slot_counts(data: bytes) -> dict[int, int]:
    end = COUNTS_AT + (len(data) - COUNTS_AT) // 8 * 8
    counts = memoryview(data)[COUNTS_AT:end].cast("Q").tolist()
    return {slot: number for slot, number in enumerate(counts) if number}
