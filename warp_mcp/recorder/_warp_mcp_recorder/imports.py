"""Waiting for Warp to be imported, and timing the top-level imports on the way there.

A finder at the front of `sys.meta_path` asks the finders behind it, and lets the loader they name
run one function of ours around `exec_module`. The loader is the one the program would have had; what
was put on it is taken off again before the module's code runs. `builtins.__import__` stays as it is.
"""

import sys
import time

from . import _state, hooks

HOOKED = ("warp._src.context", "warp.context", "warp._src.tape", "warp.tape", "warp._src.apic.capture")
"""Modules that hooks go into: the names since Warp 1.10, and those before. `warp.context` and `warp.tape`
are mere aliases in later releases, and then have nothing to hook."""

SLOW_IMPORT_MS = 20.0
"""Shorter top-level imports are not worth a line in a report about seconds."""

_LOADERS = ("SourceFileLoader", "SourcelessFileLoader", "ExtensionFileLoader")
"""Standard loaders, of which every module has an instance of its own."""


class Finder:
    """A meta path finder that finds nothing by itself."""

    def __init__(self):
        self.depth = 0
        self.busy = False

    def find_spec(self, name, path=None, target=None):
        """The spec the other finders give, its loader prepared; None for modules that do not matter."""
        if self.busy or ("." in name and name not in HOOKED):
            return None
        self.busy = True  # a finder behind us may import something itself
        try:
            spec = _ask_the_others(self, name, path, target)
        finally:
            self.busy = False
        try:
            loader = getattr(spec, "loader", None)
            if loader is not None and type(loader).__name__ in _LOADERS:
                _prepare(self, loader, name)
        except Exception:
            hooks.failed("find_spec")
        return spec


def _ask_the_others(own, name, path, target):
    for finder in sys.meta_path:
        find = getattr(finder, "find_spec", None)
        if finder is own or find is None:
            continue
        spec = find(name, path, target)
        if spec is not None:
            return spec
    return None


def _prepare(finder, loader, name):
    """Make this one loader tell when the module's code begins and ends."""
    run = loader.exec_module

    def exec_module(module):
        del loader.exec_module
        begin = _begins(finder, name)
        try:
            run(module)
        except BaseException as error:
            finder.depth -= 1
            hooks.drop_frame(error)
            raise
        _ends(finder, name, module, begin)

    loader.exec_module = hooks.unseen(exec_module)


def _begins(finder, name):
    finder.depth += 1
    begin = time.monotonic_ns()
    if name == "warp":
        _state.record.write({"e": "mark", "name": "warp_import_begin", "t": begin})
    return begin


def _ends(finder, name, module, begin):
    finder.depth -= 1
    try:
        now = time.monotonic_ns()
        if name in HOOKED:
            _install(module)
        elif name == "warp":
            _state.record.write({"e": "mark", "name": "warp_import_end", "t": now})
        if finder.depth == 0 and (now - begin) / 1e6 >= SLOW_IMPORT_MS:
            _state.record.write({"e": "import", "name": name, "ms": (now - begin) / 1e6})
    except Exception:
        hooks.failed("import")


def _install(module):
    begin = time.perf_counter_ns()
    try:
        from . import install

        if not (hasattr(module, "__getattr__") and module.__name__.count(".") == 1):
            install.INSTALLERS[module.__name__](module)
    except Exception:
        hooks.failed("install")
    _state.hook_ns += time.perf_counter_ns() - begin


def wait_for_warp():
    """Put the finder in place; hook a Warp that a `.pth` file has imported before us."""
    sys.meta_path.insert(0, Finder())
    for name in HOOKED:
        if name in sys.modules:
            _install(sys.modules[name])
