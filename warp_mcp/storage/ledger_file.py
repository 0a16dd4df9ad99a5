"""A ledger file held open: locked against other processes, read whole, written through to the disk.

Knows nothing of entries. The lock is on the file itself (`flock`), so that none is left beside a team's
file; the operating system drops it when the holder dies, however it dies.
"""

import contextlib
import errno
import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Generator
from pathlib import Path

from warp_mcp.errors import CannotWrite, ProbeError, UnreadableReport, UsageError

MOST_BYTES = 64 * 1024 * 1024
"""Tens of thousands of entries; more is no ledger."""
WAIT_S = 10.0
"""An append takes milliseconds: who waits so long waits for a process that is stopped."""
_POLL_S = 0.01
_NAME_KEPT = 50
"""Characters of a ledger's name in that of a file beside it: at most 200 of the 255 bytes of a name."""
_UNSYNCED = (errno.EINVAL, errno.EACCES, errno.EPERM, errno.ENOTSUP)
"""What a directory answers that cannot be flushed, or opened, on its own: there is nothing more to do."""


@contextlib.contextmanager
def opened(path: Path, *, write: bool, mode: int = 0o600) -> Generator[int, None, None]:
    """A descriptor of the file, which others can only read (`write` false) or not use at all until the end.

    With `write`, a file that does not exist is made with `mode`. Raises `FileNotFoundError` without it,
    `UsageError` when it is no ordinary file, `CannotWrite` or `UnreadableReport` when it cannot be used.
    """
    deadline = time.monotonic() + WAIT_S
    while True:
        descriptor = _open(path, write, mode)
        try:
            _lock(descriptor, path, write, deadline)
            # While we waited, another file may have been put in its place, as by a checkout of git.
            if _is_at(descriptor, path):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _open(path: Path, write: bool, mode: int) -> int:
    # Not blocking: opening a pipe may wait for ever. No link: it was resolved, and checked, before.
    flags = os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
    flags |= os.O_RDWR | os.O_CREAT | os.O_APPEND if write else os.O_RDONLY
    try:
        descriptor = os.open(path, flags, mode)
    except FileNotFoundError as error:
        if not write:
            raise
        raise CannotWrite(
            "cannot_write", f"There is no directory {path.parent}.", f"Make it: mkdir -p {path.parent}"
        ) from error
    except OSError as error:
        if error.errno in (errno.EISDIR, errno.ELOOP, errno.ENXIO):
            raise _not_a_file(path) from error
        raise _cannot(path, error, write) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_a_file(path)
    return descriptor


def _not_a_file(path: Path) -> UsageError:
    return UsageError("not_a_file", f"{path} is no ordinary file.", "Name a file that ends in .jsonl.")


def _cannot(path: Path, error: OSError, write: bool) -> ProbeError:
    why = error.strerror or str(error)
    if write:
        return CannotWrite(
            "cannot_write",
            f"{path} could not be written: {why}.",
            "Free some space, or name a place you can write to.",
        )
    return UnreadableReport("cannot_read", f"{path} cannot be read: {why}.", "Check its permissions.")


def _lock(descriptor: int, path: Path, write: bool, deadline: float) -> None:
    kind = fcntl.LOCK_EX if write else fcntl.LOCK_SH
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > deadline:
                raise CannotWrite(
                    "ledger_busy",
                    f"Another process has held {path} for {WAIT_S:.0f} s.",
                    "Try again; if it lasts, look for a stopped process of yours that uses it.",
                ) from error
        except OSError as error:
            if not write:
                return  # a file system without locks: reading needs none as badly as writing does
            raise CannotWrite(
                "cannot_lock",
                f"{path} cannot be locked: {error.strerror or error}.",
                "Use a file on a local disk.",
            ) from error
        time.sleep(_POLL_S)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        there = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(descriptor), there)


def read_all(descriptor: int, path: Path) -> bytes:
    """The whole content. Raises `UnreadableReport`: it is far too large, or cannot be read."""
    try:
        size = os.fstat(descriptor).st_size
        if size > MOST_BYTES:
            raise UnreadableReport(
                "too_large", f"{path} is far too large for a ledger.", "Move it aside, and begin a new one."
            )
        os.lseek(descriptor, 0, os.SEEK_SET)
        with os.fdopen(os.dup(descriptor), "rb") as stream:
            return stream.read(size)
    except OSError as error:
        raise _cannot(path, error, write=False) from error


def append_bytes(descriptor: int, path: Path, data: bytes) -> None:
    """Write `data` at the end, and flush it to the disk. What cannot be written whole is taken back.

    Raises `CannotWrite`.
    """
    size = os.fstat(descriptor).st_size
    try:
        _write(descriptor, data)
        flush(descriptor)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise _cannot(path, error, write=True) from error


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def flush(descriptor: int) -> None:
    """Have the disk hold what was written; macOS needs a stronger word for that. Raises `OSError`."""
    stronger = getattr(fcntl, "F_FULLFSYNC", None)
    if stronger is not None:
        with contextlib.suppress(OSError):  # a disk that does not know it
            fcntl.fcntl(descriptor, stronger)
            return
    os.fsync(descriptor)


def secure(descriptor: int, path: Path) -> None:
    """Have the disk hold the file and its name, whoever wrote them. Raises `CannotWrite`."""
    try:
        flush(descriptor)
        # Directories above may be new as well: the state directory is made on first use.
        for directory in (path.parent, *path.parent.parents[:2]):
            _flush_directory(directory)
    except OSError as error:
        raise _cannot(path, error, write=True) from error


def _flush_directory(directory: Path) -> None:
    try:
        descriptor = os.open(directory, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in _UNSYNCED:
            raise


def set_aside(descriptor: int, path: Path, keep: int, tail: bytes) -> Path:
    """Move what stands behind the first `keep` bytes into a new file `….torn-…` beside it; returns its path.

    It is on the disk there before it goes here. Raises `CannotWrite`.
    """
    torn = _kept_beside(path, tail + b"\n", stat.S_IMODE(os.fstat(descriptor).st_mode))
    try:
        os.ftruncate(descriptor, keep)
        flush(descriptor)
    except OSError as error:
        raise _cannot(path, error, write=True) from error
    return torn


def _kept_beside(path: Path, data: bytes, mode: int) -> Path:
    """A new file with `data`. Its name was nobody's before, so it can be no link, directory or other file."""
    try:
        descriptor, name = tempfile.mkstemp(prefix=f"{path.name[:_NAME_KEPT]}.torn-", dir=path.parent)
    except OSError as error:
        raise _cannot(path.with_name(f"{path.name}.torn-…"), error, write=True) from error
    torn = Path(name)
    try:
        with contextlib.suppress(OSError):  # a file system without modes
            os.fchmod(descriptor, mode)
        append_bytes(descriptor, torn, data)
        secure(descriptor, torn)
    except CannotWrite:
        torn.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return torn
