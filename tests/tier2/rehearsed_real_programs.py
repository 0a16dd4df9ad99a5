"""Real programs on a CUDA device that is not there, and what they build for it. No time is asserted.

    pytest tests/tier2/rehearsed_real_programs.py

The environment is that of `real_programs.py`. The versions in it are fixed, and so are the modules below.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.situations.measuring import Measured, Probe, sample
from tests.tier2.environments import PHYSICS, directory, interpreter
from warp_mcp.analysis.mechanisms.header import ON_CUDA
from warp_mcp.models.report import Report
from warp_mcp.presentation import measure_summary, measure_summary_text
from warp_mcp.presentation.report_markdown import report_markdown

pytestmark = [
    pytest.mark.timeout(2400),  # dozens of builds, on a machine that others may keep busy
    pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="a GPU would be measured"),
]
PENDULUM = {
    "compute_body_inverses_kernel": 256,
    "narrow_phase_primitive_write_contact_False_False_False": 128,
    "newton._src.geometry.broad_phase_nxn": 256,
    "newton._src.geometry.bvh": 256,
    "newton._src.geometry.narrow_phase": 256,
    "newton._src.sim.articulation": 16,
    "newton._src.sim.collide": 256,
    "newton._src.solvers.solver": 256,
    "newton._src.solvers.xpbd.kernels": 256,
    "newton._src.viewer.kernels": 256,
    "validate_and_correct_inertia_kernel": 256,
}
"""What Newton's pendulum builds, and at which block_dim; of unique modules without their hash."""
NOT_REACHED = {
    "CS-8": "nothing was loaded for the CPU in the rehearsal",
    "CS-12": ON_CUDA,
}


@pytest.fixture(scope="module")
def physics(tmp_path_factory: pytest.TempPathFactory) -> str:
    return interpreter(directory(tmp_path_factory), "physics", *PHYSICS)


def rehearsed(root: Path, *command: str) -> Measured:
    """One rehearsal, which must have come to its end, with nothing in it that no GPU would have built."""
    options = ("--rehearse-cuda", "sm_90", "--rehearsals", "1", "--no-compile-trace")
    measured = Probe(root).measure(*command, options=options, limit_s=1800)

    assert measured.process.returncode == 0, measured.text[-3000:]
    assert measured.report["samples"] == []  # it does not run without
    told = measured.report["rehearsal"]
    assert [(run["outcome"], run["exit_code"]) for run in told["runs"]] == [("completed", 0)], told["runs"]
    assert told["not_rehearsed"] == []
    for one in told["modules"]:
        assert (one["device"], one["status"], one["builds"]) == ("cuda:0", "compiled", 1), one["name"]
        assert re.fullmatch("[0-9a-f]{64}", one["hash"]) and one["source_bytes"] > 0
        assert one["phases"]["native_compile_ms"]["ms"] > 0
    assert told["launches"]["total"] == sum(one["launches"] for one in told["modules"])
    assert told["metrics"]["warm_builds"]["median"] == 0
    return measured


def statuses(measured: Measured, status: str) -> set[str]:
    findings = measured.report["rehearsal"]["findings"]
    return {one["mechanism"] for one in findings if one["status"] == status}


def evidence(measured: Measured, mechanism: str) -> dict[str, Any]:
    findings = measured.report["rehearsal"]["findings"]
    return next(one for one in findings if one["mechanism"] == mechanism)["evidence"]


def not_reached(measured: Measured) -> dict[str, str]:
    return {label: evidence(measured, label)["reason"] for label in statuses(measured, "not_reached")}


def unique_name(name: str) -> str:
    return re.sub("_[0-9a-f]{8}$", "", name)


def in_this_order(measured: Measured, *parts: str) -> None:
    """What comes first on each of the three pages."""
    report = Report.model_validate(measured.report)
    answer = measure_summary(report)
    assert len(answer.model_dump_json()) / 4 < 1500
    shown = " ".join(measure_summary_text(answer).split())
    markdown = " ".join(report_markdown(report).split()).replace("\\", "")
    for page in (measured.text, markdown, shown):
        places = [page.find(part) for part in parts]
        assert -1 not in places and places == sorted(places), list(zip(parts, places, strict=True))


