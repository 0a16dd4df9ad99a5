"""Where in the user's code something was asked for: `file:line` from the stack."""

import os
import sys

from . import _state

_recorder = os.path.dirname(os.path.abspath(__file__))
_stdlib = os.path.dirname(os.path.abspath(os.__file__))
_installed = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep)
_testing = tuple(os.sep + name + os.sep for name in ("_pytest", "pluggy"))
"""Machinery that calls tests and sets things for them: the line that asked for it is the test's."""
_demo = os.sep + "warp_mcp" + os.sep + "demo" + os.sep
"""The programs of `warp-mcp demo`, which lie where the package is installed."""
_kinds = {}
_paths = {}

PROGRAM, LIBRARY, WARP, INTERNAL = "program", "library", "warp", "internal"


def warp_directory():
    """Directory of the installed Warp, or None."""
    module = sys.modules.get("warp")
    path = getattr(module, "__file__", None)
    return os.path.dirname(os.path.abspath(path)) if path else None


def kind_of(filename):
    """Whose code a file is: the program's, an installed library's, Warp's, or internal (stdlib, ours).

    Warp's own examples and tests are programs: people measure them as such.
    """
    kind = _kinds.get(filename)
    if kind is None:
        kind = _kinds[filename] = _classify(filename)
    return kind


def _classify(filename):
    if filename.startswith("<"):
        return PROGRAM if filename in ("<string>", "<stdin>") or filename.startswith("<ipython") else INTERNAL
    path = absolute(filename)
    warp = warp_directory()
    if warp and path.startswith(warp + os.sep):
        inside = path[len(warp) + 1 :].split(os.sep)[0]
        return PROGRAM if inside in ("examples", "tests") else WARP
    if (
        path.startswith(_recorder + os.sep)
        or (os.sep + "warp_mcp" + os.sep + "interventions" + os.sep) in path
    ):
        return INTERNAL
    if _demo in path:
        return PROGRAM
    if any(part in path for part in _installed):
        return INTERNAL if any(part in path for part in _testing) else LIBRARY
    return INTERNAL if path.startswith(_stdlib + os.sep) else PROGRAM


def origin(depth=1):
    """(where, via) for the caller `depth` frames up.

    `where` is the innermost frame outside Warp and the standard library, `via` the outermost frame
    of the program when that is another one; each "file:line" or None.
    """
    frame = sys._getframe(depth + 1)
    where = outermost = None
    while frame is not None:
        kind = kind_of(frame.f_code.co_filename)
        if kind not in (WARP, INTERNAL):
            spot = (frame.f_code.co_filename, frame.f_lineno)
            where = where or spot
            if kind == PROGRAM:
                outermost = spot
        frame = frame.f_back
    via = outermost if outermost != where else None
    return _text(where), _text(via)


def absolute(filename):
    """A source file's absolute path, settled at first sight: the program may change its directory later."""
    path = _paths.get(filename)
    if path is None:
        path = filename
        if not filename.startswith("<"):
            path = os.path.normpath(os.path.join(_state.directory, filename))
            if not os.path.isabs(filename) and not os.path.exists(path):
                path = _from_here(filename)
        _paths[filename] = path
    return path


def _from_here(filename):
    try:
        return os.path.abspath(filename)
    except OSError:  # the working directory is gone
        return filename


def _text(spot):
    return "%s:%d" % (absolute(spot[0]), spot[1]) if spot is not None else None


def asked_by(frame, name, within=4):
    """True when a function of this name is among the nearest frames above `frame`; decorators lie between."""
    for _ in range(within):
        frame = frame.f_back
        if frame is None:
            return False
        if frame.f_code.co_name == name:
            return True
    return False
