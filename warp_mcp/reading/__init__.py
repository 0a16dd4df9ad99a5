"""Record files and cache contents to models. What cannot be read is counted, never dropped."""

from warp_mcp.reading.compile_trace import read_trace
from warp_mcp.reading.levers import read_lever_changes, read_lever_problems
from warp_mcp.reading.outputs import read_outputs
from warp_mcp.reading.recording import read_recording
from warp_mcp.reading.rehearsal import read_rehearsal
from warp_mcp.reading.steady_state import read_times

__all__ = [
    "read_lever_changes",
    "read_lever_problems",
    "read_outputs",
    "read_recording",
    "read_rehearsal",
    "read_times",
    "read_trace",
]
