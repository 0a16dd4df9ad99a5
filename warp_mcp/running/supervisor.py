"""Runs one command and sees to it that nothing of it outlives the probe. A script, never imported by the package.

What belongs here: the process between the probe and the target. It is started as
`python -I -S supervisor.py` in a session of its own, with the standard library only. It knows nothing of Warp,
caches, samples or reports.

Standard input: one line of JSON, the order::

    {"argv": [...], "cwd": "...", "env": {...}, "stdout_fd": 5, "stderr_fd": 6, "remove": ["..."]}

then either the word ``end`` on a line (end the target now) or the end of the file (the probe is gone: end the
target, then remove the directories named in `remove`).

Standard output, one line of JSON each: `started` {pid}, or `refused` {errno, message} when the command could not be
executed; `exited` {code, wall_ms} when the command itself has ended; last `done` {code, wall_ms, ended,
left_running, survivors, processes, cpu_s}. `code` is negative for a signal; `ended` is true when the command
was still running when it was told to end.

How nothing escapes: on Linux the supervisor is a child subreaper, so a daemon that left its group and its session
becomes the supervisor's child; "no children left" then means "no descendants left". Elsewhere only the process
group of the command is known.
"""

import ctypes
import json
import os
import re
import resource
import select
import signal
import sys
import time
from typing import Any

PR_SET_CHILD_SUBREAPER = 36
PF_FORKNOEXEC = 0x40
"""Bit in the flags of /proc/PID/stat: forked and has not executed a program of its own (linux/sched.h)."""
TERM_GRACE_S = 1.0
"""Between SIGTERM and SIGKILL."""
KILL_LIMIT_S = 4.0
"""All ends within this, or what is left is reported as surviving (another user's, or stuck in the kernel)."""
LEFTOVER_GRACE_S = 10.0
"""How long processes may go on after the command itself has ended."""
POLL_FIRST_S = 0.005
POLL_S = 0.05
POLL_SHARE = 250
"""A look at the process tree is followed by at least this many times its own length of rest: under 0.4 % of a core."""

INHERITED: "dict[signal.Signals, signal.Handlers]" = {}
"""Signals the supervisor listens to, with what they were before: ignored or default. The command gets them back."""
PYTHON_NAME = re.compile(r"(python|pypy)[0-9.]*[a-z]?", re.IGNORECASE)


def listed_pids() -> set[int]:
    """Every process the system shows; empty where there is no /proc."""
    try:
        return {int(name) for name in os.listdir("/proc") if name.isdigit()}
    except OSError:
        return set()


def stat_of(pid: int) -> "tuple[str, int, int] | None":
    """State, parent and flags of a process; None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return None
    fields = text[text.rfind(b")") + 2 :].split()
    return fields[0].decode(), int(fields[1]), int(fields[6])


def descendants(root: int) -> "dict[int, str]":
    """Every process below `root` with its state, by a fresh look at all parents.

    Zombies are among them: a process whose first thread has ended shows as one and still runs.
    """
    children: dict[int, dict[int, str]] = {}
    for pid in listed_pids():
        stat = stat_of(pid)
        if stat is not None:
            children.setdefault(stat[1], {})[pid] = stat[0]
    found: dict[int, str] = {}
    waiting = [root]
    while waiting:
        below = children.get(waiting.pop(), {})
        found.update(below)
        waiting += below
    return found


def is_python(program: str) -> bool:
    """Whether a path names a Python interpreter."""
    return PYTHON_NAME.fullmatch(os.path.basename(program)) is not None


class Seen:
    """One process of the tree."""

    def __init__(self, pid: int, parent: int) -> None:
        self.pid = pid
        self.parent = parent
        self.argv: list[str] = []
        self.looks = 0
        """How often it was seen as Python running this argument vector."""
        self.copy = False
        """Its program is its parent's: it has not executed one of its own."""
        self.code: int | None = None

    def look(self, flags: int) -> None:
        """Note what it runs now. A copy that then executes something else was never a Python of its own."""
        argv = self._argv()
        if not argv:
            return
        copy = bool(flags & PF_FORKNOEXEC)
        if self._is_python(argv[0]):
            self.looks = self.looks + 1 if argv == self.argv and copy == self.copy else 1
            self.argv, self.copy = argv, copy
        elif self.copy:
            self.argv, self.copy, self.looks = [], False, 0

    @property
    def counts(self) -> bool:
        """It is a Python process: seen running one, and not only in the moment between fork and exec."""
        return bool(self.argv) and (not self.copy or self.looks >= 2)

    def _argv(self) -> "list[str]":
        try:
            with open(f"/proc/{self.pid}/cmdline", "rb") as file:
                return [os.fsdecode(part) for part in file.read().split(b"\0")[:-1]]
        except OSError:
            return []

    def _is_python(self, first: str) -> bool:
        try:
            program = os.readlink(f"/proc/{self.pid}/exe").removesuffix(" (deleted)")
        except OSError:
            program = first
        return is_python(program)


