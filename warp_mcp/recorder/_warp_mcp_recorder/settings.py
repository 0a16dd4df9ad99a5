"""Options: assignments to `warp.config`, `set_module_options`, cache clears, backward passes."""

import sys
import weakref
from typing import Any

from . import _state, builds, frames, hooks
from .clock import clock
from .looking import peek

MAX_TEXT = 200


class _Counts:
    def __init__(self):
        self.backward = 0


_counts = _Counts()
_seen_options = weakref.WeakKeyDictionary()


def after_fork():
    """The child counts its own."""
    global _counts
    _counts = _Counts()


def warp_config():
    """The module object whose attributes are Warp's global options."""
    warp = sys.modules.get("warp")
    return peek(warp, "config") or sys.modules.get("warp.config") or sys.modules.get("warp._src.config")


def text(value):
    """Short text of an option's value."""
    try:
        return str(value)[:MAX_TEXT]
    except Exception:
        return f"<{type(value).__name__}>"


def option_texts(module):
    """A module's options as texts."""
    return {str(name): text(value) for name, value in dict(module.options).items()}


def resolved_texts(module, block_dim):
    """The options that a variant was hashed with, global ones folded in where this Warp does that."""
    resolved = dict(peek(module, "resolved_options", {})).get(block_dim)
    if resolved is None:
        resolve = peek(module, "resolve_options")
        resolved = resolve(warp_config(), block_dim=block_dim) if resolve is not None else _merged(module)
    options = {str(name): text(value) for name, value in dict(resolved).items()}
    options.pop("block_dim", None)
    return options


GLOBALS = (
    "verify_fp", "line_directives", "llvm_cuda", "use_precompiled_headers", "verify_autograd_array_access",
    "enable_vector_component_overwrites", "enable_tiles_in_stack_memory", "mode", "optimization_level",
)  # fmt: skip
"""Global options that take part in building, for releases without `Module.resolve_options`."""


def _merged(module):
    # By dictionary: the configuration of 1.12 answers for names it does not have by asking itself.
    config = vars(warp_config())
    options = {name: config[name] for name in GLOBALS if name in config}
    options.update(
        {name: value for name, value in module.options.items() if value is not None or name not in options}
    )
    return options


# --- module options -----------------------------------------------------------------------------


def _module_modified(_token, _result, _error, args, _kwargs):
    """`mark_modified` also runs for every kernel; only a call by `set_module_options` concerns options.

    `set_module_options` itself cannot be wrapped: without a module it looks at its caller's frame.
    """
    module, caller = args[0], sys._getframe(3)
    if caller.f_code.co_name != "set_module_options":
        _seen_options.setdefault(module, dict(module.options))
        return
    before = _seen_options.get(module) or {}
    after = dict(module.options)
    _seen_options[module] = after
    where, via = frames.origin(3)
    # Only what the call names: up to 1.12 loading a module writes its `block_dim` as well.
    for name in caller.f_locals.get("options") or ():
        if before.get(name, None) != after.get(name, None):
            _state.record.write(
                {
                    "e": "options",
                    "module": builds.module_number(module),
                    "t": clock.now(),
                    "option": str(name),
                    "old": text(before.get(name, None)),
                    "new": text(after.get(name, None)),
                    "where": where,
                    "via": via,
                }
            )


def remember_options(module):
    """Note the options a module has now, to tell later what a call changed."""
    _seen_options[module] = dict(module.options)


# --- global options -----------------------------------------------------------------------------


def watch_config(config):
    """Give `warp.config` a class that notes assignments. Warp's own checks stay in its base class."""
    base: Any = type(config)

    def __setattr__(self, name, value):
        old = self.__dict__.get(name, _missing)
        try:
            base.__setattr__(self, name, value)
        except BaseException as error:
            hooks.drop_frame(error)
            raise
        try:
            _assigned(name, old, value)
        except Exception:
            hooks.failed("warp.config")

    watched = type(
        base.__name__, (base,), {"__setattr__": hooks.unseen(__setattr__), "__module__": base.__module__}
    )
    config.__class__ = watched


_missing = object()


def _assigned(name, old, value):
    caller = sys._getframe(2)
    if name.startswith("__") or frames.kind_of(caller.f_code.co_filename) == frames.WARP:
        return
    where, via = frames.origin(2)
    _state.record.write(
        {
            "e": "config",
            "t": clock.now(),
            "name": name,
            "old": "<unset>" if old is _missing else text(old),
            "new": text(value),
            "where": where,
            "via": via,
        }
    )


# --- caches and tapes ---------------------------------------------------------------------------


def _cache_event(kind):
    def after(_token, _result, _error, _args, _kwargs):
        where, via = frames.origin(3)
        path = peek(warp_config(), "kernel_cache_dir")
        _state.record.write(
            {"e": "cache", "kind": kind, "t": clock.now(), "path": path, "where": where, "via": via}
        )

    return after


def _went_backward(_token, _result, _error, _args, _kwargs):
    _counts.backward += 1
    if _counts.backward in (1, 10, 100) or _counts.backward % 1000 == 0:
        write_counts()


def write_counts():
    """Write the number of backward passes so far."""
    if _counts.backward:
        _state.record.write({"e": "backward", "count": _counts.backward})


def install(context, build_module):
    """Put the hooks in."""
    hooks.install(context.Module, "mark_modified", after=_module_modified)
    hooks.install(build_module, "clear_kernel_cache", after=_cache_event("cleared_kernels"))
    hooks.install(build_module, "clear_lto_cache", after=_cache_event("cleared_lto"), required=False)
    hooks.install(build_module, "init_kernel_cache", after=_cache_event("directory"))
    config = warp_config()
    if config is not None:
        watch_config(config)
    else:
        hooks.problem("hook_missing", "warp.config")


def install_tape(tape_module):
    """Count backward passes."""
    hooks.install(tape_module.Tape, "backward", after=_went_backward)
