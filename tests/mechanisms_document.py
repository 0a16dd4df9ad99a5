"""The reference on the mechanisms as tests read it: its text, parts and programs. Holds no test."""

import re
from pathlib import Path
from typing import NamedTuple

from warp_mcp.models.explanation import Section
from warp_mcp.storage.references import parse

REFERENCES = Path(__file__).parents[1] / "references"
TEXT = (REFERENCES / "mechanisms.md").read_text(encoding="utf-8")

PARTS = (
    "What it is",
    "Confirmed by",
    "Ruled out by",
    "Why Warp does it",
    "The fix, least invasive first",
    "When it does not apply",
    "How the fix goes wrong",
    "What to verify afterwards",
    "Figures",
)


class Pair(NamedTuple):
    """A program with the fault and its repair."""

    mechanism: str
    before: str
    after: str


def part(section: Section, heading: str) -> str:
    return next(one.text for one in section.parts if one.heading == heading)


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sections_of_mechanisms() -> list[Section]:
    return [section for section in parse(TEXT) if section.mechanism]


def pairs() -> list[Pair]:
    """Every pair of the document, in its order; each `# before` has to be followed by its `# after`."""
    found: list[Pair] = []
    for section in sections_of_mechanisms():
        blocks = [
            block for block in python_blocks(part(section, PARTS[4])) if re.match("# (before|after)\n", block)
        ]
        assert [block.partition("\n")[0] for block in blocks] == ["# before", "# after"] * (len(blocks) // 2)
        label = section.mechanism or ""
        found += [Pair(label, *blocks[n : n + 2]) for n in range(0, len(blocks), 2)]
    return found


PAIRS = pairs()
OTHER_PROGRAMS = [block for block in python_blocks(TEXT) if not re.match("# (before|after)\n", block)]
