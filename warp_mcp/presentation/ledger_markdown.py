"""A ledger as Markdown, to be sent or shown beside a report.

What users wrote stays text: no HTML, no headings, no hidden links. Code between backticks, or between two
lines of three of them, stays code.
"""

import re

from warp_mcp.models.ledger import LedgerEntry, LedgerListing
from warp_mcp.presentation import ledger_words as words
from warp_mcp.presentation.numbers import plural
from warp_mcp.presentation.page import clean

_CODE = re.compile(r"(`[^`\n]+`)")
_ESCAPES = {"&": "&amp;", "<": "&lt;", "[": "\\[", "]": "\\]", "`": "\\`", "*": "\\*"}
_LOOSE_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
"""One that is not within a word: those within are not emphasis, and `max_unroll` stays readable."""
_LINE_MARK = re.compile(r"^(\s*)(?=[#>+=|~-])|^(\s*\d+)(?=[.)]\s)")
_FENCE = "```"


def ledger_markdown(value: LedgerListing) -> str:
    """The whole ledger, oldest entry first."""
    lines = [f"# Ledger of {_one_line(value.project)}", ""]
    if value.problem:
        lines += [f"**This ledger is not intact.** {value.problem.message}", ""]
    if value.cut_bytes:
        lines += [words.cut_words(value.cut_bytes), ""]
    if not value.entries:
        lines += ["Nothing is recorded yet.", ""]
    else:
        lines += [f"{plural(len(value.entries), 'entry', 'entries')}: {words.totals(value.entries)}.", ""]
    for entry in value.entries:
        lines += _entry(entry)
    return "\n".join(lines)


def _entry(entry: LedgerEntry) -> list[str]:
    fields = [
        ("Where", words.one_line(entry.where)),
        ("Scope", words.one_line(entry.scope)),
        ("Effect", words.effect_words(entry)),
        ("Evidence", words.evidence_words(entry)),
        ("Why", entry.why),
        ("How to take it", entry.how_to_take),
        ("How to undo it", entry.how_to_undo),
    ]
    title = f"## {entry.number}. {_one_line(entry.what)}: {_one_line(words.status_words(entry))}"
    told = [f"- **{name}:** {_text(text, '  ')}" for name, text in fields if text]
    left = [f"  - {_text(text, '    ')}" for text in words.verify_words(entry)]
    origin = f"{words.date_words(entry)}, {entry.project}, key {entry.key}"
    return [title, "", *told, "- **Still to verify:**", *left, f"- **Recorded:** {_text(origin, '')}", ""]


def _one_line(text: str) -> str:
    return _text(" ".join(text.split()), "")


def _text(text: str, indent: str) -> str:
    """Words of a user as Markdown; several lines are a paragraph of their own, `indent` deep."""
    lines = _plain(clean(text).split("\n"))
    return lines[0] if len(lines) == 1 else "\n\n" + "\n".join(indent + line for line in lines) + "\n"


def _plain(lines: list[str]) -> list[str]:
    fences = [index for index, line in enumerate(lines) if line.startswith(_FENCE)]
    if len(fences) % 2:  # one that nothing closes would take everything behind it
        fences = []
    result: list[str] = []
    for index, line in enumerate(lines):
        within = index in fences or sum(fence < index for fence in fences) % 2
        result.append(line if within else _escaped(line))
    return result


def _escaped(line: str) -> str:
    parts = _CODE.split(line)
    parts[::2] = [_escaped_words(part) for part in parts[::2]]
    return _LINE_MARK.sub(lambda found: found[0] + "\\", "".join(parts))


def _escaped_words(text: str) -> str:
    escaped = "".join(_ESCAPES.get(mark, mark) for mark in text)
    return _LOOSE_UNDERSCORE.sub(r"\_", escaped)
