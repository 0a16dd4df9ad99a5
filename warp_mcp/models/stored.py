"""What the list of kept reports says of each. The report itself is in `report.py`."""

from warp_mcp.models.base import Model


class StoredReport(Model):
    """One kept report."""

    report_id: str
    label: str | None
    created_at: str | None
    """ISO 8601, UTC; null when the file cannot be read."""
    command: list[str]
    cwd: str | None
    path: str
    problem: str | None
    """Why the file cannot be read; null when it can."""
