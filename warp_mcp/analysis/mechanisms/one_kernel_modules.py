"""Groups of one-kernel modules that were made alike: what CS-4 and CS-9 have in common."""

from collections.abc import Callable
from dataclasses import dataclass

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.floor import building_options, fits
from warp_mcp.analysis.mechanisms.findings import (
    built_loads,
    fired,
    not_reached,
    rounded,
    ruled_out,
    some,
    unseen,
)
from warp_mcp.analysis.owners import owner_of
from warp_mcp.analysis.stakes import floor_ms, is_cuda, least_stake_ms
from warp_mcp.analysis.texts import counted
from warp_mcp.models.finding import Finding
from warp_mcp.models.report import ModuleEntry


@dataclass(frozen=True)
class Group:
    """Modules with one kernel each, of one maker, with the same options, for the same device."""

    maker: str
    members: list[ModuleEntry]
    floor_ms: float
    measured: bool
    """Whether the floor was measured for such modules; else it is estimated from the builds of the run."""

    @property
    def stake_ms(self) -> float:
        """What one module for all of them would not pay again."""
        return (len(self.members) - 1) * self.floor_ms


def examine_groups(
    evidence: Evidence, mechanism: str, maker: Callable[[ModuleEntry], str | None], what: str
) -> Finding:
    """A finding on groups of one-kernel modules. `maker` names a module's group; `None` keeps it out.

    The estimate is (members - 1) x the floor of a module: merging leaves the work of the kernels and saves
    what each further module pays whatever it holds. The floor is the measured one where that was measured on
    the same device with the same options, else `stakes.floor_ms`.
    """
    reason = unseen(evidence)
    if reason:
        return not_reached(mechanism, f"Whether {what} cost time", reason)
    groups = _groups(evidence, maker)
    stake = sum(group.stake_ms for group in groups)
    if stake <= least_stake_ms(evidence):
        return ruled_out(mechanism, f"No {what} cost enough to matter", _signals(evidence, groups, stake))
    return _fired(evidence, mechanism, groups, stake, what)


def place_of(module: ModuleEntry) -> str | None:
    """The line a person would change: of a kernel that `wp.map` or `warp.fem` generates, the call for it."""
    called = module.loaded_at if module.made in ("map", "fem") else None
    return called or module.defined_at or module.loaded_at


def _groups(evidence: Evidence, maker: Callable[[ModuleEntry], str | None]) -> list[Group]:
    found: dict[tuple[object, ...], dict[str, ModuleEntry]] = {}
    larger = {module.name for module in evidence.modules if module.kernel_count > 1}
    for module in evidence.modules:
        name = maker(module) if module.status == "compiled" and module.name not in larger else None
        if name is not None:
            dims = _block_dims(evidence, module)
            found.setdefault((name, module.device, dims, _options(evidence, module)), {})[module.name] = (
                module
            )
    floors = {cuda: floor_ms(built_loads(evidence), cuda=cuda) or 0.0 for cuda in (False, True)}
    groups = [
        Group(str(key[0]), members, *_floor(evidence, members[0], floors[is_cuda(str(key[1]))]))
        for key, members in ((key, list(named.values())) for key, named in found.items())
        if len(members) > 1
    ]
    return sorted(groups, key=lambda group: -group.stake_ms)


def _floor(evidence: Evidence, like: ModuleEntry, estimate_ms: float) -> tuple[float, bool]:
    """What a further module like this one pays, and whether that was measured."""
    floor = evidence.floor
    if floor is not None and fits(floor, evidence.modules, like.device, building_options(like)):
        return floor.further_ms.median, True
    return estimate_ms, False


def _fix(group: Group) -> str:
    """How such modules become one; empty for the mechanism's general advice."""
    if group.members[0].made == "map":
        return (
            "Write the functions that are always mapped together as kernels of one file: each "
            "wp.map() of another "
            "function makes a module of its own."
        )
    if group.members[0].made == "fem":
        return (
            "Evaluate several terms in one integrand where they are always needed together: each "
            "integrand and "
            "set of fields makes a module of its own."
        )
    places = {(module.defined_at or "").rpartition(":")[0] for module in group.members}
    if len(places) == 1 and group.members[0].made == "named":
        return "The kernels stand in one file: leave module=… out, or give all of them one name."
    return ""


def _block_dims(evidence: Evidence, module: ModuleEntry) -> tuple[int, ...]:
    """Those a CUDA module was built for: kernels that need others are not to be put together."""
    alike = (one for one in evidence.modules if (one.name, one.device) == (module.name, module.device))
    return tuple(sorted({one.block_dim for one in alike})) if is_cuda(module.device) else ()


def _options(evidence: Evidence, module: ModuleEntry) -> tuple[object, ...]:
    """Its options, those that a rebuild changed left out: a late option is another mechanism's matter."""
    alike = [one for one in evidence.modules if (one.name, one.device) == (module.name, module.device)]
    return tuple(
        sorted(
            (name, value)
            for name, value in module.options.items()
            if all(one.options.get(name) == value for one in alike)
        )
    )


def _signals(evidence: Evidence, groups: list[Group], stake: float) -> dict[str, object]:
    return {
        "one_kernel_modules": sum(len(group.members) for group in groups),
        "groups": len(groups),
        "at_stake_ms": rounded(stake),
        "least_that_counts_ms": rounded(least_stake_ms(evidence)),
        **_floor_signals(groups),
    }


def _floor_signals(groups: list[Group]) -> dict[str, object]:
    """What a further module pays in the largest group, and whether that was measured."""
    if not groups:
        return {}
    told = "measured" if groups[0].measured else "an estimate"
    return {"floor_ms": rounded(groups[0].floor_ms), "floor_is": told}


def _fired(evidence: Evidence, mechanism: str, groups: list[Group], stake: float, what: str) -> Finding:
    members = [module for group in groups for module in group.members]
    makers = some(group.maker for group in groups)
    spent = sum(module.ms for module in members)
    return fired(
        mechanism,
        f"{len(members)} {what} were built, made by {makers[0]}"
        + (f" and {counted(len(makers) - 1, 'other')}" if len(makers) > 1 else ""),
        {
            "modules": some(module.name for module in members),
            "kernels": some(key for module in members for key in module.kernels),
            "where": some(map(place_of, members)),
            "made_by": makers,
            "spent_ms": rounded(spent),
            **_signals(evidence, groups, stake),
        },
        cost_ms=min(stake, spent),
        how=(
            f"(modules - 1) x {groups[0].floor_ms:.0f} ms, which a module takes on this machine "
            f"whatever it holds{', as measured' if groups[0].measured else ''}"
        ),
        where=place_of(groups[0].members[0]),
        owner=owner_of(place_of(groups[0].members[0])),
        fix=_fix(groups[0]) if mechanism == "CS-4" else "",
    )
