"""How a finding is put together, whatever the mechanism: fired, ruled out or not reached."""

from collections.abc import Iterable
from typing import Any

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.advice import ADVICE, scope_of
from warp_mcp.analysis.owners import owner_of
from warp_mcp.analysis.texts import counted
from warp_mcp.analysis.thresholds import MOST_NAMED
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import LoadRecord
from warp_mcp.models.uris import mechanism_uri


def fired(
    mechanism: str,
    title: str,
    evidence: dict[str, Any],
    *,
    cost_ms: float | None,
    how: str = "",
    where: str | None = None,
    owner: str | None = None,
    fix: str = "",
    questions: Iterable[str] = (),
) -> Finding:
    """A mechanism that cost time. `how` tells how an estimate was made; without it the cost was measured.

    `fix` stands in place of the mechanism's general one, `questions` come after its general ones.
    """
    advice = ADVICE[mechanism]
    owner = owner or owner_of(where)
    return Finding(
        mechanism=mechanism,
        status="fired",
        title=title,
        evidence=evidence,
        cost_ms=cost_ms,
        cost_kind=None if cost_ms is None else "estimate" if how else "measured",
        how=how,
        where=where,
        owner=owner,
        fix=fix or advice.fix,
        scope=scope_of(advice, owner),
        questions=[*advice.questions, *questions],
        reference=mechanism_uri(mechanism),
    )


def ruled_out(mechanism: str, title: str, evidence: dict[str, Any]) -> Finding:
    """A mechanism that did not happen, or has too little at stake; `evidence` is the signal that says so."""
    return _quiet(mechanism, "ruled_out", title, evidence)


def not_reached(mechanism: str, question: str, reason: str) -> Finding:
    """A mechanism of which nothing can be told. `question` begins with "Whether"."""
    return _quiet(mechanism, "not_reached", f"{question} cannot be told: {reason}", {"reason": reason})


def not_applicable(mechanism: str, question: str, reason: str) -> Finding:
    """A mechanism that cannot occur in this run."""
    return _quiet(mechanism, "not_reached", f"{question} does not arise: {reason}", {"reason": reason})


def _quiet(mechanism: str, status: str, title: str, evidence: dict[str, Any]) -> Finding:
    return Finding.model_validate(
        {
            "mechanism": mechanism,
            "status": status,
            "title": title,
            "evidence": evidence,
            "cost_ms": None,
            "cost_kind": None,
            "where": None,
            "reference": mechanism_uri(mechanism),
        }
    )


def nothing_built(evidence: Evidence) -> str | None:
    """Why nothing can be told from the builds of this run; `None` when something can."""
    if not evidence.modules:
        return "no module was loaded in this run"
    if not any(module.builds for module in evidence.modules):
        return "nothing was built in this run"
    return None


def unseen(evidence: Evidence) -> str | None:
    """Why the absence of a build proves nothing in this run; `None` when it does."""
    if nothing_built(evidence):
        return nothing_built(evidence)
    if evidence.unattached:
        count = counted(len(evidence.unattached), "Python process", "Python processes")
        return f"{count} of this run left no record"
    if evidence.recording.damaged or any(problem.code == "record_cut" for problem in evidence.problems):
        return "a record of this run is cut or damaged"
    return None


def built_loads(evidence: Evidence) -> list[LoadRecord]:
    """The builds of the reference run that compiled, of all processes."""
    processes = evidence.recording.processes
    return [load for process in processes for load in process.loads if load.status == "compiled"]


def some(values: Iterable[str | None]) -> list[str]:
    """The first distinct ones that are known, as many as a list of evidence may hold."""
    return list(dict.fromkeys(value for value in values if value))[:MOST_NAMED]


def rounded(ms: float) -> float:
    """A time as evidence: to a tenth of a millisecond."""
    return round(ms, 1)
