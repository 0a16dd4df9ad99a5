"""The clocks of the recorder, out of reach of a program that replaces those in `time`.

Tests freeze time by putting other functions into every module that holds the real ones; in an
instance they are not looked for.
"""

import time


class _Clock:
    """Nanoseconds: `now` is CLOCK_MONOTONIC, `cpu` of the calling thread, `exact` for short spans."""

    def __init__(self):
        self.now = time.monotonic_ns
        self.cpu = time.thread_time_ns
        self.exact = time.perf_counter_ns
        self.of_files = time.time_ns


clock = _Clock()
