"""Nobody is to notice what a rehearsal does for itself: neither the recorder nor the program's output.

What belongs here: muting a thread for the recorder and for Warp's timers, and keeping what native code
writes to standard error in the meantime.
"""

import contextlib
import io
import os
import sys
import tempfile
import threading

from . import waiting

NO_DRIVER = "Could not find or load the NVIDIA CUDA driver"
_quiet = set()
"""Threads whose timers print nothing."""


@contextlib.contextmanager
def muted():
    """Nothing of what this thread does within is recorded or printed."""
    me = threading.get_ident()
    if me in _quiet:
        yield
        return
    state = sys.modules.get("_warp_mcp_recorder._state")
    _quiet.add(me)
    if state is not None:
        state.muted.add(me)
    try:
        yield
    finally:
        _quiet.discard(me)
        if state is not None:
            state.muted.discard(me)


def quiet_timers(utils):
    """Timers that a muted thread starts are inactive: Warp prints with them what it builds and loads."""
    timer = vars(utils).get("ScopedTimer")
    if timer is None or hasattr(timer.__init__, "__wrapped__"):
        return
    original = timer.__init__

    def __init__(self, name, active=True, *args, **kwargs):
        original(self, name, active and threading.get_ident() not in _quiet, *args, **kwargs)

    timer.__init__ = waiting.unseen(__init__, original)


@contextlib.contextmanager
def plain_log(config):
    """Warp's most talkative level prints from native code, where no thread is told apart: not within this."""
    values = vars(config)
    kept = {}
    if values.get("verbose"):
        kept["verbose"] = values["verbose"]
        values["verbose"] = False
    level = values.get("log_level")
    if isinstance(level, int) and level <= 10:
        kept["log_level"] = level
        values["log_level"] = 20
    try:
        yield
    finally:
        values.update(kept)


@contextlib.contextmanager
def native_errors(lines):
    """Add to a list, when the block raises, what was written to standard error within it.

    When it does not raise, that goes where it would have gone.
    """
    with _standard_error_kept() as written:
        raised = True
        try:
            yield
            raised = False
        finally:
            if raised:
                lines.extend(written().splitlines())
                written.forget = True


@contextlib.contextmanager
def without_warning():
    """Within the block Warp's warning that there is no driver is not shown; all else is."""
    with _standard_error_kept() as written:
        written.without = NO_DRIVER
        yield


class _Written:
    """What went to standard error's file in the meantime."""

    def __init__(self, file):
        self.file = file
        self.forget = False
        self.without = ""

    def __call__(self):
        self.file.seek(0)
        return self.file.read().decode("utf-8", "replace")

    def rest(self):
        """What is still to be shown."""
        if self.forget:
            return ""
        lines = self().splitlines(True)
        return "".join(line for line in lines if not self.without or self.without not in line)


@contextlib.contextmanager
def _standard_error_kept():
    try:
        kept = os.dup(2)
    except OSError:
        yield _Written(io.BytesIO())
        return
    with tempfile.TemporaryFile() as file:
        written = _Written(file)
        os.dup2(file.fileno(), 2)
        try:
            yield written
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            rest = written.rest()
            if rest:
                with contextlib.suppress(OSError):
                    os.write(2, rest.encode("utf-8", "replace"))
