"""Give standard output and standard error to the reader line by line, as on a terminal.

Used by `--until-output`: into a pipe Python writes blocks of 8 kB, so a line may otherwise never arrive
from a program that then waits. Nothing else of the streams changes.
"""

import sys


def start():
    """Buffer lines instead of blocks."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.reconfigure(line_buffering=True)  # pyright: ignore[reportAttributeAccessIssue]
        except Exception:
            pass
