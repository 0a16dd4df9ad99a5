"""Captured graphs: launches recorded while capturing count when the graph is replayed, each time.

On the CPU (and on CUDA with `apic=True`) a captured launch passes through `build_launch_info`
instead of `invoke`; on CUDA it is issued to a stream that is capturing.
"""

import sys
import weakref

from . import counting, hooks
from .looking import peek

_captured = weakref.WeakKeyDictionary()
"""Graph to the launches it holds: [(kernel reference, entry point, bounds bytes, bounds, adjoint)]."""


def _launch_captured(_token, _result, error, args, kwargs):
    """`args`: the capture, kernel, executable, entry point, parameters, arguments, adjoint."""
    if error is not None:
        return
    graph = _graph_of(args[0])
    given = dict(
        zip(("capture", "kernel", "executable", "hooks", "params", "arguments", "adjoint"), args), **kwargs
    )
    if graph is None or not given["executable"].device.is_cpu:
        return  # on CUDA the launch itself is seen, with the stream it is captured from
    if _in_branch():
        _note_branch(graph)
        return
    remember(graph, given["kernel"], given["hooks"], given["params"][0], bool(given["adjoint"]))


def remember(graph, kernel, entry, bounds, adjoint):
    """Add a launch to a graph. Bounds are copied: their owner goes on using the structure."""
    copy = type(bounds).from_buffer_copy(bytes(bounds))
    _captured.setdefault(graph, []).append((weakref.ref(kernel), entry, bytes(copy), copy, adjoint))


def _graph_of(capture):
    runtime = peek(launches_context(), "runtime")
    graph = peek(runtime, "_apic_graph")
    return graph if graph is not None else peek(capture, "graph")


def launches_context():
    """Warp's module of launches."""
    return sys.modules.get("warp._src.context") or sys.modules.get("warp.context")


def _in_branch():
    """True while the body of `capture_if` or `capture_while` is being recorded."""
    frame = sys._getframe(3)
    while frame is not None:
        if frame.f_code.co_name == "_apic_capture_branch":
            return True
        frame = frame.f_back
    return False


_noted = weakref.WeakSet()


def _note_branch(graph):
    if graph not in _noted:
        _noted.add(graph)
        detail = "launches inside capture_if or capture_while: how often a replay runs them cannot be told"
        hooks.problem("uncounted_launches", detail)


def _graph_launched(_token, _result, error, args, kwargs):
    graph = args[0] if args else kwargs.get("graph")
    if error is not None or graph is None:
        return
    held = _captured.get(graph)
    if held is None:
        if peek(graph, "_native_graph") is not None and graph not in _noted:
            _noted.add(graph)
            hooks.problem("uncounted_launches", "a graph loaded from a file: its launches cannot be told")
        return
    for reference, entry, key, bounds, adjoint in held:
        kernel = reference()
        if kernel is not None:
            counting.record_launch(kernel, entry, key, bounds, adjoint)


def install(context):
    """Hook the replay of graphs."""
    hooks.install(context, "capture_launch", after=_graph_launched)


def install_capture(module):
    """Hook the recording of launches into a graph; releases without CPU capture do not have this module."""
    hooks.install(module.APICapture, "build_launch_info", after=_launch_captured)
