"""Folders with precompiled headers that targets leave in the temp directory when they are killed.

Warp makes one `wp_pch_*` folder for each building thread and removes it at a normal exit; a killed process
leaves it, about 4 MB each. What belongs here: removing those that a run left, and never a folder that
somebody still uses.
"""

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress

PREFIX = "wp_pch_"
_LIBRARY = b"/warp/bin/warp"
"""Part of the path of Warp's native libraries in a process that has loaded them (warp.so, warp-clang.so)."""


class HeaderFolders:
    """Remembers what was there before a run, to tell afterwards what the run left."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._directory = _temp_directory(env)
        self._before = self._listed()

    def remove_left(self) -> list[str]:
        """Remove the folders that appeared since and whose maker is gone; returns their paths.

        A folder carries no name of its maker, so this is careful: of this user, appeared during the run,
        and not older than any living process of this user that has Warp loaded. What such a process could
        have made is kept.
        """
        left = self._listed() - self._before
        if not left:
            return []
        oldest = _oldest_living_user_of_warp()
        removed: list[str] = []
        for path in sorted(left):
            with suppress(OSError):
                if oldest is None or os.stat(path).st_ctime < oldest:
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
    if not entry.name.startswith(PREFIX) or not entry.is_dir(follow_symlinks=False):
        return False
    return entry.stat(follow_symlinks=False).st_uid == os.getuid()


def _temp_directory(env: Mapping[str, str]) -> str:
    """The temp directory as the target's own `tempfile` chooses it."""
    chosen = (env.get(name) for name in ("TMPDIR", "TEMP", "TMP"))
    return next((path for path in chosen if path and os.path.isdir(path)), "/tmp")


def _oldest_living_user_of_warp() -> float | None:
    """When the first of this user's living processes with Warp loaded began, in seconds since the epoch.

    0.0, "all of time", where the system does not show what processes have loaded.
    """
    import psutil

    if not os.path.isdir("/proc/self"):
        return 0.0
    begun: list[float] = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.uids().real == os.getuid() and _has_warp(process.pid):
                begun.append(process.create_time())
    return min(begun, default=None)


def _has_warp(pid: int) -> bool:
    with open(f"/proc/{pid}/maps", "rb") as maps:
        return _LIBRARY in maps.read()
