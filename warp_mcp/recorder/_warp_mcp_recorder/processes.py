"""Children and the end: what a process passes on, and what it writes last."""

import atexit
import os
import sys
import time

from . import _state, hooks

_PACKAGE = __name__.rpartition(".")[0]


def watch_children():
    """Note every child that this process starts through `subprocess` or `multiprocessing`'s spawn.

    Both end in `_posixsubprocess.fork_exec`, and take it from that module when they are imported,
    which is after us.
    """
    try:
        import _posixsubprocess
    except ImportError:
        return
    hooks.install(_posixsubprocess, "fork_exec", after=_note_child, required=False)


def _note_child(_token, pid, _error, args, _kwargs):
    """`args` are the positional ones of `fork_exec`: argv first, the environment list sixth."""
    if not pid:
        return
    from . import frames

    argv = [_text(word) for word in args[0]]
    if "python" not in os.path.basename(argv[0] if argv else "") and not _runs_python(args):
        return
    environment = args[5] if len(args) > 5 else None
    keeps = environment is None or any(_text(item).startswith("WARP_MCP_RECORD_DIR=") for item in environment)
    isolated = any(word in ("-I", "-E", "-S") for word in argv[1:4])
    where, via = frames.origin(2)
    _state.record.write(
        {
            "e": "spawn",
            "pid": pid,
            "argv": [word[:1000] for word in argv[:64]],
            "t": time.monotonic_ns(),
            "where": where,
            "via": via,
            "keeps": keeps and not isolated,
        }
    )


def _runs_python(args):
    paths = [_text(path) for path in (args[1] or ())]
    return any("python" in os.path.basename(path) for path in paths[:1])


def _text(word):
    return os.fsdecode(word) if isinstance(word, (bytes, str)) else str(word)


def restart_after_fork():
    """Give a forked child a record of its own; its parent's must not get its lines."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_after_fork)
    atexit.register(write_exit)


def _after_fork():
    try:
        from . import record

        _state.hook_ns = 0
        _state.written_exit = False
        _state.record = record.Record.open(forked=True) or record.Nothing()
        for name in ("launches", "kernels", "builds", "settings"):
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
        now = time.monotonic_ns()
        sys.modules[f"{_PACKAGE}.imports"].note_unseen()
        for name in ("builds", "settings", "launches"):
            module = sys.modules.get(f"{_PACKAGE}.{name}")
            if module is not None:
                module.write_counts()
        _state.record.write({"e": "exit", "t": now, "hook_ns": _state.hook_ns})
    except Exception:
        hooks.failed("write_exit")
