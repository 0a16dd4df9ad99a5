"""Folders with precompiled headers that targets leave in the temp directory when they are killed.

Warp makes one `wp_pch_*` folder for each building thread and removes it at a normal exit; a killed process
leaves it, about 4 MB each. NVRTC makes one `__nvrtc_auto_pch_<pid>_<n>` for each process that compiles for
CUDA, 77 MB for each set of options, and leaves it when the process is killed or goes by `os._exit`, as every
child of multiprocessing does. What belongs here: removing those that a run left, and never a folder that
somebody still uses.
"""

import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress

PREFIX = "wp_pch_"
_OF_NVRTC = re.compile(r"__nvrtc_auto_pch_(\d+)_\d+")
"""NVRTC's folder, with the id of the process that made it (seen with Warp 1.10 to 1.19)."""
_NAMED = re.compile(rb'"([^"\n]*/wp_pch_[^"/\n]+)')
"""A folder's path anywhere in a record."""
_LIBRARY = b"/warp/bin/warp"
"""Part of the path of Warp's native libraries in a process that has loaded them (warp.so, warp-clang.so)."""


class HeaderFolders:
    """Remembers what was there before a run, to tell afterwards what the run left."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._directory = _temp_directory(env)
        self._before = self._listed()

    def remove_left(self, record_dir: str) -> list[str]:
        """Remove the folders that the run left, now that all its processes are gone; returns their paths.

        Only those of this user that appeared during the run, and of these: the ones a record of the run
        names, those of NVRTC that a recorded process made, and the ones that no living process can have
        made. Warp's folder carries no name of its maker, so one that is younger than a process that has Warp
        loaded and the same temp directory is kept.
        """
        left = self._listed() - self._before
        if not left:
            return []
        named = _named_in(record_dir)
        recorded = _recorded_pids(record_dir)
        oldest = _oldest_living_user_of_warp(self._directory)
        removed: list[str] = []
        for path in sorted(left):
            with suppress(OSError):
                maker = _maker_of(path)
                if path in named or (maker in recorded if maker else os.stat(path).st_ctime < oldest):
                    shutil.rmtree(path)
                    removed.append(path)
        return removed

    def _listed(self) -> set[str]:
        try:
            with os.scandir(self._directory) as entries:
                return {entry.path for entry in entries if _is_folder_of_ours(entry)}
        except OSError:
            return set()


def _is_folder_of_ours(entry: os.DirEntry[str]) -> bool:
    ours = entry.name.startswith(PREFIX) or _maker_of(entry.path)
    if not ours or not entry.is_dir(follow_symlinks=False):
        return False
    return entry.stat(follow_symlinks=False).st_uid == os.getuid()


def _maker_of(path: str) -> str:
    """Id of the process that made a folder of NVRTC; empty for any other."""
    match = _OF_NVRTC.fullmatch(os.path.basename(path))
    return match[1] if match else ""


def _recorded_pids(record_dir: str) -> set[str]:
    """Ids of the processes of the run that left a record, `<pid>-<start>.jsonl`."""
    with suppress(OSError):
        return {name.partition("-")[0] for name in os.listdir(record_dir) if name.endswith(".jsonl")}
    return set()


def _temp_directory(env: Mapping[str, str]) -> str:
    """The temp directory as a program with this environment chooses it through `tempfile`."""
    chosen = (env.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    return next((os.path.abspath(path) for path in chosen if path and os.path.isdir(path)), "/tmp")


def _named_in(record_dir: str) -> set[str]:
    """Folders that the processes of the run said they use."""
    named: set[str] = set()
    with suppress(OSError):
        for entry in list(os.scandir(record_dir)):
            if entry.name.endswith(".jsonl"):
                with open(entry.path, "rb") as file:
                    named.update(os.fsdecode(path) for line in file for path in _NAMED.findall(line))
    return named


def _oldest_living_user_of_warp(directory: str) -> float:
    """When the first living process began that may make such folders in `directory`: seconds since the epoch.

    Infinity when there is none; 0.0, "all of time", where the system does not show what processes load.
    """
    import psutil

    if not os.path.isdir("/proc/self"):
        return 0.0
    begun = [float("inf")]
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.uids().real == os.getuid() and _has_warp(process.pid):
                if _temp_directory(process.environ()) == directory:
                    begun.append(process.create_time())
    return min(begun)


def _has_warp(pid: int) -> bool:
    with open(f"/proc/{pid}/maps", "rb") as maps:
        return _LIBRARY in maps.read()
