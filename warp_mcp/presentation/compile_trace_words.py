"""What the largest CUDA modules spend their compilation on, as sentences and rows. Decides nothing."""

from warp_mcp.models.compile_trace import CompileTrace, KernelCost, ModuleCost
from warp_mcp.presentation.numbers import duration, joined, percent, plural

HEADING = "Inside the largest CUDA modules"
COLUMNS = ("kernel", "forward", "backward", "share of the module")
ROWS = 8
"""Kernels shown of a module; the file has more."""
MOST_NAMED = 4
HOW = (
    "CPU time of the compiler, from a separate build with its trace on. “backward” is what "
    "enable_backward=False on that kernel alone saves."
)
PTX = "PTX was made: what the driver takes to assemble it is not in these figures."


def module_sentence(cost: ModuleCost) -> str:
    """What a module's time went into, and what its dearest kernel would save without backward code."""
    if cost.not_priced:
        return f"`{cost.module}` ({duration(cost.compile_ms)}) {cost.not_priced}."
    dear = [one for one in cost.kernels if one.backward_ms > 0][:MOST_NAMED]
    of = f"Of {duration(cost.compile_ms)} in `{cost.module}`{_in_builds(cost)}"
    if not dear:
        return f"{of}, none is backward code; the dearest kernels are {joined(_forward(cost), MOST_NAMED)}."
    carrying = sum(one.backward_ms > 0 for one in cost.kernels)
    kernels = joined([_both(one) for one in dear])
    first = max(dear, key=lambda one: one.backward_ms)
    share = percent(cost.backward_share, 1)
    return (
        f"{of}, {share} is backward code of {plural(carrying, 'kernel')}: {kernels}. "
        f"Switching backward off for `{first.kernel}` saves about {duration(first.backward_ms)}."
    )


def largest_words(trace: CompileTrace | None) -> list[str]:
    """The same of the modules that could be priced, the largest first."""
    return [module_sentence(one) for one in trace.modules if not one.not_priced] if trace else []


def _in_builds(cost: ModuleCost) -> str:
    return f" ({plural(cost.builds, 'build')})" if cost.builds > 1 else ""


def _both(one: KernelCost) -> str:
    return f"`{one.kernel}` {duration(one.forward_ms)} forward, {duration(one.backward_ms)} backward"


def _forward(cost: ModuleCost) -> list[str]:
    return [f"`{one.kernel}` {duration(one.forward_ms)}" for one in cost.kernels[:MOST_NAMED]]


def kernel_row(one: KernelCost) -> tuple[str, ...]:
    """Cells for `COLUMNS`."""
    return one.kernel, duration(one.forward_ms), duration(one.backward_ms), percent(one.share, 1)


def trace_notes(trace: CompileTrace) -> list[str]:
    """What is to be known of the figures, one sentence each."""
    priced = [one for one in trace.modules if not one.not_priced]
    told = [HOW] if priced else []
    if any(not one.assembled for one in priced):
        told.append(PTX)
    return [*told, *trace.problems[:MOST_NAMED]]
