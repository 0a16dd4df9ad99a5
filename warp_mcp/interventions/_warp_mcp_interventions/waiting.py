"""Waiting for Warp's modules to be imported, for every intervention.

What belongs here: calling back when a module has run, whichever finder found it (see the recorder's
`imports.py` for why the import system's own method is wrapped), and keeping our frames out of sight.
"""

import sys

CONTEXT = ("warp._src.context", "warp.context")
"""The module that holds `Module`, `launch` and `invoke`: its name since Warp 1.10, and the one before, which
is an alias in later releases and then has nothing of its own."""
CONFIG = ("warp.config", "warp._src.config")
"""The module of global options: its name in most releases, and the one of 1.10."""
UNSEEN = "<frozen importlib._bootstrap>"
"""File name that `warnings` passes over when it counts stack levels, and tracebacks of imports leave out."""

_waiting = {}


def when_imported(names, call, first=False):
    """Call `call(module)` each time one of the modules has run: at once for those that are there already.

    By default after the recorder has put its hooks in. With `first` before that, so that what the call does
    looks to the recorder like Warp's own doing. What the call raises is swallowed.
    """
    recorder = sys.modules.get("_warp_mcp_recorder._state") if first else None
    for name in names:
        if recorder is not None:
            recorder.before_hooks.append(_only(name, call))
        else:
            _wait(name, call)
        if name in sys.modules:
            _quietly(call, sys.modules[name])


def unseen(function, original=None):
    """Make a function's frame invisible to the stack levels of warnings, and name it like the original."""
    function.__code__ = function.__code__.replace(co_filename=UNSEEN)
    if original is not None:
        for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
            if hasattr(original, attribute):
                setattr(function, attribute, getattr(original, attribute))
        function.__wrapped__ = original
    return function


def drop_frame(error):
    """Take the innermost frame, the wrapper's own, off an exception that passes through; `raise` follows."""
    traceback = error.__traceback__
    if traceback is not None and traceback.tb_next is not None:
        error.__traceback__ = traceback.tb_next


def _wait(name, call):
    if not _waiting:
        basics = getattr(sys.modules.get("_frozen_importlib_external"), "_LoaderBasics", None)
        if basics is not None:
            basics.exec_module = _watching(basics.exec_module)
    _waiting.setdefault(name, []).append(call)


def _watching(original):
    waiting, quietly = _waiting, _quietly

    def exec_module(self, module):
        original(self, module)
        for call in waiting.get(module.__name__, ()):
            quietly(call, module)

    return unseen(exec_module)


def _only(name, call):
    def when_named(module):
        if module.__name__ == name:
            _quietly(call, module)

    return when_named


def _quietly(call, module):
    try:
        call(module)
    except Exception:
        pass
