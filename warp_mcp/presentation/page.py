"""A page of text under construction: headings, paragraphs, lists, tables, bars. Knows nothing of reports.

Words between backticks are code: coloured on a terminal, left between their backticks elsewhere.
"""

import io
import re
import shlex
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from warp_mcp.presentation.look import Look

_CODE = re.compile(r"`([^`\n]+)`")
_BAR_WIDTH = 32
_COMMAND_INDENT = 5


def clean(text: str) -> str:
    """Without control characters, so that no program or name can drive the reader's terminal."""
    if text.isprintable():  # as nearly all is; mark by mark takes a hundred times as long
        return text
    return "".join(mark if mark == "\n" or mark.isprintable() else " " for mark in text)


def _ends_of_lines(words: str, room: int) -> list[int]:
    """Where to break a text into lines, each after a blank; a word longer than the room has its own line."""
    ends: list[int] = []
    begin = 0
    for word in re.finditer(r"\S+", words):
        if word.start() > begin and cell_len(words[begin : word.end()]) > room:
            begin = word.start()
            ends.append(begin)
    return ends


def _words(command: str) -> list[str]:
    """The words of a command as they are written, with their quotes."""
    try:
        return shlex.split(command, posix=False) or [command]
    except ValueError:
        return command.split() or [command]


def _shortened(text: str, room: int) -> str:
    return text if cell_len(text) <= room else set_cell_size(text, room - 1) + "…"


class Page:
    """Collects the parts of a text; `str()` lays them out."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._parts: list[RenderableType] = []

    def text(self, words: str, style: str = "") -> Text:
        """One piece of text with its code words styled."""
        words = clean(words)
        if not self._look.color:
            return Text(words, style=style)
        result, end = Text(style=style), 0
        for match in _CODE.finditer(words):
            result.append(words[end : match.start()])
            result.append(match[1], style="cyan")
            end = match.end()
        return result.append(words[end:])

    def paragraph(self, words: str, style: str = "", indent: int = 0) -> None:
        """Wrapped text; line ends within it are spaces."""
        self._parts.append(Padding(self.text(" ".join(words.split("\n")), style), (0, 0, 0, indent)))

    def heading(self, words: str) -> None:
        """A heading with a blank line before it."""
        self.gap()
        self._parts.append(self.text(words, "bold"))

    def rule(self, words: str) -> None:
        """A heading across the page."""
        title = Text(f"── {words} ", style="bold")
        title.append("─" * max(0, self._look.width - title.cell_len), style="dim")
        self._parts.append(title)

    def line(self, text: Text) -> None:
        """One line that is styled already."""
        self._parts.append(text)

    def gap(self) -> None:
        """A blank line."""
        self._parts.append(Text(""))

    def item(self, mark: str, words: str, style: str = "", mark_style: str = "bold") -> None:
        """A line of a list; wrapped lines keep the indent."""
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(ratio=1, overflow="fold")
        grid.add_row(Text("  " + mark, style=mark_style), self.text(words, style))
        self._parts.append(grid)

    def command(self, words: Sequence[str], indent: int = _COMMAND_INDENT) -> None:
        """A shell command that can be pasted: too long a line goes on after a backslash."""
        lines = [clean(words[0])]
        for word in map(clean, words[1:]):
            if cell_len(f"{lines[-1]} {word}") <= self._look.width - indent - 2:
                lines[-1] += f" {word}"
            else:
                lines.append(f"  {word}")
        for number, line in enumerate(lines, start=1):
            end = " \\" if number < len(lines) else ""
            self.verbatim(Text(" " * indent + line + end, style="cyan"))

    def sentence(self, words: str, style: str = "", indent: int = 0) -> None:
        """Text wrapped between words only, so that a path in it can be copied whole, however long."""
        room = max(10, self._look.width - indent)
        text = self.text(words, style)
        for line in text.divide(_ends_of_lines(text.plain, room)):
            line.rstrip()
            self.verbatim(Text(" " * indent) + line)

    def step(self, words: str, indent: int = 0) -> None:
        """A sentence; where it ends in a command and is too long for a line, that has lines of its own."""
        before, colon, last = words.rpartition(": ")
        is_command = bool(colon) and not last.endswith((".", "!", "?"))
        if not is_command or cell_len(words) <= self._look.width - indent:
            self.sentence(words, indent=indent)
            return
        self.sentence(f"{before}:", indent=indent)
        self.command(_words(last), indent=indent + 2)

    def verbatim(self, text: Text) -> None:
        """One line as it is, neither wrapped nor cut, so that it can be copied."""
        text.no_wrap, text.overflow = True, "ignore"
        self._parts.append(Group(text))

    def block(self, lines: Iterable[str], style: str = "dim") -> None:
        """Lines as they are, such as a program's own output, behind a bar; too long ones are wrapped."""
        for line in lines:
            grid = Table.grid(padding=(0, 1, 0, 0))
            grid.add_row(Text("  │", style="dim"), Text(clean(line), style=style, overflow="fold"))
            self._parts.append(grid)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[str]],
        right: Sequence[int] = (),
        whole: Sequence[int] = (),
    ) -> None:
        """A table. The columns numbered in `right` are figures; those and the ones in `whole` do not wrap.

        Where the page is too narrow for that, every cell wraps: none may be cut, a figure least of all.
        """
        rows = [tuple(row) for row in rows]
        widths = [
            max(cell_len(clean(row[i])) for row in [tuple(columns), *rows]) for i in range(len(columns))
        ]
        fits = 2 + sum(width + 2 for width in widths) <= self._look.width + 2
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for index, name in enumerate(columns):
            table.add_column(
                name,
                justify="right" if index in right else "left",
                no_wrap=fits and (index in right or index in whole),
                overflow="fold",
            )
        for row in rows:
            table.add_row(*(self.text(cell) for cell in row))
        self._parts.append(Padding(table, (0, 0, 0, 2)))

    def listing(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table of one line for each row: what does not fit is cut at the end of the last column."""
        others = [
            max(cell_len(clean(row[index])) for row in [columns, *rows]) for index in range(len(columns) - 1)
        ]
        room = max(10, self._look.width - 2 - sum(width + 2 for width in others))
        cut = [[*row[:-1], _shortened(clean(row[-1]), room)] for row in rows]
        self.table(columns, cut, whole=range(len(columns)))

    def bars(self, rows: Sequence[tuple[str, float, str]], strong: str) -> None:
        """Bars of (name, value, words), to one scale; the one named `strong` stands out."""
        most = max((value for _, value, _ in rows), default=0.0)
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value, words in rows:
            length = round(_BAR_WIDTH * value / most) if most > 0 else 0
            style = "yellow" if name == strong else "blue"
            filled = Text("█" * length, style=style).append("·" * (_BAR_WIDTH - length), style="dim")
            grid.add_row(Text("  " + clean(name)), filled, self.text(words))
        self._parts.append(grid)

    def __str__(self) -> str:
        """The page as text; no line ends in blanks."""
        stream = io.StringIO()
        console = Console(
            file=stream,
            width=self._look.width,
            force_terminal=self._look.color,
            color_system="standard" if self._look.color else None,
            no_color=not self._look.color,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )
        # A bare text would lose its own rules of wrapping on being printed; a group keeps them.
        for part in self._parts:
            console.print(part, crop=False)
        return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"
