"""Build chosen CUDA modules with NVRTC's trace on: what each kernel takes to compile.

The run is one of its own, on a cache that a timed run filled and from which the chosen builds were taken
away. Warp then builds those, and only those, once more; the compiler is told to trace and the rest is as it
was. Warp's option for this moves the hash of a module, so here the call of the compiler is changed instead:
no module, record or option knows of it. How a trace is read is told in `compile_trace_events.py`.

`pass.json`: {"compile_trace": {"builds": [{"source": "wp_app_0123456.cu", "arch": 90, ...}]}}: the name of a
build's generated source, which has the module's name and hash in it; other fields are handed on as they are.

Lines of `<pid>.trace`, written at once: a build that was made {what was told of it, "traced": {"wall_ms",
"cpu_ms"}, and what `compile_trace_events.read` returns}; {"problem": sentence}.
"""

import contextlib
import os
import sys
import threading
import time

from . import channel, compile_trace_events, waiting

KIND = "trace"


def start():
    """Wait for Warp."""
    told = channel.told("compile_trace")
    if told is not None:
        tracer = _Tracer(told["builds"])
        waiting.when_imported(waiting.CONTEXT, tracer.watch, first=True)


class _Tracer:
    """The builds that are to be traced, each of them once."""

    def __init__(self, builds):
        self.wanted = {(one["source"], one["arch"]): one for one in builds}
        self.lock = threading.Lock()

    def watch(self, context):
        """Put a wrapper around the compiler, inside the recorder's."""
        if vars(context).get("Module") is None:
            return
        place = vars(sys.modules[context.__name__.rpartition(".")[0] + ".build"])
        original = place["build_cuda"]

        def build_cuda(cu_path, *args, **kwargs):
            build = self.take(cu_path, args, kwargs)
            if build is None or not self.traced(build, original, cu_path, args, kwargs):
                original(cu_path, *args, **kwargs)

        place["build_cuda"] = build_cuda

    def take(self, cu_path, args, kwargs):
        """What was told of a build that begins; None when it is not one of those, or is under way."""
        arch = args[0] if args else kwargs.get("arch")
        with self.lock:
            return self.wanted.pop((os.path.basename(cu_path), arch), None)

    def traced(self, build, original, cu_path, args, kwargs):
        """Whether it was built, with a trace. Never raises: else it is built as it would have been."""
        built = False
        try:
            output = args[1] if len(args) > 1 else kwargs["output_path"]
            with open(cu_path, "rb") as file:
                source = file.read()
            with _trace_of(output) as trace:
                wall, cpu = time.perf_counter(), time.thread_time()
                original(cu_path, *args, **dict(kwargs, compile_time_trace=True))
                wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
                built = True
                took = {"wall_ms": 1000 * wall, "cpu_ms": 1000 * cpu}
                channel.write(KIND, dict(build, traced=took, **compile_trace_events.read(trace, source)))
        except Exception as error:
            channel.write(KIND, {"problem": "%s: %s" % (build["source"], str(error)[:300])})
        return built


@contextlib.contextmanager
def _trace_of(output):
    """Where the trace of a build is going to be; nothing of it stays beside what was built."""
    trace = compile_trace_events.expected(output)
    try:
        yield trace
    finally:
        for path in (trace, trace + ".json"):
            with contextlib.suppress(OSError):
                os.remove(path)
