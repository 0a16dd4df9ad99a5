"""CS-6: generic kernels first needed for other argument types after their module had loaded."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.rebuild_findings import from_causes
from warp_mcp.models.finding import Finding

MECHANISM = "CS-6"


def examine(evidence: Evidence) -> Finding:
    """Fired when a rebuild has this cause; ruled out when modules were built and none has."""
    return from_causes(
        evidence,
        MECHANISM,
        ("overload_added",),
        "a generic kernel was first needed for other argument types after it had loaded",
    )