def test_the_basic_pendulum_of_newton_on_cuda(physics: str, tmp_path: Path) -> None:
    command = "-m newton.examples basic_pendulum --viewer null --num-frames 2 --device cuda:0"

    measured = rehearsed(tmp_path, physics, *command.split())

    told = measured.report["rehearsal"]
    assert {unique_name(one["name"]): one["block_dim"] for one in told["modules"]} == PENDULUM
    assert told["structure"]["builds"] == 11
    assert (told["rebuilds"], told["launches"]["total"]) == ([], 320)
    dominant = max(told["modules"], key=lambda one: one["ms"])
    assert dominant["name"] == "newton._src.solvers.xpbd.kernels"
    assert (dominant["kernel_count"], dominant["launches"], dominant["owner"]) == (19, 200, "newton")
    assert dominant["adjoint_bytes"] > dominant["source_bytes"] / 2

    # unrolled loops are at the edge of what counts: 5 % of the work
    assert {"CS-10", "CS-13"} <= statuses(measured, "fired") <= {"CS-10", "CS-11", "CS-13"}
    assert not_reached(measured) == NOT_REACHED
    assert evidence(measured, "CS-5") == {"cuda_builds": 11, "block_dims": [16, 128, 256]}
    assert evidence(measured, "CS-7")["lto_artifacts"] == 0
    assert evidence(measured, "CS-10")["modules"][0] == dominant["name"]
    ahead = evidence(measured, "CS-13")
    assert "newton._src.sim.articulation" in ahead["preload_safely"]
    assert ahead["made_after_the_first_build"] == 2
    assert "the largest newton._src.solvers.xpbd.kernels (" in measured.text
    assert "'cuda:0', block_dim=16)" in measured.text  # what one call of force_load would build twice
    in_this_order(
        measured,
        "A start on a GPU (sm_90) builds 11 CUDA binaries of 11 modules: ",
        "`newton._src.solvers.xpbd.kernels` is ",
        "19 kernels, 1.9 MB of generated source, 67 % of that backward code; "
        "`newton._src.sim.articulation` is ",
        "GPU run time and the driver's own compile cache are not in it",
        "hold backward code that no backward pass of the rehearsal used",
        "before newton is imported",
    )


def test_a_step_of_mujoco_warp_on_cuda(physics: str, tmp_path: Path) -> None:
    measured = rehearsed(tmp_path, physics, sample("steps_mujoco"), "cuda:0")

    told = measured.report["rehearsal"]
    assert "height 0.19988" in told["runs"][0]["stdout_tail"]
    assert (told["structure"]["builds"], told["structure"]["modules"]) == (34, 33)
    assert told["structure"]["lto_artifacts"] == 4
    dominant = max(told["modules"], key=lambda one: one["ms"])
    # a file of 22 kernels, and one kernel on tiles with its links: which takes longer is not always the same
    largest = ("mujoco_warp._src.forward", "_update_gradient_cholesky__locals__kernel")
    assert unique_name(dominant["name"]) in largest
    (again,) = [one["name"] for one in told["modules"] if not one["launches"]]
    assert unique_name(again) == "_nxn_broadphase__locals__kernel"  # built to ask for a block size, at 256

    fired = statuses(measured, "fired")
    assert {"CS-5", "CS-13"} <= fired <= {"CS-5", "CS-7", "CS-11", "CS-13"}
    assert not_reached(measured) == NOT_REACHED
    assert evidence(measured, "CS-5")["block_dims"] == [128, 256]
    assert evidence(measured, "CS-13")["made_after_the_first_build"] > 20  # what its kernel factories make
    assert evidence(measured, "CS-13")["preload_safely"][0] == "mujoco_warp._src.forward"
    in_this_order(
        measured,
        "A start on a GPU (sm_90) builds 34 CUDA binaries of 33 modules: ",
        f"`{dominant['name']}` is ",
        "GPU run time and the driver's own compile cache are not in it",
        "1 line causes 1 of 34 builds",
        "CUDA modules were built one after the other",
    )
