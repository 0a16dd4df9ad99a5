"""What the source of a build consists of: its size, how much of it is adjoint code, how much unrolled loops.

Sizes are counted where the code is generated. A loop that is unrolled n times leaves n times the
statements of its body; what it would leave without that is told here, loops within loops included, where a
lower budget would change it.
"""

import _thread
import re

from . import hooks, phases
from .looking import peek

_ADJOINT = re.compile(r"^[^\n#/]*\bvoid (?:adj_\w+|\w+_backward)\(.*?^\}", re.MULTILINE | re.DOTALL)
"""A function at the top of the generated source that is adjoint: Warp's own names for them."""

_threads = _thread._local()


def _generated(_token, result, _error, _args, _kwargs):
    build = phases.current()
    if build is not None and isinstance(result, str):
        build.source_bytes += _size(result)
        build.adjoint_bytes += sum(_size(one[0]) for one in _ADJOINT.finditer(result))


def _size(text):
    """Bytes without `#line` lines: those cost nothing to compile."""
    total = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    if "#line" in text:
        total -= sum(len(line) + 1 for line in text.split("\n") if line.lstrip().startswith("#line"))
    return total


# --- unrolled loops -----------------------------------------------------------------------------


SHORT = 4
"""Loops of so few iterations stay unrolled at the budget that is advised, so they are not counted."""


class _Loop:
    """One `for` of a kernel while code is generated from it."""

    __slots__ = ("start", "forced", "times", "saved")

    def __init__(self, start, forced):
        self.start = start
        self.forced = forced
        """Warp unrolls it whatever the budget, because `wp.static` needs its variable."""
        self.times = 1
        self.saved = 0
        """Statements that unrolling added, by loops within this one and then by this one."""


def _statements(adj):
    blocks = peek(adj, "blocks")
    return len(blocks[-1].body_forward) if blocks else 0


def _loop_begins(args, _kwargs):
    if phases.current() is None:
        return None
    if not hasattr(_threads, "loops"):
        _threads.loops = []
    loop = _Loop(_statements(args[0]), _has_static(args[1]))
    _threads.loops.append(loop)
    return loop


def _has_static(node):
    """Whether the body of a loop calls `static`, by whatever name of Warp."""
    import ast  # Warp has imported it

    calls = (one.func for part in node.body for one in ast.walk(part) if isinstance(one, ast.Call))
    return any(getattr(func, "attr", getattr(func, "id", "")) == "static" for func in calls)


def _range_decided(_token, result, error, _args, _kwargs):
    loops = getattr(_threads, "loops", None)
    if loops and error is None and isinstance(result, range) and not loops[-1].forced:
        loops[-1].times = len(result) if len(result) > SHORT else 1


def _loop_ends(loop, _result, error, args, _kwargs):
    loops, build = getattr(_threads, "loops", None), phases.current()
    if loop is None or not loops:
        return
    del loops[loops.index(loop) :]
    if error is not None or build is None:
        return
    size = _statements(args[0]) - loop.start
    rolled = (size - loop.saved) / loop.times
    saved = int(size - rolled)
    if loops:
        loops[-1].saved += saved
    else:
        build.unrolled += saved


def _function_generated(_token, _result, error, args, _kwargs):
    """A function or kernel is complete: its first block holds its forward statements."""
    build = phases.current()
    blocks = peek(args[0], "blocks")
    if build is not None and error is None and blocks:
        build.statements += len(blocks[0].body_forward)


def install(context, codegen):
    """Put the hooks in: around those that time the phases, so that measuring is in none of them."""
    hooks.install(context.ModuleBuilder, "codegen", after=_generated)
    adjoint = codegen.Adjoint
    hooks.install(adjoint, "build", after=_function_generated)
    hooks.install(adjoint, "get_unroll_range", after=_range_decided)
    original = peek(adjoint, "emit_For")
    hooks.install(adjoint, "emit_For", before=_loop_begins, after=_loop_ends)
    table = peek(adjoint, "node_visitors")  # where code generation looks them up
    for node, visitor in list((table or {}).items()):
        if visitor is original:
            table[node] = adjoint.emit_For
