"""What could not be rehearsed, told in the words of the program: lines {"what", "why", "count"}.

`count` is how often it happened in this process until then: the last line of each kind has the total. Each of
the first few times is written at once, later only every power of two and at an orderly exit, so that a
loop does not fill the disk.
"""

import atexit
import os
import threading

from . import channel

EACH = 64
"""So many times of one kind are each written at once."""


class Sayings:
    """Counts of what was said in this process, by (what, why)."""

    def __init__(self):
        self._forget()
        atexit.register(self.finish)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def __call__(self, what, why):
        with self.lock:
            count = self.counts[what, why] = self.counts.get((what, why), 0) + 1
            if count <= EACH or not count & (count - 1):
                self._write(what, why, count)

    def finish(self):
        """Write the totals that are not written yet."""
        for (what, why), count in self.counts.items():
            if self.written.get((what, why)) != count:
                self._write(what, why, count)

    def _write(self, what, why, count):
        self.written[what, why] = count
        channel.write("rehearsal", {"what": what, "why": why, "count": count})

    def _forget(self):
        self.lock = threading.Lock()
        self.counts = {}
        self.written = {}


say = Sayings()
"""Of this process: there is one file."""
