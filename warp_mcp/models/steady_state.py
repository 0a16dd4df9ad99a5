"""How long launches take once everything is built."""

from warp_mcp.models.base import Model


class LaunchTimes(Model):
    """The launches of one kernel with one signature, in one pass: synchronised, wall time."""

    kernel: str
    module: str
    signature: str
    launches: int
    """Timed ones; the first is left out, since it touches memory for the first time."""
    median_us: float
    mad_us: float


class TimesSeen(Model):
    """What one pass timed."""

    launches: list[LaunchTimes]
    once: int = 0
    """Signatures that were launched only once in a process, so that nothing was timed."""
    problems: list[str] = []


class KernelTime(Model):
    """One kernel with one signature over all passes."""

    kernel: str
    module: str
    signature: str
    launches: int
    """Timed launches over all passes."""
    median_us: float
    """Median of the medians of the passes."""
    mad_us: float
    pass_medians_us: list[float]


class SteadyState(Model):
    """Launch times in warm runs of their own, each launch synchronised."""

    passes: int
    kernels: list[KernelTime]
    """The most time in all first; a bounded number."""
    too_few: int
    """Signatures launched too rarely to have a median with a spread."""
    problems: list[str] = []
