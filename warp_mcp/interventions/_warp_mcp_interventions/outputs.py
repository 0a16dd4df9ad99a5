"""Record what launches compute: digests and summaries of the arrays that they wrote.

Of each kernel and signature the first, the last and the power-of-two launches are recorded, and of `Tape`'s
backward passes likewise the gradients: arrays are hashed before and after, and what differs was written.
Which launch is the last is known from the counts of the cold run. Other launches cost a counter. Nothing is
launched, built or changed here; memory is read as it lies. A replayed graph is one unit, since no Python runs
between its launches; and nothing is read while a graph is being captured for CUDA, which reading would break.
"""

import itertools
import os
import sys

from . import channel, outputs_file, outputs_graphs, outputs_memory, outputs_summary, waiting
from .outputs_memory import recorder

COUNTERS = "_warp_mcp_outputs"
"""Attribute on Warp's KernelHooks: its counters, by direction and launch bounds."""
MOST_ARRAYS = 256
"""Arrays told of one launch or backward pass."""
MOST_CONTENTS = 64
"""Kernels of one name and signature of which the first launch is recorded too."""
NO_READING = "launches while a graph was being captured for CUDA were not recorded"


def start():
    """Wait for Warp."""
    told = channel.told("outputs") or {}
    recording = Recording(told.get("budget_bytes", 0), told.get("counts", {}))
    waiting.when_imported(waiting.CONTEXT, recording.install)
    waiting.when_imported(("warp._src.tape", "warp.tape"), recording.install_tape)
    waiting.when_imported(("warp._src.apic.capture",), recording.graphs.install_capture)


class Counter:
    """The launches of one kernel with one signature in this process."""

    def __init__(self, kernel, signature, last):
        self.kernel = kernel
        self.signature = signature
        self.last = last
        self.numbers = itertools.count(1)
        self.pid = os.getpid()
        self.contents = set()
        self.fresh = False
        """The next launch runs a kernel of other content than those before: closures may share a name."""

    def due(self):
        """Number of this launch when it is to be recorded, else 0."""
        if self.pid != os.getpid():  # a forked child counts its own
            self.numbers, self.pid = itertools.count(1), os.getpid()
        number = next(self.numbers)
        fresh, self.fresh = self.fresh, False
        return number if fresh or number & (number - 1) == 0 or number == self.last else 0


