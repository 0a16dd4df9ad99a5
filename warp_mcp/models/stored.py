"""What lists of kept reports and comparisons say of each; `report.py` and `comparison.py` have the whole."""

from warp_mcp.models.base import Model
from warp_mcp.models.comparison import Verdict


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


class StoredComparison(Model):
    """One kept comparison."""

    comparison_id: str
    verdict: Verdict | None
    """Null, like everything that follows, when the file cannot be read."""
    created_at: str | None
    """ISO 8601, UTC."""
    baseline: str | None
    """Label of the report, or its id where it has none."""
    candidate: str | None
    path: str
    problem: str | None
    """Why the file cannot be read; null when it can."""
