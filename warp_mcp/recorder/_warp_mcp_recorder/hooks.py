"""How a function of the program is replaced by one that also records.

Every hook goes through `install`. The wrapper it makes calls the original first or last, lets
every exception of the original pass, swallows every exception of its own, and leaves no frame in
tracebacks or between a warning and the line it names.
"""

import sys
from _thread import get_ident

from . import _state
from .clock import clock
from .looking import peek

UNSEEN = "<frozen importlib._bootstrap>"
"""File name that `warnings` passes over when it counts stack levels (see `_is_internal_frame` there)."""


def unseen(function):
    """Make a function's frame invisible to the stack levels of `warnings.warn`."""
    function.__code__ = function.__code__.replace(co_filename=UNSEEN)
    return function


def drop_frame(error):
    """Take the innermost frame, the wrapper's own, off an exception that is about to pass through.

    A bare `raise` after this keeps it off (since Python 3.11; before, the frame shows).
    """
    traceback = error.__traceback__
    if traceback is not None and traceback.tb_next is not None:
        error.__traceback__ = traceback.tb_next


def problem(code, detail):
    """Note in the record what the recorder could not do. Never raises."""
    try:
        _state.record.write({"e": "problem", "code": code, "detail": str(detail)[:500]})
    except Exception:
        pass


_noted = set()


def failed(name):
    """Note that a hook's own code raised, once for each kind: to be called from its `except`."""
    try:
        error = sys.exc_info()[1]
        kind = (name, type(error))
        if kind not in _noted:
            _noted.add(kind)
            problem("hook_failed", f"{name}: {type(error).__name__}: {error}")
    except Exception:  # the recursion limit may be a frame away
        pass


def around(original, before=None, after=None, name=""):
    """A function that calls `before`, the original, and `after`.

    `before(args, kwargs)` returns the token of `after(token, result, error, args, kwargs)`. Both are
    timed as the recorder's own time.
    """

    def hook(*args, **kwargs):
        token = _timed(name, before, args, kwargs) if before is not None else None
        try:
            result = original(*args, **kwargs)
        except BaseException as error:
            drop_frame(error)
            if after is not None:
                _timed(name, after, token, None, error, args, kwargs)
            raise
        if after is not None:
            _timed(name, after, token, result, None, args, kwargs)
        return result

    return unseen(_named_like(hook, original))


def _named_like(function, original):
    """What `functools.update_wrapper` does; importing it would cost every process of a run 1.5 ms."""
    for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
        if hasattr(original, attribute):
            setattr(function, attribute, getattr(original, attribute))
    function.__dict__.update(getattr(original, "__dict__", {}))
    function.__wrapped__ = original
    return function


def _timed(name, function, *args):
    if _state.muted and get_ident() in _state.muted:
        return None
    begin = clock.exact()
    try:
        return function(*args)
    except Exception:
        failed(name)
        return None
    finally:
        _state.hook_ns += clock.exact() - begin


def install(owner, names, before=None, after=None, required=True):
    """Wrap an attribute of `owner` in place: the first of `names` (or the one) that this Warp has.

    Where it has none, that is noted as a problem if the hook is required.
    """
    names = (names,) if isinstance(names, str) else names
    found = [name for name in names if peek(owner, name) is not None]
    where = " or ".join(f"{owner.__name__}.{name}" for name in found[:1] or names)
    if not found:
        if required:
            problem("hook_missing", where)
        return
    try:
        original = peek(owner, found[0])
        hook = around(original, before, after, where)
        setattr(owner, found[0], hook)
        package = vars(sys.modules.get("warp", owner))
        if package.get(found[0]) is original:  # Warp was imported before us, and has handed it on
            package[found[0]] = hook
    except Exception:
        failed(where)
