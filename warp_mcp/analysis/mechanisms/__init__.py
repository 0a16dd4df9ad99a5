"""One file for each mechanism that is examined. The registry yields all thirteen, always."""

from warp_mcp.analysis.mechanisms.registry import examine

__all__ = ["examine"]
