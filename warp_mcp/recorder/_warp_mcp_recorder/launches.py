"""Launches: the wrapper on the path of every launch, and what it does the first time.

`invoke` and `invoke_cpu_blocks` are where Warp hands a CPU kernel to native code: device,
block_dim, overload and adjoint are resolved there, and a launch that was refused never arrives.
On CUDA the same place is `runtime.core.wp_cuda_launch_kernel`. Counting is after the call, so a
launch that raised did not run.

A signature is the launch bounds and what the entry point (`hooks`) stands for; so two lookups, in
dictionaries that hang on the entry point and die with it, tell the slot of a launch.
"""

import _thread
import os
import sys
import weakref
import zlib
from typing import Any

from . import _state, builds, hooks, kernels, sequence
from .clock import clock
from .looking import peek
from .signatures import Signatures

FORWARD, ADJOINT = "_warp_mcp_forward", "_warp_mcp_adjoint"
"""Attributes on an entry point that hold its slots, by launch bounds."""

MAX_THREADS = 4096
"""Threads whose order of launches is kept."""


class _Log:
    """Everything about launches that a forked child begins anew."""

    def __init__(self):
        self.epoch = object()
        self.local = _thread._local()
        self.lock = _thread.allocate_lock()
        self.signatures = Signatures()
        self.threads = 0
        self.areas = 0
        self.free = []
        self.sequences = weakref.WeakSet()
        self.finished = 0
        self.first = True
        self.tables = {}
        self.spare = []
        self.parent: Any = None
        """Before a fork: its maps must not be unmapped, their descriptors may be the program's by now."""


_log = _Log()


def after_fork():
    """Forget the parent's launches: the child's own begin at zero."""
    global _log
    old, _log = _log, _Log()
    _log.parent = old
    for table in old.tables.values():
        table.clear()  # entry points made before the fork still hold it
    _wrapped.clear_local(_log.local)


def write_counts():
    """At the end: bring the digest of a cut sequence up to its last launch."""
    own = getattr(_log.local, "sequence", None)
    if own is not None and own.cut:
        own.fold()
    _log.signatures.flush()
    for one in list(_log.sequences):
        if one.area.in_memory:
            one.fold(end=True)
    if _state.lost:
        hooks.problem("uncounted_launches", f"{_state.lost} launches could not be counted")


def total():
    """Launches that ran in this process so far."""
    return _log.finished + sum(one.length() for one in list(_log.sequences))


class _Table(dict):
    """Slots of one entry point in one direction, by the bytes of the launch bounds."""

    __slots__ = ("base", "bounds_type", "epoch", "launched", "size_at")

    def __missing__(self, key):
        """Slot + 1 of bounds seen for the first time, without the price of an exception.

        Raises `KeyError` where the long way has to be taken: see `record_launch`.
        """
        log = _log
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


class _Wrapped:
    """Makes the wrappers; they share the thread-local that a fork replaces."""

    def __init__(self):
        self.cell = [_log.local]

    def clear_local(self, local):
        self.cell[0] = local

    def make(self, original):
        """Wrap `invoke` or `invoke_cpu_blocks`. Runs on every launch: nothing here that need not be."""
        cell = self.cell

        def invoke(kernel, hooks, params, adjoint):
            try:
                original(kernel, hooks, params, adjoint)
            except BaseException as error:
                drop_frame(error)
                raise
            try:
                half, n = cell[0].sequence.open
                slot = (hooks._warp_mcp_adjoint if adjoint else hooks._warp_mcp_forward)[bytes(params[0])]
                half[next(n)] = slot
            except Exception:
                unusual(kernel, hooks, params[0], adjoint)

        drop_frame = _drop_frame
        unusual = _unusual
        return hooks.unseen(invoke)


_drop_frame = hooks.drop_frame


def _unusual(kernel, entry, bounds, adjoint):
    """A launch that the short path could not take: new thread, new signature, or a full half."""
    begin = clock.exact()
    try:
        record_launch(kernel, entry, bytes(bounds), bounds, adjoint)
    except Exception:
        _state.lost += 1
        hooks.failed("launch")
    _state.hook_ns += clock.exact() - begin


def record_launch(kernel, entry, key, bounds, adjoint):
    """Count a launch of `entry` (Warp's KernelHooks) with these bounds.

    A signal handler or a callback of the garbage collector may launch while its own thread is in
    here. Such a launch waits its turn: nothing below is fit to be entered twice.
    """
    own_sequence()
    local = _log.local
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
        own_sequence().append(slot - 1)


