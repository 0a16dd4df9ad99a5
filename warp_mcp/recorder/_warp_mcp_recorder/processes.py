"""Children and the end: what a process passes on, and what it writes last."""

import atexit
import os
import sys

from . import _state, hooks
from .clock import clock

_PACKAGE = __name__.rpartition(".")[0]


def watch_children():
    """Note every Python process that this one starts or turns into.

    `subprocess` and `multiprocessing`'s spawn end in `_posixsubprocess.fork_exec`, and take it from
    that module when they are imported, which is after us.
    """
    try:
        import _posixsubprocess
    except ImportError:
        return
    hooks.install(_posixsubprocess, "fork_exec", after=_forked, required=False)
    for name in ("posix_spawn", "posix_spawnp"):
        hooks.install(os, name, after=_spawned, required=False)
    for name in ("execv", "execve"):
        hooks.install(os, name, before=_replaced, required=False)


def _forked(_token, pid, _error, args, _kwargs):
    """Arguments of `fork_exec`: argv first, candidates for the executable, the environment list sixth."""
    if pid:
        paths = list(args[1] or ())
        _note(pid, args[0], paths[0] if paths else "", args[5] if len(args) > 5 else None)


def _spawned(_token, pid, _error, args, kwargs):
    """Arguments of `posix_spawn`: path, argv, environment."""
    if pid:
        given = dict(zip(("path", "argv", "env"), args), **kwargs)
        _note(pid, given["argv"], given["path"], given["env"])


def _replaced(args, _kwargs):
    """`execv(path, argv)` or `execve(path, argv, env)`: this process goes on as another program."""
    _note(os.getpid(), args[1], args[0], args[2] if len(args) > 2 else None)


def _note(pid, argv, path, environment):
    from . import frames

    words = [_text(word) for word in argv]
    if not (_is_python(_text(path)) or _is_python(words[0] if words else "")):
        return
    if environment is not None and hasattr(environment, "keys"):
        names = {_text(name) for name in environment.keys()}
    else:
        names = None if environment is None else {_text(item).partition("=")[0] for item in environment}
    isolated = any(word in ("-I", "-E", "-S") for word in words[1:4])
    where, via = frames.origin(3)
    _state.record.write(
        {
            "e": "spawn",
            "pid": pid,
            "argv": [word[:1000] for word in words[:64]],
            "t": clock.now(),
            "where": where,
            "via": via,
            "keeps": (names is None or "WARP_MCP_RECORD_DIR" in names) and not isolated,
            "caches": names is None or "WARP_CACHE_PATH" in names,
        }
    )


def _is_python(path):
    """Whether a path names an interpreter: `python`, `python3.12`, `python3.13t`."""
    name = os.path.basename(path)
    return name.startswith("python") and len(name[6:].lstrip("0123456789.")) <= 1


def _text(word):
    return os.fsdecode(word) if isinstance(word, (bytes, str)) or hasattr(word, "__fspath__") else str(word)


def restart_after_fork():
    """Give a forked child a record of its own; its parent's must not get its lines."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
    atexit.register(write_exit)


def _after_fork():
    try:
        from . import record

        _state.hook_ns = _state.lost = 0
        _state.written_exit = False
        _state.record = record.Record.open(forked=True) or record.Nothing()
        for name in ("threads", "launches", "kernels", "builds", "settings"):
            module = sys.modules.get(f"{_PACKAGE}.{name}")
            if module is not None:
                module.after_fork()
        if "warp" in sys.modules and f"{_PACKAGE}.install" in sys.modules:
            sys.modules[f"{_PACKAGE}.install"].write_warp()
    except Exception:
        from . import record

        _state.record = record.Nothing()


def write_exit():
    """Write the line that tells an orderly end, and what is only counted until then."""
    if _state.written_exit:
        return
    _state.written_exit = True
    try:
        now = clock.now()
        sys.modules[f"{_PACKAGE}.imports"].note_unseen()
        for name in ("builds", "settings", "threads"):
            module = sys.modules.get(f"{_PACKAGE}.{name}")
            if module is not None:
                module.write_counts()
        _state.record.write({"e": "exit", "t": now, "hook_ns": _state.hook_ns}, counted=False)
    except Exception:
        hooks.failed("write_exit")
