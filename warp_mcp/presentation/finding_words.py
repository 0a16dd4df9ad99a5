"""Words for findings of any mechanism: what it cost, whose it is, what to try and to ask first."""

from collections.abc import Sequence

from warp_mcp.models.finding import Finding
from warp_mcp.presentation.numbers import duration, joined
from warp_mcp.presentation.words import APPLICATION, MECHANISM_NAMES, labels, place, relative

MOST_QUESTIONS = 3
OVERLAP = "These costs overlap where findings share builds: do not add them up."
MOST_REASON_CHARACTERS = 120


def fired(findings: Sequence[Finding]) -> list[Finding]:
    """Those that fired, the dearest first."""
    hits = [finding for finding in findings if finding.status == "fired"]
    return sorted(hits, key=lambda finding: -(finding.cost_ms or 0.0))


def overlap_words(findings: Sequence[Finding]) -> str:
    """That costs must not be added up, where more than one is told; else empty.

    Two mechanisms may fire on the same builds: one built too often may hold backward code as well.
    """
    costs = [one for one in fired(findings) if one.cost_ms]
    return OVERLAP if len(costs) > 1 else ""


def finding_words(finding: Finding, cwd: str = "") -> str:
    """The sentence of a finding with its line, its cost, the library it is in, and its label."""
    title = relative(finding.title.rstrip("."), cwd)
    where = finding.where if finding.where and finding.where not in finding.title else None
    library = f", in {finding.owner}" if in_library(finding) else ""
    return f"{title}{place(where, cwd)}{library}{_cost(finding)} ({finding.mechanism})"


def in_library(finding: Finding) -> bool:
    """Whether the code to change is an installed library's."""
    return finding.owner not in (None, "", APPLICATION)


def _cost(finding: Finding) -> str:
    if finding.cost_ms is None:
        return ""
    if finding.cost_kind == "estimate":
        return f": about {duration(finding.cost_ms)}, an estimate"
    return f": {duration(finding.cost_ms)}"


def advice(finding: Finding, cwd: str = "") -> list[str]:
    """The fix to try first, what to ask before it, and for a library how far it may reach."""
    lines = [f"Try first: {fix_words(finding, cwd)}"] if finding.fix else []
    lines += [f"Ask before: {relative(one, cwd)}" for one in finding.questions[:MOST_QUESTIONS]]
    if in_library(finding) and finding.scope:
        lines.append(f"Reach: {relative(finding.scope, cwd)}")
    return lines


def fix_words(finding: Finding, cwd: str = "") -> str:
    """The fix as what follows "Try first:"."""
    return relative(finding.fix.removeprefix("Try "), cwd)


def ruled_out_words(findings: Sequence[Finding]) -> str:
    """`cache never reused (CS-2) and …`; empty when nothing was ruled out."""
    return _named([one.mechanism for one in findings if one.status == "ruled_out"])


def _named(mechanisms: Sequence[str]) -> str:
    names = [f"{MECHANISM_NAMES.get(label, label)} ({label})" for label in mechanisms]
    return joined(names, limit=len(MECHANISM_NAMES))


def not_reached_words(findings: Sequence[Finding]) -> list[str]:
    """`nothing was built for CUDA in this run (CS-5, CS-7)`: each reason once, with those it holds for."""
    reasons: dict[str, list[str]] = {}
    for finding in findings:
        if finding.status == "not_reached":
            reasons.setdefault(_reason(finding), []).append(finding.mechanism)
    return [f"{reason} ({labels(mechanisms)})" for reason, mechanisms in reasons.items()]


def _reason(finding: Finding) -> str:
    """Why nothing can be told; without a reason of its own, its sentence."""
    reason = finding.evidence.get("reason")
    text = " ".join(reason.split()) if isinstance(reason, str) and reason else finding.title.rstrip(".")
    return text if len(text) <= MOST_REASON_CHARACTERS else text[: MOST_REASON_CHARACTERS - 1] + "…"
