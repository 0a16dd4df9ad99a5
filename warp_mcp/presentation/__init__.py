"""Models as text. Returns strings; never prints and never decides. One file for each kind of output."""

from warp_mcp.presentation.compare_summary import compare_summary, compare_summary_text
from warp_mcp.presentation.comparison_text import comparison_text
from warp_mcp.presentation.explain_summary import explain_summary, explain_summary_text
from warp_mcp.presentation.ledger_summary import ledger_summary, ledger_summary_text
from warp_mcp.presentation.look import PLAIN, Look
from warp_mcp.presentation.measure_summary import measure_summary, measure_summary_text
from warp_mcp.presentation.messages import error_text, listing_text, pruned_text
from warp_mcp.presentation.progress_text import progress_text
from warp_mcp.presentation.report_text import report_text
from warp_mcp.presentation.run_summary import (
    cancelled_summary,
    elsewhere_summary,
    run_summary_text,
    running_summary,
)

__all__ = [
    "PLAIN",
    "Look",
    "cancelled_summary",
    "compare_summary",
    "compare_summary_text",
    "comparison_text",
    "elsewhere_summary",
    "error_text",
    "explain_summary",
    "explain_summary_text",
    "ledger_summary",
    "ledger_summary_text",
    "listing_text",
    "measure_summary",
    "measure_summary_text",
    "progress_text",
    "pruned_text",
    "report_text",
    "run_summary_text",
    "running_summary",
]
