"""The command line: a thin door to the workflows. Computes nothing itself."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code; the entry point of `warp-mcp`."""
    try:
        from warp_mcp.cli import program
    except KeyboardInterrupt:  # Ctrl-C while the modules are loaded
        sys.stderr.write("Interrupted.\n")
        sys.exit(130)
    program.main(arguments)
