"""Module creation, hashing, building and loading.

The thread that builds a module does all of the work itself, so one `_Build` per thread collects the
phases. `_compile` (`compile` in 1.10) tells begin and end of a build, the creation of a `ModuleExec`
the end of a load; `Module.load` itself is left alone, because every launch passes through it.
"""

import _thread
import os
import sys
import time
import weakref

from . import _state, frames, hooks, kernels, settings
from .looking import peek


class _Modules:
    """Numbers of modules, and what is counted until the end."""

    def __init__(self):
        self.numbers = weakref.WeakKeyDictionary()
        self.next = 0
        self.hashing = {}
        self.declared = {}
        self.execs = []


_modules = _Modules()
_threads = _thread._local()
_born = weakref.WeakKeyDictionary()


def after_fork():
    """Number modules anew; those that exist are described again when they are next seen."""
    global _modules
    inherited = _modules.execs
    _modules = _Modules()
    _modules.execs = inherited
    _threads.__dict__.clear()


def module_number(module):
    """Number of a module in this record; describes it at first sight."""
    number = _modules.numbers.get(module)
    if number is None:
        number, _modules.next = _modules.next, _modules.next + 1
        _modules.numbers[module] = number
        born = _born.get(module) or (time.monotonic_ns(), settings.option_texts(module), None, None)
        t, options, where, via = born
        _state.record.write(
            {"e": "module", "id": number, "name": module.name, "t": t, "options": options, "where": where, "via": via}
        )
    return number


class _Build:
    """One build or load under way in one thread."""

    def __init__(self, module):
        self.module = module
        self.begin = time.monotonic_ns()
        self.begin_cpu = time.thread_time_ns()
        self.phases = {}
        self.source_bytes = 0
        self.lto = 0
        self.headers = 0
        self.aot = None
        self.asked_by = ""
        self.compiled = None
        self.closed = 0
        self.closed_cpu = 0

    def add(self, phase, wall, cpu):
        """Add time in nanoseconds to a phase."""
        known = self.phases.get(phase, (0, 0))
        self.phases[phase] = (known[0] + wall, known[1] + cpu)


def _current():
    return getattr(_threads, "build", None)


def _clocks(_args, _kwargs):
    return time.monotonic_ns(), time.thread_time_ns()


# --- creation -----------------------------------------------------------------------------------


def _module_created(_token, _result, error, args, _kwargs):
    if error is None:
        module = args[0]
        where, via = frames.origin(2)
        _born[module] = (time.monotonic_ns(), settings.option_texts(module), where, via)
        settings.remember_options(module)
        module_number(module)


def _kernel_declared(_token, _result, _error, args, _kwargs):
    number = module_number(args[0])
    _modules.declared[number] = _modules.declared.get(number, 0) + 1


# --- hashing ------------------------------------------------------------------------------------


def _module_hashed(token, _result, error, _args, _kwargs):
    """Frames above: the hook, then the method of `Module` that hashes, then whoever asked for it."""
    wall, cpu = time.monotonic_ns() - token[0], time.thread_time_ns() - token[1]
    build = _current()
    if build is not None:
        build.add("hash", wall, cpu)
        return
    frame = sys._getframe(3)
    module = frame.f_locals.get("self")
    if module is None or peek(module, "execs") is None:
        return
    number = module_number(module)
    count, spent = _modules.hashing.get(number, (0, 0))
    _modules.hashing[number] = (count + 1, spent + wall)
    if count + 1 in (1, 10, 100) or (count + 1) % 1000 == 0:
        _write_hashing(number)
    if error is None and frames.asked_by(frame, "load"):
        _threads.hashed = (weakref.ref(module), token[0], token[1], wall, cpu)


def _write_hashing(number):
    count, spent = _modules.hashing.get(number, (0, 0))
    declared = _modules.declared.get(number, 0)
    _state.record.write({"e": "hashing", "module": number, "count": count, "ns": spent, "declared": declared})


def write_counts():
    """Write what is only counted until the end."""
    for number in list(_modules.hashing):
        _write_hashing(number)


def _take_hashing(build):
    """Let a build begin where the hashing that `load` did just before it began."""
    hashed, _threads.hashed = getattr(_threads, "hashed", None), None
    if hashed is not None and hashed[0]() is build.module:
        build.begin, build.begin_cpu = hashed[1], hashed[2]
        build.add("hash", hashed[3], hashed[4])


# --- building -----------------------------------------------------------------------------------


