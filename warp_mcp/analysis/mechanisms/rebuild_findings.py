"""Findings that are drawn from the causes of rebuilds: they fire when one happened, whatever it cost."""

from collections.abc import Collection

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import fired, not_reached, ruled_out, some, unseen
from warp_mcp.analysis.owners import owner_of
from warp_mcp.models.finding import Finding
from warp_mcp.models.report import Cause, Rebuild


def from_causes(evidence: Evidence, mechanism: str, kinds: Collection[str], because: str) -> Finding:
    """A finding on rebuilds with a cause of one of `kinds`. `because` ends the sentence on it."""
    hits = [rebuild for rebuild in evidence.rebuilds if _of(rebuild, kinds)]
    if hits:
        return _fired(mechanism, hits, kinds, because)
    reason = unseen(evidence) or _unknown(evidence)
    if reason:
        return not_reached(mechanism, f"Whether a module was rebuilt because {because}", reason)
    return ruled_out(mechanism, f"No module was rebuilt because {because}", _signals(evidence))


def _of(rebuild: Rebuild, kinds: Collection[str]) -> list[Cause]:
    return [cause for cause in rebuild.causes if cause.kind in kinds]


def _unknown(evidence: Evidence) -> str | None:
    unknown = [rebuild for rebuild in evidence.rebuilds if _of(rebuild, ("unknown",))]
    if not unknown:
        return None
    return f"the cause of {len(unknown)} of {len(evidence.rebuilds)} rebuilds is not in the record"


def _fired(mechanism: str, hits: list[Rebuild], kinds: Collection[str], because: str) -> Finding:
    causes = [cause for rebuild in hits for cause in _of(rebuild, kinds)]
    shared = [rebuild for rebuild in hits if len(_of(rebuild, kinds)) < len(rebuild.causes)]
    modules = list(dict.fromkeys(rebuild.module for rebuild in hits))
    places = some(cause.where for cause in causes)
    return fired(
        mechanism,
        f"{_subject(modules)} rebuilt {_times(len(hits))} because {_of_several(because, modules)}",
        {
            "rebuilds": len(hits),
            "modules": some(modules),
            "causes": some(cause.detail for cause in causes),
            "where": places,
            "rebuilds_with_other_causes_too": len(shared),
            "identities": [[rebuild.from_hash, rebuild.to_hash] for rebuild in hits[:10]],
        },
        cost_ms=sum(rebuild.cost_ms for rebuild in hits),
        where=places[0] if places else None,
        owner=_dearest_owner(hits, kinds),
    )


def _dearest_owner(hits: list[Rebuild], kinds: Collection[str]) -> str:
    """Whose lines cost most."""
    costs: dict[str, float] = {}
    for rebuild in hits:
        owner = owner_of(_of(rebuild, kinds)[0].where)
        costs[owner] = costs.get(owner, 0.0) + rebuild.cost_ms
    return max(costs, key=lambda owner: costs[owner])


def _subject(modules: list[str]) -> str:
    return f"Module `{modules[0]}` was" if len(modules) == 1 else f"{len(modules)} modules were"


def _of_several(because: str, modules: list[str]) -> str:
    return because if len(modules) == 1 else because.replace("it had loaded", "they had loaded")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _signals(evidence: Evidence) -> dict[str, object]:
    return {
        "builds": sum(module.builds for module in evidence.modules),
        "rebuilds": len(evidence.rebuilds),
        "other_causes": sorted({cause.kind for rebuild in evidence.rebuilds for cause in rebuild.causes}),
    }
