"""Reports and comparisons made by hand, for tests of what is done with them. Plausible, and small."""

from typing import Any

from warp_mcp.models.comparison import Comparison
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report


def a_metric(*values: float) -> dict[str, Any]:
    middle = sorted(values)[len(values) // 2]
    return {"median": middle, "mad": 10.0, "values": list(values)}


def a_sample(**changes: Any) -> dict[str, Any]:
    warm = {"outcome": "completed", "exit_code": 0, "wall_ms": 900.0, "module_ms": 2.0, "compiled": []}
    return {
        "outcome": "completed",
        "exit_code": 0,
        "stderr_tail": "",
        "stdout_tail": "",
        "cold_wall_ms": 5100.0,
        "cold_module_ms": 4000.0,
        "overlap_factor": 1.0,
        "peak_builds": 1,
        "launches": 7,
        "stopped_by": "none",
        "foreign_load": 0.0,
        "warm": warm,
        **changes,
    }


def a_module(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "name": f"fluid.module_{number}",
        "hash": f"{number:07x}abcdef",
        "device": "cpu",
        "block_dim": 1,
        "status": "compiled",
        "builds": 1,
        "ms": 1000.0 / number,
        "cpu_ms": 900.0 / number,
        "phases": {
            "codegen_ms": {"ms": 10.0, "cpu_ms": 9.0},
            "native_compile_ms": {"ms": 900.0, "cpu_ms": 890.0},
        },
        "launches": 3,
        "adjoint_launches": 0,
        "kernels": ["step"],
        "kernel_count": 1,
        "options": {},
        "source_bytes": 1000,
        "lto_artifacts": 0,
        "headers_built": 0,
        "defined_at": None,
        "loaded_at": None,
        **changes,
    }


def a_rebuild(number: int = 1, **changes: Any) -> dict[str, Any]:
    detail = f"kernel stage_{number} was defined after the module had loaded"
    cause = {"kind": "kernel_added", "detail": detail, "where": f"/home/me/fluid/app.py:{10 + number}"}
    return {
        "module": "fluid.app",
        "from_hash": "aaaaaaa",
        "to_hash": "bbbbbbb",
        "device": "cpu",
        "causes": [cause],
        "cost_ms": 400.0,
        "pid": 7,
        **changes,
    }


def a_root(rebuild: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """The root of one rebuild, by its first cause; without one, of a rebuild of `fluid.app`."""
    rebuild = rebuild or a_rebuild()
    cause, *others = rebuild["causes"]
    victim = {
        "module": rebuild["module"],
        "from_hash": rebuild["from_hash"],
        "to_hash": rebuild["to_hash"],
        "ms": rebuild["cost_ms"],
        "other_causes": len(others),
    }
    return {
        "kind": cause["kind"],
        "detail": cause["detail"],
        "subjects": ["stage"],
        "where": cause["where"],
        "owner": "application",
        "cost_ms": rebuild["cost_ms"],
        "victims": [victim],
        **changes,
    }


def a_victim(module: str = "fluid.app", ms: float = 400.0, **changes: Any) -> dict[str, Any]:
    return {"module": module, "from_hash": "aaaaaaa", "to_hash": "bbbbbbb", "ms": ms, **changes}


def a_finding(mechanism: str, status: str = "not_reached", **changes: Any) -> dict[str, Any]:
    return {
        "mechanism": mechanism,
        "status": status,
        "title": f"Whether {mechanism} happened cannot be told",
        "evidence": {"reason": "nothing was built for CUDA"} if status == "not_reached" else {},
        "cost_ms": None,
        "cost_kind": None,
        "where": None,
        "reference": f"warp-compile://{mechanism}",
        **changes,
    }


def a_report(**changes: Any) -> Report:
    """A program that completed three samples and built one module twice; every rebuild has its own root."""
    environment = {
        "fingerprint": "f" * 8,
        "cpu": "A processor",
        "cores": 2,
        "memory_bytes": 1,
        "gpu": None,
        "driver": None,
        "cuda_toolkit": None,
        "platform": "Linux",
        "python": "3.11.7",
        "executable": "/usr/bin/python",
        "warp": "1.19.0",
        "variables": {},
    }
    structure = {
        "identities": 2,
        "modules": 1,
        "builds": 2,
        "generated_source_bytes": 2000,
        "lto_artifacts": 0,
        "header_builds": 1,
        "warm_compiled": [],
    }
    launches = {
        "total": 7,
        "distinct": 1,
        "by_signature": [],
        "other_signatures": 0,
        "sequence_sha256": "s",
        "work": [],
        "sequences": [],
        "complete": True,
    }
    value = {
        "report_id": "r-20261201-101530-ab12",
        "label": "before",
        "created_at": "2026-12-01T10:15:30Z",
        "command": ["python", "app.py"],
        "cwd": "/home/me/fluid",
        "stop": "none",
        "environment": environment,
        "isolation": {"ok": True, "violations": []},
        "samples": [a_sample(), a_sample(), a_sample()],
        "metrics": {
            "cold_wall_ms": a_metric(5100.0, 5110.0, 5120.0),
            "warm_wall_ms": a_metric(890.0, 900.0, 910.0),
            "compile_elapsed_ms": a_metric(4190.0, 4210.0, 4220.0),
            "cold_module_ms": a_metric(3990.0, 4000.0, 4010.0),
        },
        "structure": structure,
        "wall_parts": [
            {"name": "imports", "ms": 500.0, "detail": "scipy 0.4 s"},
            {"name": "compilation", "ms": 4000.0, "detail": "2 builds"},
            {"name": "program", "ms": 600.0, "detail": "the program's own code"},
        ],
        "modules": [a_module()],
        "rebuilds": [a_rebuild()],
        "launches": launches,
        "kernels": [],
        "processes": [{"pid": 7, "parent": 1, "argv": ["python"], "attached": True, "exit_code": 0}],
        "findings": [a_finding(mechanism) for mechanism in MECHANISMS],
        "warnings": [],
        "recorder": {},
        **changes,
    }
    roots = [a_root(rebuild) for rebuild in value["rebuilds"]]
    return Report.model_validate({"roots": roots, **value})


def a_delta(metric: str, baseline: float | None = 4000.0, candidate: float | None = 2000.0) -> dict[str, Any]:
    missing = baseline is None or candidate is None
    return {
        "metric": metric,
        "baseline_median": baseline,
        "baseline_mad": 10.0,
        "baseline_count": 3,
        "candidate_median": candidate,
        "candidate_mad": 12.0,
        "candidate_count": 3,
        "delta": None if missing else candidate - baseline,
        "delta_percent": None if missing else -50.0,
        "band": None if missing else 40.0,
        "outside_noise": not missing,
    }


def a_change(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "name": f"fluid.module_{number}",
        "device": "cpu",
        "baseline_builds": 5,
        "candidate_builds": 1,
        "baseline_ms": 4000.0,
        "candidate_ms": 2000.0,
        "hash_moved": True,
        "options": ["fast_math: False → True"],
        **changes,
    }


def a_comparison(**changes: Any) -> Comparison:
    """An improvement with its causes."""
    workload = {
        "status": "preserved",
        "first_divergence": None,
        "differences": [],
        "renames": [],
        "kernels_changed": [],
    }
    value = {
        "comparison_id": "c-20261201-101600-cd34",
        "created_at": "2026-12-01T10:16:00Z",
        "baseline": "r-20261201-101530-ab12",
        "candidate": "r-20261201-101545-ab13",
        "baseline_label": "before",
        "candidate_label": None,
        "verdict": "improved",
        "judged_on": "cold_module_ms",
        "reasons": ["The modules took 2.0 s less to build."],
        "causes": ["1 build in place of 5"],
        "workload": workload,
        "timing": [a_delta("cold_module_ms"), a_delta("cold_wall_ms", 5100.0, 3100.0)],
        "modules": [a_change()],
        "structure": [{"name": "builds", "baseline": 5.0, "candidate": 1.0}],
        "mechanisms": {"fixed": ["CS-1"], "remaining": [], "new": []},
        "environment": [],
        "next_checks": ["Outputs: compare the results on both sides."],
        "warnings": [],
        **changes,
    }
    return Comparison.model_validate(value)
