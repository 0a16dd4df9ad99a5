"""Findings (one per mechanism, always) and warnings."""

from typing import Any, Literal

from warp_mcp.models.base import Model
from warp_mcp.models.mechanism import MECHANISMS

__all__ = ["MECHANISMS", "Finding", "FindingStatus", "Warning"]

FindingStatus = Literal["fired", "ruled_out", "not_reached"]


class Finding(Model):
    """What one mechanism cost, or why it did not, or why that cannot be said."""

    mechanism: str
    status: FindingStatus
    title: str
    """One plain sentence."""
    evidence: dict[str, Any]
    """The signals this status rests on. Of one that fired, where they apply: `modules`, `kernels`,
    `options` and `where` (`file:line`), each a bounded list; the rest is the mechanism's own."""
    cost_ms: float | None
    """Milliseconds at stake; null unless fired. Not to be added up: two mechanisms can share the time."""
    cost_kind: Literal["measured", "estimate"] | None
    how: str = ""
    """How `cost_ms` was made, when it is an estimate."""
    where: str | None
    owner: str | None = None
    """Whose code has to change: `application`, or the name of an installed library; null unless fired."""
    fix: str = ""
    """What to try first, one sentence; empty unless fired."""
    scope: str = ""
    """How far the change may reach; empty unless fired."""
    questions: list[str] = []
    """What to ask the user before that: what the fix takes away or may change."""
    reference: str
    """Resource that explains the mechanism."""


class Warning(Model):
    """Something the reader has to know before believing a number."""

    code: str
    message: str
    next: str
    """What to do about it."""
