"""Durations by kernel and signature: the last ones of each, with their median and spread. Hooks nothing."""

from array import array

KEPT = 4096
"""Launches kept of each: the median of so many does not move with more, and the last are the steadiest."""
MOST = 2048
"""Kernels with a signature that are timed: together at most 32 MiB."""


class Series:
    """The launches of one kernel with one signature."""

    __slots__ = ("count", "last", "name")

    def __init__(self, name):
        self.name = name
        """Kernel, module, signature."""
        self.clear()

    def clear(self):
        """Forget all launches."""
        self.count = 0
        self.last = array("f")

    def add(self, ns):
        """Keep one duration. The first is left out: it touches memory for the first time."""
        timed, self.count = self.count, self.count + 1
        if not timed:
            return
        if timed <= KEPT:
            self.last.append(ns)
        else:
            self.last[timed % KEPT] = ns

    def line(self):
        """What is written of it."""
        kernel, module, signature = self.name
        middle = median(sorted(self.last))
        return {
            "kernel": kernel,
            "module": module,
            "signature": signature,
            "launches": self.count - 1,
            "median_ns": round(middle, 1),
            "mad_ns": round(median(sorted(abs(value - middle) for value in self.last)), 1),
        }


class Book:
    """All series of a process."""

    def __init__(self):
        self.series = {}
        self.problems = {}
        """Sentences, each once, in the order in which they were met."""

    def clear(self):
        """Forget the launches and problems, not what kernels are called."""
        self.problems.clear()
        for series in self.series.values():
            series.clear()

    def problem(self, sentence):
        """Note once what could not be timed."""
        self.problems[sentence] = None

    def named(self, name):
        """The series of (kernel, module, signature); None when there is no room for another one."""
        found = self.series.get(name)
        if found is None:
            if len(self.series) >= MOST:
                self.problem("more than %d kernels with their signatures: the rest was not timed" % MOST)
                return None
            found = self.series[name] = Series(name)
        return found

    def lines(self):
        """Objects to be written: every series that was launched, then the problems.

        One launch alone has no time, but tells that the kernel was launched.
        """
        told = [series.line() for series in list(self.series.values()) if series.count > 1]
        rare = sum(series.count == 1 for series in list(self.series.values()))
        if rare:
            told.append({"once": rare})
        return told + [{"problem": sentence} for sentence in list(self.problems)]


def median(ordered):
    """The middle of sorted values; there is at least one."""
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
