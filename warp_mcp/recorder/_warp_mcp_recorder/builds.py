"""Module creation, hashing, building and loading.

`_compile` (`compile` in 1.10) tells begin and end of a build, the creation of a `ModuleExec`
the end of a load; `Module.load` itself is left alone, because every launch passes through it.
"""

import _thread
import sys
import weakref

from . import _state, frames, hooks, kernels, lto, makers, phases, settings
from .clock import clock
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
        born = _born.get(module) or (clock.now(), settings.option_texts(module), "file", None, None)
        t, options, made, where, via = born
        _state.record.write(
            {
                "e": "module",
                "id": number,
                "name": module.name,
                "t": t,
                "options": options,
                "made": made,
                "where": where,
                "via": via,
            }
        )
    return number


# --- creation -----------------------------------------------------------------------------------


def _module_created(_token, _result, error, args, _kwargs):
    if error is None:
        module = args[0]
        where, via = frames.origin(2)
        _born[module] = (clock.now(), settings.option_texts(module), makers.made(module), where, via)
        settings.remember_options(module)
        module_number(module)


def _kernel_declared(_token, _result, _error, args, _kwargs):
    number = module_number(args[0])
    _modules.declared[number] = _modules.declared.get(number, 0) + 1


# --- hashing ------------------------------------------------------------------------------------


def _module_hashed(token, _result, error, _args, _kwargs):
    """Frames above: the hook, then the method of `Module` that hashes, then whoever asked for it."""
    wall, cpu = phases.elapsed(token)
    frame, build = sys._getframe(3), phases.current()
    module = frame.f_locals.get("self")
    if module is None or peek(module, "execs") is None:
        return
    if build is not None and build.module is module:
        build.add("hash", wall, cpu)
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
    build = phases.Build(module)
    caller = sys._getframe(3)
    if caller.f_code.co_name == "load":
        _take_hashing(build)
        build.device, build.block_dim = _variant(caller.f_locals)
        build.asked_by = _name_above(caller)
    else:
        build.aot = True
        build.device = f"aot:{_aot_target(module, args, kwargs)}"
        build.block_dim = int(module.options.get("block_dim", 0) or 0)
    phases.begin(build)
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
            "kernels": kernels.snapshot(module, module_number(module), fresh=True),
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
    return f"sm_{arch}" if arch is not None else "cpu"


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
    build.closed, build.closed_cpu = clock.now(), clock.cpu()
    build.lto = max(0, phases.lto_files() - build.lto_before)
    # Up to 1.10 the method is only called when there is something to build, and returns nothing.
    build.compiled = result is not False
    if error is not None or build.aot:
        phases.end(build.module)
        status = "error" if error is not None else ("compiled" if build.compiled else "cached")
        _write_load(build, status, _hash_of(build.module, build.block_dim), error)


def _exec_created(_token, _result, error, args, _kwargs):
    """A load is complete. Frames above: the hook, then `load`."""
    if error is not None:
        return
    caller = sys._getframe(3)
    module = caller.f_locals.get("self")
    if module is None or peek(module, "execs") is None:
        return
    build = phases.end(module)
    if build is None:
        build = phases.Build(module)
        _take_hashing(build)
        build.asked_by = _name_above(caller)
    build.device, build.block_dim = _variant(caller.f_locals)
    if build.closed:
        build.add("load", clock.now() - build.closed, clock.cpu() - build.closed_cpu)
    module_hash = peek(args[0], "module_hash") or b""
    _remember_exec(args[0], module, module_hash.hex(), build)
    _write_load(build, "compiled" if build.compiled else "cached", module_hash.hex(), None)


def _write_load(build, status, module_hash, error):
    module = build.module
    number = module_number(module)
    where, via = frames.origin(3)
    end, cpu = clock.now(), clock.cpu() - build.begin_cpu
    outer = phases.current()
    if outer is not None:
        outer.nested += end - build.begin
        outer.nested_cpu += cpu
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
            "t1": end,
            "cpu_ns": cpu - build.nested_cpu,
            "nested_ns": build.nested,
            "within": outer is not None,
            "thread": _thread.get_ident(),
            "phases": build.phases,
            "kernels": kernels.snapshot(module, number),
            "options": settings.resolved_texts(module, build.block_dim),
            "source_bytes": build.source_bytes,
            "adjoint_bytes": build.adjoint_bytes,
            "statements": build.statements,
            "unrolled": build.unrolled,
            "lto": build.lto,
            "lto_parts": lto.parts(build),
            "headers": build.headers,
            "where": where,
            "via": via,
            "error": f"{type(error).__name__}: {error}" if error is not None else None,
            "forced": build.asked_by not in ("launch", "__init__"),
            "hook_ns": _state.hook_ns,
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


def install(context, build_module):
    """Put the hooks in. What this Warp does not have is noted in the record."""
    module_class = context.Module
    hooks.install(module_class, "__init__", after=_module_created)
    hooks.install(module_class, "register_kernel", after=_kernel_declared)
    hooks.install(context.ModuleHasher, "__init__", before=phases.clocks, after=_module_hashed)
    # `compile` in 1.10, `_compile` since.
    hooks.install(module_class, ("_compile", "compile"), before=_build_begins, after=_build_ends)
    hooks.install(context.ModuleExec, "__init__", after=_exec_created)
    phases.install(context, build_module)
