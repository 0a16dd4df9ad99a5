"""What the pass writes: lines of `<pid>.outputs`, and how many bytes may still be hashed.

Each line is written at once, so that no end of the process loses one. The processes of a run share the
budget through a file of eight bytes under a lock.
"""

import json
import os
import struct
import sys

BUDGET = "outputs.hashed"
"""In the record directory: bytes hashed so far, over all processes."""
MOST_PROBLEMS = 50


class Lines:
    """Appends JSON lines to the file of this process; a forked child writes its own."""

    def __init__(self, directory):
        self.directory = directory
        self.pid = None
        self.fd = None
        self.told = set()

    def write(self, line):
        """Append one line. Never raises."""
        try:
            if self.pid != os.getpid():
                self._open()
            os.write(self.fd, json.dumps(line, allow_nan=False).encode("ascii") + b"\n")
        except Exception:
            pass

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

    def _open(self):
        path = os.path.join(self.directory, "%d.outputs" % os.getpid())
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o600)
        self.pid = os.getpid()
        head = {"e": "process", "pid": self.pid, "started": _started()}
        os.write(self.fd, json.dumps(head).encode("ascii") + b"\n")


def _started():
    """When this process began, as in the name of the recorder's file: `<pid>-<nanoseconds>.jsonl`."""
    path = sys.modules["_warp_mcp_recorder._state"].record.path
    return int(os.path.basename(path).partition("-")[2].partition(".")[0])


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
