"""Putting the hooks into Warp, module by module, as they are imported."""

import sys

from . import _state, builds, frames, graphs, hooks, launches, lto, settings, source
from .looking import peek


def into_context(context):
    """Hook the module that holds Warp's `Module`, `launch` and `invoke`.

    Each part stands alone: what one release moved is noted as missing, and the rest still records.
    """
    write_warp()
    package = context.__name__.rpartition(".")[0]
    build_module = sys.modules.get(package + ".build")
    for part in (
        lambda: builds.install(context, build_module),
        lambda: source.install(context, sys.modules[package + ".codegen"]),
        lambda: lto.install(build_module),
        lambda: settings.install(context, build_module),
        lambda: launches.install(context),
        lambda: graphs.install(context),
        lambda: hooks.install(context.Runtime, "__init__", after=_initialised),
        lambda: launches.watch_cuda(peek(context, "runtime")),  # initialised before us, by a `.pth` file
    ):
        try:
            part()
        except Exception:
            hooks.failed("install")


def into_tape(module):
    """Hook the module that holds `Tape`."""
    settings.install_tape(module)


def into_capture(module):
    """Hook the module that holds the recording of CPU graphs."""
    graphs.install_capture(module)


INSTALLERS = {
    "warp._src.context": into_context,
    "warp.context": into_context,
    "warp._src.tape": into_tape,
    "warp.tape": into_tape,
    "warp._src.apic.capture": into_capture,
}


def write_warp():
    """Tell the record which Warp this is."""
    version = peek(settings.warp_config(), "version")
    _state.record.write({"e": "warp", "version": version, "path": frames.warp_directory()})


def _initialised(_token, _result, error, args, _kwargs):
    """Once the runtime exists, so do Warp's native functions."""
    if error is None:
        launches.watch_cuda(args[0])
