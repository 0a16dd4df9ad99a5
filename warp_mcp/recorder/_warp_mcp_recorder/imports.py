"""Waiting for Warp to be imported, and timing the top-level imports on the way there.

Every module that has Python code is run by `_LoaderBasics.exec_module` of the import system: by
whichever finder it was found, also one that a program puts in front of all others, and by loaders
that are derived from the standard ones. That method is wrapped; a finder on `sys.meta_path` would be
passed over by those. `builtins.__import__` stays as it is.
"""

import sys

from . import _state, hooks
from .clock import clock

HOOKED = ("warp._src.context", "warp.context", "warp._src.tape", "warp.tape", "warp._src.apic.capture")
"""Modules that hooks go into: the names since Warp 1.10, and those before. `warp.context` and `warp.tape`
are mere aliases in later releases, and then have nothing to hook."""

SLOW_IMPORT_MS = 20.0
"""Shorter top-level imports are not worth a line in a report about seconds."""


class _Imports:
    """How deep the imports under way are nested, and which modules have their hooks."""

    def __init__(self):
        self.depth = 0
        self.unseen = False
        self.hooked = None
        """The modules themselves, weakly: a program may drop Warp from `sys.modules` and import it again."""

    def has(self, module):
        """Whether a module has its hooks."""
        return self.hooked is not None and module in self.hooked

    def add(self, module):
        """Note that a module has its hooks."""
        if self.hooked is None:
            from weakref import WeakSet  # here, because most processes of a run never need it

            self.hooked = WeakSet()
        self.hooked.add(module)


_imports = _Imports()


def wait_for_warp():
    """Watch modules being run; hook a Warp that a `.pth` file has imported before us."""
    basics = getattr(sys.modules.get("_frozen_importlib_external"), "_LoaderBasics", None)
    if basics is None:
        hooks.problem("hook_missing", "_frozen_importlib_external._LoaderBasics")
    else:
        basics.exec_module = _watching(basics.exec_module)
    for name in HOOKED:
        if name in sys.modules:
            _install(sys.modules[name])


def _watching(original):
    begins, ends, imports = _begins, _ends, _imports

    def exec_module(self, module):
        name = module.__name__
        if "." in name and name not in HOOKED:
            return original(self, module)
        begin = begins(name)
        try:
            original(self, module)
        except BaseException as error:
            imports.depth -= 1
            hooks.drop_frame(error)
            raise
        ends(name, module, begin)

    return hooks.unseen(exec_module)


def _begins(name):
    _imports.depth += 1
    begin = clock.now()
    if name == "warp":
        _state.record.write({"e": "mark", "name": "warp_import_begin", "t": begin})
    return begin


def _ends(name, module, begin):
    _imports.depth -= 1
    try:
        now = clock.now()
        if name in HOOKED:
            _install(module)
        elif name == "warp":
            note_unseen()
            _state.record.write({"e": "mark", "name": "warp_import_end", "t": now})
        if _imports.depth == 0 and (now - begin) / 1e6 >= SLOW_IMPORT_MS:
            _state.record.write({"e": "import", "name": name, "ms": (now - begin) / 1e6})
    except Exception:
        hooks.failed("import")


def _install(module):
    if _imports.has(module):
        return
    _imports.add(module)
    begin = clock.exact()
    for call in _state.before_hooks:
        call(module)
    try:
        from . import install

        if not (hasattr(module, "__getattr__") and module.__name__.count(".") == 1):
            install.INSTALLERS[module.__name__](module)
    except Exception:
        hooks.failed("install")
    _state.hook_ns += clock.exact() - begin


def note_unseen():
    """Say so, once, when Warp is there and the hooks are not: a release that moved, or an odd way in."""
    found = [sys.modules[name] for name in HOOKED[:2] if name in sys.modules]
    if "warp" not in sys.modules or _imports.unseen or any(map(_imports.has, found)):
        return
    _imports.unseen = True
    detail = "warp._src.context: Warp was imported, but neither its builds nor its launches can be watched"
    hooks.problem("hook_missing", detail)
