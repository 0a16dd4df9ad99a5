"""Files under one state directory: reports, comparisons, recordings, the lock. No analysis, no processes."""

from warp_mcp.storage.comparisons import comparison_path, save_comparison
from warp_mcp.storage.files import to_json, write_atomic, write_named
from warp_mcp.storage.ids import created_at, new_id, now
from warp_mcp.storage.lock import measurement_lock
from warp_mcp.storage.pruning import keep_newest, older_than, remove
from warp_mcp.storage.recordings import Measurement, save_recordings
from warp_mcp.storage.reports import (
    LATEST,
    find_report,
    list_reports,
    locate,
    read_report,
    report_ids,
    report_path,
    save_report,
)
from warp_mcp.storage.runs import (
    OpenRun,
    abandoned_runs,
    forget_run,
    open_run,
    read_run,
    run_is_open,
    with_series,
)
from warp_mcp.storage.state import state_dir

__all__ = [
    "LATEST",
    "Measurement",
    "OpenRun",
    "abandoned_runs",
    "comparison_path",
    "created_at",
    "find_report",
    "forget_run",
    "keep_newest",
    "list_reports",
    "locate",
    "measurement_lock",
    "new_id",
    "now",
    "older_than",
    "open_run",
    "read_report",
    "read_run",
    "remove",
    "report_ids",
    "report_path",
    "run_is_open",
    "save_comparison",
    "save_recordings",
    "save_report",
    "state_dir",
    "to_json",
    "with_series",
    "write_atomic",
    "write_named",
]
