import pytest

from tests.analysis.factories import load, process, recording, run, sample
from warp_mcp.analysis.metrics import build_metrics, peak_builds, sample_figures
from warp_mcp.models.recording import Phase


def test_the_work_is_summed_over_the_compiled_modules_of_all_processes():
    one = process(loads=[load(ms=100, cpu_ms=90), load("bb", 1200, ms=5, status="cached")])
    other = process(pid=11, loads=[load(ms=50, cpu_ms=40), load("cc", 1300, ms=70, status="error")])
    figures = sample_figures(sample(one, other))
    assert (figures["cold_module_ms"], figures["cold_module_cpu_ms"], figures["builds"]) == (150.0, 130.0, 2)


def test_the_wait_is_the_difference_between_the_cold_and_the_warm_wall_of_the_same_sample():
    figures = sample_figures(sample(process(loads=[load()]), cold=run(3000.0), warm=run(1200.0)))
    assert (figures["compile_elapsed_ms"], figures["warm_wall_ms"]) == (1800.0, 1200.0)


def test_the_wait_is_unknown_when_the_warm_run_compiled():
    record = process(loads=[load()])
    figures = sample_figures(sample(record, warm_recording=recording(record)))
    assert "compile_elapsed_ms" not in figures
    assert (figures["warm_module_ms"], figures["warm_builds"]) == (200.0, 1)


def test_a_build_that_fails_in_every_run_does_not_hide_the_wait():
    record = process(loads=[load(), load("bb", 2000, status="error", error="no")])
    warm = process(loads=[load(ms=2.0, status="cached"), load("bb", 2000, status="error", error="no")])
    figures = sample_figures(sample(record, warm_recording=recording(warm)))
    assert (figures["compile_elapsed_ms"], figures["warm_builds"]) == (2000.0, 0)


@pytest.mark.parametrize("outcome", ["failed", "timed_out"])
def test_nothing_warm_is_known_when_the_warm_run_did_not_complete(outcome: str):
    figures = sample_figures(sample(process(loads=[load()]), warm=run(outcome=outcome)))
    assert not [name for name in figures if name.startswith("warm") or name == "compile_elapsed_ms"]


def test_builds_side_by_side_overlap_and_the_ceiling_is_the_largest_module():
    loads = [
        load("aa", 1000, 300, name="a"),
        load("bb", 1100, 100, name="b", thread=2),
        load("cc", 1500, 200, name="c"),
    ]
    figures = sample_figures(sample(process(loads=loads)))
    assert figures["overlap_factor"] == 600 / 500
    assert figures["overlap_ceiling"] == 600 / 300
    assert figures["peak_builds"] == 2


def test_rebuilds_of_one_module_cannot_be_built_side_by_side():
    loads = [load("aa", 1000, 300), load("bb", 2000, 300)]
    assert sample_figures(sample(process(loads=loads)))["overlap_ceiling"] == 1.0


def test_builds_of_two_processes_overlap_too():
    assert peak_builds(recording(process(loads=[load()]), process(pid=11, loads=[load(begin=1100)]))) == 2


def test_a_load_from_the_cache_does_not_overlap_a_build():
    assert peak_builds(recording(process(loads=[load(), load("bb", 1100, status="cached")]))) == 1


def test_a_phase_that_the_release_cannot_tell_is_absent_and_one_that_it_can_is_summed():
    phases = {"codegen": Phase(wall_ms=10, cpu_ms=8)}
    figures = sample_figures(sample(process(loads=[load(phases=phases), load("bb", 2000, phases=phases)])))
    assert (figures["codegen_ms"], figures["codegen_cpu_ms"]) == (20, 16)
    assert "native_compile_ms" not in figures


def test_a_program_that_builds_nothing_has_zeros_and_no_overlap():
    figures = sample_figures(sample(process()))
    assert (figures["cold_module_ms"], figures["native_compile_ms"], figures["builds"]) == (0, 0, 0)
    assert "overlap_factor" not in figures


def test_a_metric_holds_the_values_of_the_samples_that_have_it():
    metrics = build_metrics([{"a": 1.0, "b": 5.0}, {"a": 3.0}])
    assert (metrics["a"].median, metrics["a"].values, metrics["b"].values) == (2.0, [1.0, 3.0], [5.0])