def _build_begins(args, kwargs):
    module = args[0]
    build = _Build(module)
    caller = sys._getframe(3)
    if caller.f_code.co_name == "load":
        _take_hashing(build)
        build.device, build.block_dim = _variant(caller.f_locals)
        build.asked_by = _name_above(caller)
    else:
        build.aot = _aot_target(module, args, kwargs)
        build.device = "aot:%s" % build.aot
        build.block_dim = int(module.options.get("block_dim", 0) or 0)
    build.lto_before = _lto_files()
    _threads.build = build
    _state.record.write(
        {
            "e": "build_begin",
            "t": build.begin,
            "thread": _thread.get_ident(),
            "module": module_number(module),
            "name": module.name,
            "device": build.device,
            "block_dim": build.block_dim,
            "hash": _hash_of(module, build.block_dim),
            "kernels": kernels.snapshot(module, module_number(module)),
        }
    )
    return build


def _variant(local):
    """(device alias, block_dim) of a `load` under way, from its local variables."""
    device, module = local.get("device"), local.get("self")
    block_dim = local.get("active_block_dim") or module.options.get("block_dim", 0)
    return str(peek(device, "alias", device)), int(block_dim)


def _aot_target(module, args, kwargs):
    names = ("self", "device", "output_dir", "output_name", "output_arch")
    given = dict(zip(names, args), **kwargs)
    arch, device = given.get("output_arch"), given.get("device")
    if arch is None and device is not None:
        arch = peek(device, "arch") if peek(device, "is_cuda", False) else None
    return "sm_%s" % arch if arch is not None else "cpu"


def _hash_of(module, block_dim):
    """Hex of the hash of a variant as it is known now; empty when it is not."""
    hasher = dict(peek(module, "hashers", {})).get(block_dim)
    for name in ("get_hash", "get_module_hash"):
        get = peek(hasher, name)
        if get is not None:
            return get().hex()
    return ""


def _build_ends(build, result, error, args, kwargs):
    if build is None:
        return
    build.closed, build.closed_cpu = time.monotonic_ns(), time.thread_time_ns()
    build.lto = max(0, _lto_files() - build.lto_before)
    # Up to 1.10 the method is only called when there is something to build, and returns nothing.
    build.compiled = result is not False
    if error is not None or build.aot is not None:
        _threads.build = None
        status = "error" if error is not None else ("compiled" if build.compiled else "cached")
        _write_load(build, status, _hash_of(build.module, build.block_dim), error)


def _exec_created(_token, _result, error, args, _kwargs):
    """A load is complete. Frames above: the hook, then `load`."""
    if error is not None:
        return
    caller = sys._getframe(3)
    module, build = caller.f_locals.get("self"), _current()
    _threads.build = None
    if module is None or peek(module, "execs") is None:
        return
    if build is None or build.module is not module:
        build = _Build(module)
        _take_hashing(build)
        build.compiled = False
        build.asked_by = _name_above(caller)
    build.device, build.block_dim = _variant(caller.f_locals)
    if build.closed:
        build.add("load", time.monotonic_ns() - build.closed, time.thread_time_ns() - build.closed_cpu)
    module_hash = peek(args[0], "module_hash") or b""
    _remember_exec(args[0], module, module_hash.hex(), build)
    _write_load(build, "compiled" if build.compiled else "cached", module_hash.hex(), None)


def _write_load(build, status, module_hash, error):
    module = build.module
    number = module_number(module)
    where, via = frames.origin(3)
    _state.record.write(
        {
            "e": "load",
            "module": number,
            "name": module.name,
            "hash": module_hash,
            "device": build.device,
            "block_dim": build.block_dim,
            "status": status,
            "t0": build.begin,
            "t1": time.monotonic_ns(),
            "cpu_ns": time.thread_time_ns() - build.begin_cpu,
            "thread": _thread.get_ident(),
            "phases": build.phases,
            "kernels": kernels.snapshot(module, number),
            "options": settings.resolved_texts(module, build.block_dim),
            "source_bytes": build.source_bytes,
            "lto": build.lto,
            "headers": build.headers,
            "where": where,
            "via": via,
            "error": "%s: %s" % (type(error).__name__, error) if error is not None else None,
            "forced": build.asked_by not in ("launch", "__init__"),
        }
    )


def _name_above(frame):
    """Name of the function that called `load`: `launch`, or the `__init__` of a recorded launch."""
    return frame.f_back.f_code.co_name if frame.f_back is not None else ""


