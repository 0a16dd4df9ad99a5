"""Counting a launch: which signature it has, and the slot that stands for it.

A signature is the launch bounds and what the entry point (Warp's KernelHooks) stands for. Tables of
slots hang on the entry points, so that two lookups tell the slot of almost every launch.
"""

import zlib

from . import _state, builds, kernels, threads
from .clock import clock

FORWARD, ADJOINT = "_warp_mcp_forward", "_warp_mcp_adjoint"
"""Attributes on an entry point that hold its slots, by launch bounds."""


class Table(dict):
    """Slots of one entry point in one direction, by the bytes of the launch bounds."""

    __slots__ = ("base", "bounds_type", "epoch", "launched", "size_at")

    def __missing__(self, key):
        """Slot + 1 of bounds seen for the first time, without the price of an exception.

        Raises `KeyError` where the long way has to be taken: see `record_launch`.
        """
        log = threads.log
        local = log.local
        if self.epoch is not log.epoch or local.busy:
            raise KeyError(key)
        begin = clock.exact()
        local.busy = True
        try:
            with log.lock:
                slot = log.signatures.find(self, key)
        finally:
            local.busy = False
            _state.hook_ns += clock.exact() - begin
        if local.waiting:
            _count_waiting(local)
        return slot


def record_launch(kernel, entry, key, bounds, adjoint):
    """Count a launch of `entry` (Warp's KernelHooks) with these bounds.

    A signal handler or a callback of the garbage collector may launch while its own thread is in
    here. Such a launch waits its turn: nothing below is fit to be entered twice.
    """
    threads.own_sequence()
    local = threads.log.local
    local.waiting.append((kernel, entry, key, bounds, adjoint))
    if not local.busy:
        _count_waiting(local)


def _count_waiting(local):
    local.busy = True
    try:
        while local.waiting:
            _count(*local.waiting.pop(0))
    finally:
        local.busy = False


def _count(kernel, entry, key, bounds, adjoint):
    if bounds.size:  # without threads nothing runs; a recorded command may be given such bounds
        slot = slot_of(kernel, entry, key, bounds, adjoint)
        threads.own_sequence().append(slot - 1)


def slot_of(kernel, entry, key, bounds, adjoint):
    """Slot + 1 of a signature; above OVERFLOW when there is no room for another one."""
    name = ADJOINT if adjoint else FORWARD
    table = getattr(entry, name, None)
    if table is None or table.epoch is not threads.log.epoch:
        table = _new_table(kernel, entry, adjoint, type(bounds))
        setattr(entry, name, table)
    slot = table.get(key)
    if slot is None:
        with threads.log.lock:
            slot = threads.log.signatures.find(table, key)
    return slot


def _new_table(kernel, entry, adjoint, bounds_type):
    """The table for what an entry point stands for: one for all that stand for the same.

    A kernel declared again in a loop has a new entry point each time; it must not have a new table.
    """
    if threads.log.first:
        threads.log.first = False
        _state.record.write({"e": "mark", "name": "first_launch", "t": clock.now()})
    stands_for = builds.identity_of(kernel.module, entry)
    stands_for["kernel"] = kernels.last_name(kernel)
    stands_for["digest"] = kernels.content_of(kernel)
    stands_for["types"] = kernels.argument_types(kernel)
    stands_for["adjoint"] = bool(adjoint)
    known = repr(sorted(stands_for.items()))
    with threads.log.lock:
        table = threads.log.tables.get(known)
        if table is None:
            table = threads.log.tables[known] = _described_table(stands_for, bounds_type)
    return table


def _described_table(stands_for, bounds_type):
    table = Table()
    table.bounds_type = bounds_type
    table.size_at = bounds_type.size.offset
    table.epoch = threads.log.epoch
    table.launched = len(threads.log.tables)
    way = [stands_for[name] for name in ("device", "block_dim", "types", "adjoint")]
    table.base = zlib.crc32(repr(way).encode("utf-8", "replace"))
    _state.record.write({"e": "launched", "id": table.launched, **stands_for})
    return table
