"""CS-4: many modules of one kernel each that are always used together."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.one_kernel_modules import examine_groups, place_of
from warp_mcp.models.finding import Finding
from warp_mcp.models.report import ModuleEntry

MECHANISM = "CS-4"


def examine(evidence: Evidence) -> Finding:
    """Fired when what the further modules of such groups pay is more than what counts."""
    return examine_groups(evidence, MECHANISM, _maker, "modules of one kernel each")


def _maker(module: ModuleEntry) -> str | None:
    """The folder the kernels are in; for `wp.map` and `warp.fem` the file that makes them."""
    if module.made == "unique":
        return None
    file = (place_of(module) or "").rpartition(":")[0]
    if module.made == "map":
        return f"wp.map() in {file}" if file else "wp.map()"
    if module.made == "fem":
        return f"warp.fem for {file}" if file else "warp.fem"
    return f"the files {file.rpartition('/')[0]}/*.py" if file else None
