"""Record files and cache contents to models. What cannot be read is counted, never dropped."""

from warp_mcp.reading.outputs import read_outputs
from warp_mcp.reading.recording import read_recording

__all__ = ["read_outputs", "read_recording"]
