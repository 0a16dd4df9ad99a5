"""Directories of one sample: its own empty caches and a place for its records, gone when it is over.

What belongs here: making and removing directories of the probe under the system temp directory. Should the
probe be killed, the sample's guard (`guarding.py`) removes them; what is left when that was killed too, goes
before the next measurement. Header folders that Warp itself leaves are the business of `headers.py`.

Layout: `<temp>/warp-mcp-XXXXXXXX/` with `owner.json`, `kernels/` (WARP_CACHE_PATH), `cache-root/`
(WARP_CACHE_ROOT), `cuda/` (CUDA_CACHE_PATH), `cold/` and `warm/` (records). Owner and guard share a lock on
`owner.json`; the lock, unlike a process number, cannot be mistaken after a restart or across containers
that share the directory.
"""

import json
import os
import secrets
import shutil
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

import psutil

from warp_mcp.errors import CannotWrite
from warp_mcp.running.guarding import Guard
from warp_mcp.running.processes import end_marked

PREFIX = "warp-mcp-"
OWNER = "owner.json"
UNOWNED_AGE_S = 3600.0
"""A directory without an owner file is one that was just being made, unless it is this old."""


@dataclass(frozen=True)
class SampleDirectories:
    """Where one sample's caches and records lie."""

    root: str
    run_id: str
    lifeline: int | None = None
    """Descriptor of the sample's guard, to be inherited by the supervisor of each run."""

    @property
    def kernels(self) -> str:
        """`WARP_CACHE_PATH` of the cold and the warm run."""
        return os.path.join(self.root, "kernels")

    @property
    def caches(self) -> dict[str, str]:
        """Variables of the caches, with their directories."""
        return {
            "WARP_CACHE_PATH": self.kernels,
            "WARP_CACHE_ROOT": os.path.join(self.root, "cache-root"),
            "CUDA_CACHE_PATH": os.path.join(self.root, "cuda"),
        }

    def records(self, step: str) -> str:
        """Directory for the record files of the run `step`."""
        return os.path.join(self.root, step)


@contextmanager
def sample_directories(run_id: str, rescue_dir: str | None = None) -> Generator[SampleDirectories]:
    """Fresh directories, readable by their owner only; removed on the way out, however that happens.

    Should this process be killed, a guard removes them, after it has copied the records below `rescue_dir`.
    Raises CannotWrite when they cannot be made.
    """
    parent = temp_directory()
    # A name that nobody else chooses: the guard knows it before the directory is there.
    sample = SampleDirectories(os.path.join(parent, PREFIX + secrets.token_hex(8)), run_id)
    with Guard(sample.root, run_id, _rescued(sample, rescue_dir)) as guard:
        try:
            os.mkdir(sample.root, 0o700)
        except OSError as error:
            guard.done()
            raise _cannot_write(parent, error) from error
        lock = None
        try:
            try:
                lock = _own(sample.root, run_id)
                _fill(sample)
            except OSError as error:
                raise _cannot_write(parent, error) from error
            guard.made()
            yield replace(sample, lifeline=guard.lifeline)
        finally:
            remove_tree(sample.root)
            if lock is not None:
                os.close(lock)
            if not os.path.lexists(sample.root):
                guard.done()


def temp_directory() -> str:
    """The system temp directory. Raises CannotWrite when the one the user chose, or any, cannot be used.

    `tempfile` would pass over an unusable TMPDIR in silence and in the end settle on the working directory,
    which may be the project being measured.
    """
    chosen = next((os.environ[name] for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)), None)
    if chosen is None:
        candidates = ["/tmp", "/var/tmp", "/usr/tmp"]
        chosen = next((path for path in candidates if _usable(path)), candidates[0])
    if not _usable(chosen):
        raise CannotWrite(
            "temp_not_writable",
            f"The temp directory {chosen} does not exist or cannot be written.",
            "Set TMPDIR to a directory with some free space that you can write to.",
        )
    return os.path.abspath(chosen)


def remove_stale() -> list[str]:
    """Remove what probes and guards of this user that are gone have left, and return the paths.

    Should one of their targets still run (its supervisor was killed too), it is ended first.
    """
    removed: list[str] = []
    with suppress(OSError):
        for entry in list(os.scandir(temp_directory())):
            if _is_ours(entry) and _abandoned(entry.path):
                remove_tree(entry.path)
                removed.append(entry.path)
    return removed


def remove_tree(path: str) -> None:
    """Remove a directory with everything in it, also where a program made parts of it read-only."""
    shutil.rmtree(path, ignore_errors=True)
    if os.path.isdir(path):
        for directory, _, _ in os.walk(path):
            with suppress(OSError):
                os.chmod(directory, 0o700)
        shutil.rmtree(path, ignore_errors=True)


def _fill(sample: SampleDirectories) -> None:
    for path in (*sample.caches.values(), sample.records("cold"), sample.records("warm")):
        os.mkdir(path, 0o700)


def _rescued(sample: SampleDirectories, rescue_dir: str | None) -> list[tuple[str, str]]:
    """What of a sample is copied where, should the probe be killed in the middle of it."""
    if rescue_dir is None:
        return []
    return [(sample.records(step), os.path.join(rescue_dir, step)) for step in ("cold", "warm")]


def _usable(path: str) -> bool:
    return os.path.isdir(path) and os.access(path, os.W_OK | os.X_OK)


def _own(root: str, run_id: str) -> int:
    """Write the owner file and lock it, together with the guard, for as long as this process lives."""
    lock = os.open(os.path.join(root, OWNER), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        _lock(lock, shared=True)
        owner = {"pid": os.getpid(), "started": psutil.Process().create_time(), "run_id": run_id}
        os.write(lock, json.dumps(owner).encode())
    except OSError:
        os.close(lock)
        raise
    return lock


def _lock(fd: int, *, shared: bool = False) -> None:
    """Take the lock or raise OSError. Imported here, so that Windows gets as far as being refused."""
    import fcntl

    fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def _is_ours(entry: os.DirEntry[str]) -> bool:
    """A real directory of this user, made by this program."""
    if not entry.name.startswith(PREFIX) or not entry.is_dir(follow_symlinks=False):
        return False
    status = entry.stat(follow_symlinks=False)
    return status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o077


def _abandoned(root: str) -> bool:
    """Nobody holds the lock on its owner file, neither its probe nor a guard that still clears it away."""
    try:
        lock = os.open(os.path.join(root, OWNER), os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return time.time() - os.stat(root).st_mtime > UNOWNED_AGE_S
    try:
        _lock(lock)
        _end_survivors(lock)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def _end_survivors(lock: int) -> None:
    try:
        run_id = json.loads(os.read(lock, 4096))["run_id"]
    except (ValueError, KeyError, TypeError):
        return
    end_marked(str(run_id))


def _cannot_write(parent: str, error: OSError) -> CannotWrite:
    return CannotWrite(
        "temp_not_writable",
        f"No directory for the caches of a sample could be made in {parent}: {error.strerror}.",
        "Free some space there, or set TMPDIR to another directory.",
    )
