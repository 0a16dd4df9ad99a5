"""Graph capture in a rehearsal: what is asked for during a capture is kept, and done at each replay.

Branches and loops within a graph read their condition from the program's memory, as Warp's kernels for it do.
Memory that a graph may use lives as long as the process: a replay must never meet memory that was given back.
"""

import os
import threading

from .rehearsed_driver import CURRENT_STREAM, number

CONDITIONS = "wp.capture_if and wp.capture_while"
SMALL_BUILD = (
    "at the first in each process Warp compiles three small kernels, outside of its modules and its cache; "
    "they are not built here"
)
"""After `compile_conditional_module` in Warp's `warp.cu`: a program of NVRTC that stays in memory, so that a
warm start makes it too."""


class Capture:
    """One capture under way: its id, and what was asked for so far."""

    def __init__(self, identity, steps):
        self.identity = identity
        self.steps = steps


class Graphs:
    """Captures under way and captured graphs."""

    def __init__(self, driver, say):
        self.driver = driver
        self.say = say
        self.lock = threading.RLock()
        self.capturing = {}
        """Stream to its capture."""
        self.held = {}
        """Graph, body of a branch, or executable to steps."""
        self.live = {}
        """Address to (bytes, kind) of all memory that Warp has now."""
        self.owned = set()
        """Addresses that a graph may use."""
        self.conditions_said = 0
        """Process in which it was said that conditions have kernels of their own."""

    # what the other parts ask

    def capture_of(self, stream):
        """The capture of a stream, or None."""
        if not self.capturing:
            return None
        name = number(stream)
        return self.capturing.get(self.driver.stream if name in (None, CURRENT_STREAM) else name)

    def now_or_later(self, stream, step):
        """Do a step, or keep it when its stream is being captured."""
        capture = self.capture_of(stream)
        if capture is None:
            return step()
        capture.steps.append(step)
        return True

    def join(self, stream, capture):
        """A stream that waits for a captured one is captured with it."""
        if capture is not None and capture in self.capturing.values():
            self.capturing[self.driver.stream if number(stream) == CURRENT_STREAM else number(stream)] = (
                capture
            )

    def may_free(self, pointer):
        """Whether no graph can use the memory or the object any more."""
        if self.capturing:
            self.owned.add(number(pointer))
        return number(pointer) not in self.owned

    def any(self):
        """Whether there is a graph, or one is being captured."""
        return bool(self.held or self.capturing)

    # capture

    def wp_cuda_stream_is_capturing(self, stream):
        return int(self.capture_of(stream) is not None)

    def wp_cuda_stream_get_capture_id(self, stream):
        capture = self.capture_of(stream)
        return capture.identity if capture is not None else 0

    def wp_cuda_graph_begin_capture(self, context, stream, *modes):
        return self._begin(stream, [])

    def wp_cuda_graph_resume_capture(self, context, stream, graph):
        return self._begin(stream, self.held.setdefault(number(graph), []))

    def wp_cuda_graph_end_capture(self, context, stream, result):
        return self._end(stream, result)

    def wp_cuda_graph_pause_capture(self, context, stream, result):
        return self._end(stream, result)

    def _begin(self, stream, steps):
        self.capturing[number(stream)] = Capture(self.driver.new_handle(), steps)
        return True

    def _end(self, stream, result):
        capture = self.capturing.get(number(stream))
        if capture is None:
            return self.driver.fail("Stream is not capturing", False)
        with self.lock:
            self.capturing = {one: its for one, its in self.capturing.items() if its is not capture}
            self.owned.update(list(self.live))
        _set(result, self._hold(capture.steps))
        return True

    def _hold(self, steps):
        handle = self.driver.new_handle()
        self.held[handle] = steps
        return handle

    # replay

    def wp_cuda_graph_create_exec(self, context, *rest):
        graph, result = rest[-2:]
        if number(graph) not in self.held:
            return self.driver.fail("Warp CUDA error 1: invalid argument", False)
        _set(result, self._hold(list(self.held[number(graph)])))
        return True

    def wp_cuda_graph_launch(self, executable, stream):
        steps = self.held.get(number(executable))
        if steps is None:
            return self.driver.fail("Warp CUDA error 1: invalid argument", False)
        return self.now_or_later(stream, lambda: _do(steps))

    def wp_cuda_graph_destroy(self, context, graph):
        self.held.pop(number(graph), None)
        return True

    def wp_cuda_graph_exec_destroy(self, context, executable):
        self.held.pop(number(executable), None)
        return True

    # graphs within graphs

    def wp_cuda_graph_insert_child_graph(self, context, stream, graph):
        steps = list(self.held.get(number(graph), ()))
        return self._insert(stream, lambda: _do(steps))

    def wp_cuda_graph_insert_if_else(self, context, stream, arch, use_ptx, condition, on_true, on_false):
        self._say_conditions()
        bodies = [self._body(result) for result in (on_false, on_true)]
        return self._insert(stream, lambda: _do(bodies[bool(condition[0])]))

    def wp_cuda_graph_insert_while(self, context, stream, arch, use_ptx, condition, body, handle):
        self._say_conditions()
        steps = self._body(body)
        _set(handle, self.driver.new_handle())

        def loop():
            while condition[0]:
                _do(steps)
            return True

        return self._insert(stream, loop)

    def wp_cuda_graph_set_condition(self, context, stream, arch, use_ptx, condition, handle):
        return True

    def wp_cuda_graph_check_conditional_body(self, body):
        return True

    def wp_capture_debug_dot_print(self, graph, path, flags):
        self.say("wp.capture_debug_dot_print", "only a driver can draw a graph")
        return True

    def _say_conditions(self):
        if self.conditions_said != os.getpid():
            self.conditions_said = os.getpid()
            self.say(CONDITIONS, SMALL_BUILD)

    def _insert(self, stream, step):
        capture = self.capture_of(stream)
        if capture is None:
            return self.driver.fail("Stream is not capturing", False)
        capture.steps.append(step)
        return True

    def _body(self, result):
        """Steps of a branch that Warp is about to capture; of one that it does not want, none."""
        steps = []
        if result is not None:
            handle = self.driver.new_handle()
            self.held[handle] = steps
            _set(result, handle)
        return steps


def _do(steps):
    for step in tuple(steps):
        step()
    return True


def _set(pointer, value):
    """Write a handle where the caller wants it."""
    target = getattr(pointer, "_obj", None)
    if target is not None:
        target.value = value
    else:
        pointer[0] = value
