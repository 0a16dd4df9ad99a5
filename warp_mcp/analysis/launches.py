"""What one run launched: counts, digests of each thread's order, and as much of it as a report holds."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from warp_mcp.analysis import sequences
from warp_mcp.analysis.contents import text_digest
from warp_mcp.analysis.sequences import Rolling, Stretch
from warp_mcp.analysis.signatures import count_signatures
from warp_mcp.analysis.thresholds import MOST_CHARACTERS, MOST_ENTRIES, MOST_SEQUENCES, MOST_WORK
from warp_mcp.models.launching import LaunchStream
from warp_mcp.models.recording import Problem, ProcessRecord, Recording
from warp_mcp.models.report import Launches, Sequence, SequenceSegment, Work

_LOST = {"record_cut", "uncounted_launches"}
"""Problems after which launches may be missing. A cut of signatures or of the order is none: the
counts and the digest go on beyond it."""

_LAUNCHING = ("invoke", "launch", "capture")
"""Words in the names of the hooks that see launches."""


class _Unit(NamedTuple):
    signature: str
    kernel: str
    digest: str


@dataclass(frozen=True)
class _Thread:
    """The launches of one thread: stretches over positions in a table of units shared by the whole run."""

    length: int
    stretches: list[Stretch]
    digest: str
    content_digest: str
    whole: bool
    """True when the digest is over every launch of the thread."""


class _Table:
    """The distinct units of work of a run, numbered, with the numbers that stand for them in digests."""

    def __init__(self) -> None:
        self.numbers: dict[_Unit, int] = {}
        self.units: list[_Unit] = []
        self.signatures: dict[int, int] = {}
        self.contents: dict[int, int] = {}

    def number(self, unit: _Unit) -> int:
        """The number of a unit; a new one for a unit not met before."""
        number = self.numbers.setdefault(unit, len(self.units))
        if number == len(self.units):
            self.units.append(unit)
            self.signatures[number] = sequences.unit(unit.signature)
            self.contents[number] = sequences.unit(f"{unit.signature}\n{unit.digest}")
        return number


def build_launches(recording: Recording, *, unrecorded: bool, stable: bool = True) -> Launches:
    """The launches of one run. `unrecorded`: a Python process of it left no record."""
    table = _Table()
    threads = [thread for process in recording.processes for thread in _threads(process, table)]
    threads.sort(key=lambda thread: (thread.digest, thread.content_digest))
    total = sum(process.launches for process in recording.processes)
    ordered = all(thread.whole for thread in threads) and sum(thread.length for thread in threads) == total
    kept, work, others = _Keeper(table).keep(threads)
    rows, distinct = count_signatures(recording)
    return Launches(
        total=total,
        distinct=distinct,
        by_signature=rows,
        other_signatures=distinct - len(rows),
        sequence_sha256=_combined(threads) if _recorded(recording) else None,
        work=work,
        sequences=kept,
        other_sequences=others,
        complete=_complete(recording, unrecorded, ordered),
        stable=stable,
    )


def _recorded(recording: Recording) -> bool:
    """Whether launches were counted at all: in a release whose internals moved there may be no way to."""
    return any(not _blind(process) for process in recording.processes)


def _blind(process: ProcessRecord) -> bool:
    return not process.launches and any(loses_launches(problem) for problem in process.problems)


def loses_launches(problem: Problem) -> bool:
    """Whether launches may be missing after a problem of the recorder."""
    if problem.code in ("hook_missing", "hook_failed"):
        return any(word in problem.detail.lower() for word in _LAUNCHING)
    return problem.code in _LOST


def _complete(recording: Recording, unrecorded: bool, ordered: bool) -> bool:
    lost = any(loses_launches(problem) for process in recording.processes for problem in process.problems)
    return bool(recording.processes) and not (recording.damaged or unrecorded or lost) and ordered


def _threads(process: ProcessRecord, table: _Table) -> list[_Thread]:
    units = {
        entry.slot: table.number(_Unit(entry.equivalence, entry.kernel, entry.kernel_digest))
        for entry in process.signatures
    }
    return [_thread(stream, units, table) for stream in process.streams if stream.length]


def _thread(stream: LaunchStream, units: dict[int, int], table: _Table) -> _Thread:
    stretches: list[Stretch] = []
    for segment in stream.segments:
        if any(slot not in units for slot in segment.pattern):
            break
        if segment.pattern and segment.length:
            stretches.append(Stretch(tuple(units[slot] for slot in segment.pattern), segment.length))
    told = sequences.told(stretches)
    whole = told == stream.length or (told == stream.known and stream.tail_digest is not None)
    used = {number for stretch in stretches for number in stretch.pattern}
    content_known = told == stream.length and all(table.units[number].digest for number in used)
    digest = _digest(sequences.roll_stretches(stretches, table.signatures), stream)
    content = _digest(sequences.roll_stretches(stretches, table.contents), stream) if content_known else ""
    return _Thread(stream.length, stretches, digest, content, whole)


def _digest(rolling: Rolling, stream: LaunchStream) -> str:
    return text_digest(f"{stream.length} {rolling.value} {stream.tail_digest or ''}")


def _combined(threads: Iterable[_Thread]) -> str:
    """Over the sorted digests, so that neither numbers of threads nor their interleaving matter."""
    text = "\n".join(sorted(thread.digest for thread in threads))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


class _Keeper:
    """Keeps the beginnings of sequences within the limits of a report, an equal share for each."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        self._indices: dict[int, int] = {}
        self._characters = 0

    def keep(self, threads: list[_Thread]) -> tuple[list[Sequence], list[Work], int]:
        """The kept sequences, the work they refer to, and how many threads are left out."""
        groups: dict[tuple[str, str], list[_Thread]] = {}
        for thread in threads:
            groups.setdefault((thread.digest, thread.content_digest), []).append(thread)
        kept = list(groups.values())[:MOST_SEQUENCES]
        share = MOST_ENTRIES // max(1, len(kept))
        found = [self._sequence(group[0], len(group), share) for group in kept]
        work = [self._work(number) for number in self._indices]
        return found, work, len(threads) - sum(len(group) for group in kept)

    def _sequence(self, thread: _Thread, count: int, share: int) -> Sequence:
        segments = self._segments(thread.stretches, share)
        known = sum(segment.length for segment in segments)
        return Sequence(
            length=thread.length,
            known=known,
            segments=segments,
            digest=thread.digest,
            checkpoints=self._checkpoints(thread) if known < thread.length else [],
            content_digest=thread.content_digest,
            threads=count,
        )

    def _segments(self, stretches: list[Stretch], share: int) -> list[SequenceSegment]:
        segments: list[SequenceSegment] = []
        for pattern, length in stretches:
            kept = self._affordable(pattern[:share])
            share -= max(len(kept), 1)
            whole = len(kept) == len(pattern)
            if kept:
                segments.append(
                    SequenceSegment(pattern=kept, length=length if whole else min(len(kept), length))
                )
            if not whole or share <= 0:
                break
        return segments

    def _affordable(self, pattern: tuple[int, ...]) -> list[int]:
        """The indices into `work` of a pattern, up to the first unit that there is no room for."""
        kept: list[int] = []
        for number in pattern:
            if number not in self._indices:
                size = len(self._table.units[number].signature)
                if len(self._indices) >= MOST_WORK or self._characters + size > MOST_CHARACTERS:
                    break
                self._characters += size
                self._indices[number] = len(self._indices)
            kept.append(self._indices[number])
        return kept

    def _work(self, number: int) -> Work:
        return Work(**self._table.units[number]._asdict())

    def _checkpoints(self, thread: _Thread) -> list[tuple[int, str]]:
        positions = sequences.checkpoint_positions(sequences.told(thread.stretches))
        found = sequences.checkpoints(thread.stretches, self._table.signatures, positions)
        return [(position, text_digest(str(rolling.value))) for position, rolling in found]
