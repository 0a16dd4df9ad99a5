"""Runs the target: fresh caches, injection, child processes and their end, the order of cold and warm runs.

Knows nothing of statistics, and nothing of Warp beyond the names of its cache variables.
"""

from warp_mcp.running.interpreters import archs_of, interpreters_with_warp, lacked_warp
from warp_mcp.running.machine import describe_machine
from warp_mcp.running.masking import masked, printable
from warp_mcp.running.plan import Readers
from warp_mcp.running.samples import measure_samples
from warp_mcp.running.series import PASSES, SamplesCutShort

__all__ = [
    "PASSES",
    "Readers",
    "SamplesCutShort",
    "archs_of",
    "describe_machine",
    "interpreters_with_warp",
    "lacked_warp",
    "masked",
    "measure_samples",
    "printable",
]
