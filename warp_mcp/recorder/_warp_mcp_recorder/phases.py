"""The phases of a build: time and size of each, collected by thread.

The thread that builds a module does all of the work itself, so a phase is what it spends between
two calls, in wall and in CPU time.
"""

import _thread
import os

from . import _state, hooks, settings
from .clock import clock
from .looking import peek


class Build:
    """One build or load under way in one thread."""

    def __init__(self, module):
        self.module = module
        self.begin = clock.now()
        self.begin_cpu = clock.cpu()
        self.device = ""
        self.block_dim = 0
        self.asked_by = ""
        self.aot = False
        self.compiled = False
        self.closed = 0
        """When `_compile` returned; 0 when it was not called."""
        self.closed_cpu = 0
        self.phases = {}
        self.source_bytes = self.adjoint_bytes = 0
        self.statements = self.unrolled = 0
        """Forward statements, and those of them that unrolled loops added."""
        self.lto_parts = {}
        self.headers = 0
        self.nested = self.nested_cpu = 0
        """Time of other builds within this one."""
        self.lto_before = lto_files()
        self.lto = 0

    def add(self, phase, wall, cpu):
        """Add time in nanoseconds to a phase."""
        known = self.phases.get(phase, (0, 0))
        self.phases[phase] = (known[0] + wall, known[1] + cpu)


_threads = _thread._local()


def current():
    """The innermost build under way in this thread, or None."""
    under_way = getattr(_threads, "builds", None)
    return under_way[-1] if under_way else None


def begin(build):
    """Begin a build in this thread. It may cause others: `wp.static` may launch while code is generated."""
    if not hasattr(_threads, "builds"):
        _threads.builds = []
    _threads.builds.append(build)


def end(module):
    """End the build of a module, and those within it that never ended; None when there is none."""
    under_way = getattr(_threads, "builds", None) or []
    for place in range(len(under_way) - 1, -1, -1):
        if under_way[place].module is module:
            build = under_way[place]
            del under_way[place:]
            return build
    return None


def clocks(_args, _kwargs):
    """A `before` hook: (wall, CPU) now, and how much of both has gone to builds within this one."""
    build = current()
    return (clock.now(), clock.cpu(), *((build.nested, build.nested_cpu) if build is not None else (0, 0)))


def elapsed(token):
    """(wall, CPU) in nanoseconds since `clocks`, without builds within."""
    now = clocks(None, None)
    return now[0] - token[0] - (now[2] - token[2]), now[1] - token[1] - (now[3] - token[3])


def _phase(name):
    """An `after` hook that adds the time of a call to a phase of the build under way."""

    def after(token, _result, _error, _args, _kwargs):
        build = current()
        if build is not None and token is not None:
            build.add(name, *elapsed(token))

    return after


_add_codegen = _phase("codegen")
_add_native = _phase("native_compile")


def _lto_built(token, _result, _error, _args, _kwargs):
    """LTO objects are built while code is generated: take their time out of that phase."""
    build = current()
    if build is None or token is None:
        return
    wall, cpu = elapsed(token)
    build.add("lto", wall, cpu)
    build.add("codegen", -wall, -cpu)


def lto_files():
    """`.lto` files in the cache Warp uses."""
    config = settings.warp_config()
    directory = os.path.join(peek(config, "kernel_cache_dir") or os.devnull, "lto")
    try:
        return sum(name.endswith(".lto") for name in os.listdir(directory))
    except OSError:
        return 0


def _native_begins(_args, kwargs):
    directory = kwargs.get("pch_dir")
    if directory and directory not in _told:
        _told.add(directory)
        _state.record.write({"e": "headers", "path": directory})
    return (*clocks(None, None), directory, _headers(directory), clock.of_files())


def _native_ends(token, result, error, args, kwargs):
    """Split off the precompiled header: it was complete when its file was last written."""
    _add_native(token, result, error, args, kwargs)
    build = current()
    if build is None or token is None or token[4] is None:
        return
    wall, cpu = elapsed(token)
    new = [stamp for name, stamp in _headers(token[4]).items() if name not in token[5]]
    if not new:
        return
    spent = min(max(0, max(new) - token[6]), wall)
    spent_cpu = spent * cpu // wall if wall else 0
    build.headers += len(new)
    build.add("header", spent, spent_cpu)
    build.add("native_compile", -spent, -spent_cpu)


_told = set()
"""Header directories named in the record: a killed process leaves its own behind, to be removed."""


def _headers(directory):
    """{name: time of last write in ns} of the precompiled headers in a directory."""
    if not directory:
        return {}
    try:
        with os.scandir(directory) as entries:
            return {one.name: one.stat().st_mtime_ns for one in entries if one.is_file()}
    except OSError:
        return {}


def install(context, build_module):
    """Put the hooks in."""
    hooks.install(context.ModuleBuilder, "__init__", before=clocks, after=_add_codegen)
    hooks.install(context.ModuleBuilder, "codegen", before=clocks, after=_add_codegen)
    hooks.install(build_module, "build_cpu", before=_native_begins, after=_native_ends)
    hooks.install(build_module, "build_cuda", before=_native_begins, after=_native_ends)
    hooks.install(build_module, "_build_lto_base", before=clocks, after=_lto_built, required=False)
