"""One measurement at a time for each user: two would make each other slow. The lock dies with its holder."""

import contextlib
import os
import threading
from collections.abc import Callable, Generator
from pathlib import Path

from filelock import FileLock, Timeout

from warp_mcp.errors import CannotWrite
from warp_mcp.storage.files import write_atomic
from warp_mcp.storage.state import private_dir

_POLL_S = 0.25
"""Between two tries. Short against a measurement (seconds), long against a look at a lock (microseconds)."""


@contextlib.contextmanager
def measurement_lock(on_wait: Callable[[str], None], cancel: threading.Event) -> Generator[bool, None, None]:
    """Hold the lock; yields False when `cancel` was set before it could be had.

    `on_wait` gets a sentence about who holds it, once at every try.

    Raises `CannotWrite`: the state directory cannot be used.
    """
    path = private_dir() / "measure.lock"
    # The operating system drops this lock when the holder dies, however it dies; a child does not inherit it.
    lock = FileLock(path, mode=0o600)
    if not _acquire(lock, path, on_wait, cancel):
        yield False
        return
    try:
        _note_holder(path)
        yield True
    finally:
        lock.release()


def _acquire(lock: FileLock, path: Path, on_wait: Callable[[str], None], cancel: threading.Event) -> bool:
    while not cancel.is_set():
        try:
            lock.acquire(timeout=0)  # pyright: ignore[reportUnknownMemberType]
            return True
        except Timeout:
            on_wait(f"Another measurement of yours is running{_holder(path)}; waiting for it to end.")
            cancel.wait(_POLL_S)
        except OSError as error:
            raise CannotWrite(
                "cannot_lock",
                f"The lock {path} cannot be used: {error.strerror or error}.",
                "Free some space, or set WARP_MCP_STATE_DIR to a directory on a local disk you can write to.",
            ) from error
    return False


def _note_holder(path: Path) -> None:
    with contextlib.suppress(CannotWrite):
        write_atomic(path.with_suffix(".pid"), str(os.getpid()))


def _holder(path: Path) -> str:
    try:
        return f" (process {int(path.with_suffix('.pid').read_text(encoding='utf-8'))})"
    except (OSError, ValueError):
        return ""
