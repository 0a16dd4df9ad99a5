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
from collections.abc import Iterable

from warp_mcp.models.compile_trace import (
    CompileTrace,
    KernelCost,
    ModuleCost,
    TracedBuild,
    TracedFunction,
    TraceSeen,
)

KERNEL = re.compile(r"^(?P<name>\w+?)(?:_[0-9a-f]{8})?_cuda_kernel_(?P<side>forward|backward)$")
MOST_KERNELS = 30
"""Kernels of a module in a report."""
LEAST_UNTRACED = 0.8
"""Least of a traced build that is taken for the compiler's own work; measured: 0.83 to 1 on Warp 1.19."""
LINKED = "is linked with MathDx objects: the linker optimises its kernels, and tells nothing about them"


def compile_trace(seen: TraceSeen) -> CompileTrace:
    """Costs by module and kernel; the modules with the most work first."""
    repetitions: dict[tuple[str, int, str], list[TracedBuild]] = {}
    for build in seen.builds:
        repetitions.setdefault((build.module, build.arch, build.source), []).append(build)
    modules = sorted(map(_module, repetitions.values()), key=lambda one: -one.compile_ms)
    return CompileTrace(modules=modules, spent_ms=seen.spent_ms, problems=seen.problems)


def _module(builds: list[TracedBuild]) -> ModuleCost:
    first = builds[0]
    unpriced = ModuleCost(
        module=first.module,
        arch=first.arch,
        block_dim=first.block_dim,
        builds=first.builds,
        compile_ms=first.all_cpu_ms,
        not_priced=LINKED if first.links else None,
    )
    return unpriced if first.links else unpriced.model_copy(update=_prices(builds))


def _prices(builds: list[TracedBuild]) -> dict[str, object]:
    """The fields of `ModuleCost` that hold times and shares."""
    first = builds[0]
    scale = first.all_cpu_ms / first.timed_cpu_ms if first.timed_cpu_ms else 1.0
    costs = _function_costs(builds)
    traced = statistics.median(build.traced_cpu_ms for build in builds)
    roots = _roots(first.functions)
    reached = {root: _reached(root, first.functions) for root in roots}
    backward_ms = sum(costs[name] for name in _beyond(reached, _of_side(roots, "backward")))
    spent = sum(costs.values())
    kernels = [
        _scaled(_kernel(name, roots, reached, costs, first.module), scale, traced) for name in _names(roots)
    ]
    kernels.sort(key=lambda one: -(one.forward_ms + one.backward_ms))
    return {
        "forward_ms": scale * (spent - backward_ms),
        "backward_ms": scale * backward_ms,
        "backward_share": backward_ms / traced,
        "fixed_ms": scale * max(0.0, traced - spent),
        "assembled": first.assembler_ms > 0,
        "kernels": kernels[:MOST_KERNELS],
        "more_kernels": max(0, len(kernels) - MOST_KERNELS),
    }


def _scaled(one: KernelCost, scale: float, traced: float) -> KernelCost:
    return KernelCost(
        module=one.module,
        kernel=one.kernel,
        forward_ms=scale * one.forward_ms,
        backward_ms=scale * one.backward_ms,
        share=(one.forward_ms + one.backward_ms) / traced,
    )


def _kernel(
    name: str,
    roots: dict[str, tuple[str, str]],
    reached: dict[str, set[str]],
    costs: dict[str, float],
    module: str,
) -> KernelCost:
    own = [root for root in roots if roots[root][0] == name]
    backward = _beyond(reached, [root for root in own if roots[root][1] == "backward"])
    forward = _beyond(reached, own) - backward
    return KernelCost(
        module=module,
        kernel=name,
        forward_ms=sum(costs[one] for one in forward),
        backward_ms=sum(costs[one] for one in backward),
        share=0.0,
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


def _function_costs(builds: list[TracedBuild]) -> dict[str, float]:
    """CPU time in ms of each function of one build: the median over its repetitions."""
    each = [_costs_of(build) for build in builds]
    return {name: statistics.median(costs[name] for costs in each if name in costs) for name in each[0]}


def _costs_of(build: TracedBuild) -> dict[str, float]:
    """CPU time of each function, as without the trace."""
    optimising = _ratio(build.optimiser_ms - build.linker_ms, build.counted_optimiser_ms)
    assembling = _ratio(build.assembler_ms + build.output_ms, build.counted_assembler_ms)
    reading = max(0.0, build.front_ms - build.headers_ms - build.wrap_ms)
    text = sum(one.bytes for one in build.functions)
    cpu = build.traced_cpu_ms / build.traced_wall_ms * _untraced(build)
    return {
        one.name: cpu
        * (optimising * one.optimiser_ms + assembling * one.assembler_ms + reading * one.bytes / max(1, text))
        for one in build.functions
    }


def _untraced(build: TracedBuild) -> float:
    """What the build without a trace took of what the one with it took, fixed parts of both left out.

    They may differ where only one of them found a precompiled header, so that the ratio is held within
    what tracing was seen to take.
    """
    fixed = build.traced_cpu_ms * (build.headers_ms + build.wrap_ms) / build.traced_wall_ms
    traced = build.traced_cpu_ms - fixed
    return min(1.0, max(LEAST_UNTRACED, (build.timed_cpu_ms - fixed) / traced)) if traced > 0 else 1.0


def _ratio(whole: float, counted: float) -> float:
    """What stands in a stage for one millisecond that is told of a function."""
    return max(1.0, whole / counted) if counted else 1.0
