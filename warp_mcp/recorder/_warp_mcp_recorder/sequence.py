"""The launch sequence of one thread, kept in a memory map so that it survives any end of the process.

Layout of a `.launches` file, little-endian as the machine is:

    header, 64-bit words   0 magic  1 generation  2 thread  3 open run length, even generations
                           4 open run length, odd generations  5 1 once the sequence is cut
                           6 launches after the cut, even  7 same, odd  8-11 digest, even  12-15 digest, odd
                           16 launches of signatures beyond the limit
    at HEADER bytes        two halves of HALF entries of 32 bits: slot + 1, 0 = not written yet
    at COUNTS bytes        64-bit count for each slot, used once the sequence is cut

The launching thread writes one entry a launch into the half of the current generation. When that
half is full it is folded: what can be told for good goes into a `fold` line of the record, and
storing the next generation commits it. A reader takes the fold lines of generations below the
stored one, then the open run's length, then the entries of the current half. So no moment exists at
which a kill loses or doubles a launch.
"""

import hashlib
import mmap
import os
from array import array
from collections import Counter
from itertools import count

from . import _state, folding, hooks, wire

MAGIC = 0x7761727032
HEADER = 256
HALF = 4096
COUNTS = HEADER + 2 * HALF * 4
SIZE = COUNTS + 8 * wire.MAX_SIGNATURES
MAX_SEGMENTS = 16384
_NO_MORE = iter(())
OVERFLOW = 0x80000000
"""Set in an entry whose signature is beyond the limit; the rest is a checksum of the signature."""


class Area:
    """One mapped file; reused by another thread when its thread has ended.

    Room on disk is taken before the map is used: writing to a map without room ends a process with
    SIGBUS. Without room the map is memory alone, and its launches are written at an orderly end.
    """

    def __init__(self, path, number):
        self.number = number
        self.path = path
        self.in_memory = False
        view = memoryview(self._map(COUNTS))
        self.words = view[:HEADER].cast("Q")
        self.halves = tuple(
            view[HEADER + side * HALF * 4 : HEADER + (side + 1) * HALF * 4].cast("I") for side in (0, 1)
        )
        self._counts = None

    @property
    def counts(self):
        """64-bit count for each slot; made when a sequence is cut."""
        if self._counts is None:
            self._counts = memoryview(self._map(SIZE))[COUNTS:].cast("Q")
        return self._counts

    def _map(self, size):
        try:
            if self.in_memory:
                return mmap.mmap(-1, size)
            return self._map_file(size)
        except OSError:
            self.in_memory = True
            hooks.failed("launches file")
            return mmap.mmap(-1, size)

    def _map_file(self, size):
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(descriptor, 0, size)
            else:
                os.ftruncate(descriptor, size)
            # Never closed by us: a program that closes all descriptors may reuse the map's number.
            return mmap.mmap(descriptor, size)
        finally:
            os.close(descriptor)


