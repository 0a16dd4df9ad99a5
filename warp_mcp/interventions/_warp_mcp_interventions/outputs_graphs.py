"""Arrays that are known as objects of the program: those of captured graphs, and gradients of tapes.

A captured launch is not run, and no Python runs when it is replayed. So the arrays of a graph are remembered
while it is captured, by weak references (they must not live longer because of us), and looked at before and
after each replay that is to be recorded.
"""

import weakref

from . import outputs_memory, waiting
from .outputs_memory import recorder

MOST_ARRAYS = 256
"""Arrays remembered of one graph."""


class Graphs:
    """The captured graphs of this process."""

    def __init__(self, recording):
        self.recording = recording
        self.held = weakref.WeakKeyDictionary()
        """Graph to [(name, weak reference to an array)]."""

    def install_capture(self, module):
        """Remember the arrays of launches that are captured on the CPU."""
        capture = vars(module).get("APICapture")
        if capture is None or "build_launch_info" not in vars(capture):
            return
        original = vars(capture)["build_launch_info"]
        names = ("capture", "kernel", "module_exec", "hooks", "params", "fwd_args", "adjoint")

        def build_launch_info(*args, **kwargs):
            result = original(*args, **kwargs)
            try:
                given = {**dict(zip(names, args)), **kwargs}
                if given["module_exec"].device.is_cpu:
                    self._remember(_apic_graph(args[0]), given["kernel"], given["fwd_args"])
            except Exception:
                self.recording.lines.failed("arrays of a captured launch are not known")
            return result

        capture.build_launch_info = waiting.unseen(build_launch_info, original)

    def remember_cuda(self, kernel, given):
        """Remember the arrays of a launch while something is captured for CUDA."""
        captured = list(self.recording.runtime.captures.values())
        if len(captured) == 1:
            self._remember(captured[0], kernel, given)

    def _remember(self, graph, kernel, given):
        if graph is None or given is None:
            return
        held = self.held.setdefault(graph, [])
        known = {id(reference()) for _, reference in held}
        for name, array in named_arrays(kernel, given):
            if id(array) not in known and len(held) < MOST_ARRAYS:
                known.add(id(array))
                held.append((name, weakref.ref(array)))

    def around_replay(self, original):
        """`capture_launch`: arrays are hashed before and after."""

        def capture_launch(graph, *args, **kwargs):
            taken = self._begin(graph)
            result = original(graph, *args, **kwargs)
            if taken is not None:
                self.recording.finish(taken)
            return result

        return waiting.unseen(capture_launch, original)

    def _begin(self, graph):
        recording = self.recording
        try:
            recording.lines.problem(
                "launches of a captured graph are recorded as one, with the arrays left then"
            )
            if recording.capturing():
                return None
            launches = len(recorder("graphs")._captured.get(graph) or ())
            counter = recording.counter("graph", f"graph of {launches}")
            number = counter.due()
            alive = [(name, reference()) for name, reference in self.held.get(graph, ())]
            if not number or not any(array is not None for _, array in alive):
                return None
            found, context = _found(alive)
            about = {"kind": "launch", "kernel": "graph", "signature": counter.signature}
            return recording.taken({**about, "occurrence": number}, found, context)
        except Exception:
            recording.lines.failed("a replayed graph was not recorded")
            return None


def gradients(tape):
    """The gradients of the arrays a tape saw, each once, by launch and argument; and their CUDA context."""
    peek = recorder("looking").peek
    last_name = recorder("kernels").last_name
    pairs, known = [], set()
    for launch in tape.launches:
        if callable(launch):
            continue
        for name, array in named_arrays(launch[0], [*launch[3], *launch[4]]):
            pairs.append((f"{last_name(launch[0])}.{name}", peek(array, "_grad")))
    pairs += [(f"gradient {n}", one) for n, one in enumerate(tape.gradients.values(), start=1)]
    kept = []
    for name, gradient in pairs:
        key = tuple(peek(gradient, word) for word in ("ptr", "shape", "strides"))
        if gradient is not None and key not in known:
            known.add(key)
            kept.append((name, gradient))
    return _found(kept)


def named_arrays(kernel, given):
    """(name, array) of the arrays among arguments as the program gave them, also within structs."""
    for argument, value in zip(kernel.adj.args, given):
        yield from _named(argument.label, value)


def _named(name, value):
    peek = recorder("looking").peek
    if peek(value, "ptr") is not None and peek(value, "strides") is not None:
        yield name, value
        return
    struct = peek(value, "_cls")
    for label in peek(struct, "vars") or ():
        yield from _named(f"{name}.{label}", getattr(value, label))


def _found(named):
    """As `Found`, with the context of the CUDA device that they are on; only those of one device."""
    found, contexts = [], []
    for name, array in named:
        one = outputs_memory.of_object(name, array) if array is not None else None
        if array is not None and one is not None:
            context = None if array.device.is_cpu else array.device.context
            if not contexts or context == contexts[0]:
                contexts.append(context)
                found.append(one)
    return found, (contexts[0] if contexts else None)


def _apic_graph(capture):
    """The graph that a capture on the CPU goes into."""
    graphs = recorder("graphs")
    return graphs._graph_of(capture)
