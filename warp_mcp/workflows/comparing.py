"""Compare two kept reports and keep the result."""

from warp_mcp import storage
from warp_mcp.analysis import compare_reports
from warp_mcp.errors import CannotWrite
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.report import Report
from warp_mcp.workflows.keeping import find
from warp_mcp.workflows.outcomes import WriteFailed


def compare(baseline: str, candidate: str) -> Comparison:
    """Compare two reports, each named by id, unique prefix, label, `latest` or file, and keep the result.

    Raises `UnreadableReport`, or `WriteFailed` (with the comparison) when it could not be kept.
    """
    return compare_found(find(baseline), find(candidate))


def compare_found(first: Report, second: Report) -> Comparison:
    """The same of two reports that were read already. Raises `WriteFailed`."""
    moment = storage.now()
    comparison = compare_reports(
        first, second, comparison_id=storage.new_id("c", moment), created_at=storage.created_at(moment)
    )
    try:
        storage.save_comparison(comparison)
    except CannotWrite as error:
        raise WriteFailed(error, comparison) from error
    return comparison
