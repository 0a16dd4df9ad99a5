"""How many samples were made, and why no more and no fewer."""

from typing import Literal

from warp_mcp.models.base import Model


class Sampling(Model):
    """The end of a measurement that goes on only as long as more samples could change its verdict."""

    against: str
    """Id of the report it was judged against while it ran; "unchanged" for levers."""
    least: int
    most: int
    made: int
    """Completed samples."""
    stopped: Literal["settled", "most", "cut_short"]
    """`settled`: no further sample could change the verdict any more; `most`: it was within reach to the
    end; `cut_short`: the measurement ended otherwise."""
    why: str
    """One sentence."""