class Sequence:
    """The launches of one thread. `half, n = open; half[next(n)] = slot + 1` is the whole path of a launch.

    Half and counter are taken as one, so that a launch from a signal handler that folds in between
    leaves the interrupted launch with a full half, never with one half and the other's counter.
    """

    __slots__ = (
        "open", "area", "thread", "generation", "run", "run_length", "history", "breaks", "position",
        "kept", "segments", "cut", "tail", "after_cut", "folded", "codes", "opened",
        "__weakref__",
    )  # fmt: skip

    def __init__(self, area, thread, codes):
        self.area = area
        self.thread = thread
        self.codes = codes
        self.generation = 0
        self.run = b""
        self.run_length = 0
        self.history = bytearray()
        self.breaks = []
        self.position = 0
        self.kept = 0
        self.segments = 0
        self.cut = False
        self.tail = hashlib.sha256()
        self.after_cut = 0
        self.folded = 0
        self.opened = False
        self._clear()
        _state.record.write({"e": "thread", "thread": thread, "area": area.number}, counted=False)

    def _clear(self):
        words = self.area.words
        words[0] = 0
        for index in range(1, len(words)):
            words[index] = 0
        words[2] = self.thread
        for half in self.area.halves:
            half[:] = memoryview(bytes(4 * HALF)).cast("I")
        words[0] = MAGIC
        self.open = self.area.halves[0], count()

    def append(self, slot):
        """Add one launch, folding first when the half is full."""
        half, n = self.open
        index = next(n, HALF)
        if index >= HALF:
            self.fold()
            half, n = self.open
            index = next(n)
        half[index] = slot + 1

    def pending(self):
        """Entries of the current half."""
        data = bytes(self.open[0])
        end = data.find(b"\0\0\0\0")
        while end >= 0 and end % 4:
            end = data.find(b"\0\0\0\0", end + 1)
        return data if end < 0 else data[:end]

    def length(self):
        """Launches so far."""
        return self.folded + len(self.pending()) // 4

    def fold(self, end=False, close=False):
        """Fold the current half and begin the other one; `close` ends the open run, `end` the sequence."""
        self.open = (
            self.open[0],
            _NO_MORE,
        )  # a launch from a signal handler must not go into what is being folded
        data = self.pending()
        closed = [] if not data else self._count(data) if self.cut else self._extend(data)
        self.folded += len(data) // 4
        if (end or close) and self.run:
            closed.append(self._close_run())
        self._commit(closed, end)

    def _extend(self, data):
        """Take `data` into the folded sequence. Returns the segments it closes."""
        closed = []
        if self.run:
            expected = folding.repeated(self.run, self.run_length, len(data))
            same = folding.common_prefix(data, expected)
            self.run_length += same
            self._remember(data[:same])
            if same == len(data):
                return closed
            closed.append(self._close_run())
            data = data[same:]
            self.breaks = (self.breaks + [self.position])[-64:]
        self._remember(data)
        if self._beyond_limit(data):
            return closed
        closed.extend(self._settle(data))
        return closed

    def _close_run(self):
        """The open run as a closed segment; its pattern is null when the record has it already."""
        pattern = [entry - 1 for entry in memoryview(self.run).cast("I")] if self.opened else None
        segment = [pattern, self.run_length // 4]
        self.run, self.run_length, self.opened = b"", 0, False
        return segment

    def _remember(self, data):
        self.position += len(data)
        self.history += data
        most = 2 * folding.MAX_PERIOD * folding.WIDTH
        if len(self.history) > most * 3 // 2:
            del self.history[:-most]

    def _settle(self, data):
        """Close what does not repeat, open a run for what does. Returns the closed segments."""
        distances = [self.position - place for place in self.breaks]
        distances += [b - a for a, b in zip(self.breaks, self.breaks[1:])]
        history = bytes(self.history)
        period, covered = folding.find_period(history, sorted(set(distances)), len(data))
        literal = data
        if period:
            literal = data[: len(data) - covered]
            start = len(history) - covered
            same = history[start - period : start] if covered < period else history[start : start + period]
            self.run, self.run_length = same, covered
            self.kept += period // 4
            self.opened = True
        segments = [[list(memoryview(p).cast("I")), n // 4] for p, n in folding.compress(literal)]
        self.kept += sum(len(pattern) for pattern, _ in segments)
        self.segments += len(segments) + 1
        return [[[entry - 1 for entry in pattern], n] for pattern, n in segments]

    def _beyond_limit(self, data):
        """Cut the sequence when it does not fold, or when a signature is beyond the limit."""
        full = self.kept >= wire.MAX_PATTERN_ENTRIES or self.segments >= MAX_SEGMENTS
        if not full and max(memoryview(data).cast("I")) < OVERFLOW:
            return False
        self._cut((self.position - len(data)) // 4, "")
        self._count(data)
        return True

    def _cut(self, known, why):
        self.cut = True
        self.tail = hashlib.sha256()
        self.history = bytearray()
        detail = "thread %d: order kept for the first %d launches%s" % (self.thread, known, why)
        _state.record.write({"e": "problem", "code": "sequence_cut", "detail": detail})

    def give_up_order(self, why):
        """Close what is known so far; from here on launches are counted, their order is not kept."""
        if not self.cut:
            self.fold()
            if self.run:
                self.fold(close=True)
            self._cut(self.folded, ": " + why)
        self.fold()

    def _count(self, data):
        """After the cut: counts by slot, and a running digest in place of the order."""
        entries = memoryview(data).cast("I")
        codes, counts = self.codes, self.area.counts
        self.tail.update(
            array("Q", map(codes.__getitem__, entries) if max(entries) < OVERFLOW else self._codes(entries))
        )
        self.after_cut += len(entries)
        for entry, number in Counter(entries).items():
            if entry > OVERFLOW:
                self.area.words[16] += number
            else:
                counts[entry - 1] += number
        return []

    def _codes(self, entries):
        """Codes where some entries stand for signatures without a slot: their checksum is their code."""
        return [self.codes[entry] if entry < OVERFLOW else entry for entry in entries]

    def _commit(self, closed, end):
        """Make the fold valid: line, open length and digest first, the generation last."""
        words, generation = self.area.words, self.generation
        if closed or self.opened or end:
            line = {"e": "fold", "thread": self.thread, "gen": generation, "closed": closed, "end": end}
            line["open"] = [e - 1 for e in memoryview(self.run).cast("I")] if self.opened else None
            if end and self.cut:
                line["tail"] = [self.after_cut, self.tail.hexdigest()]
            _state.record.write(line, counted=False)
        self.opened = False
        side = (generation + 1) % 2
        words[3 + side] = self.run_length // 4
        words[6 + side] = self.after_cut
        if self.cut:
            words[5] = 1
            digest = memoryview(self.tail.digest()).cast("Q")
            for index in range(4):
                words[8 + 4 * side + index] = digest[index]
        half = self.area.halves[side]
        half[:] = memoryview(bytes(4 * HALF)).cast("I")
        self.open = half, count()
        self.generation = generation + 1
        words[1] = generation + 1
