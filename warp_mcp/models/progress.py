"""How far a measurement has come; shown live by the terminal and sent as progress by the server."""

from typing import Literal

from warp_mcp.models.base import Model


class Progress(Model):
    """One step, or a sign of life within one."""

    step: Literal["waiting", "cold", "warm", "outputs", "steady_state", "compile_trace", "floor", "analysing"]
    sample: int
    """1-based; 0 before the first."""
    samples: int
    done: int
    """Runs finished."""
    total: int
    """Runs planned."""
    elapsed_s: float
    remaining_s: float | None
    """Estimate from the runs finished so far; null before the first."""
    message: str
    lever: str = ""
    """The lever that this run is made with, as typed; empty for the unchanged program."""
