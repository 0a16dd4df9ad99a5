"""Launch signatures of this process: a slot for each, within bounds of number and memory.

The tables that hang on Warp's entry points answer almost every launch. They hold the first HOT
signatures; the others are found again here, through their codes, at a tenth of the memory.
"""

import zlib
from array import array

from . import _state, hooks, sequence, wire

HOT = 32768
"""Signatures kept in the fast tables, at about 140 bytes each."""

PLACES = 4 * wire.MAX_SIGNATURES
"""Places of the open-addressed index; at most a quarter of it is in use, so probes are short."""


ALONE = 1024
TOGETHER = 64
"""The first ALONE descriptions are written at once, so that a kill loses none of them; where there are more
they hardly repeat, and are written so many at a time."""

_NO_THREADS = bytes(8)


class Signatures:
    """Slots by number. Not locked: the caller holds the lock."""

    def __init__(self):
        self.codes = array("Q", (0,))
        """64-bit code of each signature by slot + 1, as the entries of a sequence are."""
        self.index = array("I")
        self.cut = False
        self.lines = []
        """Descriptions not yet in the record."""

    def find(self, table, key):
        """Slot + 1 of the launch bounds `key` of one table, new or known; above OVERFLOW when full.

        Raises `KeyError` for bounds without threads, which nothing runs for.
        """
        if key in table:  # another thread was first
            return table[key]
        if key[table.size_at : table.size_at + 8] == _NO_THREADS:
            raise KeyError(key)
        code = _code(table, key)
        slot = self._known(code) if self.index else 0
        if slot:
            return slot
        if len(self.codes) > wire.MAX_SIGNATURES:
            self._note_cut()
            return (sequence.OVERFLOW | (code & 0x7FFFFFFE)) + 1
        return self._add(table, key, code)

    def _add(self, table, key, code):
        slot = len(self.codes)
        self.codes.append(code)
        if slot < HOT:
            table[key] = slot
        else:
            self._enter(code, slot)
        shape = dimensions(table.bounds_type.from_buffer_copy(key))
        line = '{"e":"signature","slot":%d,"launched":%d,"dim":%s}\n' % (slot - 1, table.launched, shape)
        self.lines.append(line)
        if slot <= ALONE or len(self.lines) >= TOGETHER:
            self.flush()
        return slot

    def flush(self):
        """Write the descriptions that are still to be written."""
        lines, self.lines = self.lines, []
        if lines:
            _state.record.append("".join(lines).encode("ascii"))

    def _place(self, code):
        """Where a code is in the index, or would be."""
        place = code % PLACES
        while self.index[place] and self.codes[self.index[place]] != code:
            place = (place + 1) % PLACES
        return place

    def _known(self, code):
        return self.index[self._place(code)]

    def _enter(self, code, slot):
        if not self.index:
            self.index = array("I", bytes(4 * PLACES))
        self.index[self._place(code)] = slot

    def _note_cut(self):
        if not self.cut:
            self.cut = True
            hooks.problem("signatures_cut", "more than %d distinct launch signatures" % wire.MAX_SIGNATURES)


def _code(table, key):
    """64 bits that are equal for equal work: the table's resolved types and device, and the bounds.

    Two checksums of different linear maps of the same bytes; the codes only have to differ by
    chance, nobody attacks them.
    """
    return zlib.crc32(key, table.base) << 32 | zlib.crc32(key[::-1], ~table.base & 0xFFFFFFFF)


def dimensions(bounds):
    """Launch dimensions as a list, from the structure Warp hands to the kernel.

    Up to 1.12 the structure has room for four and an `ndim`; later it is as long as the kernel's
    grid, and dimensions beyond that are folded into `coord_mult`.
    """
    shape = list(bounds.shape)
    ndim = getattr(bounds, "ndim", None)
    if ndim is not None:
        shape = shape[:ndim]
    extra = getattr(bounds, "coord_mult", 1)
    return [int(n) for n in shape] + ([int(extra)] if extra != 1 else [])
