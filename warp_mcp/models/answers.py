"""What the tools answer beside the summaries of reports and comparisons."""

from typing import Any, Literal

from warp_mcp.models.base import Model
from warp_mcp.models.finding import FindingStatus


class PartLine(Model):
    """One part of a section of the reference, as Markdown."""

    heading: str
    text: str


class ExplainAnswer(Model):
    """The answer to `explain_mechanism`."""

    answer: str
    slug: str
    mechanism: str | None
    """Null for a topic."""
    report_id: str | None
    status: FindingStatus | None
    """Of this mechanism in the report; null without one."""
    evidence: list[str]
    cost_ms: float | None
    cost_kind: Literal["measured", "estimate"] | None
    ceiling: str
    """The most the fix could save, in words."""
    where: str | None
    owner: str | None
    """Whose code has to change."""
    fix: str
    scope: str
    questions: list[str]
    """To ask the user before the fix."""
    parts: list[PartLine]
    other_parts: list[str]
    """Not told here; ask for one with `part`."""
    resource: str
    next: list[str]
    left_out: list[str]


class LedgerAnswer(Model):
    """The answer to `ledger_append`."""

    answer: str
    created: bool
    """False when the ledger held an entry of this key that says the same."""
    number: int
    key: str
    hash: str
    path: str
    effect: dict[str, Any] | None
    """Measured from the reports, or the words of an estimate; null without either."""
    next: list[str]
