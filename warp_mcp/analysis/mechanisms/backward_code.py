"""CS-10: backward code in modules that no backward pass of the run went through."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import (
    built_loads,
    fired,
    not_reached,
    rounded,
    ruled_out,
    some,
    unseen,
)
from warp_mcp.analysis.mechanisms.options import set_option
from warp_mcp.analysis.owners import is_library
from warp_mcp.analysis.stakes import floor_ms, is_cuda, least_stake_ms, native_ms, readers_of_headers
from warp_mcp.analysis.texts import counted
from warp_mcp.analysis.thresholds import ADJOINT_WEIGHT
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import LoadRecord, ProcessRecord
from warp_mcp.models.report import ModuleEntry

MECHANISM = "CS-10"
QUESTION = "Whether backward code is built that nobody uses"

HOW = (
    "(compile time - what a module takes whatever it holds) x the adjoint share of its source, an "
    "adjoint byte "
    f"counted {ADJOINT_WEIGHT:g} times, plus the adjoint's MathDx links"
)
TRACED = "the compiler's own trace of one build of each module, times its builds"
BOTH = f"of the largest modules {TRACED}; of the others {HOW}"


def examine(evidence: Evidence) -> Finding:
    """Fired when the adjoint code of modules without an adjoint launch costs more than what counts."""
    reason = unseen(evidence) or _incomplete(evidence)
    if reason:
        return not_reached(MECHANISM, QUESTION, reason)
    traversed = {module.name for module in evidence.modules if module.adjoint_launches}
    unused = [load for load in _with_backward_code(evidence) if load.name not in traversed]
    stakes = _stakes(evidence, unused)
    if unused and stakes is None:
        return not_reached(
            MECHANISM, QUESTION, "one build alone does not tell what a module costs without it"
        )
    stake = sum((stakes or {}).values())
    if stake > least_stake_ms(evidence):
        return _fired(evidence, unused, stakes or {})
    return ruled_out(
        MECHANISM,
        "No backward code without use cost enough to matter",
        {
            "modules_with_unused_adjoint": len({load.name for load in unused}),
            "modules_traversed_backward": len(traversed),
            "adjoint_bytes": sum(load.adjoint_bytes for load in unused),
            "at_stake_ms": rounded(stake),
            "least_that_counts_ms": rounded(least_stake_ms(evidence)),
        },
    )


def _with_backward_code(evidence: Evidence) -> list[LoadRecord]:
    """Builds that hold backward code which an option would take away.

    The adjoints of a struct's constructor are generated whatever the options say (Warp 1.19,
    `codegen_struct`): where every kernel goes without, they are no backward code. Links of a tile's adjoint
    stay in a module whose kernels go without, until the module does.
    """
    return [
        load
        for process in evidence.recording.processes
        for load in process.loads
        if load.status == "compiled"
        and ("adjoint" in load.lto or (load.adjoint_bytes and _wanted(process, load)))
    ]


def _wanted(process: ProcessRecord, load: LoadRecord) -> bool:
    """Whether a kernel of a build has backward code switched on: by its own option, else by its module's."""
    of_module = load.options.get("enable_backward")
    live = set(load.kernels)
    of_kernels = [
        kernel.options.get("enable_backward", of_module) for kernel in process.kernels if kernel.id in live
    ]
    return any(option != "False" for option in of_kernels or [of_module])


def _incomplete(evidence: Evidence) -> str | None:
    """Why a backward pass that uses the code may have been missed. Without it gradients would be lost."""
    if not evidence.launches.complete:
        return "not every launch of this run was recorded"
    if evidence.reference_outcome != "completed":
        return "the run did not come to its end, where a backward pass may have been due"
    if any(one.backward_passes and not _adjoints(one) for one in evidence.recording.processes):
        return "a backward pass was made, and none of its launches ran: of a graph that was not replayed"
    return None


def _adjoints(process: ProcessRecord) -> bool:
    return any(one.adjoint for one in process.signatures)


