"""Launches in a rehearsal: the CUDA kernel was compiled; what runs is the same kernel, built for the CPU."""

import ctypes
import sys
import threading
import types
import weakref

FRAMES = 6
"""Wrappers that may lie between Warp's launch and the native function."""
THREADS = 1024
"""Most threads of a block, on every architecture (CUDA C++ Programming Guide, compute capabilities)."""
INVALID = "Warp CUDA error 1: invalid argument (in function wp_cuda_launch_kernel)"


class Launches:
    """Runs CUDA launches on the CPU, and says what could not run."""

    def __init__(self, driver, graphs, builds, say, invoke, tiled):
        self.driver = driver
        self.graphs = graphs
        self.builds = builds
        self.say = say
        self.invoke = invoke
        """Warp's own, without anybody's wrapper."""
        self.tiled = tiled

    def wp_cuda_launch_kernel(self, *args):
        block_dim = args[4]
        place = next(index for index, one in enumerate(args) if isinstance(one, ctypes.Array))
        if block_dim > THREADS or not self.driver.has_shared_memory(args[1], args[place - 1]):
            return self.driver.fail(INVALID, 1)
        launch = _from_caller(sys._getframe(1))
        if launch is None:
            self.say("a launch from " + _caller(sys._getframe(1)), "its kernel cannot be told")
            return 0
        if launch.counts_only:
            return 0
        params = [_copy(one) for one in launch.params]
        if self.tiled.is_tiled(launch.kernel, block_dim) or _hides_threads(
            launch.kernel, params[0], block_dim
        ):
            _untile(params[0], block_dim)
        function = self.builds.function(launch.kernel, launch.adjoint, block_dim)
        if function is None:
            return 0
        hooks = types.SimpleNamespace(forward=function, backward=function)
        kernel, adjoint = _stand_in(launch.kernel), launch.adjoint
        step = lambda: self.invoke(kernel, hooks, params, adjoint)  # noqa: E731
        self.graphs.now_or_later(args[place + 1], step)
        return 0


class Tiled:
    """Which kernels were launched with a dimension of their own for the threads of a block.

    Remembered by kernel and block dimension, because recorded and adjoint launches no longer tell.
    """

    def __init__(self, context):
        self.local = threading.local()
        self.kernels = weakref.WeakKeyDictionary()
        original = context.launch_tiled

        def launch_tiled(*args, **kwargs):
            self.local.inside = True
            try:
                return original(*args, **kwargs)
            finally:
                self.local.inside = False

        context.launch_tiled = _unseen(launch_tiled, original)
        self._watch(context)

    def _watch(self, context):
        """A recorded launch is made within `launch_tiled` and done outside: it is told at its creation."""
        original = context.Launch.__init__

        def __init__(command, kernel, *args, **kwargs):
            original(command, kernel, *args, **kwargs)
            if getattr(self.local, "inside", False):
                self.kernels.setdefault(kernel, set()).add(command.block_dim)

        context.Launch.__init__ = _unseen(__init__, original)

    def is_tiled(self, kernel, block_dim):
        """Whether the last dimension of a launch is the threads of a block."""
        if block_dim > 1 and getattr(self.local, "inside", False):
            self.kernels.setdefault(kernel, set()).add(block_dim)
        return block_dim in self.kernels.get(kernel, ())


def _unseen(function, original):
    from . import waiting

    return waiting.unseen(function, original)


class _Launch:
    def __init__(self, kernel, params, adjoint):
        self.kernel = kernel
        self.params = params
        self.adjoint = adjoint
        self.counts_only = False
        """The first of two launches in deterministic mode, which has no effect of its own."""


def _from_caller(frame):
    """The launch that the callers' variables tell of: `launch`, `Launch.launch`, or the deterministic one."""
    counting = None
    for _ in range(FRAMES):
        if frame is None:
            return None
        values = frame.f_locals
        if "params_list" in values:
            counting = values["params_list"]
        found = _launch_in(values)
        if found is not None:
            found.counts_only = counting is not None and _is_counting(counting, len(found.params))
            return found
        frame = frame.f_back
    return None


def _launch_in(values):
    own = values.get("self")
    for kernel, params, adjoint in (
        (values.get("kernel"), values.get("params"), values.get("adjoint")),
        (getattr(own, "kernel", None), getattr(own, "params", None), getattr(own, "adjoint", None)),
    ):
        if kernel is not None and params is not None and hasattr(kernel, "adj"):
            return _Launch(kernel, params, bool(adjoint))
    return None


def _is_counting(params, count):
    """Deterministic launches have more parameters: the first of them is 0 when threads only count."""
    return len(params) > count and getattr(params[count], "value", 1) == 0


def _caller(frame):
    """The function, outside of this package, that launched."""
    while frame.f_back is not None and "_warp_mcp_" in frame.f_globals.get("__name__", ""):
        frame = frame.f_back
    return frame.f_code.co_name


def _stand_in(kernel):
    """What Warp's `invoke` asks of a kernel. A graph that held it would keep it part of its module."""
    return types.SimpleNamespace(
        adj=types.SimpleNamespace(args=kernel.adj.args), _invoke_cache=getattr(kernel, "_invoke_cache", {})
    )


def _copy(value):
    return (
        type(value).from_buffer_copy(value)
        if isinstance(value, (ctypes.Structure, ctypes.Array))
        else type(value)(value.value)
    )


def _hides_threads(kernel, bounds, block_dim):
    """Whether a kernel on tiles has the threads of a block as a dimension that it does not ask for."""
    source = getattr(kernel.adj, "source", None) or ""
    return block_dim > 1 and getattr(bounds, "coord_mult", 1) == block_dim and "tile" in source


def _untile(bounds, block_dim):
    """On the CPU a block has one thread."""
    if getattr(bounds, "coord_mult", 1) == block_dim:
        bounds.coord_mult = 1
    else:
        ndim = getattr(bounds, "ndim", None) or len(bounds.shape)
        if bounds.shape[ndim - 1] != block_dim:
            return
        bounds.shape[ndim - 1] = 1
    bounds.size //= block_dim
