"""One figure with its spread."""

from warp_mcp.models.base import Model


class Metric(Model):
    """One figure over the completed samples."""

    median: float
    mad: float
    """Median absolute deviation, not scaled."""
    values: list[float]
