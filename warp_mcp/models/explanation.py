"""A section of the reference, and what one report says of it. How the two are joined is a workflow's."""

from typing import Any, Literal

from pydantic import Field

from warp_mcp.models.base import Model
from warp_mcp.models.finding import FindingStatus

SCHEMA = "warp-mcp/explanation/1"
INDEX_SCHEMA = "warp-mcp/explanation-index/1"


class Part(Model):
    """One part of a section: its heading, and its text as Markdown."""

    heading: str
    """Empty for the text that stands before the first heading."""
    text: str


class Section(Model):
    """A section of the reference: of a mechanism, or of a topic that is no mechanism."""

    mechanism: str | None
    """Label of the mechanism; null for a topic."""
    slug: str
    name: str
    parts: list[Part]


class Explanation(Section):
    """A section, and with a report what this program's run says of it.

    Everything from `status` on is as in the report's finding. It is null or empty without a report, and for
    a topic, which has no finding; `report_id` is there whenever a report was named.
    """

    schema_: str = Field(default=SCHEMA, alias="schema", serialization_alias="schema")
    report_id: str | None = None
    report_label: str | None = None
    rehearsed_for: str | None = None
    """`sm_90` where what follows is of a rehearsal of CUDA."""
    cwd: str | None = None
    """Directory the report's command ran in: paths below it are shown relative to it."""
    status: FindingStatus | None = None
    title: str | None = None
    evidence: dict[str, Any] = {}
    cost_ms: float | None = None
    cost_kind: Literal["measured", "estimate"] | None = None
    how: str = ""
    where: str | None = None
    owner: str | None = None
    fix: str = ""
    scope: str = ""
    questions: list[str] = []
    ceiling_ms: float | None = None
    """The most the fix could save; null unless fired with a known cost."""
    ceiling_words: str = ""
    """What the ceiling rests on, or why there is none."""
    next_experiment: str = ""
    """One sentence: what to change where and how to check it, or what to measure for the missing evidence."""


class IndexEntry(Model):
    """One thing that can be explained, with its status in a report where one was named."""

    mechanism: str | None
    slug: str
    name: str
    status: FindingStatus | None = None
    title: str | None = None
    cost_ms: float | None = None


class ExplanationIndex(Model):
    """Everything that can be explained: the thirteen mechanisms by number, then the topics."""

    schema_: str = Field(default=INDEX_SCHEMA, alias="schema", serialization_alias="schema")
    report_id: str | None = None
    report_label: str | None = None
    entries: list[IndexEntry]
