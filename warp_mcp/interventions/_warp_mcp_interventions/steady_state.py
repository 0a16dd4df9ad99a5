"""Time each launch, synchronised: what the kernels take once everything is built.

On the CPU the interval holds the call of the native function and nothing else; on CUDA the launch between two
synchronisations of its stream. A replayed graph is one unit, with the kernel "graph". Nothing is timed while
a stream is being captured: synchronising would break the capture.

The wrappers lie inside the recorder's, so its bookkeeping is in no interval. What a launch is called comes
from the recorder too; without it nothing is timed. Of each kernel with its signature the first launch is left
out, and the last `KEPT` ones are kept. `<pid>-<start>.times` in WARP_MCP_RECORD_DIR holds, one JSON object a
line: `kernel`, `module`, `signature`, `launches` (timed ones), `median_ns`, `mad_ns`; or `problem`. The file
is written anew about once a second, at the end of the process, and when it leaves through `os._exit`.
"""

import atexit
import json
import os
import sys
from time import perf_counter_ns

from .time_series import Book
from .waiting import CONTEXT, when_imported

RECORDER = "_warp_mcp_recorder"

EVERY_NS = 1_000_000_000
"""How old what is written may become while launches go on."""
SHARE = 20
"""So many times what a writing took passes before the next: a program with very many signatures goes on."""


def start():
    """Time the launches of this process, and of those that it forks."""
    file = _File(os.environ["WARP_MCP_RECORD_DIR"])
    atexit.register(file.write)
    os.register_at_fork(after_in_child=file.restart)
    os._exit = _writing_first(os._exit, file)
    if RECORDER not in sys.modules:
        file.book.problem("the recorder is not there, so nothing was timed")
    elif any(name in sys.modules for name in CONTEXT):
        # Its hooks are in already, and would see our stand-ins for Warp's objects.
        file.book.problem("Warp was imported before anything else could be, so nothing was timed")
    else:
        when_imported(CONTEXT, _installing(file), first=True)


def _installing(file):
    def into_context(context):
        try:
            from . import timed_launches  # needs the recorder's modules

            timed_launches.install(context, file)
        except Exception as error:
            file.book.problem("launches are not timed: " + repr(error)[:300])

    return into_context


def _writing_first(leave, file):
    """`os._exit` runs nothing that is registered for the end; children of `multiprocessing` leave by it."""

    def _exit(status):
        file.write()
        leave(status)

    return _exit


class _File:
    """Where the times of this process are kept, and when they are written."""

    def __init__(self, directory):
        self.directory = directory
        self.book = Book()
        self.restart()

    def restart(self):
        """Begin anew, also in a forked child."""
        self.book.clear()
        self.path = os.path.join(self.directory, "%d-%d.times" % (os.getpid(), perf_counter_ns()))
        self.next_ns = perf_counter_ns() + EVERY_NS

    def keep(self, series, ns):
        """One launch took so many nanoseconds."""
        series.add(ns)
        if perf_counter_ns() >= self.next_ns:
            self.next_ns = sys.maxsize  # another thread must not begin meanwhile
            self.write()

    def write(self):
        """Write the file whole or not at all. Never raises."""
        begin = perf_counter_ns()
        try:
            lines = self.book.lines()
            if lines:
                with open(self.path + ".new", "w", encoding="utf-8") as file:
                    file.writelines(json.dumps(line) + "\n" for line in lines)
                os.replace(self.path + ".new", self.path)
        except Exception:
            pass
        end = perf_counter_ns()
        self.next_ns = end + max(EVERY_NS, SHARE * (end - begin))
