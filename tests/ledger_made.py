"""Ledger entries made by hand, for tests of what is done with them."""

import json
from pathlib import Path
from typing import Any

from warp_mcp.models.ledger import LedgerAppended
from warp_mcp.workflows import ledger

CONTENT: dict[str, Any] = {
    "what": "Build the module sim without backward code",
    "where": "sim/setup.py, before the first kernel",
    "scope": "the module sim",
    "status": "declined",
    "why": "A notebook may call Tape.backward",
    "how_to_take": "wp.set_module_options({'enable_backward': False})",
    "how_to_undo": "remove that line",
    "verify": ["gradients of examples/fit.py"],
}


def record(what: str = CONTENT["what"], **changes: Any) -> LedgerAppended:
    """Append one entry."""
    return ledger.append(**{**CONTENT, "what": what, **changes})


def lines(path: str | Path) -> list[bytes]:
    """The lines of a ledger, each with its end."""
    return Path(path).read_bytes().splitlines(keepends=True)


def three(path: Path) -> list[bytes]:
    """Make a ledger of three entries; its lines."""
    for what in ("one", "two", "three"):
        record(what, path=str(path))
    return lines(path)


def parsed(line: bytes) -> dict[str, Any]:
    return json.loads(line)
