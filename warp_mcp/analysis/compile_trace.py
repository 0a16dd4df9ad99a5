"""What each kernel of a traced module costs, and what switching its backward code off would save.

The compiler's trace tells wall time; the CPU time of the thread that compiled is what a busy machine
inflates least, so every figure is multiplied by what of the traced build's wall was CPU time. Tracing itself
takes about a tenth, which the same build without a trace shows. Of several repetitions the median counts,
function by function.

What is added to a function's own time in a stage, because it is told of no function: in the optimiser and
in the assembler a share by the function's own time there, in the front end one by the size of its text. The
headers, linking CUDA's own functions and wrapping up stay whatever the module holds. How near this comes to
really edited programs is measured by `tests/benchmarks/compile_trace.py`.
"""

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Iterator

from warp_mcp.analysis.content_changes import IN_A_FUNCTION
from warp_mcp.models.compile_trace import (
    CompileTrace,
    KernelCost,
    ModuleCost,
    TracedBuild,
    TracedFunction,
    TraceSeen,
    TraceTarget,
)
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import ArmRecording, PassRecording

KERNEL = re.compile(r"^(?P<name>\w+?)(?:_[0-9a-f]{8})?_cuda_kernel_(?P<side>forward|backward)$")
NOT_BUILT = "was not built again in the separate run"
MOST_KERNELS = 30
"""Kernels of a module in a report."""
LEAST_UNTRACED = 0.8
"""Least of a traced build that is taken for the compiler's own work, where its headers leave that open;
measured: 0.83 to 1 on Warp 1.19, and 0.71 to 0.86 of the largest module of Newton's pendulum."""


def trace_of(arm: ArmRecording) -> CompileTrace | None:
    """Inside the largest modules of a rehearsal; None where there was nothing to look into."""
    if not arm.targets:
        return None
    passes = [one for one in arm.passes if one.kind == "compile_trace"]
    builds = [build for one in passes if one.trace for build in one.trace.builds]
    problems = [problem for one in passes for problem in _problems(one)]
    told = compile_trace(arm.targets, TraceSeen(builds=builds, problems=problems))
    return _with_use(told, {one for sample in arm.samples for one in _differentiated(sample.cold_recording)})


def _differentiated(recording: Recording) -> Iterator[tuple[str, str]]:
    """Module and kernel of every launch of a backward pass."""
    for process in recording.processes:
        names = {module.id: module.name for module in process.modules}
        for one in process.signatures:
            if one.adjoint:
                yield names.get(one.module, ""), one.kernel


def _with_use(trace: CompileTrace, used: set[tuple[str, str]]) -> CompileTrace:
    def told(one: KernelCost) -> KernelCost:
        name = one.kernel.rpartition(IN_A_FUNCTION)[2]
        return one.model_copy(update={"backward_used": (one.module, name) in used})

    modules = [
        module.model_copy(update={"kernels": [told(one) for one in module.kernels]})
        for module in trace.modules
    ]
    return trace.model_copy(update={"modules": modules})


def _problems(one: PassRecording) -> list[str]:
    ended = {"completed": "", "timed_out": "ran into the time-out", "cancelled": "was cancelled"}
    how = ended.get(one.run.outcome, f"ended with exit code {one.run.exit_code}")
    told = one.trace.problems if one.trace else []
    return [*told, *([f"The separate run {how}."] if how else [])]


def compile_trace(targets: list[TraceTarget], seen: TraceSeen) -> CompileTrace:
    """Costs by module and kernel; the modules with the most work first."""
    builds: dict[tuple[str, int], list[TracedBuild]] = {}
    for build in seen.builds:
        builds.setdefault((build.source, build.arch), []).append(build)
    modules = [_module(target, builds.get((target.source, target.arch), [])) for target in targets]
    return CompileTrace(
        headers_ms=max((build.headers_ms for build in seen.builds), default=0.0),
        modules=sorted(modules, key=lambda one: -one.compile_ms),
        problems=list(dict.fromkeys(seen.problems)),
    )


def _module(target: TraceTarget, builds: list[TracedBuild]) -> ModuleCost:
    priced = builds and target.not_traced is None
    unpriced = ModuleCost(
        module=target.module,
        arch=target.arch,
        block_dim=target.block_dim,
        builds=target.builds,
        compile_ms=target.all_cpu_ms,
        not_priced=None if priced else target.not_traced or NOT_BUILT,
    )
    return unpriced.model_copy(update=_prices(target, builds)) if priced else unpriced


def _prices(target: TraceTarget, builds: list[TracedBuild]) -> dict[str, object]:
    """The fields of `ModuleCost` that hold times and shares."""
    first = builds[0]
    scale = target.all_cpu_ms / target.timed_cpu_ms if target.timed_cpu_ms else 1.0
    costs = _within(target.timed_cpu_ms, _function_costs(target, builds))
    roots = _roots(first.functions)
    reached = {root: _reached(root, first.functions) for root in roots}
    backward_ms = sum(costs[name] for name in _beyond(reached, _of_side(roots, "backward")))
    spent = sum(costs.values())
    kernels = [
        _scaled(_kernel(name, shown, roots, reached, costs, target), scale)
        for name, shown in _shown(_names(roots)).items()
    ]
    kernels.sort(key=lambda one: -(one.forward_ms + one.backward_ms))
    return {
        "forward_ms": scale * (spent - backward_ms),
        "backward_ms": scale * backward_ms,
        "backward_share": _share(backward_ms, target),
        "fixed_ms": scale * max(0.0, target.timed_cpu_ms - spent),
        "assembled": first.assembler_ms > 0,
        "kernels": kernels[:MOST_KERNELS],
        "more_kernels": max(0, len(kernels) - MOST_KERNELS),
    }