class Census:
    """Who has been seen in the tree. A process once known to be somebody else's is not looked at again."""

    def __init__(self, root: int) -> None:
        self.root = root
        self.foreign = listed_pids() - {root}
        self.living: dict[int, Seen] = {}
        self.all: list[Seen] = []

    def take(self) -> None:
        """Look for new processes, and at what those of the tree run now."""
        now = listed_pids()
        if not now:
            return
        self.foreign &= now
        for pid in self.living.keys() - now:
            del self.living[pid]
        parents: dict[int, int] = {}
        for pid in now - self.foreign - self.living.keys() - {self.root}:
            stat = stat_of(pid)
            if stat is not None:
                parents[pid] = stat[1]
        self._sort_in(parents)
        for pid, seen in self.living.items():
            stat = stat_of(pid)
            if stat is not None:
                seen.look(stat[2])

    def note_exit(self, pid: int, code: "int | None") -> None:
        """A process of the tree was reaped."""
        seen = self.living.pop(pid, None)
        if seen is not None:
            seen.code = code

    def adopt(self, pid: int, parent: int) -> Seen:
        """Add a process to the tree."""
        seen = Seen(pid, parent)
        self.living[pid] = seen
        self.all.append(seen)
        return seen

    def _sort_in(self, parents: "dict[int, int]") -> None:
        """Ours or foreign by the parent; a parent that has just gone leaves the question to the next look."""
        settled = True
        while settled:
            settled = False
            for pid, parent in list(parents.items()):
                if parent == self.root or parent in self.living:
                    self.adopt(pid, parent)
                elif parent in self.foreign or parent == 0:
                    self.foreign.add(pid)
                else:
                    continue
                del parents[pid]
                settled = True


class Supervisor:
    """One command from its start until nothing of it is left."""

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
        self.orphaned = False
        self.left_running = 0
        self.childless = False
        self.census = Census(os.getpid())
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
                self._end_all()
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
        self.orphaned = not os.read(0, 4096)
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

    def _end_all(self) -> None:
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
            {"pid": seen.pid, "parent": seen.parent, "argv": seen.argv, "code": seen.code}
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


def spawn(order: "dict[str, Any]") -> int:
    """Start the command in a group of its own; raises OSError when it cannot be executed."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        become(order, write_end)
    os.close(write_end)
    for fd in (order["stdout_fd"], order["stderr_fd"]):
        os.close(fd)
    failure = os.read(read_end, 64)
    os.close(read_end)
    if failure:
        os.waitpid(pid, 0)
        raise OSError(int(failure), os.strerror(int(failure)))
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
    except OSError as error:
        os.write(failure_fd, str(error.errno).encode())
    finally:
        os._exit(127)


def quietly_kill(pid: int, number: int) -> None:
    """Send a signal; a process that is gone or not ours to end is no failure."""
    try:
        os.kill(pid, number)
    except OSError:
        pass


def say(**event: Any) -> None:
    """Write one event; a reader that is gone is no failure."""
    text = json.dumps(event).encode() + b"\n"
    try:
        while text:
            text = text[os.write(1, text) :]
    except OSError:
        pass


def drain(fd: int) -> None:
    """Empty a non-blocking pipe."""
    try:
        while os.read(fd, 4096):
            pass
    except BlockingIOError:
        pass


def read_order() -> "dict[str, Any]":
    """The first line of standard input."""
    text = b""
    while not text.endswith(b"\n"):
        chunk = os.read(0, 65536)
        if not chunk:
            sys.exit(1)
        text += chunk
    return json.loads(text)


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


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def remove(directories: "list[str]") -> None:
    """Remove what the probe can no longer remove itself: only directories of its own making."""
    import shutil

    for directory in directories:
        if os.path.basename(directory).startswith("warp-mcp-"):
            shutil.rmtree(directory, ignore_errors=True)


def main() -> None:
    """Carry out one order."""
    order = read_order()
    for fd in (order["stdout_fd"], order["stderr_fd"]):
        os.set_inheritable(fd, False)
    wake_fd = watch_signals()
    adopt_orphans()
    supervisor = Supervisor(order, wake_fd)
    try:
        supervisor.run()
    except OSError as error:
        say(event="refused", errno=error.errno, message=str(error))
    if supervisor.orphaned:
        remove(order["remove"])


if __name__ == "__main__":
    main()
