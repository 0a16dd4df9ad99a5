"""What a module costs whatever it holds: the price of every further module."""

from warp_mcp.models.base import Model
from warp_mcp.models.metric import Metric


class Floor(Model):
    """A one-kernel module, built on this machine in the interpreter of the program, with its options."""

    fingerprint: str
    """Of the environment it was measured in."""
    device: str
    options: dict[str, str]
    """Options that differ from Warp's own defaults, as they were set for it."""
    first_ms: Metric
    """The first module of a process: it pays for what later ones share, such as the precompiled header."""
    further_ms: Metric
    """Each further module."""
    measured_at: str
    """ISO 8601, UTC: it is measured once for an environment and a set of options, and kept."""
    foreign_load: float = 0.0
    """Cores that other programs kept busy in the busiest of its runs: then the figures are too high."""


class FloorUse(Model):
    """What the floor says of one program, before anyone edits it."""

    module: str
    """The module that takes longest in one build."""
    build_ms: float
    """One build of it, without making a precompiled header."""
    parts: int
    """Of the split that is bounded here."""
    split_saves_at_most_ms: float
    """Of the wait, where the parts are built side by side, or one of them alone is built again."""
    split_adds_ms: float
    """To the work, whatever the parts hold."""
    one_kernel_modules: int
    """Modules of one kernel with the same options, on the same device."""
    merging_saves_ms: float
    """Were they one module."""
