"""Levers as a report tells them, made by hand, for tests of what is done with them."""

from typing import Any

from tests.factories import a_metric, a_module, a_report
from warp_mcp.models.report import Report

GONE = "Gradients: this run used none; programs that import these modules may."


def a_lever(lever: str = "enable_backward=false", **changes: Any) -> dict[str, Any]:
    """One that halves the building of the one module that there is."""
    return {
        "lever": lever,
        "metrics": {"cold_module_ms": a_metric(1990.0, 2000.0, 2010.0)},
        "judged_on": "cold_module_ms",
        "delta": -2000.0,
        "delta_percent": -50.0,
        "verdict": "improved",
        "reasons": ["The modules took 2.0 s less to build."],
        "samples": 3,
        "modules_moved": ["fluid.module_1"],
        "modules_unmoved": [],
        "source_bytes": 1000,
        "source_bytes_unchanged": 2000,
        "workload": "preserved",
        "outputs": "not_recorded",
        "steady_state": "not_recorded",
        "takes_away": [GONE],
        **changes,
    }


def with_options(**options: str) -> dict[str, Any]:
    """The module, built with these options, at the top of a file."""
    told = {"enable_backward": "True", "max_unroll": "16", "fast_math": "False", **options}
    return a_module(options=told, defined_at="/home/me/fluid/sim.py:9")


def priced(*levers: dict[str, Any], **changes: Any) -> Report:
    """A report on which levers were priced."""
    return a_report(**{"levers": list(levers or [a_lever()]), "modules": [with_options()], **changes})
