"""Recordings to a report, two reports to a comparison: pure functions. No files, clocks or processes."""

from warp_mcp.analysis.comparison import compare_reports
from warp_mcp.analysis.report import build_report

__all__ = ["build_report", "compare_reports"]
