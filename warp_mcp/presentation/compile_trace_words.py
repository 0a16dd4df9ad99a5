"""What the largest CUDA modules spend their compilation on, as sentences and rows. Decides nothing."""

from warp_mcp.models.compile_trace import CompileTrace, KernelCost, ModuleCost
from warp_mcp.presentation.numbers import duration, joined, percent, plural

HEADING = "Inside the largest CUDA modules"
COLUMNS = ("kernel", "forward", "backward", "share of the module")
ROWS = 8
"""Kernels shown of a module; the file has more."""
MOST_NAMED = 4
HOW = (
    "CPU time of the compiler, from one separate build with its trace on: estimates, as noisy as one build. "
    "“backward” is about what enable_backward=False on that kernel alone saves."
)
USED = "*: a backward pass of this run went through it; without backward code its gradients are lost."
PTX = "PTX was made: what the driver takes to assemble it is not in these figures."


def module_sentence(cost: ModuleCost) -> str:
    """What a module's time went into, and what it and its dearest kernel would save without backward code."""
    if cost.not_priced:
        return f"`{cost.module}` ({duration(cost.compile_ms)} in NVRTC) {cost.not_priced}."
    of = f"Of {duration(cost.compile_ms)} of CPU time in `{cost.module}`{_in_builds(cost)}"
    if not any(one.backward_ms > 0 for one in cost.kernels):
        return f"{of}, none is backward code; {_dearest(cost)}."
    carrying = sum(one.backward_ms > 0 for one in cost.kernels)
    share = f"{percent(cost.backward_share, 1)} ({duration(cost.backward_ms)})"
    return f"{of}, {share} is backward code of {plural(carrying, 'kernel')}{_most(cost)}. {_saving(cost)}"


def _dearest(cost: ModuleCost) -> str:
    named = [f"`{one.kernel}` {duration(one.forward_ms)}" for one in cost.kernels[:MOST_NAMED]]
    return f"the dearest {'kernels are' if len(named) > 1 else 'kernel is'} {joined(named)}"


def _most(cost: ModuleCost) -> str:
    """`, most of it in …`, where there are more than are named; else all of them."""
    dear = sorted((one for one in cost.kernels if one.backward_ms > 0), key=lambda one: -one.backward_ms)
    named = joined([f"`{one.kernel}` {duration(one.backward_ms)}" for one in dear[:MOST_NAMED]])
    return f", most of it in {named}" if len(dear) > MOST_NAMED else f": {named}"


def _saving(cost: ModuleCost) -> str:
    """The edit that saves most, of those that take no gradients from this run."""
    free = [one for one in cost.kernels if one.backward_ms > 0 and not one.backward_used]
    if not free:
        return "A backward pass of this run went through all of them: none can go without."
    first = max(free, key=lambda one: one.backward_ms)
    return f"Switching backward off for `{first.kernel}` saves about {duration(first.backward_ms)}."


def largest_words(trace: CompileTrace | None) -> list[str]:
    """The same of the modules that could be priced, the largest first."""
    return [module_sentence(one) for one in trace.modules if not one.not_priced] if trace else []


def _in_builds(cost: ModuleCost) -> str:
    return f" ({plural(cost.builds, 'build')})" if cost.builds > 1 else ""


def kernel_row(one: KernelCost) -> tuple[str, ...]:
    """Cells for `COLUMNS`."""
    backward = f"{duration(one.backward_ms)}{' *' if one.backward_used else ''}"
    return one.kernel, duration(one.forward_ms), backward, percent(one.share, 1)


def trace_notes(trace: CompileTrace) -> list[str]:
    """What is to be known of the figures, one sentence each."""
    priced = [one for one in trace.modules if not one.not_priced]
    told = [HOW] if priced else []
    if any(one.backward_used for module in priced for one in module.kernels[:ROWS]):
        told.append(USED)
    if any(not one.assembled for one in priced):
        told.append(PTX)
    return [*told, *trace.problems[:MOST_NAMED]]
