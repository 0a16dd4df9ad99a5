"""The launch log of this process: one sequence for each thread that launches.

What belongs here: making a thread's sequence at its first launch, closing it when the thread ends,
and beginning anew in a forked child. What a launch is counted as is the business of `counting.py`.
"""

import _thread
import os
import sys
import weakref
from typing import Any

from . import _state, hooks, sequence
from .signatures import Signatures

MAX_THREADS = 4096
"""Threads whose order of launches is kept."""


class Log:
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


log = Log()


def after_fork():
    """Forget the parent's launches: the child's own begin at zero."""
    global log
    old, log = log, Log()
    log.parent = old
    for table in old.tables.values():
        table.clear()  # entry points made before the fork still hold it


def own_sequence():
    """The calling thread's sequence, made at its first launch."""
    try:
        return log.local.sequence
    except AttributeError:
        pass
    with log.lock:
        own = log.spare.pop() if log.spare else _new_sequence()
    log.local.busy, log.local.waiting = False, []
    log.local.sequence = own
    log.local.end = _AtThreadEnd(log, own)
    return own


def _new_sequence():
    area = log.free.pop() if log.free else _new_area()
    own = sequence.Sequence(area, log.threads, log.signatures.codes)
    log.threads += 1
    log.sequences.add(own)
    return own


def _new_area():
    path = "%s.%d.launches" % (_state.record.path[: -len(".jsonl")], log.areas)
    log.areas += 1
    return sequence.Area(path, log.areas - 1)


class _AtThreadEnd:
    """Dies with its thread's locals: writes the sequence out and frees its map for the next thread."""

    def __init__(self, of, own):
        self.of = of
        self.own = own
        self.pid = os.getpid()

    def __del__(self):
        try:
            # A fork ends the other threads' locals in the child, whose maps are still the parent's.
            if self.of is log and self.pid == os.getpid() and not sys.is_finalizing():
                with self.of.lock:
                    _thread_ended(self.of, self.own)
        except Exception:
            pass


def _thread_ended(of, own):
    if of.threads >= MAX_THREADS:
        # From here on threads share sequences, counted but without order: the record stays bounded.
        own.give_up_order("more than %d threads launched" % MAX_THREADS)
        of.spare.append(own)
        return
    own.fold(end=True)
    of.finished += own.folded
    of.sequences.discard(own)
    if not own.cut:
        of.free.append(own.area)


def write_counts():
    """At the end: bring the digest of a cut sequence up to its last launch."""
    own = getattr(log.local, "sequence", None)
    if own is not None and own.cut:
        own.fold()
    log.signatures.flush()
    for one in list(log.sequences):
        if one.area.in_memory:
            one.fold(end=True)
    if _state.lost:
        hooks.problem("uncounted_launches", f"{_state.lost} launches could not be counted")


def total():
    """Launches that ran in this process so far."""
    return log.finished + sum(one.length() for one in list(log.sequences))