def _remember_exec(executable, module, module_hash, build):
    executable._warp_mcp_identity = (weakref.ref(module), module_hash, build.device, build.block_dim)
    _modules.execs = [one for one in _modules.execs if one() is not None] + [weakref.ref(executable)]


def identity_of(module, entry):
    """{module, hash, device, block_dim} of the executable that an entry point belongs to."""
    for reference in reversed(_modules.execs):
        executable = reference()
        if executable is None or not any(one is entry for one in executable.kernel_hooks.values()):
            continue
        owner, module_hash, device, block_dim = executable._warp_mcp_identity
        return _identity(owner() or module, module_hash, device, block_dim)
    return _identity(module, "", "unknown", 0)


def _identity(module, module_hash, device, block_dim):
    number = module_number(module)
    return {"module": number, "hash": module_hash, "device": device, "block_dim": block_dim}


# --- phases -------------------------------------------------------------------------------------


def _phase(name):
    """An `after` hook that adds the time of a call to a phase of the build under way."""

    def after(token, _result, _error, _args, _kwargs):
        build = _current()
        if build is not None and token is not None:
            build.add(name, time.monotonic_ns() - token[0], time.thread_time_ns() - token[1])

    return after


_add_codegen = _phase("codegen")
_add_native = _phase("native_compile")


def _code_generated(token, result, error, args, kwargs):
    _add_codegen(token, result, error, args, kwargs)
    build = _current()
    if build is not None and isinstance(result, str):
        build.source_bytes += source_bytes(result)


def source_bytes(source):
    """Bytes of generated source without `#line` lines: those cost nothing to compile."""
    total = len(source)
    if "#line" in source:
        total -= sum(len(line) + 1 for line in source.split("\n") if line.lstrip().startswith("#line"))
    return total


def _lto_built(token, _result, _error, _args, _kwargs):
    """LTO objects are built while code is generated: take their time out of that phase."""
    build = _current()
    if build is None or token is None:
        return
    wall, cpu = time.monotonic_ns() - token[0], time.thread_time_ns() - token[1]
    build.add("lto", wall, cpu)
    build.add("codegen", -wall, -cpu)


def _lto_files():
    """`.lto` files in the cache Warp uses."""
    config = settings.warp_config()
    directory = os.path.join(peek(config, "kernel_cache_dir") or os.devnull, "lto")
    try:
        return sum(name.endswith(".lto") for name in os.listdir(directory))
    except OSError:
        return 0


def _native_begins(_args, kwargs):
    directory = kwargs.get("pch_dir")
    return time.monotonic_ns(), time.thread_time_ns(), directory, _headers(directory), time.time_ns()


def _native_ends(token, result, error, args, kwargs):
    """Split off the precompiled header: it was complete when its file was last written."""
    _add_native(token, result, error, args, kwargs)
    build = _current()
    if build is None or token is None or token[2] is None:
        return
    wall, cpu = time.monotonic_ns() - token[0], time.thread_time_ns() - token[1]
    new = [stamp for name, stamp in _headers(token[2]).items() if name not in token[3]]
    if not new:
        return
    spent = min(max(0, max(new) - token[4]), wall)
    spent_cpu = spent * cpu // wall if wall else 0
    build.headers += len(new)
    build.add("header", spent, spent_cpu)
    build.add("native_compile", -spent, -spent_cpu)


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
    """Put the hooks in. What this Warp does not have is noted in the record."""
    module_class = context.Module
    hooks.install(module_class, "__init__", after=_module_created)
    hooks.install(module_class, "register_kernel", after=_kernel_declared)
    hooks.install(context.ModuleHasher, "__init__", before=_clocks, after=_module_hashed)
    compile_name = "_compile" if peek(module_class, "_compile") else "compile"
    hooks.install(module_class, compile_name, before=_build_begins, after=_build_ends)
    hooks.install(context.ModuleExec, "__init__", after=_exec_created)
    hooks.install(context.ModuleBuilder, "__init__", before=_clocks, after=_add_codegen)
    hooks.install(context.ModuleBuilder, "codegen", before=_clocks, after=_code_generated)
    hooks.install(build_module, "build_cpu", before=_native_begins, after=_native_ends)
    hooks.install(build_module, "build_cuda", before=_native_begins, after=_native_ends)
    hooks.install(build_module, "_build_lto_base", before=_clocks, after=_lto_built, required=False)
