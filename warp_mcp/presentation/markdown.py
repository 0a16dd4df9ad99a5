"""Words, code, lists and tables as Markdown.

Names and sentences come from programs and users, and stay text: no HTML, no headings, no links can be made
by them. Code between backticks stays code.
"""

import re
from collections.abc import Iterable, Sequence

from warp_mcp.presentation.page import clean

LONGEST = 300
"""Characters of one sentence or name: they may be as long as a program likes."""
LONGEST_COMMAND = 4_000

_CODE = re.compile(r"(`[^`\n]+`)")
_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    "[": "\\[",
    "]": "\\]",
    "`": "\\`",
    "*": "\\*",
    "\\": "\\\\",
    "~": "\\~",
}
_LOOSE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
"""One that is not within a word: those within are not emphasis, and `max_unroll` stays readable."""
_LINE_MARK = re.compile(r"^(\s*)(?=[#>+=|-])|^(\s*\d+)(?=[.)]\s)")
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto|www)(?=[:.])")
"""Beginnings of what would become a link by itself."""


def words(text: str, longest: int = LONGEST) -> str:
    """One line of text."""
    parts = _CODE.split(_line(text, longest))
    parts[::2] = [_escaped(part) for part in parts[::2]]
    return _LINE_MARK.sub(lambda found: found[0] + "\\", "".join(parts))


def _line(text: str, longest: int = LONGEST) -> str:
    line = " ".join(clean(text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _escaped(text: str) -> str:
    escaped = "".join(_ESCAPES.get(mark, mark) for mark in text)
    escaped = _LOOSE_UNDERSCORE.sub(r"\_", escaped)
    return _LINK.sub(lambda found: found[1] + "\\", escaped)


def code(text: str) -> str:
    """One line of code, whatever is in it."""
    line = _line(text)
    if not line:
        return ""
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{room}{line}{room}{fence}"


def block(lines: Iterable[str], language: str = "") -> list[str]:
    """Lines of code as they are."""
    shown = [clean(line) for line in lines]
    longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *shown, fence, ""]


def shell(*commands: Sequence[str]) -> list[str]:
    """Commands to paste, one a line; one that is too long to be read is named and not shown."""
    joined = [" ".join(command) for command in commands]
    if any(len(line) > LONGEST_COMMAND for line in joined):
        return ["(A command that is too long to be shown here: it is in the report.)", ""]
    return block(joined, "sh")


def bullets(lines: Iterable[str]) -> list[str]:
    """A list of what is Markdown already; a blank line after it. Nothing for nothing."""
    items = [f"- {line}" for line in lines]
    return [*items, ""] if items else []


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """A table of cells that are Markdown already. The columns numbered in `right` are figures."""
    rules = ["---:" if index in right else "---" for index in range(len(columns))]
    return [*(_row(cells) for cells in (columns, rules, *rows)), ""]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def section(title: str, *parts: Sequence[str]) -> list[str]:
    """A heading with what stands under it; nothing where that is nothing."""
    lines = [line for part in parts for line in part]
    return [f"## {title}", "", *lines] if lines else []


def bounded(lines: Sequence[str], most: int, where: str) -> list[str]:
    """The first lines; the rest is counted, with the place that has it."""
    rest = len(lines) - most
    return [*lines[:most], f"… and {rest} more, in {where}"] if rest > 0 else list(lines)