def own_sequence():
    """The calling thread's sequence, made at its first launch."""
    try:
        return _log.local.sequence
    except AttributeError:
        pass
    with _log.lock:
        own = _log.spare.pop() if _log.spare else _new_sequence()
    _log.local.busy, _log.local.waiting = False, []
    _log.local.sequence = own
    _log.local.end = _AtThreadEnd(_log, own)
    return own


def _new_sequence():
    area = _log.free.pop() if _log.free else _new_area()
    own = sequence.Sequence(area, _log.threads, _log.signatures.codes)
    _log.threads += 1
    _log.sequences.add(own)
    return own


def _new_area():
    path = "%s.%d.launches" % (_state.record.path[: -len(".jsonl")], _log.areas)
    _log.areas += 1
    return sequence.Area(path, _log.areas - 1)


class _AtThreadEnd:
    """Dies with its thread's locals: writes the sequence out and frees its map for the next thread."""

    def __init__(self, log, own):
        self.log = log
        self.own = own
        self.pid = os.getpid()

    def __del__(self):
        try:
            log = self.log
            # A fork ends the other threads' locals in the child, whose maps are still the parent's.
            if log is _log and self.pid == os.getpid() and not sys.is_finalizing():
                with log.lock:
                    _thread_ended(log, self.own)
        except Exception:
            pass


def _thread_ended(log, own):
    if log.threads >= MAX_THREADS:
        # From here on threads share sequences, counted but without order: the record stays bounded.
        own.give_up_order("more than %d threads launched" % MAX_THREADS)
        log.spare.append(own)
        return
    own.fold(end=True)
    log.finished += own.folded
    log.sequences.discard(own)
    if not own.cut:
        log.free.append(own.area)


def slot_of(kernel, entry, key, bounds, adjoint):
    """Slot + 1 of a signature; above OVERFLOW when there is no room for another one."""
    name = ADJOINT if adjoint else FORWARD
    table = getattr(entry, name, None)
    if table is None or table.epoch is not _log.epoch:
        table = _new_table(kernel, entry, adjoint, type(bounds))
        setattr(entry, name, table)
    slot = table.get(key)
    if slot is None:
        with _log.lock:
            slot = _log.signatures.find(table, key)
    return slot


def _new_table(kernel, entry, adjoint, bounds_type):
    """The table for what an entry point stands for: one for all that stand for the same.

    A kernel declared again in a loop has a new entry point each time; it must not have a new table.
    """
    if _log.first:
        _log.first = False
        _state.record.write({"e": "mark", "name": "first_launch", "t": clock.now()})
    stands_for = builds.identity_of(kernel.module, entry)
    stands_for["kernel"] = kernels.last_name(kernel)
    stands_for["digest"] = kernels.content_of(kernel)
    stands_for["types"] = kernels.argument_types(kernel)
    stands_for["adjoint"] = bool(adjoint)
    known = repr(sorted(stands_for.items()))
    with _log.lock:
        table = _log.tables.get(known)
        if table is None:
            table = _log.tables[known] = _described_table(stands_for, bounds_type)
    return table


def _described_table(stands_for, bounds_type):
    table = _Table()
    table.bounds_type = bounds_type
    table.size_at = bounds_type.size.offset
    table.epoch = _log.epoch
    table.launched = len(_log.tables)
    way = [stands_for[name] for name in ("device", "block_dim", "types", "adjoint")]
    table.base = zlib.crc32(repr(way).encode("utf-8", "replace"))
    _state.record.write({"e": "launched", "id": table.launched, **stands_for})
    return table


_wrapped = _Wrapped()


def install(context):
    """Wrap the ways a kernel is launched."""
    for name, required in (("invoke", True), ("invoke_cpu_blocks", False)):
        original = peek(context, name)
        if original is None:
            if required:
                hooks.problem("hook_missing", f"{context.__name__}.{name}")
            continue
        setattr(context, name, _wrapped.make(original))


def watch_cuda(runtime):
    """Wrap the CUDA launch function, once Warp's native library is loaded and a device was found."""
    if runtime is None or not peek(runtime, "cuda_devices"):
        return
    from . import cuda

    runtime.core.wp_cuda_launch_kernel = cuda.make(runtime.core.wp_cuda_launch_kernel, runtime)
