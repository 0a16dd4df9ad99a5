"""Real programs, one sample each: what they build and launch is seen. Asserts structure, never time.

    pytest tests/tier2/real_programs.py

The table it prints at the end shows the recorder's own time beside each cold start.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.situations.measuring import Measured, Probe, sample
from tests.tier2.environments import PHYSICS, directory, interpreter
from warp_mcp.models.report import Report
from warp_mcp.presentation import measure_summary, measure_summary_text

pytestmark = pytest.mark.timeout(2400)
"""Each waits for dozens of builds; where others keep the machine busy they take several times as long."""


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return directory(tmp_path_factory)


@pytest.fixture(scope="module")
def physics(roots: Path) -> str:
    return interpreter(roots, "physics", *PHYSICS)


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    return Probe(tmp_path)


def row(name: str, measured: Measured, probe: Probe) -> str:
    report = measured.report
    wall = measured.sample["cold_wall_ms"] / 1000
    size = (probe.root / "report.json").stat().st_size / 1000
    figures = (
        name,
        f"{wall:.1f}",
        report["structure"]["modules"],
        report["structure"]["builds"],
        measured.launches["total"],
        measured.launches["distinct"],
        f"{report['recorder']['hook_percent']:.2f}",
        f"{size:.0f}",
    )
    return "| " + " | ".join(str(figure) for figure in figures) + " |"


def healthy(measured: Measured) -> None:
    """What must be true of every program that works."""
    assert measured.process.returncode == 0, measured.text[-3000:]
    assert measured.sample["outcome"] == "completed", measured.sample
    assert measured.launches["total"] > 0
    assert measured.launches["complete"] is True
    assert measured.report["isolation"]["ok"] is True
    assert "record_incomplete" not in measured.warnings(), measured.warnings()["record_incomplete"]
    assert all(entry["attached"] for entry in measured.report["processes"]), measured.report["processes"]
    assert all(entry["status"] == "compiled" for entry in measured.modules(None) if entry["builds"])
    told = sum(entry["launches"] + entry["adjoint_launches"] for entry in measured.modules(None))
    assert told == measured.launches["total"]
    assert "unknown" not in {cause["kind"] for cause in measured.causes()}, measured.causes()
    assert measured.sample["warm"]["compiled"] == []


BACKWARD, HEADERS = "enable_backward=false", "use_precompiled_headers=false"
LEVERS = (BACKWARD, HEADERS, f"{BACKWARD},{HEADERS}")
LEVER_OPTIONS = [word for lever in LEVERS for word in ("--lever", lever)]


def reached(measured: Measured) -> None:
    """Levers reach what they can in a program of others, and break nothing."""
    report = Report.model_validate(measured.report)
    assert {one.lever for one in report.levers} == set(LEVERS)
    names = {one.name for one in report.modules}
    with_backward = {one.name for one in report.modules if one.options.get("enable_backward") == "True"}
    for lever in report.levers:
        assert lever.samples == 1 and lever.verdict in ("unverified", "regressed"), lever.reasons
        assert (lever.problems, lever.workload, lever.outputs) == ([], "preserved", "not_recorded")
        assert {*lever.modules_moved, *lever.modules_unmoved} == names
        told = " ".join(lever.takes_away)
        assert ("gradients" in told.lower()) == (BACKWARD in lever.lever)
        assert ("entry point" in told) == (HEADERS in lever.lever)
        assert lever.source_bytes is not None
        assert (lever.source_bytes < lever.source_bytes_unchanged) == (BACKWARD in lever.lever)
        assert set(lever.modules_moved) == (names if HEADERS in lever.lever else with_backward)


def test_the_wave_example_of_warp(
    physics: str, probe: Probe, record_property: Callable[[str, object], None]
) -> None:
    measured = probe.measure(
        physics, "-m", "warp.examples.core.example_wave", "--headless", "--device", "cpu"
    )

    healthy(measured)
    record_property("row", row("warp core example_wave", measured, probe))
    assert any("example_wave" in (entry["defined_at"] or "") for entry in measured.modules())


def test_the_diffusion_example_of_warp_fem(
    physics: str, probe: Probe, record_property: Callable[[str, object], None]
) -> None:
    measured = probe.measure(
        physics, "-m", "warp.examples.fem.example_diffusion", "--headless", "--device", "cpu"
    )

    healthy(measured)
    record_property("row", row("warp.fem example_diffusion", measured, probe))
    assert measured.report["structure"]["modules"] >= 5


def test_the_basic_pendulum_of_newton(
    physics: str, probe: Probe, record_property: Callable[[str, object], None]
) -> None:
    command = (
        physics,
        "-m",
        "newton.examples",
        "basic_pendulum",
        "--viewer",
        "null",
        "--num-frames",
        "2",
        "--device",
        "cpu",
    )

    measured = probe.measure(*command, options=LEVER_OPTIONS, limit_s=900)

    healthy(measured)
    reached(measured)
    record_property("row", row("newton basic_pendulum", measured, probe))
    assert any(entry["name"].startswith("newton.") for entry in measured.modules())
    statuses = {finding["mechanism"]: finding["status"] for finding in measured.report["findings"]}
    assert [label for label, status in statuses.items() if status == "fired"] == ["CS-10"], statuses
    backward = measured.finding("CS-10")
    assert backward["owner"] in ("newton", "mujoco_warp", "warp")
    assert "before" in backward["fix"] and backward["questions"]
    answer = measure_summary(Report.model_validate(measured.report))
    assert len(answer.model_dump_json()) / 4 < 1500
    assert len(measure_summary_text(answer)) / 4 < 1500


def test_a_step_of_mujoco_warp(
    physics: str, probe: Probe, record_property: Callable[[str, object], None]
) -> None:
    measured = probe.measure(physics, sample("steps_mujoco"), options=LEVER_OPTIONS, limit_s=900)

    healthy(measured)
    reached(measured)
    record_property("row", row("mujoco_warp step", measured, probe))
    assert any(entry["name"].startswith("mujoco_warp.") for entry in measured.modules())
    assert "height 0." in measured.sample["stdout_tail"]
