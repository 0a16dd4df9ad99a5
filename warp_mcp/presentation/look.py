"""How a text is to look: colour and width. Nothing of what it says."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """The place a text is written for."""

    color: bool = False
    width: int = 100
    """Columns; no line is longer, save for words that cannot be broken."""
    directory: str | None = None
    """Where the reader is, so that commands can be pasted; null where that is unknown."""


PLAIN = Look()
