"""Who is in the process tree, as /proc shows it. Elsewhere than on Linux these tell nothing.

What belongs here: reading /proc and telling Python processes from others. Nothing is ended here.
"""

import os
import re

PF_FORKNOEXEC = 0x40
"""Bit in the flags of /proc/PID/stat: forked and has not executed a program of its own (linux/sched.h)."""
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

    def __init__(self, pid: int, parent: int, cache: bytes) -> None:
        self.pid = pid
        self.parent = parent
        self._cache = cache
        self.isolated: bool | None = None
        """Whether its environment has the run's own kernel cache; None when that cannot be read."""
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
            if self.looks == 1:
                self.isolated = self._has_own_cache()
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

    def _has_own_cache(self) -> "bool | None":
        try:
            with open(f"/proc/{self.pid}/environ", "rb") as file:
                return self._cache in file.read().split(b"\0")
        except OSError:
            return None

    def _is_python(self, first: str) -> bool:
        try:
            program = os.readlink(f"/proc/{self.pid}/exe").removesuffix(" (deleted)")
        except OSError:
            program = first
        return is_python(program)


class Census:
    """Who has been seen in the tree. A process once known to be somebody else's is not looked at again."""

    def __init__(self, root: int, env: "dict[str, str]") -> None:
        self.root = root
        self.cache = b"WARP_CACHE_PATH=" + os.fsencode(env.get("WARP_CACHE_PATH", ""))
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
        seen = Seen(pid, parent, self.cache)
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
