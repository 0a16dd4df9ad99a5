"""What no probe saw in a comparison, and how to check it."""

from collections.abc import Iterator

from warp_mcp.analysis.module_changes import Match, option_differences
from warp_mcp.models.comparison import SteadyComparison, Workload
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
) -> list[str]:
    """Sentences; what applies always comes last. `times`: whether launches were timed on both sides."""
    return list(_checks(baseline, candidate, workload, matches, times))


def _checks(
    baseline: Report,
    candidate: Report,
    workload: Workload,
    matches: list[Match],
    times: SteadyComparison,
) -> Iterator[str]:
    options = {difference.option for match in matches for difference in option_differences(match)}
    if "enable_backward" in options or _boundaries(matches) or _adjoint(baseline, candidate):
        yield "Gradients: compare them on both sides; a missing backward pass can leave zeros in silence."
    steady = sorted(option for option in options if option.startswith(_STEADY))
    if times.status == "not_recorded" and (steady or workload.kernels_changed):
        why = ", ".join(steady) or "a changed kernel"
        yield f"Steady state: time the launches after start-up on both sides; {why} can make them slower."
    if workload.kernels_changed:
        names = ", ".join(workload.kernels_changed[:5])
        yield f"Outputs: compare what {names} computes on both sides; its code changed."
    else:
        yield "Outputs: compare results on both sides; launches were compared, not what they computed."
    yield "Other paths: this command ran one way through the program; measure the others that matter to you."


def _boundaries(matches: list[Match]) -> bool:
    """Whether kernels are in other modules than before."""
    return any(not match.baseline or not match.candidate for match in matches)


def _adjoint(baseline: Report, candidate: Report) -> bool:
    """Whether the two sides ran another number of adjoint launches."""
    before, after = (sum(m.adjoint_launches for m in report.modules) for report in (baseline, candidate))
    return before != after
