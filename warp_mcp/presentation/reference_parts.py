"""The Markdown of the reference on a page: paragraphs, lists, tables, code. Knows nothing of mechanisms.

Only what the reference uses is told apart; anything else is a paragraph. Code is shown verbatim, so that it
can be copied.
"""

import re
from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from warp_mcp.presentation.page import Page, clean

CODE_INDENT = 4
MANY_COLUMNS = 4
"""From so many on a table of twice the page's width has columns of a word or two."""

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])\s+(.*)")
_HEADING = re.compile(r"#{3,6}\s+(.*)")
_RULER = re.compile(r"\|?[\s:|-]*-[\s:|-]*\|?")
_CODE = r"`[^`]*`"
_MARKED = re.compile(rf"({_CODE})|\*\*((?:{_CODE}|[^*`])+)\*\*|(?<!!)\[((?:{_CODE}|[^\]`])+)\]\([^)\s]*\)")
"""Code, strong words, or a link: whichever begins first, so that nothing within code is taken for a mark."""


class ReferencePage(Page):
    """A page that can hold the text of a part."""

    def markdown(self, text: str) -> None:
        """The text of one part."""
        lines = text.split("\n")
        while lines:
            taken = self._block(lines)
            del lines[:taken]

    def _block(self, lines: Sequence[str]) -> int:
        """Write the block that the lines begin with; returns how many lines it is."""
        first = lines[0]
        if not first.strip():
            self.gap()
            return 1
        if fence := _FENCE.match(first):
            return self._code(lines, fence[1])
        if heading := _HEADING.fullmatch(first):
            self.paragraph(plain(heading[1]), "bold")
            return 1
        if item := _ITEM.fullmatch(first):
            return self._item(lines, item)
        if len(lines) > 1 and "|" in first and "|" in lines[1] and _RULER.fullmatch(lines[1].strip()):
            return self._table(lines)
        return self._paragraph(lines)

    def _code(self, lines: Sequence[str], fence: str) -> int:
        margin = len(lines[0]) - len(lines[0].lstrip())
        ends = (
            number
            for number, line in enumerate(lines[1:], start=1)
            if line.strip().startswith(fence) and not line.strip().strip(fence[0])
        )
        end = next(ends, len(lines))
        code = [clean(line[margin:] if not line[:margin].strip() else line) for line in lines[1:end]]
        widest = max((cell_len(line) for line in code), default=0)
        left = self._look.width - widest
        indent = left if 0 <= left < CODE_INDENT else CODE_INDENT
        for line in code:
            self.verbatim(Text(" " * indent + line, style="cyan"))
        return min(end + 1, len(lines))

    def _item(self, lines: Sequence[str], item: "re.Match[str]") -> int:
        count = _run(lines)
        words = " ".join([item[3], *(line.strip() for line in lines[1:count])])
        mark = "·" if item[2] in "-*+" else item[2]
        self.item(" " * min(len(item[1]), 8) + mark, plain(words))
        return count

    def _table(self, lines: Sequence[str]) -> int:
        count = next((n for n, line in enumerate(lines) if "|" not in line), len(lines))
        head, rows = _cells(lines[0]), [_cells(line) for line in lines[2:count]]
        width = len(head)
        self._table_or_records(head, [[*row, *[""] * width][:width] for row in rows])
        return count

    def _table_or_records(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table, or where its columns would be too narrow to read, each row as one item."""
        room = self._look.width - 2 - 2 * len(head)
        columns = [[clean(line[number]) for line in (head, *rows)] for number in range(len(head))]
        longest_words = sum(max(_longest_word(cell) for cell in column) for column in columns)
        whole = sum(max(cell_len(cell) for cell in column) for column in columns)
        if longest_words <= room and (whole <= 2 * room or len(head) < MANY_COLUMNS):
            self.table(head, rows)
            return
        for first, *rest in rows:
            told = [f"{name}: {cell}" for name, cell in zip(head[1:], rest, strict=True) if cell]
            self.item("·", " · ".join([first, *told]))

    def _paragraph(self, lines: Sequence[str]) -> int:
        count = _run(lines)
        self.paragraph(plain(" ".join(line.strip() for line in lines[:count])))
        return count


def _run(lines: Sequence[str]) -> int:
    """How many lines belong together: up to a blank one, or one that begins another block."""
    for number, line in enumerate(lines[1:], start=1):
        if not line.strip() or any(kind.match(line) for kind in (_FENCE, _ITEM, _HEADING)):
            return number
    return len(lines)


def _longest_word(cell: str) -> int:
    return max((cell_len(word) for word in cell.split()), default=0)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [plain(cell.strip().replace("\\|", "|")) for cell in re.split(r"(?<!\\)\|", inner)]


def plain(words: str) -> str:
    """Without the marks of links and of strong words; code keeps its backticks and what is in them."""
    return _MARKED.sub(lambda match: match[1] or plain(match[2] or match[3]), words)
