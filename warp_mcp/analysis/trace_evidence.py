"""What a look into the compiler adds to the findings of a rehearsal: the kernels behind a module's figure."""

from collections.abc import Iterable

from warp_mcp.analysis.mechanisms.findings import rounded
from warp_mcp.models.compile_trace import CompileTrace, KernelCost
from warp_mcp.models.finding import Finding

MOST_KERNELS = 6
BACKWARD, UNROLLING = "CS-10", "CS-11"


def with_kernels(findings: list[Finding], trace: CompileTrace | None) -> list[Finding]:
    """The same findings; those that fired on backward code or on unrolled loops name the dearest kernels."""
    if trace is None:
        return findings
    kernels = [kernel for module in trace.modules for kernel in module.kernels]
    return [_with_kernels(finding, kernels) for finding in findings]


def _with_kernels(finding: Finding, kernels: list[KernelCost]) -> Finding:
    if finding.status != "fired" or finding.mechanism not in (BACKWARD, UNROLLING):
        return finding
    mine = [kernel for kernel in kernels if kernel.module in finding.evidence.get("modules", [])]
    if finding.mechanism == BACKWARD:
        told = {"backward_by_kernel_ms": _dearest((one.kernel, one.backward_ms) for one in mine)}
    else:
        whole = ((one.kernel, one.forward_ms + one.backward_ms) for one in mine)
        told = {"compiler_by_kernel_ms": _dearest(whole)}
    if not any(told.values()):
        return finding
    return finding.model_copy(update={"evidence": {**finding.evidence, **told}})


def _dearest(costs: Iterable[tuple[str, float]]) -> dict[str, float]:
    """By name; two modules may have kernels of one name, which then count together."""
    by_name: dict[str, float] = {}
    for name, ms in costs:
        by_name[name] = by_name.get(name, 0.0) + ms
    dearest = sorted((name for name in by_name if by_name[name] > 0), key=lambda name: -by_name[name])
    return {name: rounded(by_name[name]) for name in dearest[:MOST_KERNELS]}
