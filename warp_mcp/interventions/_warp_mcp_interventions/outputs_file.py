"""What the pass writes: lines of `<pid>.outputs`, and how many bytes may still be hashed.

The lines are handed to the system at once, so that no end of the process loses one. The processes of a run
share the budget through a file of eight bytes under a lock.
"""

import os
import struct
import sys

from . import channel

BUDGET = "outputs.hashed"
"""In the record directory: bytes hashed so far, over all processes."""
MOST_PROBLEMS = 50


class Lines:
    """Appends JSON lines to the file of this process; a forked child writes its own."""

    def __init__(self):
        self.pid = None
        self.told = set()

    def write(self, line):
        """Append one line. Never raises."""
        if self.pid != os.getpid():
            self.pid = os.getpid()
            self.told = set()
            channel.write("outputs", {"e": "process", "pid": self.pid, "started": _started()})
        channel.write("outputs", line)

    def problem(self, sentence):
        """Say once what could not be recorded."""
        if sentence not in self.told and len(self.told) < MOST_PROBLEMS:
            self.told.add(sentence)
            self.write({"e": "problem", "text": sentence})

    def failed(self, what):
        """Say once that the pass's own code raised: to be called from its `except`."""
        try:
            error = sys.exc_info()[1]
            self.problem("%s: %s: %s" % (what, type(error).__name__, str(error)[:200]))
        except Exception:
            pass


def _started():
    """When this process began, as in the name of the recorder's file: `<pid>-<nanoseconds>.jsonl`."""
    try:
        path = sys.modules["_warp_mcp_recorder._state"].record.path
        return int(os.path.basename(path).partition("-")[2].partition(".")[0])
    except Exception:
        return 0


class Budget:
    """Bytes that may be hashed in one run, by all of its processes together."""

    def __init__(self, directory, most):
        self.path = os.path.join(directory, BUDGET)
        self.most = most

    def take(self, count):
        """Use up so many bytes; False, and nothing used up, when there are not so many left."""
        import fcntl

        fd = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            used = struct.unpack("<Q", os.pread(fd, 8, 0) or bytes(8))[0]
            if used + count > self.most:
                return False
            os.pwrite(fd, struct.pack("<Q", used + count), 0)
            return True
        finally:
            os.close(fd)
