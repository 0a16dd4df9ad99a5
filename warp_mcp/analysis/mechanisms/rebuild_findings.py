"""Findings that are drawn from the causes of rebuilds: they fire when one happened, whatever it cost."""

from collections.abc import Collection

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.texts import counted
from warp_mcp.analysis.thresholds import MOST_NAMED
from warp_mcp.models.finding import Finding
from warp_mcp.models.report import Cause, Rebuild

REFERENCE = "warp-compile://references/mechanisms/"
"""Resource of the reference on the mechanisms; the label follows."""


def from_causes(evidence: Evidence, mechanism: str, kinds: Collection[str], because: str) -> Finding:
    """A finding on rebuilds with a cause of one of `kinds`. `because` ends the sentence on it."""
    hits = [rebuild for rebuild in evidence.rebuilds if _of(rebuild, kinds)]
    if hits:
        return _fired(mechanism, hits, kinds, because)
    reason = _unseen(evidence)
    if reason:
        return _not_reached(mechanism, because, reason)
    return _ruled_out(mechanism, because, evidence)


def _unseen(evidence: Evidence) -> str | None:
    """Why the absence of a cause proves nothing in this run; `None` when it does."""
    unknown = [rebuild for rebuild in evidence.rebuilds if _of(rebuild, ("unknown",))]
    if not evidence.modules:
        return "no module was loaded in this run"
    if not any(module.builds for module in evidence.modules):
        return "nothing was built in this run"
    if evidence.unattached:
        count = counted(len(evidence.unattached), "Python process", "Python processes")
        return f"{count} of this run left no record"
    if evidence.recording.damaged or any(problem.code == "record_cut" for problem in evidence.problems):
        return "a record of this run is cut or damaged"
    if unknown:
        return f"the cause of {len(unknown)} of {len(evidence.rebuilds)} rebuilds is not in the record"
    return None


def _of(rebuild: Rebuild, kinds: Collection[str]) -> list[Cause]:
    return [cause for cause in rebuild.causes if cause.kind in kinds]


def _fired(mechanism: str, hits: list[Rebuild], kinds: Collection[str], because: str) -> Finding:
    causes = [cause for rebuild in hits for cause in _of(rebuild, kinds)]
    shared = [rebuild for rebuild in hits if len(_of(rebuild, kinds)) < len(rebuild.causes)]
    modules = list(dict.fromkeys(rebuild.module for rebuild in hits))
    details = list(dict.fromkeys(cause.detail for cause in causes))
    places = list(dict.fromkeys(cause.where for cause in causes if cause.where))
    return Finding(
        mechanism=mechanism,
        status="fired",
        title=f"{_subject(modules)} rebuilt {_times(len(hits))} because {because}",
        evidence={
            "rebuilds": len(hits),
            "modules": modules[:MOST_NAMED],
            "causes": details[:MOST_NAMED],
            "where": places[:MOST_NAMED],
            "rebuilds_with_other_causes_too": len(shared),
            "identities": [[rebuild.from_hash, rebuild.to_hash] for rebuild in hits[:MOST_NAMED]],
        },
        cost_ms=sum(rebuild.cost_ms for rebuild in hits),
        cost_kind="measured",
        where=places[0] if places else None,
        reference=REFERENCE + mechanism,
    )


def _subject(modules: list[str]) -> str:
    return f"Module `{modules[0]}` was" if len(modules) == 1 else f"{len(modules)} modules were"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _ruled_out(mechanism: str, because: str, evidence: Evidence) -> Finding:
    return Finding(
        mechanism=mechanism,
        status="ruled_out",
        title=f"No module was rebuilt because {because}",
        evidence={
            "builds": sum(module.builds for module in evidence.modules),
            "rebuilds": len(evidence.rebuilds),
            "other_causes": sorted({cause.kind for rebuild in evidence.rebuilds for cause in rebuild.causes}),
        },
        cost_ms=None,
        cost_kind=None,
        where=None,
        reference=REFERENCE + mechanism,
    )


def _not_reached(mechanism: str, because: str, reason: str) -> Finding:
    return Finding(
        mechanism=mechanism,
        status="not_reached",
        title=f"Whether a module was rebuilt because {because} cannot be told: {reason}",
        evidence={"reason": reason},
        cost_ms=None,
        cost_kind=None,
        where=None,
        reference=REFERENCE + mechanism,
    )