class Recording:
    """All that is recorded in this process."""

    def __init__(self, budget_bytes, counts):
        self.lines = outputs_file.Lines()
        self.budget = outputs_file.Budget(os.environ["WARP_MCP_RECORD_DIR"], budget_bytes)
        self.counts = counts
        self.counters = {}
        self.runtime = None
        self.graphs = outputs_graphs.Graphs(self)

    def install(self, context):
        """Wrap the ways a kernel is launched. A module that merely forwards has nothing of its own."""
        for name in ("invoke", "invoke_cpu_blocks"):
            if name in vars(context):
                setattr(context, name, self._around_invoke(vars(context)[name]))
        if "capture_launch" in vars(context):
            context.capture_launch = self.graphs.around_replay(vars(context)["capture_launch"])
        runtime = vars(context).get("Runtime")
        if runtime is not None:
            runtime.__init__ = self._after_start(runtime.__init__)

    def install_tape(self, module):
        """Wrap backward passes."""
        tape = vars(module).get("Tape")
        if tape is not None and "backward" in vars(tape):
            tape.backward = self._around_backward(vars(tape)["backward"])

    def _after_start(self, original):
        def start_runtime(runtime, *args, **kwargs):
            result = original(runtime, *args, **kwargs)
            try:
                self.runtime = runtime
                if vars(runtime).get("cuda_devices"):
                    core = runtime.core
                    core.wp_cuda_launch_kernel = self._around_cuda(core.wp_cuda_launch_kernel)
            except Exception:
                self.lines.failed("CUDA launches are not recorded")
            return result

        return waiting.unseen(start_runtime)

    def _around_invoke(self, original):
        begin, finish = self.begin, self.finish

        def invoke(kernel, hooks, params, adjoint):
            taken = begin(kernel, hooks, params, adjoint, None)
            original(kernel, hooks, params, adjoint)
            if taken is not None:
                finish(taken)

        return waiting.unseen(invoke)

    def _around_cuda(self, original):
        """The recorder looks into the variables of its caller, which is this wrapper here."""
        begin, finish, from_caller = self.begin, self.finish, self._from_caller

        def wp_cuda_launch_kernel(*args):
            kernel, hooks, adjoint, bounds, params, given = from_caller(sys._getframe(1))
            taken = None
            if kernel is not None and params is not None:
                taken = begin(kernel, hooks, params, adjoint, args[0], given)
            failed = original(*args)
            if taken is not None and not failed:
                finish(taken)
            return failed

        return waiting.unseen(wp_cuda_launch_kernel)

    def _from_caller(self, frame):
        """Kernel, entry, direction, bounds, packed and given arguments, of `launch` or `Launch.launch`."""
        try:
            names = frame.f_locals
            own = getattr(names.get("self"), "__dict__", {})
            words = ("kernel", "hooks", "adjoint", "bounds", "params", "fwd_args")
            return [names.get(word, own.get(word)) for word in words]
        except Exception:
            return [None] * 6

    def begin(self, kernel, entry, params, adjoint, context, given=None):
        """What `finish` needs of a launch that is to be recorded; None of any other. Never raises."""
        try:
            if context is not None and self.capturing():
                self.lines.problem(NO_READING)
                self.graphs.remember_cuda(kernel, given)
                return None
            counter, number = self._counted(kernel, entry, params[0], bool(adjoint))
            if not number or not params[0].size:
                return None
            found = outputs_memory.arguments(kernel, params, adjoint)
            about = {"kind": "launch", "kernel": counter.kernel, "signature": counter.signature}
            return self.taken({**about, "occurrence": number}, found, context)
        except Exception:
            self.lines.failed("a launch was not recorded")
            return None

    def _counted(self, kernel, entry, bounds, adjoint):
        key = adjoint, bytes(bounds)
        try:
            counter = getattr(entry, COUNTERS)[key]
        except (AttributeError, KeyError):
            counter = self._new_counter(kernel, entry, bounds, key)
        return counter, counter.due()

    def _new_counter(self, kernel, entry, bounds, key):
        name = recorder("kernels").last_name(kernel)
        signature = _equivalence(kernel, entry, bounds, key[0])
        counter = self.counter(name, signature)
        content = recorder("kernels").content_of(kernel)
        if content not in counter.contents and len(counter.contents) < MOST_CONTENTS:
            counter.contents.add(content)
            counter.fresh = True
        known = recorder("looking").peek(entry, COUNTERS)
        if known is None:
            known = {}
            setattr(entry, COUNTERS, known)
        known[key] = counter
        return counter

    def counter(self, kernel, signature):
        """The counter of a kernel's last name and a signature; one for all modules."""
        text = f"{kernel}|{signature}"
        if text not in self.counters:
            self.counters[text] = Counter(kernel, signature, self.counts.get(text, 0))
        return self.counters[text]

    def capturing(self):
        """Whether a CUDA graph is being captured, on whatever stream."""
        return self.runtime is not None and bool(self.runtime.captures)

    def taken(self, about, found, context, before=True):
        """The arrays hashed as they are now, when there is room for that and for hashing them again."""
        if len(found) > MOST_ARRAYS:
            self.lines.problem(f"of a launch with {len(found)} arrays the first {MOST_ARRAYS} were recorded")
            found = found[:MOST_ARRAYS]
        size = sum(one.bytes for one in found)
        if not self.budget.take(2 * size if before else size):
            self.lines.write({"e": "left_out"})
            return None
        digests = [self._digest(one, context)[0] if before else None for one in found]
        return about, found, digests, context

    def finish(self, taken, number=None):
        """Hash again, and write what is new. Never raises."""
        try:
            about, found, before, context = taken
            thread = getattr(recorder("threads").log.local, "sequence", None)
            line = {"e": "record", "thread": thread.thread if thread is not None else 0, **about}
            line["number"] = number or (thread.length() if thread is not None else 0)
            line["arrays"] = [self._told(one, old, context) for one, old in zip(found, before)]
            self.lines.write(line)
        except Exception:
            self.lines.failed("a launch was not recorded")

    def _told(self, found, before, context):
        digest, values = self._digest(found, context)
        told = {"name": found.name, "dtype": found.element.text, "shape": found.picked, "digest": digest}
        if digest == before:
            return {**told, "wrote": False}
        if found.element.numeric:
            told.update(outputs_summary.summary(values[0], found.element.half_bits))
        return told

    def _digest(self, found, context):
        if context is None:
            values = outputs_memory.host_values(found)
        else:
            core = vars(self.runtime)["core"]
            core.wp_cuda_context_synchronize(context)
            values = outputs_memory.device_values(found, core, context)
        return outputs_summary.digest(values, f"{found.element.text} {found.picked}"), values

    def _around_backward(self, original):
        def backward(tape, *args, **kwargs):
            result = original(tape, *args, **kwargs)
            self._gradients(tape)
            return result

        return waiting.unseen(backward, original)

    def _gradients(self, tape):
        """Gradients after a backward pass, in the order in which the tape met their arrays."""
        try:
            counter = self.counter("", "backward")
            number = counter.due()
            if not number or self._holding_back():
                return
            found, context = outputs_graphs.gradients(tape)
            about = {"kind": "gradients", "kernel": "", "signature": "", "occurrence": number}
            taken = self.taken(about, found, context, before=False)
            if taken is not None:
                self.finish(taken, number)
        except Exception:
            self.lines.failed("gradients were not recorded")

    def _holding_back(self):
        """While a graph is captured a backward pass does not run, or must not be looked at."""
        own = vars(self.runtime) if self.runtime is not None else {}
        if own.get("captures") or own.get("_apic_capture") is not None:
            self.lines.problem("gradients of a backward pass within a captured graph were not recorded")
            return True
        return False


def _equivalence(kernel, entry, bounds, adjoint):
    """The signature as the report has it: see `Signature.equivalence` in `models/launching.py`."""
    where = recorder("builds").identity_of(kernel.module, entry)
    return "[%s] %s block_dim=%d %s (%s)" % (
        "x".join(str(size) for size in recorder("signatures").dimensions(bounds)),
        where["device"],
        where["block_dim"],
        "adjoint" if adjoint else "forward",
        ", ".join(recorder("kernels").argument_types(kernel)),
    )
