"""Runs one command and sees to it that nothing of it outlives the probe.

A program of its own, never imported by the package: the process between the probe and the target. Started as
`python -I -S supervisor` in a session of its own, with the standard library only. It knows nothing of Warp,
caches, samples or reports.

Standard input: one line of JSON, the order::

    {"argv": [...], "cwd": "...", "env": {...}, "stdout_fd": 5, "stderr_fd": 6, "remove": ["..."],
     "rescue": [["from", "to"], ...]}

then either the word ``end`` on a line (end the target now) or the end of the file (the probe is gone: end the
target, copy the directories of records named in `rescue` to where they can be read, then remove those named
in `remove`).

Standard output, one line of JSON each: `started` {pid}, or `refused` {errno, message} when the command
could not be executed; `exited` {code, wall_ms} when the command itself has ended; last `done` {code,
wall_ms, ended, left_running, survivors, processes, cpu_s}. `code` is negative for a signal; `ended` is true
when the command was still running when it was told to end.

How nothing escapes: on Linux the supervisor is a child subreaper, so a daemon that left its group and its
session becomes the supervisor's child; "no children left" then means "no descendants left". Elsewhere only
the process group of the command is known.
"""

import ctypes
import os
import sys

from lifetime import Lifetime
from spawning import Refused, watch_signals
from wire import read_order, say

PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def remove(directories: "list[str]") -> None:
    """Remove what the probe can no longer remove itself: only directories of its own making."""
    import shutil

    for directory in directories:
        if os.path.basename(directory).startswith("warp-mcp-"):
            for headers in named_headers(directory):
                shutil.rmtree(headers, ignore_errors=True)
            shutil.rmtree(directory, ignore_errors=True)


def rescue(pairs: "list[list[str]]") -> None:
    """Copy records to where a later probe reads how far the run got."""
    import shutil

    for source, target in pairs:
        try:
            if os.path.isdir(source) and os.path.isdir(os.path.dirname(target)):
                shutil.copytree(source, target)
        except (OSError, shutil.Error):  # nowhere to copy to: the records are lost, the run still ends
            pass


def named_headers(directory: str) -> "list[str]":
    """Folders of precompiled headers that the records below name: their makers were killed and left them."""
    import json

    found: list[str] = []
    for parent, _, names in os.walk(directory):
        for name in names:
            if name.endswith(".jsonl"):
                with open(os.path.join(parent, name), "rb") as file:
                    lines = [line for line in file if line.startswith(b'{"e":"headers"')]
                found += [json.loads(line)["path"] for line in lines if line.endswith(b"}\n")]
    return [path for path in found if os.path.basename(path).startswith("wp_pch_")]


def main() -> None:
    """Carry out one order."""
    order = read_order()
    for fd in (order["stdout_fd"], order["stderr_fd"]):
        os.set_inheritable(fd, False)
    wake_fd = watch_signals()
    adopt_orphans()
    lifetime = Lifetime(order, wake_fd)
    try:
        lifetime.run()
    except Refused as refusal:
        say(event="refused", errno=refusal.number, message=str(refusal))
    except BaseException:
        lifetime.end_all()
        raise
    if lifetime.orphaned:
        rescue(order.get("rescue", []))
        remove(order["remove"])


if __name__ == "__main__":
    main()
