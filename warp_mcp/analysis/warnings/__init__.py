"""What a reader has to know before believing a number. One function for each code."""

from warp_mcp.analysis.warnings.collect import warn

__all__ = ["warn"]
