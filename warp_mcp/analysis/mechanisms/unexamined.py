"""The mechanisms that this release does not look for yet: said of each, never left out."""

from warp_mcp.analysis.mechanisms.rebuild_findings import REFERENCE
from warp_mcp.models.finding import Finding

QUESTIONS = {
    "CS-2": "Whether the cache is reused by a second run",
    "CS-4": "Whether modules are split too finely",
    "CS-5": "Whether one module is built for several block dimensions",
    "CS-7": "Whether MathDx links are built without a benefit",
    "CS-8": "Whether modules are loaded side by side on the CPU",
    "CS-9": "Whether stable kernels have a module each",
    "CS-10": "Whether backward code is built that nobody uses",
    "CS-11": "Whether the unroll budget makes the source large",
    "CS-12": "Whether the precompiled header pays off",
    "CS-13": "Whether independent modules could be built side by side",
}
"""What each mechanism asks, by label."""


def not_examined(label: str) -> Finding:
    """The finding of a mechanism that is not examined yet."""
    return Finding(
        mechanism=label,
        status="not_reached",
        title=f"{QUESTIONS[label]} was not examined",
        evidence={"reason": "not examined yet"},
        cost_ms=None,
        cost_kind=None,
        where=None,
        reference=REFERENCE + label,
    )
