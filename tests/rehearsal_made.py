"""Rehearsals of CUDA made by hand, for tests of what is done with them."""

from typing import Any

from tests.factories import a_finding, a_metric, a_module, a_report
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report


def a_rehearsed_run(**changes: Any) -> dict[str, Any]:
    return {"outcome": "completed", "exit_code": 0, "stderr_tail": "", "stdout_tail": "", **changes}


def a_cuda_module(number: int = 1, **changes: Any) -> dict[str, Any]:
    phases = {
        "native_compile_ms": {"ms": 3000.0 / number, "cpu_ms": 2900.0},
        "lto_ms": {"ms": 900.0 / number, "cpu_ms": 9.0},
    }
    told = {"device": "cuda:0", "block_dim": 256, "ms": 4000.0 / number, "phases": phases, **changes}
    return a_module(number, **told)


def a_rehearsal(**changes: Any) -> dict[str, Any]:
    """Three completed rehearsals for one architecture: two modules, nothing built twice, CS-7 fired."""
    ordinary = a_report().model_dump(mode="json")
    fired = a_finding(
        "CS-7",
        "fired",
        title="1 CUDA module spent 0.9 s on MathDx links",
        cost_ms=900.0,
        cost_kind="measured",
        fix="Leave backward code out of the module.",
    )
    arch = changes.get("arch", "sm_90")
    return {
        "arch": arch,
        "runs": [a_rehearsed_run()] * 3,
        "metrics": {
            "cold_module_ms": a_metric(5990.0, 6000.0, 6010.0),
            "cold_module_cpu_ms": a_metric(5890.0, 5900.0, 5910.0),
            "overlap_factor": a_metric(1.0, 1.0, 1.0),
            "overlap_ceiling": a_metric(1.5, 1.5, 1.5),
            "peak_builds": a_metric(1.0, 1.0, 1.0),
            "builds": a_metric(2.0, 2.0, 2.0),
        },
        "structure": {**ordinary["structure"], "builds": 2, "modules": 2},
        "modules": [a_cuda_module(1), a_cuda_module(2, block_dim=128)],
        "rebuilds": [],
        "roots": [],
        "launches": ordinary["launches"],
        "kernels": [],
        "findings": [fired, *(a_finding(label) for label in MECHANISMS if label != "CS-7")],
        "warnings": [],
        "not_rehearsed": [],
        "archs": [arch],
        **changes,
    }


def another_arch(arch: str) -> dict[str, Any]:
    """The same for a further architecture."""
    return {name: value for name, value in a_rehearsal(arch=arch).items() if name != "archs"}


NEEDS_CUDA = {
    "code": "needs_cuda",
    "message": "The program does not run without CUDA (exit code 1): no device.",
    "next": "Measure it on a machine with a GPU.",
}


def only_rehearsed(rehearsal: dict[str, Any] | None = None, **changes: Any) -> Report:
    """The report of a program that runs with CUDA only."""
    told: dict[str, Any] = {
        "samples": [],
        "metrics": {},
        "wall_parts": [],
        "modules": [],
        "rebuilds": [],
        "warnings": [NEEDS_CUDA],
        "rehearsal": rehearsal or a_rehearsal(),
        **changes,
    }
    return a_report(**told)


def failed_in_rehearsal(**changes: Any) -> dict[str, Any]:
    """It built two modules and then raised."""
    run = a_rehearsed_run(outcome="failed", exit_code=1, stderr_tail="Traceback\nRuntimeError: broken")
    return a_rehearsal(runs=[run], metrics={}, **changes)
