"""Findings (one per mechanism, always) and warnings."""

from typing import Any, Literal

from warp_mcp.models.base import Model

MECHANISMS = tuple(f"CS-{number}" for number in range(1, 14))
"""Labels of the thirteen mechanisms, for navigation only."""

FindingStatus = Literal["fired", "ruled_out", "not_reached"]


class Finding(Model):
    """What one mechanism cost, or why it did not, or why that cannot be said."""

    mechanism: str
    status: FindingStatus
    title: str
    """One plain sentence."""
    evidence: dict[str, Any]
    cost_ms: float | None
    """Milliseconds at stake; null unless fired."""
    cost_kind: Literal["measured", "estimate"] | None
    where: str | None
    reference: str
    """Resource that explains the mechanism."""


class Warning(Model):
    """Something the reader has to know before believing a number."""

    code: str
    message: str
    next: str
    """What to do about it."""