def _scaled(one: KernelCost, scale: float) -> KernelCost:
    times = {"forward_ms": scale * one.forward_ms, "backward_ms": scale * one.backward_ms}
    return one.model_copy(update=times)


def _share(spent_ms: float, target: TraceTarget) -> float:
    return min(1.0, spent_ms / target.timed_cpu_ms) if target.timed_cpu_ms else 0.0


def _kernel(
    name: str,
    shown: str,
    roots: dict[str, tuple[str, str]],
    reached: dict[str, set[str]],
    costs: dict[str, float],
    target: TraceTarget,
) -> KernelCost:
    """Of one build."""
    own = [root for root in roots if roots[root][0] == name]
    backward = _beyond(reached, [root for root in own if roots[root][1] == "backward"])
    forward = _beyond(reached, own) - backward
    forward_ms, backward_ms = (sum(costs[one] for one in side) for side in (forward, backward))
    return KernelCost(
        module=target.module,
        kernel=shown,
        forward_ms=forward_ms,
        backward_ms=backward_ms,
        share=_share(forward_ms + backward_ms, target),
    )


def _beyond(reached: dict[str, set[str]], without: Iterable[str]) -> set[str]:
    """Functions that go when these entry points go: no other one reaches them."""
    gone = set(without)
    kept = {name for root, names in reached.items() if root not in gone for name in names}
    return {name for root in gone for name in reached[root]} - kept


def _roots(functions: list[TracedFunction]) -> dict[str, tuple[str, str]]:
    """{entry point: (kernel, side)}."""
    matches = ((one.name, KERNEL.match(one.name)) for one in functions)
    return {name: (match["name"], match["side"]) for name, match in matches if match}


def _of_side(roots: dict[str, tuple[str, str]], side: str) -> list[str]:
    return [root for root in roots if roots[root][1] == side]


def _names(roots: dict[str, tuple[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for name, _ in roots.values()))


def _shown(names: list[str]) -> dict[str, str]:
    """{name in the generated source: name as the program has it}, of a kernel that a function makes too.
    Where two functions make kernels of one name, the whole name tells them apart.
    """
    short = {name: name.rpartition(IN_A_FUNCTION)[2] for name in names}
    count = Counter(short.values())
    return {name: short[name] if count[short[name]] == 1 else name for name in names}


def _reached(root: str, functions: list[TracedFunction]) -> set[str]:
    calls = {one.name: one.calls for one in functions}
    found: set[str] = set()
    waiting = [root]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(calls.get(name, ()))
    return found


def _function_costs(target: TraceTarget, builds: list[TracedBuild]) -> dict[str, float]:
    """CPU time in ms of each function of one build: the median over its repetitions."""
    each = [_costs_of(target, build) for build in builds]
    return {name: statistics.median(costs[name] for costs in each if name in costs) for name in each[0]}


def _costs_of(target: TraceTarget, build: TracedBuild) -> dict[str, float]:
    """CPU time of each function, as without the trace."""
    optimising = _ratio(build.optimiser_ms - build.linker_ms, build.counted_optimiser_ms)
    assembling = _ratio(build.assembler_ms + build.output_ms, build.counted_assembler_ms)
    reading = max(0.0, build.front_ms - build.headers_ms - build.wrap_ms)
    text = sum(one.bytes for one in build.functions)
    cpu = build.traced_cpu_ms / build.traced_wall_ms * _untraced(target, build)
    return {
        one.name: cpu
        * (optimising * one.optimiser_ms + assembling * one.assembler_ms + reading * one.bytes / max(1, text))
        for one in build.functions
    }


def _untraced(target: TraceTarget, build: TracedBuild) -> float:
    """What the build without a trace took of what the one with it took, fixed parts of both left out.

    Only the traced one may have had to read the headers, so that its fixed part says less of the other. Then
    the ratio is at most that of all the other took, and held within what tracing was seen to take.
    """
    fixed = build.traced_cpu_ms * (build.headers_ms + build.wrap_ms) / build.traced_wall_ms
    traced = build.traced_cpu_ms - fixed
    if traced <= 0:
        return 1.0
    least = min(LEAST_UNTRACED, target.timed_cpu_ms / traced)
    return min(1.0, max(least, (target.timed_cpu_ms - fixed) / traced))


def _within(whole_ms: float, costs: dict[str, float]) -> dict[str, float]:
    """The same, where they add up to more than the build that they are parts of: shares of that."""
    spent = sum(costs.values())
    return {name: ms * whole_ms / spent for name, ms in costs.items()} if spent > whole_ms > 0 else costs


def _ratio(whole: float, counted: float) -> float:
    """What stands in a stage for one millisecond that is told of a function."""
    return max(1.0, whole / counted) if counted else 1.0
