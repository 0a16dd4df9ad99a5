"""Measure, compare, explain, list, prune as plain typed functions: the one place where the layers meet."""

from warp_mcp.workflows.comparing import compare
from warp_mcp.workflows.explaining import explain, explainable, explanation_json, part_of, write_explanation
from warp_mcp.workflows.keeping import (
    KEPT,
    find,
    find_kept,
    kept_reports,
    kept_reports_json,
    prune,
    report_file,
    request_elsewhere,
    runs_elsewhere,
    to_json,
    where_kept,
    write_json,
)
from warp_mcp.workflows.measuring import measure, new_run_id
from warp_mcp.workflows.outcomes import Interrupted, WriteFailed
from warp_mcp.workflows.requests import (
    check_samples,
    interpreter_of,
    make_request,
    shown,
    shown_words,
    stop_condition,
)

__all__ = [
    "KEPT",
    "Interrupted",
    "WriteFailed",
    "check_samples",
    "compare",
    "explain",
    "explainable",
    "explanation_json",
    "find",
    "find_kept",
    "interpreter_of",
    "kept_reports",
    "kept_reports_json",
    "make_request",
    "measure",
    "new_run_id",
    "part_of",
    "prune",
    "report_file",
    "request_elsewhere",
    "runs_elsewhere",
    "shown",
    "shown_words",
    "stop_condition",
    "to_json",
    "where_kept",
    "write_explanation",
    "write_json",
]
