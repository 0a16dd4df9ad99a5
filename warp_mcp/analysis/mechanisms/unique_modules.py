"""CS-9: kernels that do not change, each in a module of its own by `module="unique"`."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.one_kernel_modules import examine_groups
from warp_mcp.models.finding import Finding
from warp_mcp.models.report import ModuleEntry

MECHANISM = "CS-9"


def examine(evidence: Evidence) -> Finding:
    """Fired when what the further modules of such groups pay is more than what counts."""
    return examine_groups(evidence, MECHANISM, _maker, "unique modules of one kernel each")


def _maker(module: ModuleEntry) -> str | None:
    """The file in which the kernels are written: a factory there, or the decorator of each."""
    if module.made != "unique":
        return None
    return (module.defined_at or module.loaded_at or "an unknown place").rpartition(":")[
        0
    ] or "an unknown place"
