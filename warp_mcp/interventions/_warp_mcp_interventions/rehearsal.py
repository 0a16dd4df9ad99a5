"""Let a program believe in a CUDA device that is not there, so that its modules are compiled for one.

Warp asks its native library about devices, memory, streams and launches. In a rehearsal the answers come
from here; everything else is Warp's own: what a module is at which block dimension, and its compilation by
NVRTC, which needs neither driver nor device. Kernels run on the CPU, so that the program goes the way its
data take it.

`pass.json`: {"rehearsal": {"arch": 90, "cpu_cache": directory, "output": "cubin"}}. Without the second, the
kernels' CPU builds lie in the directory of the records. The third is "ptx" to do as a machine does whose
driver is as new as Warp's toolkit: there NVRTC makes PTX, and the driver the rest.

`<pid>.rehearsal` has a line for everything that cannot be rehearsed (see `rehearsed_saying.py`), or
{"unsupported": arch, "supported": [...]} when nothing was, because this Warp cannot compile for that
architecture.
"""

import ctypes
import os
import sys
import tempfile

from . import channel, rehearsed_interop, rehearsed_muting, waiting
from .rehearsed_launches import Tiled
from .rehearsed_library import Library

UTILS = ("warp._src.utils",)


def start():
    """Wait for Warp."""
    told = channel.told("rehearsal")
    if told:
        told.setdefault("cpu_cache", _own_cache())
        waiting.when_imported(waiting.CONTEXT, lambda context: _into(context, told), first=True)
        waiting.when_imported(UTILS, rehearsed_muting.quiet_timers)
        rehearsed_interop.start()


def _own_cache():
    return os.path.join(os.environ.get("WARP_MCP_RECORD_DIR") or tempfile.gettempdir(), "rehearsed_cpu")


def _into(context, told):
    runtime = vars(context).get("Runtime")
    if runtime is None:
        return
    tiled = Tiled(context)
    invoke = context.invoke
    load = runtime.load_dll

    def load_dll(self, path):
        library = load(self, path)
        if "warp-clang" in str(path) or not _compiles_for(library, told["arch"]):
            return library
        return Library(library, context, invoke, tiled, told)

    runtime.load_dll = waiting.unseen(load_dll, load)
    if "warp._src.utils" in sys.modules:
        rehearsed_muting.quiet_timers(sys.modules["warp._src.utils"])


def _compiles_for(library, arch):
    supported = supported_archs(library)
    if arch not in supported:
        channel.write("rehearsal", {"unsupported": arch, "supported": supported})
    return arch in supported


def supported_archs(library):
    """What NVRTC within the native library compiles for; empty when it has none."""
    try:
        archs = (ctypes.c_int * library.wp_nvrtc_supported_arch_count())()
        library.wp_nvrtc_supported_archs(archs)
    except AttributeError:
        return []
    return sorted(archs)
