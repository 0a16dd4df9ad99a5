"""Measure the cold start of programs that use NVIDIA Warp.

The package is a command line and an MCP server over one engine. Nothing in it imports Warp: the
measured program does that, in its own interpreter, in a child process.
"""

__version__ = "0.1.0"
