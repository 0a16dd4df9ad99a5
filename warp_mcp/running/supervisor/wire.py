"""The supervisor's end of the pipes to the probe: one order in, events out (see `__main__.py`)."""

import json
import os
import sys
from typing import Any


def read_order() -> "dict[str, Any]":
    """The first line of standard input."""
    text = b""
    while not text.endswith(b"\n"):
        chunk = os.read(0, 65536)
        if not chunk:
            sys.exit(1)
        text += chunk
    return json.loads(text)


def say(**event: Any) -> None:
    """Write one event; a reader that is gone is no failure."""
    text = json.dumps(event).encode() + b"\n"
    try:
        while text:
            text = text[os.write(1, text) :]
    except OSError:
        pass
