"""What no probe saw in a comparison, and how to check it."""

from collections.abc import Iterator

from warp_mcp.analysis.module_changes import Match, option_differences
from warp_mcp.analysis.texts import counted
from warp_mcp.models.comparison import OutputComparison, SteadyComparison, Workload
from warp_mcp.models.report import Report

_STEADY = (
    *("fast_math", "max_unroll", "optimization_level", "mode", "fuse_fp", "enable_mathdx_"),
    *(
        "use_precompiled_headers",
        "cpu_compiler_flags",
        "enable_tiles_in_stack_memory",
        "extra_cpu_",
        "extra_cuda_",
    ),
)
"""Options that may trade build time for run time, or change what headers a kernel is built with: beginnings
of their names."""


def next_checks(
    baseline: Report,
    candidate: Report,
    workload: Workload,
    matches: list[Match],
    times: SteadyComparison,
    outputs: OutputComparison,
) -> list[str]:
    """Sentences; what applies always comes last. `times`: whether launches were timed on both sides."""
    return list(_checks(baseline, candidate, workload, matches, times, outputs))


def _checks(
    baseline: Report,
    candidate: Report,
    workload: Workload,
    matches: list[Match],
    times: SteadyComparison,
    outputs: OutputComparison,
) -> Iterator[str]:
    options = {difference.option for match in matches for difference in option_differences(match)}
    gradients = "enable_backward" in options or _boundaries(matches) or _adjoint(baseline, candidate)
    if gradients and not outputs.gradients:
        yield "Gradients: compare them on both sides; a missing backward pass can leave zeros in silence."
    steady = sorted(option for option in options if option.startswith(_STEADY))
    why = ", ".join(steady) or ("a changed kernel" if workload.kernels_changed else "")
    if why and times.status == "not_recorded":
        yield f"Steady state: time the launches after start-up on both sides; {why} can make them slower."
    elif times.hidden:
        again = "time the launches again, on both sides, with the machine at rest"
        more = f"; {why} can make them slower" if why else ""
        yield f"Steady state: {again}: {times.hidden}{more}."
    yield from _outputs(workload, outputs)
    yield "Other paths: this command ran one way through the program; measure the others that matter to you."


def _outputs(workload: Workload, outputs: OutputComparison) -> Iterator[str]:
    """What of the outputs is still to be compared."""
    if outputs.status == "different":
        return
    if outputs.status in ("identical", "within_tolerance", "incomplete"):
        if outputs.left_out:
            launches = counted(outputs.left_out, "launch", "launches")
            yield f"Outputs: {launches} did not fit into the budget; compare their results, or raise it."
        if outputs.uncovered:
            yield f"Outputs: of {', '.join(outputs.uncovered[:5])}, whose code changed, nothing was compared."
    elif outputs.status == "not_deterministic":
        yield "Outputs: the program does not agree with itself; fix its seeds and compare again."
    elif workload.kernels_changed:
        names = ", ".join(workload.kernels_changed[:5])
        yield f"Outputs: compare what {names} computes on both sides; its code changed."
    else:
        yield "Outputs: compare results on both sides; launches were compared, not what they computed."


def _boundaries(matches: list[Match]) -> bool:
    """Whether kernels are in other modules than before."""
    return any(not match.baseline or not match.candidate for match in matches)


def _adjoint(baseline: Report, candidate: Report) -> bool:
    """Whether the two sides ran another number of adjoint launches."""
    before, after = (sum(m.adjoint_launches for m in report.modules) for report in (baseline, candidate))
    return before != after
