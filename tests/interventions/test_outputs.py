"""What real programs compute, recorded in passes of their own, and compared."""

from pathlib import Path
from typing import Any

import pytest

from tests.analysis.factories import report, sample, seen
from tests.analysis.factories import run as finished
from tests.interventions.injected import Ran, run
from tests.once import once
from warp_mcp.analysis import compare_reports
from warp_mcp.analysis.outputs import collect_outputs
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.outputs import OutputRecord, Outputs
from warp_mcp.models.report import Report
from warp_mcp.models.run import PassRecording
from warp_mcp.reading import read_outputs
from warp_mcp.running.injection import launch_counts

SAMPLE = Path(__file__).parents[1] / "samples" / "outputs_of_a_small_program.py"
MODES = ("plain", "emptied", "tiny", "broken_gradient", "moved", "rewritten", "random")
MUCH = 2**30


def told(cold: Ran, budget: int = MUCH) -> dict[str, Any]:
    return {"outputs": {"budget_bytes": budget, "counts": launch_counts(cold.recording)}}


def measured(directory: Path, program: str, arguments: list[str], budget: int = MUCH) -> Report:
    """A report of three equal samples of a real run, with the outputs of two real passes."""
    cache, command = directory / "kernels", ["program.py", *arguments]
    cold = run(directory, program, cache=cache, command=command)
    assert cold.code == 0, cold.errors
    passes = [run(directory, program, told(cold, budget), cache=cache, command=command) for _ in range(2)]
    for one in passes:
        assert (one.code, shown(one), one.errors) == (0, shown(cold), cold.errors), "it prints nothing"
        assert launched(one) == launched(cold), "it launches nothing itself"
        assert all(load.status != "compiled" for load in one.loads()), "it builds nothing"
    recording = cold.recording
    made_by = [seen(process.pid) for process in recording.processes]
    ended = finished(processes=made_by, cache_dir=recording.cache_dir)
    completed = sample(
        *recording.processes, cold=ended, warm=ended, cold_recording=recording, warm_recording=recording
    )
    passed = [
        PassRecording(kind="outputs", run=completed.cold, outputs=read_outputs(str(one.records)))
        for one in passes
    ]
    made = report(*[completed] * 3)
    return made.model_copy(update={"outputs": collect_outputs(passed, budget)})


def shown(ran: Ran) -> list[str]:
    """Its output without the times of Warp's own lines."""
    return [line.partition(" took ")[0] for line in ran.output.splitlines()]


def launched(ran: Ran) -> list[tuple[str, str, int]]:
    return [
        (one.kernel, one.equivalence, one.count)
        for process in ran.recording.processes
        for one in process.signatures
    ]


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    def make(directory: Path) -> None:
        for mode in MODES:
            (directory / mode).mkdir()
            made = measured(directory / mode, SAMPLE.read_text(encoding="utf-8"), [mode])
            (directory / f"{mode}.json").write_text(made.model_dump_json(by_alias=True), encoding="utf-8")

    place = once(tmp_path_factory, "outputs", make)
    return {
        mode: Report.model_validate_json((place / f"{mode}.json").read_text(encoding="utf-8"))
        for mode in MODES
    }


def compare(baseline: Report, candidate: Report) -> Comparison:
    return compare_reports(baseline, candidate, comparison_id="c", created_at="2026-01-01T00:00:00+00:00")


def outputs(report: Report) -> Outputs:
    assert report.outputs is not None
    return report.outputs


def record(report: Report, kernel: str, occurrence: int, way: str = "forward") -> OutputRecord:
    (found,) = [
        one
        for one in outputs(report).records
        if (one.kernel, one.occurrence) == (kernel, occurrence) and way in one.signature
    ]
    return found


def test_the_first_the_last_and_the_power_of_two_launches_are_recorded(reports: dict[str, Report]):
    seen = outputs(reports["plain"])
    fills = [one.occurrence for one in seen.records if one.kernel == "fill"]
    assert fills == [1, 2, 4, 7]
    assert (seen.passes, seen.left_out, seen.unstable, seen.problems) == (2, 0, [], [])
    assert 0 < seen.hashed_bytes < 10**6


def test_every_kind_of_array_that_a_launch_wrote_is_told(reports: dict[str, Report]):
    arrays = {one.name: one for one in record(reports["plain"], "fill", 1).arrays}
    assert {(name, one.dtype, tuple(one.shape)) for name, one in arrays.items() if one.wrote} == {
        ("state.q", "vec3[float32]", (100,)),
        ("pairs", "struct Pair", (100,)),
        ("counts", "int32", (100,)),
        ("some", "float32", (3,)),
        ("column", "float16", (4, 3)),
    }
    assert (arrays["counts"].minimum, arrays["counts"].maximum, arrays["counts"].mean) == (0.0, 99.0, 49.5)
    assert (arrays["some"].rms, arrays["column"].mean) == (5.0, 1.0)
    assert arrays["pairs"].sketch == ""
    later = record(reports["plain"], "fill", 2).arrays
    assert [one.name for one in later if one.wrote] == ["counts"]


