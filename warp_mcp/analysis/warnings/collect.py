"""The order of the warnings: what changes the whole reading first, details last."""

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.warnings import building, record, runs
from warp_mcp.models.finding import Warning

_CHECKS = (
    building.compilation_is_minor,
    record.no_warp,
    record.recorder_not_attached,
    record.isolation_escaped,
    record.record_incomplete,
    runs.cut_short,
    runs.timed_out,
    runs.stop_not_reached,
    runs.warp_missing,
    runs.sample_failed,
    runs.warm_run_failed,
    runs.few_samples,
    runs.samples_disagree,
    runs.machine_busy,
    building.build_failed,
    building.build_cut_off,
    building.warm_run_compiled,
    building.option_arrived_too_late,
    building.identity_flips,
    building.kernels_redeclared,
    building.builds_overlapped,
    building.built_never_launched,
    runs.processes_left_running,
    record.recorder_slow,
)


def warn(evidence: Evidence) -> list[Warning]:
    """Every warning that applies, each code at most once."""
    return [warning for warning in (check(evidence) for check in _CHECKS) if warning is not None]
