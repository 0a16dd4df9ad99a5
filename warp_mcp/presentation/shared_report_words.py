"""How a report for a team takes words in: without labels, a user's own in quotes, as much as there is room.

Nothing that a program, a report file or a user wrote becomes a claim of the report: what promises more than
a measurement can carry is shown in quotes, as data.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from warp_mcp.models.finding import Finding
from warp_mcp.presentation.finding_words import finding_words
from warp_mcp.presentation.markdown import bounded, code, words
from warp_mcp.presentation.words import MECHANISM_NAMES, METRIC_NAMES

CLAIMS = re.compile(
    r"(?i)\b(optimal\w*|irreducibl\w*|irreducib\w*|necessar\w*|as fast as|fastest|minimal possible"
    r"|can(no|')t be (any )?faster|guarantee\w*)"
)
"""Words for what no measurement shows: that nothing could be better, or has to be as it is."""

_BRACKETED = re.compile(r"\s*\(CS-\d+(?:(?:, | to | and )CS-\d+)*\)")
_LABEL = re.compile(r"\bCS-\d+\b")
_METRIC = re.compile(rf"\b({'|'.join(METRIC_NAMES)})\b")
_CODE_SPAN = re.compile(r"`[^`\n]*`")


@dataclass(frozen=True)
class Room:
    """How much of what is on record is told."""

    lines: int
    """Of each list; the rest is counted."""
    characters: int
    """Of each sentence."""

    def said(self, text: str) -> str:
        """A sentence from the record, as Markdown."""
        text = unlabelled(text)
        if claims(text):
            return self.quoted(text)
        return words(text, self.characters)

    def quoted(self, text: str) -> str:
        """What a user wrote: in quotes, that nobody takes for the report's own words."""
        plain = _LABEL.sub(lambda found: f"[{_name(found[0])}]", text)
        inner = words(plain.replace("“", '"').replace("”", '"'), self.characters)
        return f"“{inner}”"

    def cut(self, lines: Sequence[str], where: str) -> list[str]:
        """The first lines; the rest is counted, with the place that has it."""
        return bounded(lines, self.lines, where)

    def names(self, found: Sequence[str]) -> str:
        """Names as code, the first of them; the rest is counted."""
        most = min(self.lines, MOST_NAMES) if self != WHOLE else self.lines
        rest = [f"{len(found) - most} more"] if len(found) > most else []
        return ", ".join([*(code(name) for name in found[:most]), *rest])

    def finding(self, finding: Finding, cwd: str) -> str:
        """What happened, where and what it cost."""
        return self.said(f"{finding_words(finding, cwd)}.")


MOST_NAMES = 12
WHOLE = Room(lines=1_000_000, characters=20_000)
"""Everything, as for a file."""
ROOMS = (Room(20, 300), Room(12, 240), Room(8, 160), Room(5, 120), Room(3, 80), Room(1, 60))
"""Tried in turn until a page is one that a model can afford."""


def claims(text: str) -> bool:
    """Whether a text says more than a measurement can carry; code says nothing."""
    return CLAIMS.search(_CODE_SPAN.sub("", text)) is not None


def unlabelled(text: str) -> str:
    """A text with mechanisms and times by name: labels and the names of fields are for navigation."""
    plain = _LABEL.sub(lambda found: _name(found[0]), _BRACKETED.sub("", text))
    return _METRIC.sub(lambda found: METRIC_NAMES[found[0]].replace("… in", "building modules in"), plain)


def _name(label: str) -> str:
    return MECHANISM_NAMES.get(label, "an unknown mechanism")