def test_gradients_are_recorded_by_launch_and_after_the_backward_pass(reports: dict[str, Report]):
    adjoint = {one.name: one for one in record(reports["plain"], "scale", 1, "adjoint").arrays}
    assert (adjoint["x.grad"].minimum, adjoint["x.grad"].maximum) == (2.0, 2.0)
    (after,) = [one for one in outputs(reports["plain"]).records if one.kind == "gradients"]
    assert {one.name for one in after.arrays} == {"scale.x", "scale.y", "add.total"}


def test_the_same_program_is_identical(reports: dict[str, Report]):
    found = compare(reports["plain"], reports["plain"])
    assert (found.outputs.status, found.outputs.differences) == ("identical", [])
    assert found.outputs.gradients > 0
    assert not any(check.startswith("Outputs") for check in found.next_checks)


def test_a_kernel_that_moved_and_computes_the_same_is_identical(reports: dict[str, Report]):
    found = compare(reports["plain"], reports["moved"])
    assert (found.workload.status, found.outputs.status) == ("preserved", "identical")
    assert found.verdict not in ("invalid", "unverified"), "the times alone decide"
    assert not any(check.startswith("Gradients") for check in found.next_checks)


def test_a_kernel_written_otherwise_that_computes_the_same_is_not_doubted(reports: dict[str, Report]):
    found = compare(reports["plain"], reports["rewritten"])
    assert found.workload.kernels_changed == ["scale"]
    assert (found.outputs.status, found.outputs.uncovered) == ("identical", [])
    assert not any("code of kernels changed" in reason for reason in found.reasons)


def test_an_emptied_kernel_is_invalid_and_named(reports: dict[str, Report]):
    found = compare(reports["plain"], reports["emptied"])
    assert found.verdict == "invalid"
    assert found.reasons[0] == (
        "the outputs differ: y after launch 1 of scale: the candidate did not write it"
    )
    first = found.outputs.first_difference
    assert first is not None and (first.launch, first.kernel, first.array) == (1, "scale", "y")


def test_a_tiny_difference_is_within_the_tolerance(reports: dict[str, Report]):
    found = compare(reports["plain"], reports["tiny"])
    assert (found.outputs.status, found.outputs.tolerance) == ("within_tolerance", 1e-2)
    assert any("largest distance" in note for note in found.outputs.notes)
    assert found.verdict not in ("invalid", "unverified"), "the times alone decide"


def test_a_broken_gradient_is_different_though_the_forward_pass_is_the_same(reports: dict[str, Report]):
    found = compare(reports["plain"], reports["broken_gradient"])
    assert found.verdict == "invalid"
    assert {one.array for one in found.outputs.differences} >= {"x.grad", "scale.x"}
    assert not any(one.array == "y" for one in found.outputs.differences)


def test_random_numbers_are_found_to_differ_from_run_to_run(reports: dict[str, Report]):
    assert outputs(reports["random"]).unstable[0].array == "y"
    found = compare(reports["plain"], reports["random"])
    assert found.outputs.status == "not_deterministic"
    assert found.verdict != "invalid"


def test_what_does_not_fit_into_the_budget_is_counted_and_the_first_launches_are_kept(tmp_path: Path):
    small = measured(tmp_path, SAMPLE.read_text(encoding="utf-8"), ["plain"], budget=20_000)
    seen = outputs(small)
    assert seen.left_out > 0 and seen.hashed_bytes <= 20_000
    assert [(one.kernel, one.occurrence) for one in seen.records][:2] == [("scale", 1), ("add", 1)]
    assert "did not fit" in "".join(compare(small, small).next_checks)


TWO_PROCESSES = """
import subprocess, sys
import warp as wp

@wp.kernel
def step(a: wp.array(dtype=float), by: float):
    a[wp.tid()] = a[wp.tid()] + by

a = wp.zeros(4, dtype=float, device="cpu")
wp.launch(step, 4, inputs=[a, 1.0 if len(sys.argv) == 1 else 2.0], device="cpu")
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "child"], check=True)
with wp.ScopedCapture(device="cpu") as capture:
    wp.launch(step, 4, inputs=[a, 1.0], device="cpu")
wp.capture_launch(capture.graph)
command = wp.launch(step, 4, inputs=[a, 1.0], device="cpu", record_cmd=True)
command.launch()
"""


def test_processes_replayed_graphs_and_recorded_commands_are_told_apart(tmp_path: Path):
    seen = outputs(measured(tmp_path, TWO_PROCESSES, []))
    found = [
        (one.process, one.number, one.kernel, [array.mean for array in one.arrays if array.wrote])
        for one in seen.records
    ]
    assert found == [
        (0, 1, "step", [1.0]),
        (0, 2, "graph", [2.0]),
        (0, 3, "step", [3.0]),
        (1, 1, "step", [2.0]),
        (1, 2, "graph", [3.0]),
        (1, 3, "step", [4.0]),
    ]
    assert any("captured graph" in problem for problem in seen.problems)