def _stakes(evidence: Evidence, unused: list[LoadRecord]) -> dict[str, float] | None:
    """Milliseconds at stake by module: what the compiler's trace tells, where there is one, else an estimate.
    `None` when one has to be estimated and its floor is not known.
    """
    floors = {cuda: floor_ms(built_loads(evidence), cuda=cuda) for cuda in (False, True)}
    traced = _traced(evidence)
    headers_ms = evidence.trace.headers_ms if evidence.trace else 0.0
    readers = [id(load) for load in readers_of_headers(evidence.recording)]
    names = {load.name for load in unused}
    stakes = {name: ms for name, ms in traced.items() if name in names}
    for load in unused:
        if load.name in traced:
            continue
        floor = floors[is_cuda(load.device)]
        if floor is None:
            return None
        floor += headers_ms if id(load) in readers else 0.0
        stakes[load.name] = stakes.get(load.name, 0.0) + saving_ms(load, floor)
    return stakes


def _traced(evidence: Evidence) -> dict[str, float]:
    """Backward code in ms, over all builds, of the modules that the compiler's trace has priced."""
    modules = evidence.trace.modules if evidence.trace else []
    return {one.module: one.backward_ms for one in modules if one.not_priced is None}


def _how(evidence: Evidence, names: list[str]) -> str:
    traced = _traced(evidence).keys() & set(names)
    return HOW if not traced else TRACED if len(traced) == len(names) else BOTH


def saving_ms(load: LoadRecord, floor: float) -> float:
    """What building one module without its adjoint code would save: an estimate, see `HOW`."""
    weighed = ADJOINT_WEIGHT * load.adjoint_bytes
    share = weighed / (weighed + max(0, load.source_bytes - load.adjoint_bytes)) if weighed else 0.0
    links = load.lto["adjoint"].wall_ms if "adjoint" in load.lto else 0.0
    return max(0.0, native_ms(load) - floor) * share + links


def _fired(evidence: Evidence, unused: list[LoadRecord], stakes: dict[str, float]) -> Finding:
    entries = {module.name: module for module in evidence.modules if module.name in stakes}
    names = sorted(stakes, key=lambda name: -stakes[name])
    owners: dict[str, float] = {}
    for name in names:
        owners[entries[name].owner] = owners.get(entries[name].owner, 0.0) + stakes[name]
    owner = max(owners, key=lambda one: owners[one])
    first = entries[names[0]]
    links = sum(load.lto["adjoint"].count for load in unused if "adjoint" in load.lto)
    return fired(
        MECHANISM,
        f"{counted(len(names), 'module holds', 'modules hold')} backward code that no backward pass of this "
        f"run used: {_extent(unused, links, of_one=len(names) == 1)}",
        {
            "modules": some(names),
            "at_stake_by_module_ms": {name: rounded(stakes[name]) for name in names[:10]},
            "at_stake_by_owner_ms": {one: rounded(ms) for one, ms in owners.items()},
            "adjoint_bytes": sum(load.adjoint_bytes for load in unused),
            "source_bytes": sum(load.source_bytes for load in unused),
            **({"adjoint_links": links} if links else {}),
            "backward_passes": sum(process.backward_passes for process in evidence.recording.processes),
            "where": some(entries[name].defined_at for name in names),
            **({"ended_by": evidence.request.stop.kind} if evidence.request.stop.kind != "none" else {}),
        },
        cost_ms=sum(stakes.values()),
        how=_how(evidence, names),
        where=first.defined_at or first.loaded_at,
        owner=owner,
        fix=_fix(first, owner),
    )


def _extent(unused: list[LoadRecord], links: int, *, of_one: bool) -> str:
    """How much it is. Kernels that switch it off by their own argument leave a tile's links in the module."""
    adjoint = sum(load.adjoint_bytes for load in unused)
    share = 100 * adjoint / max(1, sum(load.source_bytes for load in unused))
    source = f"{share:.0f} % of {'its' if of_one else 'their'} source"
    linked = counted(links, "MathDx link")
    if not links:
        return source
    return f"{source} and {linked}" if adjoint else f"{linked}, which kernels without backward code leave in"


def _fix(first: ModuleEntry, owner: str) -> str:
    if is_library(owner):
        return (
            f"Set warp.config.enable_backward = False at your entry point before {owner} is "
            "imported; set later it "
            "reaches only what is declared after it."
        )
    return f"{set_option(first, 'enable_backward', 'False')}, before the module's first launch."
