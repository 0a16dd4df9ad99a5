"""The wrappers that time launches, and what each launch is called. Where the durations go is the caller's.

They are put in before the recorder's, so that they lie inside those. `file` is the caller's: `file.book`
names series and notes problems; `file.keep(series, nanoseconds)` is called after each launch, outside the
interval. Nothing here raises into the program.
"""

import ctypes
import sys
import weakref
import zlib
from importlib import import_module
from time import perf_counter_ns

builds, graphs, kernels, signatures, looking = (
    import_module("_warp_mcp_recorder." + name)
    for name in ("builds", "graphs", "kernels", "signatures", "looking")
)
peek = looking.peek

SERIES = "_warp_mcp_series"
"""Attribute on Warp's KernelHooks: its series, by direction and launch bounds."""
GRAPH = "graph"
"""Stands for the kernel where a whole graph is timed."""


def install(context, file):
    """Wrap the ways a kernel is launched. A module that merely forwards has nothing of its own."""
    for name in ("invoke", "invoke_cpu_blocks"):
        if name in vars(context):
            setattr(context, name, _cpu(vars(context)[name], file))
    if "capture_launch" in vars(context):
        context.capture_launch = _graph(vars(context)["capture_launch"], file)
    runtime = vars(context).get("Runtime")
    if runtime is not None:
        runtime.__init__ = _after_start(runtime.__init__, file)


class _Native:
    """Stands for Warp's KernelHooks during one launch, and times the native function alone.

    One for each launch, so that threads do not share it; made outside the interval.
    """

    __slots__ = ("entry", "ns")

    def __init__(self, entry):
        self.entry = entry
        self.ns = None

    def forward(self, *args):
        return self._timed(self.entry.forward, args)

    def backward(self, *args):
        return self._timed(self.entry.backward, args)

    def _timed(self, function, args):
        begin = perf_counter_ns()
        result = function(*args)
        self.ns = perf_counter_ns() - begin
        return result

    def __getattr__(self, name):
        return getattr(self.entry, name)


def _cpu(original, file):
    """`invoke` or `invoke_cpu_blocks`, with a stand-in for the entry point."""

    def invoke(kernel, hooks, params, adjoint):
        stand_in = _Native(hooks)
        result = original(kernel, stand_in, params, adjoint)
        if stand_in.ns is not None:
            try:
                _keep(file, stand_in.ns, kernel, hooks, params[0], adjoint)
            except Exception as error:
                file.book.problem("a launch was not timed: " + repr(error)[:300])
        return result

    return invoke


def _keep(file, ns, kernel, entry, bounds, adjoint):
    key = bool(adjoint), bytes(bounds)
    try:
        series = getattr(entry, SERIES)[key]
    except (AttributeError, KeyError):
        series = _new(file.book, kernel, entry, bounds, key)
    if series is not None:
        file.keep(series, ns)


def _new(book, kernel, entry, bounds, key):
    """The series of an entry point with these bounds; None where nothing ran or there is no room."""
    known = peek(entry, SERIES)
    if known is None:
        known = {}
        setattr(entry, SERIES, known)
    if not bounds.size:
        return None
    module = kernel.module.name
    series = book.named((kernels.last_name(kernel), module, equivalence(kernel, entry, bounds, key[0])))
    if series is not None:
        known[key] = series
    return series


def equivalence(kernel, entry, bounds, adjoint):
    """The signature as the report has it: see `Signature.equivalence` in `models/launching.py`."""
    where = builds.identity_of(kernel.module, entry)
    return "[%s] %s block_dim=%d %s (%s)" % (
        "x".join(str(size) for size in signatures.dimensions(bounds)),
        where["device"],
        where["block_dim"],
        "adjoint" if adjoint else "forward",
        ", ".join(kernels.argument_types(kernel)),
    )


