"""CS-13: independent CUDA modules built one after the other."""

from warp_mcp.analysis import intervals
from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import (
    fired,
    not_applicable,
    not_reached,
    rounded,
    ruled_out,
    some,
    unseen,
)
from warp_mcp.analysis.stakes import is_cuda, least_stake_ms
from warp_mcp.analysis.texts import counted, seconds
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import LoadRecord, ProcessRecord

MECHANISM = "CS-13"
WORTH_TELLING = 0.1
"""Of the time of the modules that can be loaded ahead: from there on the others are told of."""
_NAMED_BY_CONTENT = ("unique", "map", "fem")
"""How modules are made whose names hold a hash, so that an edit gives them another name."""
_BY_KERNEL = "their names change with what they hold"
QUESTION = "Whether independent modules could be built side by side"


def examine(evidence: Evidence) -> Finding:
    """Fired when the time in which modules that were built once were under way, less the largest, counts.

    Of those that existed when the first of them began: nothing can load a module before it is made.
    """
    found = [(process, _independent(process)) for process in evidence.recording.processes]
    cuda = [load for _, loads in found for load in loads]
    if not any(is_cuda(load.device) for process, _ in found for load in process.loads):
        reason = unseen(evidence)
        if reason:
            return not_reached(MECHANISM, QUESTION, reason)
        return not_applicable(MECHANISM, QUESTION, "nothing was built for CUDA in this run")
    process, loads = max(found, key=lambda pair: _stake(_early(*pair)))
    stake = _stake(_early(process, loads))
    if stake > least_stake_ms(evidence):
        return _fired(process, loads, stake)
    if unseen(evidence):
        return not_reached(MECHANISM, QUESTION, unseen(evidence) or "")
    return ruled_out(
        MECHANISM,
        "Building CUDA modules side by side would not save enough to matter",
        {
            "modules_built_once": len(cuda),
            "made_after_the_first_build": len(loads) - len(_early(process, loads)),
            "at_stake_ms": rounded(stake),
            "least_that_counts_ms": rounded(least_stake_ms(evidence)),
        },
    )


def _independent(process: ProcessRecord) -> list[LoadRecord]:
    """CUDA builds of modules that this process built exactly once."""
    builds = [load for load in process.loads if load.status == "compiled" and is_cuda(load.device)]
    names = [load.name for load in builds]
    return [load for load in builds if names.count(load.name) == 1]


def _stake(loads: list[LoadRecord]) -> float:
    """The wait of these builds less the largest: what running all at once could save, with a core each."""
    if len(loads) < 2:
        return 0.0
    return intervals.union(_spans(loads)) - max(load.ms for load in loads)


def _spans(loads: list[LoadRecord]) -> list[intervals.Interval]:
    return [(load.begin_ms, load.end_ms) for load in loads]


def _early(process: ProcessRecord, loads: list[LoadRecord]) -> list[LoadRecord]:
    """Those whose module existed when the first began: kernel factories make others between launches."""
    first = min((load.begin_ms for load in loads), default=0.0)
    late = {module.id for module in process.modules if module.t_ms > first}
    return [load for load in loads if load.module not in late]


def _fired(process: ProcessRecord, loads: list[LoadRecord], stake: float) -> Finding:
    ordered = sorted(_early(process, loads), key=lambda load: -load.ms)
    total, largest = sum(load.ms for load in ordered), ordered[0].ms
    unsafe = [load.name for load in ordered if not _safe(process, load, min(map(_begin, loads)))]
    return fired(
        MECHANISM,
        f"{len(ordered)} CUDA modules were built one after the other, {seconds(total)} in all, the largest "
        f"{seconds(largest)}",
        {
            "modules": some(load.name for load in ordered),
            "builds": [
                {"module": load.name, "block_dim": load.block_dim, "ms": rounded(load.ms)}
                for load in ordered[:10]
            ],
            "ceiling": round(total / largest, 2),
            "overlap_factor": round(total / max(1e-9, intervals.union(_spans(ordered))), 2),
            "preload_safely": some(load.name for load in ordered if load.name not in unsafe),
            "not_safe_to_preload": some(unsafe),
            "made_after_the_first_build": len(loads) - len(ordered),
            "where": some(load.where for load in ordered),
        },
        cost_ms=stake,
        how=(
            "the wait for these builds less the largest of them: a bound, with a core for each and "
            "no cost of sharing"
        ),
        where=next((load.where for load in ordered if load.where), None),
        fix=f"{_fix(process, ordered, unsafe)} {_others(loads, ordered)}".strip(),
    )


def _begin(load: LoadRecord) -> float:
    return load.begin_ms


def _safe(process: ProcessRecord, load: LoadRecord, first_ms: float) -> bool:
    """Whether loading it before the first build builds the same identity.

    It is launched only at the block_dim of its build, and its options do not change from then on.
    """
    dims = {one.block_dim for one in process.signatures if one.module == load.module}
    changes = [one for one in process.options if one.module == load.module and one.t_ms > first_ms]
    return dims <= {load.block_dim} and not changes


def _fix(process: ProcessRecord, ordered: list[LoadRecord], unsafe: list[str]) -> str:
    if ordered[0].aot:
        return (
            "Compile them side by side: wp.compile_aot_module() in a pool of threads, no more than cores are "
            "free; let its errors raise, and compare the wait."
        )
    ahead = [load for load in ordered if load.name not in unsafe]
    if len(ahead) < 2:
        return ""
    nameless = {module.id for module in process.modules if module.made in _NAMED_BY_CONTENT}
    named = [load for load in ahead if load.module not in nameless]
    begin = "At the entry point, after the imports and before the first launch"
    if not named:
        return f"{begin}, load them in a pool of threads, each as kernel.module: {_BY_KERNEL}."
    listed = _of_one_block_dim if len({load.block_dim for load in ahead}) == 1 else _of_several_block_dims
    rest = f"; add those of the others as kernel.module: {_BY_KERNEL}" if len(named) < len(ahead) else ""
    return f"{begin}{listed(named, len(ahead))}{rest}; let its errors raise."


def _others(loads: list[LoadRecord], early: list[LoadRecord]) -> str:
    """What could be built side by side too, if it existed earlier."""
    late = [load for load in loads if load not in early]
    if sum(load.ms for load in late) < WORTH_TELLING * sum(load.ms for load in early):
        return ""
    largest = max(late, key=lambda load: load.ms)
    more = counted(len(late), "more module was", "more modules were")
    return (
        f"{more} imported or made after the first build, the largest {largest.name} "
        f"({seconds(largest.ms)}): done before, it can be loaded ahead too."
    )


def _of_one_block_dim(named: list[LoadRecord], count: int) -> str:
    """`count`: of all modules to load, those without a name to write down too."""
    names = [f"wp.get_module({load.name!r})" for load in named[:4]]
    rest = ", …" if count > len(names) else ""
    return (
        f": wp.force_load('{named[0].device}', modules=[{', '.join(names)}{rest}], "
        f"block_dim={named[0].block_dim}, max_workers={min(8, count)})"
    )


def _of_several_block_dims(named: list[LoadRecord], count: int) -> str:
    """One call of `force_load` has one block_dim for all, and would build some modules twice."""
    calls = [
        f"wp.load_module(wp.get_module({load.name!r}), '{load.device}', block_dim={load.block_dim})"
        for load in named[:3]
    ]
    rest = ", …" if count > len(calls) else ""
    return f", in a pool of threads, each at the block_dim it is launched with: {', '.join(calls)}{rest}"
