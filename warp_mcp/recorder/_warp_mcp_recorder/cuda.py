"""CUDA launches: all of them, JAX's and deterministic ones too, go through one native function.

It is given a function pointer, launch parameters by address, and a stream. What the pointer stands
for is looked up in the caller's variables at the first launch of each, and remembered.
"""

import ctypes
import sys
import weakref

from . import _state, counting, graphs, hooks
from .clock import clock
from .looking import peek

WRAPPERS = 3
"""Frames of other wrappers that may lie between Warp's launch and this one, as interventions put them."""


class _Known:
    """What one function pointer stands for."""

    def __init__(self, kernel, entry, adjoint, bounds_type):
        self.kernel = kernel
        self.entry = entry
        self.adjoint = adjoint
        self.bounds_type = bounds_type
        self.size = ctypes.sizeof(bounds_type)


def make(original, runtime):
    """Wrap `wp_cuda_launch_kernel(context, function, …, parameters, stream, …)`: nonzero on failure."""
    known = {}
    record, unseen = _record, hooks.unseen

    def wp_cuda_launch_kernel(*args):
        failed = original(*args)
        if not failed:
            try:
                record(known, runtime, args)
            except Exception:
                hooks.failed("wp_cuda_launch_kernel")
        return failed

    return unseen(wp_cuda_launch_kernel)


def _record(known, runtime, args):
    found = known.get(args[1])
    if found is None or (found.entry is not None and found.kernel() is None):
        begin = clock.exact()
        found = known[args[1]] = _from_caller(sys._getframe(2))
        _state.hook_ns += clock.exact() - begin
    kernel = found.kernel()
    if kernel is None:
        _state.lost += 1
        return
    place = next(index for index, one in enumerate(args) if isinstance(one, ctypes.Array))
    key = ctypes.string_at(args[place][0], found.size)
    bounds = found.bounds_type.from_buffer_copy(key)
    # The stream follows the parameters in every release.
    graph = _capturing(runtime, args[place + 1]) if runtime.captures else None
    if graph is not None:
        graphs.remember(graph, kernel, found.entry, bounds, found.adjoint)
    else:
        counting.record_launch(kernel, found.entry, key, bounds, found.adjoint)


def _from_caller(frame):
    """Kernel, entry point and direction from the variables of `launch` or `Launch.launch`."""
    caller = frame.f_code.co_name
    names = _names_in(frame)
    for _ in range(WRAPPERS):
        if _complete(names) or frame.f_back is None:
            break
        frame = frame.f_back
        names = _names_in(frame)
    if not _complete(names):
        hooks.problem("uncounted_launches", f"a CUDA launch from {caller}")
        return _Known(lambda: None, None, False, ctypes.c_byte)
    kernel = weakref.ref(names["kernel"])
    return _Known(kernel, names["hooks"], bool(names["adjoint"]), type(names["bounds"]))


def _names_in(frame):
    own = frame.f_locals.get("self")
    return {
        name: frame.f_locals.get(name, peek(own, name)) for name in ("kernel", "hooks", "adjoint", "bounds")
    }


def _complete(names):
    return all(names[name] is not None for name in ("kernel", "hooks", "bounds"))


def _capturing(runtime, stream):
    """The graph that a stream is being captured into, or None."""
    if not runtime.core.wp_cuda_stream_is_capturing(stream):
        return None
    return runtime.captures.get(runtime.core.wp_cuda_stream_get_capture_id(stream))
