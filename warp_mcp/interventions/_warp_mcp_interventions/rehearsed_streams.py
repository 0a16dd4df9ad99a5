"""Streams and events of a rehearsal: everything has run when a call returns, so there is nothing to wait for.

A stream that waits for one that is being captured is captured with it, as a driver does.
"""

import threading
import time

from .rehearsed_driver import number

HIGHEST = -5
"""The highest priority of a stream, as on the architectures of today; the lowest is 0."""


class Streams:
    """One method for each native function, by its name."""

    def __init__(self, driver, graphs, say):
        self.driver = driver
        self.graphs = graphs
        self.say = say
        self.local = threading.local()
        self.times = {}
        """Event to the host's clock when it was recorded, in seconds."""
        self.captures = {}
        """Event to the capture it was recorded in."""
        self.priorities = {}
        """Stream to its priority, where that is not the usual one, 0."""

    def wp_cuda_stream_create(self, context, priority):
        handle = self.driver.new_handle()
        if number(priority):
            self.priorities[handle] = max(HIGHEST, min(0, number(priority)))
        return handle

    def wp_cuda_stream_register(self, context, stream):
        return None

    def wp_cuda_stream_unregister(self, context, stream):
        return None

    def wp_cuda_stream_destroy(self, context, stream):
        self.priorities.pop(number(stream), None)

    def wp_cuda_stream_synchronize(self, stream):
        return True

    def wp_cuda_stream_query(self, stream):
        return 0

    def wp_cuda_stream_get_priority(self, stream):
        return self.priorities.get(number(stream), 0)

    def wp_cuda_stream_is_blocking(self, stream):
        return 0

    def wp_cuda_stream_wait_event(self, stream, event, external=False):
        self.graphs.join(stream, self.captures.get(number(event)))

    def wp_cuda_stream_wait_stream(self, stream, other, event, external=False):
        self.graphs.join(stream, self.graphs.capture_of(other))

    def wp_cuda_context_set_stream(self, context, stream, sync):
        if sync:
            self.graphs.join(stream, self.graphs.capture_of(self.driver.stream))
        self.driver.stream = number(stream)

    def wp_cuda_context_get_stream(self, context):
        return self.driver.stream

    def wp_cuda_event_create(self, context, flags):
        return self.driver.new_handle()

    def wp_cuda_event_destroy(self, event):
        self.times.pop(number(event), None)
        self.captures.pop(number(event), None)

    def wp_cuda_event_record(self, event, stream, timing=False):
        self.captures[number(event)] = self.graphs.capture_of(stream)
        self.graphs.now_or_later(stream, lambda: self.times.update({number(event): time.monotonic()}))

    def wp_cuda_event_query(self, event):
        return 0

    def wp_cuda_event_synchronize(self, event):
        return True

    def wp_cuda_event_elapsed_time(self, start, end):
        self.say("wp.get_event_elapsed_time", "the time is that of the kernels on the CPU")
        times = [self.times.get(number(event), 0.0) for event in (start, end)]
        return 1000 * (times[1] - times[0])

    def wp_cuda_thread_exchange_capture_mode(self, mode):
        before = getattr(self.local, "mode", 0)
        self.local.mode = int(number(mode))
        return before
