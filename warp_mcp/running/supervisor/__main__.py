"""Runs one command and sees to it that nothing of it outlives the probe.

A program of its own, never imported by the package: the process between the probe and the target. Started as
`python -I -S supervisor` in a session of its own, with the standard library only. It knows nothing of Warp,
caches, samples or reports.

Standard input: one line of JSON, the order::

    {"argv": [...], "cwd": "...", "env": {...}, "stdout_fd": 5, "stderr_fd": 6, "lifeline_fd": 7}

then either the word ``end`` on a line or the end of the file (the probe is gone): end the target now. The
lifeline, null where there is none, is only held: once it is let go, the sample's guard clears up.

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


def main() -> None:
    """Carry out one order."""
    order = read_order()
    for name in ("stdout_fd", "stderr_fd", "lifeline_fd"):
        if order[name] is not None:
            os.set_inheritable(order[name], False)
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


if __name__ == "__main__":
    main()
