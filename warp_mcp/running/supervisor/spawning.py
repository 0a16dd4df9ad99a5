"""Starting the command: the fork, what the child changes before it becomes the command, and signals.

What belongs here: everything that decides what the command inherits. How it is watched is in `lifetime.py`.
"""

import errno
import os
import signal
from typing import Any

INHERITED: "dict[signal.Signals, signal.Handlers]" = {}
"""Signals the supervisor listens to, with what they were before: ignored or default.
The command gets them back.
"""


class Refused(Exception):
    """The system would not start the command; `number` is its errno."""

    def __init__(self, number: int) -> None:
        super().__init__(os.strerror(number))
        self.number = number


def spawn(order: "dict[str, Any]") -> int:
    """Start the command in a group of its own; raises Refused when it cannot be executed."""
    read_end, write_end = os.pipe()
    try:
        pid = os.fork()
    except OSError as error:
        raise Refused(error.errno or errno.EAGAIN) from error
    if pid == 0:
        become(order, write_end)
    os.close(write_end)
    for fd in (order["stdout_fd"], order["stderr_fd"]):
        os.close(fd)
    failure = os.read(read_end, 64)
    os.close(read_end)
    if failure:
        os.waitpid(pid, 0)
        raise Refused(int(failure))
    return pid


def become(order: "dict[str, Any]", failure_fd: int) -> None:
    """In the forked child: turn into the command. Everything Python changed about signals is put back."""
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        for fd, target in ((nothing, 0), (order["stdout_fd"], 1), (order["stderr_fd"], 2)):
            os.dup2(fd, target)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, *INHERITED):
            signal.signal(number, INHERITED.get(number, signal.SIG_DFL))
        os.chdir(order["cwd"])
        os.execvpe(order["argv"][0], order["argv"], order["env"])
    except Exception as error:
        number = getattr(error, "errno", None) or errno.EINVAL
        os.write(failure_fd, str(number).encode())
    finally:
        os._exit(127)


def watch_signals() -> int:
    """Let every signal we care for wake the loop; returns the descriptor it appears on."""
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        ignored = signal.getsignal(number) == signal.SIG_IGN
        INHERITED[number] = signal.SIG_IGN if ignored else signal.SIG_DFL
        signal.signal(number, lambda _number, _frame: None)
    return read_end


def drain(fd: int) -> None:
    """Empty a non-blocking pipe."""
    try:
        while os.read(fd, 4096):
            pass
    except BlockingIOError:
        pass
