"""The record file of this process: opening it, appending lines, keeping it bounded."""

import os
import sys
import time

from . import wire
from .clock import clock

try:
    from _json import encode_basestring_ascii
except ImportError:  # an interpreter without the accelerator
    from json.encoder import py_encode_basestring_ascii as encode_basestring_ascii


def process_started_ns():
    """When this process started, on the monotonic clock; None where the system does not tell.

    Field 22 of /proc/self/stat counts clock ticks since boot (see proc(5)), so the resolution is 10 ms.
    """
    try:
        with open("/proc/self/stat", "rb") as stat:
            ticks = int(stat.read().rsplit(b")", 1)[1].split()[19])
        since_boot_ns = ticks * 1000000000 // os.sysconf("SC_CLK_TCK")
        boot_offset_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - clock.now()
        return since_boot_ns - boot_offset_ns
    except (OSError, AttributeError, ValueError, IndexError):
        return None


class Record:
    """Appends lines to one file. Lines beyond the limit are dropped, and the cut is noted once."""

    def __init__(self, path):
        self.path = path
        self.cwd = _cwd()
        self.lines = 0
        self.cut = False
        self._fd = None
        self._identity = None

    @classmethod
    def open(cls, forked=False):
        """Create the record file and write the handshake; None when the directory is gone."""
        directory = os.environ.get("WARP_MCP_RECORD_DIR")
        if not directory:
            return None
        now = clock.now()
        record = cls(os.path.join(directory, "%d-%d.jsonl" % (os.getpid(), now)))
        argv = getattr(sys, "orig_argv", None) or getattr(sys, "argv", None) or []
        record.write(
            {
                "e": "process",
                "wire": wire.WIRE_VERSION,
                "run": os.environ.get("WARP_MCP_RUN_ID", ""),
                "pid": os.getpid(),
                "ppid": os.getppid(),
                "argv": [str(word)[:1000] for word in argv[:64]],
                "python": "%d.%d.%d" % sys.version_info[:3],
                "executable": sys.executable or "",
                "cwd": record.cwd,
                "forked": forked,
                "t": now,
                "started": now if forked else process_started_ns() or now,
            }
        )
        return record if record._fd is not None else None

    def write(self, event, counted=True):
        """Append one event. Returns False when it was dropped, for lack of room or of a file."""
        if counted and self.lines >= wire.MAX_LINES:
            self._note_cut()
            return False
        self.lines += counted
        try:
            return self.append(_plain(event).encode("ascii") + b"\n")
        except Exception:  # whatever a value of the program does when it is turned into text
            return False

    def _note_cut(self):
        if not self.cut:
            self.cut = True
            limit = "more than %d events; later ones are not in the record" % wire.MAX_LINES
            self.append(
                _plain({"e": "problem", "code": "record_cut", "detail": limit}).encode("ascii") + b"\n"
            )

    def append(self, line):
        """Append one encoded line. Returns False when the file cannot be written."""
        try:
            os.write(self._descriptor(), line)
            return True
        except OSError:
            return False

    def _descriptor(self):
        """Our descriptor, opened again when the program has closed it (daemons close them all).

        The number may then belong to a file of the program, which must never receive our bytes.
        """
        if self._fd is not None:
            try:
                found = os.fstat(self._fd)
                if (found.st_dev, found.st_ino) == self._identity:
                    return self._fd
            except OSError:
                pass
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
        self._fd = os.open(self.path, flags, 0o600)
        found = os.fstat(self._fd)
        self._identity = (found.st_dev, found.st_ino)
        return self._fd


class Nothing:
    """Stands for a record that could not be opened: takes lines and keeps none."""

    path = os.devnull

    def write(self, event, counted=True):
        """Drop the event."""
        return False

    def append(self, line):
        """Drop the line."""
        return False


def _cwd():
    try:
        return os.getcwd()
    except OSError:
        return ""


def _plain(value):
    """JSON text of a value. `json` is the program's to replace, and costs every process 5 ms to import."""
    if type(value) is int:
        return str(value)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, dict):
        return "{{{}}}".format(",".join(f"{_plain(str(k))}:{_plain(v)}" for k, v in value.items()))
    if isinstance(value, (list, tuple)):
        return "[{}]".format(",".join(map(_plain, value)))
    return encode_basestring_ascii(str(value))
