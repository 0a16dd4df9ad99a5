"""One command from its start until nothing of it is left.

What belongs here: waiting, noticing orders, and ending the whole tree.
"""

import os
import resource
import select
import signal
import sys
import time
from typing import Any

from census import Census, descendants, is_python, listed_pids
from spawning import drain, spawn
from wire import say

TERM_GRACE_S = 1.0
"""Between SIGTERM and SIGKILL."""
KILL_LIMIT_S = 4.0
"""All ends within this, or what is left is reported as surviving (another user's, or stuck in the kernel)."""
LEFTOVER_GRACE_S = 10.0
"""How long processes may go on after the command itself has ended."""
POLL_FIRST_S = 0.005
POLL_S = 0.05
POLL_SHARE = 250
"""A look at the process tree is followed by a rest of so many times its length: under 0.4 % of a core."""


class Lifetime:
    """A command and everything below it."""

    def __init__(self, order: "dict[str, Any]", wake_fd: int) -> None:
        self.order = order
        self.wake_fd = wake_fd
        self.pid = 0
        self.begun_ns = 0
        self.code: int | None = None
        self.wall_ms: float | None = None
        self.ended = False
        """The command was told to end while it ran."""
        self.ending = False
        self.left_running = 0
        self.childless = False
        self.census = Census(os.getpid(), order["env"])
        self.poll_s = POLL_FIRST_S

    def run(self) -> None:
        """Start the command, wait for its end and for that of everything it started."""
        self.begun_ns = time.monotonic_ns()
        self.pid = spawn(self.order)
        first = self.census.adopt(self.pid, os.getpid())
        argv = self.order["argv"]
        if not listed_pids() and is_python(argv[0]):
            first.argv = argv
        say(event="started", pid=self.pid)
        leftovers_until = float("inf")
        while not self.over():
            self._look()
            if self._told_to_end(self.poll_s) or time.monotonic() > leftovers_until:
                self.end_all()
                break
            self._reap()
            if self.wall_ms is not None and leftovers_until == float("inf"):
                say(event="exited", code=self.code, wall_ms=self.wall_ms)
                leftovers_until = time.monotonic() + LEFTOVER_GRACE_S
        self._report()

    def over(self) -> bool:
        """The command has ended, and so has everything below it."""
        return self.wall_ms is not None and self.childless and not self._group_lives()

    def _look(self) -> None:
        before = time.perf_counter()
        self.census.take()
        cost = time.perf_counter() - before
        self.poll_s = max(min(self.poll_s * 1.5, POLL_S), POLL_SHARE * cost)

    def _told_to_end(self, wait_s: float) -> bool:
        """Wait for a child's end, an order or the end of our input; True for the last two."""
        ready, _, _ = select.select([0, self.wake_fd], [], [], wait_s)
        if self.wake_fd in ready and any(number != signal.SIGCHLD for number in os.read(self.wake_fd, 4096)):
            return True
        if 0 not in ready:
            return False
        os.read(0, 4096)
        return True

    def _reap(self) -> None:
        """Take the exit status of every child that has ended, adopted ones too."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self.childless = True
                return
            if pid == 0:
                self.childless = False
                return
            code = os.waitstatus_to_exitcode(status)
            self.census.note_exit(pid, None if self.ending else code)
            if pid == self.pid:
                self.wall_ms = (time.monotonic_ns() - self.begun_ns) / 1e6
                self.code = code

    def end_all(self) -> None:
        """SIGTERM to all, a short grace, SIGKILL until nobody is left or the limit is reached."""
        self._reap()
        self.ended = self.wall_ms is None
        if not self.ended:
            states = descendants(os.getpid()).values()
            self.left_running = max(sum(state not in "ZX" for state in states), int(self._group_lives()))
        self.ending = True
        begun = time.monotonic()
        self._signal_all(signal.SIGTERM)
        while not self.over() and time.monotonic() < begun + KILL_LIMIT_S:
            if time.monotonic() > begun + TERM_GRACE_S:
                self._signal_all(signal.SIGKILL)
            select.select([self.wake_fd], [], [], 0.02)
            drain(self.wake_fd)
            self._reap()

    def _signal_all(self, number: int) -> None:
        if sys.platform != "linux":
            quietly_kill(-self.pid, number)
        for pid in descendants(os.getpid()):
            quietly_kill(pid, number)

    def _group_lives(self) -> bool:
        """Whether the command's group has a member; where there is a /proc the tree itself answers that."""
        if self.wall_ms is not None and sys.platform == "linux":
            return False
        try:
            os.killpg(self.pid, 0)
        except OSError:
            return False
        return True

    def _report(self) -> None:
        if select.select([0], [], [], 0)[0]:
            self.orphaned = self.orphaned or not os.read(0, 4096)
        usage = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
        processes = [
            {
                "pid": seen.pid,
                "parent": seen.parent,
                "argv": seen.argv,
                "code": seen.code,
                "isolated": seen.isolated,
            }
            for seen in self.census.all
            if seen.counts
        ]
        wall_ms = self.wall_ms
        if wall_ms is None:
            wall_ms = (time.monotonic_ns() - self.begun_ns) / 1e6
        say(
            event="done",
            code=self.code,
            wall_ms=wall_ms,
            ended=self.ended,
            left_running=self.left_running,
            survivors=0 if self.over() else len(descendants(os.getpid())),
            processes=processes,
            cpu_s=sum(use.ru_utime + use.ru_stime for use in usage),
        )


def quietly_kill(pid: int, number: int) -> None:
    """Send a signal; a process that is gone or not ours to end is no failure."""
    try:
        os.kill(pid, number)
    except OSError:
        pass
