"""The command line: a thin door to the workflows. Computes nothing itself."""

from warp_mcp.cli.program import main

__all__ = ["main"]
