"""CS-3: options changed after their module had loaded."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.rebuild_findings import from_causes
from warp_mcp.models.finding import Finding

MECHANISM = "CS-3"


def examine(evidence: Evidence) -> Finding:
    """Fired when a rebuild has this cause; ruled out when modules were built and none has."""
    return from_causes(evidence, MECHANISM, ("option_changed",), "an option was changed after it had loaded")
