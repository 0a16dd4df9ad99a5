"""CS-11: source that is large because loops were unrolled."""

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
from warp_mcp.analysis.stakes import floor_ms, is_cuda, least_stake_ms, native_ms
from warp_mcp.analysis.texts import counted
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import LoadRecord
from warp_mcp.models.report import ModuleEntry

MECHANISM = "CS-11"
QUESTION = "Whether unrolled loops make the builds long"

HOW = (
    "(compile and code generation - what a module takes whatever it holds) x the share of "
    "statements that unrolling added; a bound: the compiler may unroll again"
)


def examine(evidence: Evidence) -> Finding:
    """Fired when the statements that unrolling added cost more than what counts."""
    reason = unseen(evidence)
    if reason:
        return not_reached(MECHANISM, QUESTION, reason)
    builds = built_loads(evidence)
    if not any(load.statements for load in builds):
        return not_reached(MECHANISM, QUESTION, "how code was generated is not in the record")
    unrolled = [load for load in builds if load.unrolled_statements]
    floors = {cuda: floor_ms(builds, cuda=cuda) for cuda in (False, True)}
    if any(floors[is_cuda(load.device)] is None for load in unrolled):
        return not_reached(
            MECHANISM, QUESTION, "one build alone does not tell what a module costs without it"
        )
    stakes: dict[str, float] = {}
    for load in unrolled:
        saving = saving_ms(load, floors[is_cuda(load.device)] or 0.0)
        stakes[load.name] = stakes.get(load.name, 0.0) + saving
    stake = sum(stakes.values())
    if stake > least_stake_ms(evidence):
        return _fired(evidence, unrolled, stakes)
    return ruled_out(
        MECHANISM,
        "Unrolled loops did not add enough source to matter",
        {
            "unrolled_percent": rounded(_percent(builds)),
            "at_stake_ms": rounded(stake),
            "least_that_counts_ms": rounded(least_stake_ms(evidence)),
        },
    )


def saving_ms(load: LoadRecord, floor: float) -> float:
    """What the added statements of one build cost: an estimate, see `HOW`."""
    generation = load.phases["codegen"].wall_ms if "codegen" in load.phases else 0.0
    share = load.unrolled_statements / max(1, load.statements)
    return (max(0.0, native_ms(load) - floor) + generation) * share


def _percent(builds: list[LoadRecord]) -> float:
    return 100 * sum(b.unrolled_statements for b in builds) / max(1, sum(b.statements for b in builds))


def _fired(evidence: Evidence, unrolled: list[LoadRecord], stakes: dict[str, float]) -> Finding:
    names = [name for name in sorted(stakes, key=lambda name: -stakes[name]) if stakes[name] >= 1]
    entries = {module.name: module for module in evidence.modules}
    first = entries[names[0]]
    budgets = sorted({load.options.get("max_unroll", "unknown") for load in unrolled if load.name in names})
    return fired(
        MECHANISM,
        f"Unrolled loops make up {_percent(unrolled):.0f} % of what {counted(len(names), 'module')} compiled",
        {
            "modules": some(names),
            "at_stake_by_module_ms": {name: rounded(stakes[name]) for name in names[:10]},
            "options": [f"max_unroll: {budget}" for budget in budgets],
            "source_bytes": sum(load.source_bytes for load in unrolled),
            "where": some(entries[name].defined_at for name in names),
        },
        cost_ms=sum(stakes.values()),
        how=HOW,
        where=first.defined_at or first.loaded_at,
        owner=first.owner,
        fix=_fix(first),
    )


def _fix(first: ModuleEntry) -> str:
    """For a library the setting of the process; else that of the module with the most at stake."""
    both = "and compare both the build and the launches."
    if is_library(first.owner):
        return f"Try warp.config.max_unroll = 4 at your entry point before {first.owner} is imported, {both}"
    return f"Try a lower max_unroll, {set_option(first, 'max_unroll', '4')}, {both}"
