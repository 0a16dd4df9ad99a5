"""End the process at its N-th launch, the same point of the program in every run.

Warp's functions that hand a launch to native code are wrapped outside the recorder's own wrappers, so the
recorder has counted when its count is asked for. A replayed graph counts as the launches it replays, so the
end may lie beyond N there. Without the recorder nothing is counted and nothing ends.

The number N is in WARP_MCP_STOP_AFTER_LAUNCHES. A process that leaves creates the file `stopped` in
WARP_MCP_RECORD_DIR, by which the probe knows that the rest of the program is to end.
"""

import os
import sys

from . import waiting

LAUNCHING = ("invoke", "invoke_cpu_blocks", "capture_launch")
"""Its functions that run launches; a release has those it has."""


def start():
    """Wait for Warp."""
    limit = int(os.environ["WARP_MCP_STOP_AFTER_LAUNCHES"])
    waiting.when_imported(waiting.CONTEXT, _Stop(limit).install)


class _Stop:
    """Asks the recorder after each launch, and leaves at the limit."""

    def __init__(self, limit):
        self.limit = limit

    def install(self, context):
        """Wrap what launches.
        A module that merely forwards to the real one has nothing of its own to wrap.
        """
        for name in LAUNCHING:
            if name in vars(context):
                setattr(context, name, self.after(vars(context)[name]))
        runtime = vars(context).get("Runtime")
        if runtime is not None:
            runtime.__init__ = self._after_start(runtime.__init__)

    def after(self, original):
        """The same function, followed by a look at the recorder's count."""
        look = self.look

        def launching(*args, **kwargs):
            result = original(*args, **kwargs)
            look()
            return result

        return launching

    def look(self):
        """Leave when the limit is reached. Never raises."""
        try:
            recorder = sys.modules.get("_warp_mcp_recorder")
            reached = recorder is not None and recorder.launch_total() >= self.limit
        except Exception:
            return
        if reached:
            _leave(recorder)

    def _after_start(self, original):
        """CUDA launches go through a native function that exists only when the runtime does."""

        def start_runtime(runtime, *args, **kwargs):
            result = original(runtime, *args, **kwargs)
            try:
                if vars(runtime).get("cuda_devices"):
                    core = runtime.core
                    core.wp_cuda_launch_kernel = self.after(core.wp_cuda_launch_kernel)
            except Exception:
                pass
            return result

        return start_runtime


def _leave(recorder):
    """Write out what is buffered, say that the end was reached, and end this process at once."""
    for step in (_flush_python, _flush_native, recorder.finish, _say_stopped):
        try:
            step()
        except Exception:
            pass
    os._exit(0)


def _flush_python():
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def _flush_native():
    """What kernels printed with `printf` waits in the C library."""
    import ctypes

    ctypes.CDLL(None).fflush(None)


def _say_stopped():
    path = os.path.join(os.environ["WARP_MCP_RECORD_DIR"], "stopped")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
