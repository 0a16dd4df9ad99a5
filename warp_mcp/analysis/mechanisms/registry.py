"""All thirteen mechanisms, each exactly once, in the order in which a reader should look at them."""

from collections.abc import Callable

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms import kernels_after_load, late_overloads, options_after_load
from warp_mcp.analysis.mechanisms.unexamined import not_examined
from warp_mcp.models.finding import MECHANISMS, Finding

_EXAMINED: dict[str, Callable[[Evidence], Finding]] = {
    kernels_after_load.MECHANISM: kernels_after_load.examine,
    options_after_load.MECHANISM: options_after_load.examine,
    late_overloads.MECHANISM: late_overloads.examine,
}


def examine(evidence: Evidence) -> list[Finding]:
    """Thirteen findings: what fired first, by what is at stake; the rest by number."""
    findings = [
        _EXAMINED[label](evidence) if label in _EXAMINED else not_examined(label) for label in MECHANISMS
    ]
    return sorted(findings, key=lambda finding: (finding.status != "fired", -(finding.cost_ms or 0.0)))