def _graph(original, file):
    """`capture_launch(graph, stream=None)`: a replay is one unit."""

    def capture_launch(graph, stream=None):
        wait = _nothing if graph.device.is_cpu else _waiting_for(stream or graph.device.stream)
        if wait is None:
            return original(graph, stream)
        wait()
        begin = perf_counter_ns()
        result = original(graph, stream)
        wait()
        ns = perf_counter_ns() - begin
        try:
            series = peek(graph, SERIES)
            if series is None:
                series = file.book.named((GRAPH, "", _graph_signature(graph)))
                setattr(graph, SERIES, series)
            if series is not None:
                file.keep(series, ns)
        except Exception as error:
            file.book.problem("a graph was not timed: " + repr(error)[:300])
        return result

    return capture_launch


def _graph_signature(graph):
    """By the launches that the graph holds, in order: equal for equal work."""
    held = graphs._captured.get(graph) or []
    digest = 0
    for reference, entry, _key, bounds, adjoint in held:
        kernel = reference()
        told = equivalence(kernel, entry, bounds, adjoint) if kernel is not None else ""
        digest = zlib.crc32(told.encode("utf-8", "replace"), digest)
    return "[%d launches] %s (%08x)" % (len(held), graph.device.alias, digest)


def _nothing():
    """A launch on the CPU has ended when it returns."""


def _waiting_for(stream):
    """What waits for a stream; None while something is being captured, which waiting would break."""
    try:
        runtime = stream.device.runtime
        return _waiting(runtime, stream.cuda_stream)
    except Exception:
        return None


def _waiting(runtime, stream):
    core = runtime.core
    if runtime.captures or core.wp_cuda_stream_is_capturing(stream):
        return None
    return lambda: core.wp_cuda_stream_synchronize(stream)


def _after_start(original, file):
    """CUDA launches go through a native function that exists only when the runtime does."""

    def start_runtime(runtime, *args, **kwargs):
        result = original(runtime, *args, **kwargs)
        try:
            if peek(runtime, "cuda_devices"):
                runtime.core.wp_cuda_launch_kernel = _cuda(runtime.core.wp_cuda_launch_kernel, runtime, file)
        except Exception as error:
            file.book.problem("CUDA launches are not timed: " + repr(error)[:300])
        return result

    return start_runtime


def _cuda(original, runtime, file):
    """`wp_cuda_launch_kernel(context, function, …, parameters, stream, …)`: nonzero on failure."""
    known = {}

    def wp_cuda_launch_kernel(*args):
        wait, parameters = None, None
        try:
            place = next(index for index, one in enumerate(args) if isinstance(one, ctypes.Array))
            wait, parameters = _waiting(runtime, args[place + 1]), args[place]
        except Exception:
            pass
        if wait is None:
            return original(*args)
        wait()
        begin = perf_counter_ns()
        failed = original(*args)
        wait()
        ns = perf_counter_ns() - begin
        if not failed:
            try:
                _keep_cuda(file, ns, known, args[1], parameters)
            except Exception as error:
                file.book.problem("a CUDA launch was not timed: " + repr(error)[:300])
        return failed

    return wp_cuda_launch_kernel


def _keep_cuda(file, ns, known, function, parameters):
    """What a function pointer stands for is looked up at its first launch, in the variables of the caller."""
    found = known.get(function)
    if found is None or found[0]() is None:
        found = known[function] = _from_callers(sys._getframe(2))
    reference, entry, adjoint, bounds_type = found
    kernel = reference()
    if kernel is not None:
        bounds = bounds_type.from_buffer_copy(ctypes.string_at(parameters[0], ctypes.sizeof(bounds_type)))
        _keep(file, ns, kernel, entry, bounds, adjoint)


def _from_callers(frame):
    """Kernel, entry point, direction and type of the bounds; the recorder's own wrapper lies between."""
    while frame is not None:
        own = frame.f_locals.get("self")
        found = {
            name: frame.f_locals.get(name, peek(own, name))
            for name in ("kernel", "hooks", "adjoint", "bounds")
        }
        if all(found[name] is not None for name in ("kernel", "hooks", "bounds")):
            return weakref.ref(found["kernel"]), found["hooks"], bool(found["adjoint"]), type(found["bounds"])
        frame = frame.f_back
    raise LookupError("a CUDA launch from elsewhere than wp.launch")
