"""All thirteen mechanisms, each exactly once, in the order in which a reader should look at them."""

from collections.abc import Callable

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms import (
    backward_code,
    block_dims,
    cache_reuse,
    concurrent_loads,
    fine_boundaries,
    header,
    kernels_after_load,
    late_overloads,
    lto_objects,
    options_after_load,
    serial_builds,
    unique_modules,
    unrolling,
)
from warp_mcp.models.finding import Finding

EXAMINERS: dict[str, Callable[[Evidence], Finding]] = {
    kernels_after_load.MECHANISM: kernels_after_load.examine,
    cache_reuse.MECHANISM: cache_reuse.examine,
    options_after_load.MECHANISM: options_after_load.examine,
    fine_boundaries.MECHANISM: fine_boundaries.examine,
    block_dims.MECHANISM: block_dims.examine,
    late_overloads.MECHANISM: late_overloads.examine,
    lto_objects.MECHANISM: lto_objects.examine,
    concurrent_loads.MECHANISM: concurrent_loads.examine,
    unique_modules.MECHANISM: unique_modules.examine,
    backward_code.MECHANISM: backward_code.examine,
    unrolling.MECHANISM: unrolling.examine,
    header.MECHANISM: header.examine,
    serial_builds.MECHANISM: serial_builds.examine,
}
"""By label, in the order of the numbers."""


def examine(evidence: Evidence) -> list[Finding]:
    """Thirteen findings: what fired first, by what is at stake; the rest by number."""
    findings = [examine_one(evidence) for examine_one in EXAMINERS.values()]
    return sorted(findings, key=lambda finding: (finding.status != "fired", -(finding.cost_ms or 0.0)))
