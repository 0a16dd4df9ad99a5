"""Warp's native library as a rehearsal shows it: which function of whom answers for each name.

First the parts of the driver that is not there, then the functions of the host that stand for those on
device memory, then the library itself. What is left would ask a real driver: it is answered with nothing,
and said.
"""

import ctypes

from .rehearsed_builds import Builds
from .rehearsed_driver import CONTEXT, Driver
from .rehearsed_graphs import Graphs
from .rehearsed_launches import Launches
from .rehearsed_memory import Memory
from .rehearsed_saying import say
from .rehearsed_streams import Streams
from .rehearsed_textures import Textures
from .rehearsed_twins import Trees, on_host

COMPILES = ("wp_cuda_compile_", "wp_cuda_toolkit_version", "wp_is_cuda_", "wp_nvrtc_", "wp_apic_register_")
"""Beginnings of functions that work without a driver: left as they are."""
ON_DEVICE = ("_device", "_async", "_workspace_size")
"""Ends of names that only a driver could answer, besides those with "cuda" in them."""
GRAPH_FILES = "wp_apic_load_graph"
"""Functions that build a captured graph from a file; the first argument is the device's context."""
UNSAID = ("wp_cuda_timing_get_result_count", "wp_cuda_timing_end")
"""Functions that only follow one that is said."""
SAVE_GRAPH = "wp_apic_state_save"
PROGRAM_WORDS = (
    ("ipc", "sharing memory and events with other processes (IPC)"),
    ("graphics", "sharing buffers with OpenGL"),
    ("texture", "textures in device memory"),
    ("surface", "textures in device memory"),
    ("deterministic", "deterministic mode: the order of its sums"),
    ("timing", "wp.timing_begin and ScopedTimer(cuda_filter=...)"),
    ("profiler", "the CUDA profiler"),
    ("apic", "graphs from a file (wp.capture_load)"),
    ("graph_", "nodes put into a graph by hand"),
)
"""Part of a native function's name, and what a program does that leads to it."""


class Library:
    """Warp's native library with a driver of our own beneath it."""

    def __init__(self, real, context, invoke, tiled, told):
        driver = Driver(told["arch"], real, told.get("output") == "ptx", say)
        graphs = Graphs(driver, say)
        builds = Builds(context, told["cpu_cache"], say)
        self.__dict__.update(
            _real=real,
            _graphs=graphs,
            _parts=(
                driver,
                Streams(driver, graphs, say),
                graphs,
                Launches(driver, graphs, builds, say, invoke, tiled),
                Memory(real, graphs, say),
                Trees(real, graphs, say),
                Textures(real, driver, graphs),
            ),
        )

    def __getattr__(self, name):
        value = self.__dict__[name] = _answer(self, name)
        return value


class Function:
    """What answers for a native function. Warp sets the types of that: they go to the real one."""

    __slots__ = ("_call", "_real")

    def __init__(self, call, real):
        object.__setattr__(self, "_call", call)
        object.__setattr__(self, "_real", real)

    def __call__(self, *args):
        return self._call(*args)

    def __getattr__(self, attribute):
        return getattr(self._real, attribute)

    def __setattr__(self, attribute, value):
        setattr(self._real, attribute, value)


def _answer(library, name):
    real = getattr(library._real, name)
    for part in library._parts:
        found = getattr(type(part), name, None)
        if found is not None:
            return Function(found.__get__(part), real)
    if name.startswith(COMPILES):
        return real
    twin = on_host(library._real, name, library._graphs)
    if twin is not None:
        return Function(twin, real)
    if name.startswith(GRAPH_FILES):
        return Function(_graph_file(library, name, real), real)
    if name == SAVE_GRAPH:
        return Function(_save_graph(real), real)
    if "cuda" in name or name.endswith(ON_DEVICE):
        return Function(_unknown(library, name, real), real)
    return real


def _graph_file(library, name, real):
    unknown = _unknown(library, name, real)

    def load(*args):
        ours = bool(args) and getattr(args[0], "value", args[0]) == CONTEXT
        return unknown(*args) if ours else real(*args)

    return load


def _save_graph(real):
    def save(state, path, arch, context):
        if getattr(context, "value", context) != CONTEXT:
            return real(state, path, arch, context)
        saved = real(state, path, arch, None)
        if not saved:
            say("wp.capture_save", "only a driver can read the memory that this graph uses within")
        return saved

    return save


def _unknown(library, name, real):
    """A function that nobody here knows. Said, and answered with nothing: no handle, no success, zero."""
    what = next((words for part, words in PROGRAM_WORDS if part in name), "native function " + name)

    def call(*args):
        if name not in UNSAID:
            say(what, "it needs a CUDA device")
        restype = real.restype
        if restype is None or restype in (ctypes.c_void_p, ctypes.c_char_p):
            return None
        if restype is ctypes.c_bool:
            return False
        return 0.0 if restype in (ctypes.c_float, ctypes.c_double) else 0

    return call
