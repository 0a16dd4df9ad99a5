"""What a target writes: its last lines as clean text, and whether a text has come by.

What belongs here: bounded memory of bytes already read. Reading from pipes is the business of `target.py`.
"""

import re

TAIL_BYTES = 64 * 1024
"""Enough for any traceback; a program that writes gigabytes costs no more than this."""

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # control sequences: colours, cursor movement (ECMA-48, 5.4)
    r"|\x1b[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)"  # system commands: titles, links (ECMA-48, 5.6)
    r"|\x1b[ -/]*[0-~]",
)
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)])
del _CONTROLS[0x09], _CONTROLS[0x0A]


class Tail:
    """The end of one stream."""

    def __init__(self, limit_bytes: int = TAIL_BYTES) -> None:
        self._limit = limit_bytes
        self._kept = bytearray()
        self._cut = False

    def feed(self, chunk: bytes) -> None:
        """Take more bytes; the oldest beyond the limit are forgotten."""
        self._kept += chunk
        if len(self._kept) > self._limit:
            del self._kept[: -self._limit]
            self._cut = True

    def text(self) -> str:
        """Whole last lines.
        Undecodable bytes are replaced, escape sequences and control characters removed.
        """
        kept = bytes(self._kept)
        if self._cut and b"\n" in kept:
            kept = kept[kept.index(b"\n") + 1 :]
        return cleaned(kept.decode("utf-8", errors="replace"))


def cleaned(text: str) -> str:
    """Text a terminal or a protocol can show: newline and tab are the only control characters left."""
    text = _ESCAPES.sub("", text.replace("\r\n", "\n"))
    return text.replace("\r", "\n").translate(_CONTROLS)


class Finder:
    """Looks for a text in a stream that comes in pieces."""

    def __init__(self, text: str) -> None:
        self._wanted = text.encode("utf-8", errors="surrogateescape")
        self._carried = b""
        self.found = False
        self.line_ended = False
        """The line with the text is complete."""

    def feed(self, chunk: bytes) -> None:
        """Take more bytes; what was found stays found, also across two pieces."""
        seen = self._carried + chunk
        if self.found:
            self.line_ended = self.line_ended or b"\n" in chunk
        elif self._wanted in seen:
            self.found = True
            self.line_ended = b"\n" in seen[seen.index(self._wanted) :]
        self._carried = seen[-(len(self._wanted) - 1) :] if len(self._wanted) > 1 else b""
