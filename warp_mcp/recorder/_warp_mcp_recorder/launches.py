"""Launches: the wrapper on the path of every launch, and what it does the first time.

`invoke` and `invoke_cpu_blocks` are where Warp hands a CPU kernel to native code: device,
block_dim, overload and adjoint are resolved there, and a launch that was refused never arrives.
On CUDA the same place is `runtime.core.wp_cuda_launch_kernel`. Counting is after the call, so a
launch that raised did not run.
"""

from . import _state, counting, hooks, threads
from .clock import clock
from .looking import peek

_local = [threads.log.local]
"""The thread-local that holds each thread's sequence; a fork puts another one in its place."""


def _wrapped(original):
    """Wrap `invoke` or `invoke_cpu_blocks`. Runs on every launch: nothing here that need not be."""
    cell, drop_frame, unusual = _local, hooks.drop_frame, _unusual

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

    return hooks.unseen(invoke)


def _unusual(kernel, entry, bounds, adjoint):
    """A launch that the short path could not take: new thread, new signature, or a full half."""
    begin = clock.exact()
    try:
        counting.record_launch(kernel, entry, bytes(bounds), bounds, adjoint)
    except Exception:
        _state.lost += 1
        hooks.failed("launch")
    _state.hook_ns += clock.exact() - begin


def after_fork():
    """The child's launches go to a log of its own."""
    _local[0] = threads.log.local


def install(context):
    """Wrap the ways a kernel is launched."""
    for name, required in (("invoke", True), ("invoke_cpu_blocks", False)):
        original = peek(context, name)
        if original is None:
            if required:
                hooks.problem("hook_missing", f"{context.__name__}.{name}")
            continue
        setattr(context, name, _wrapped(original))


def watch_cuda(runtime):
    """Wrap the CUDA launch function, once Warp's native library is loaded and a device was found."""
    if runtime is None or not peek(runtime, "cuda_devices"):
        return
    from . import cuda

    runtime.core.wp_cuda_launch_kernel = cuda.make(runtime.core.wp_cuda_launch_kernel, runtime)
