import json

import pytest

from tests.analysis.factories import (
    kernel,
    launched,
    load,
    machine,
    process,
    recording,
    report,
    run,
    sample,
    signature,
    stream,
)
from warp_mcp.models.report import Report


def test_without_any_sample_there_is_still_a_report_of_nothing():
    found = report()
    assert (found.samples, found.modules, found.metrics, found.launches.sequence_sha256) == ([], [], {}, None)


def test_a_run_without_a_record_is_not_attached_and_is_in_no_metric():
    found = report(sample())
    assert found.samples[0].outcome == "not_attached"
    assert found.metrics == {}


def test_a_program_without_warp_that_was_recorded_is_completed():
    assert report(sample(process(warp_version=None))).samples[0].outcome == "completed"


@pytest.mark.parametrize("outcome", ["failed", "timed_out", "cancelled"])
def test_a_run_that_did_not_complete_keeps_its_outcome_and_what_was_recorded(outcome: str):
    cut = sample(
        process(loads=[load()]), cold=run(outcome=outcome, exit_code=3), warm=None, warm_recording=None
    )
    found = report(cut)
    assert (found.samples[0].outcome, found.samples[0].exit_code) == (outcome, 3)
    assert [entry.builds for entry in found.modules] == [1]
    assert found.metrics == {}
    assert found.samples[0].warm is None


def test_a_sample_that_ended_with_the_probe_keeps_its_record_and_claims_no_wall():
    cut = sample(
        process(loads=[load(ms=200)]),
        cold=run(None, outcome="cancelled", exit_code=None, stopped_by="probe_killed"),
        warm=None,
        warm_recording=None,
    )
    found = report(cut, probe_killed=True)
    assert (found.samples[0].cold_wall_ms, found.samples[0].cold_module_ms) == (None, 200)
    assert [entry.builds for entry in found.modules] == [1]
    assert [part.name for part in found.wall_parts] == [
        "interpreter",
        "imports",
        "warp_import",
        "compilation",
    ]
    assert found.recorder["hook_percent"] == 0.0
    assert found.metrics == {}


def test_without_a_process_the_executable_is_what_the_command_names_and_warp_is_not_known():
    found = report(sample(), on=machine(executable="/opt/bin/python"))
    assert (found.environment.executable, found.environment.python) == ("/opt/bin/python", None)
    attached = report(sample(process()), on=machine(executable="/opt/bin/python"))
    assert attached.environment.executable == process().executable


def test_the_reference_is_the_first_completed_sample():
    failed = sample(process(loads=[load("xx")]), cold=run(outcome="failed", exit_code=1))
    found = report(failed, sample(process(loads=[load("aa")])), sample(process(loads=[load("bb")])))
    assert [entry.hash for entry in found.modules] == ["aa"]


def test_when_none_completed_the_reference_is_the_first_that_recorded_anything():
    nothing = sample(cold=run(outcome="failed", exit_code=1))
    found = report(nothing, sample(process(loads=[load("aa")]), cold=run(outcome="failed", exit_code=1)))
    assert [entry.hash for entry in found.modules] == ["aa"]


def test_metrics_are_over_the_completed_samples_only():
    good = [sample(process(loads=[load(ms=ms)])) for ms in (100.0, 110.0, 130.0)]
    failed = sample(process(loads=[load(ms=9000.0)]), cold=run(outcome="failed", exit_code=1))
    metric = report(*good[:2], failed, good[2]).metrics["cold_module_ms"]
    assert (metric.median, metric.mad, metric.values) == (110.0, 10.0, [100.0, 110.0, 130.0])


def test_the_environment_is_that_of_the_machine_and_of_the_program():
    found = report(sample(process())).environment
    assert (found.cpu, found.python, found.warp, found.executable) == (
        "Example CPU",
        "3.11.4",
        "1.19.0",
        "/usr/bin/python3",
    )


def test_the_fingerprint_changes_with_what_times_depend_on_and_with_nothing_else():
    def fingerprint(python: str = "3.11.4", **changes: object) -> str:
        return report(sample(process(python=python)), on=machine(**changes)).environment.fingerprint

    assert fingerprint() == fingerprint(variables={"WARP_X": "1"})
    assert len({fingerprint(), fingerprint(cpu="x"), fingerprint(driver="x"), fingerprint("3.12.1")}) == 4


def test_the_stop_condition_is_told_with_its_value():
    assert report().stop == "none"
    assert report(stop={"after_launches": 100}).stop == "after_launches 100"
    assert report(stop={"until_output": "ready"}).stop == "until_output ready"


def test_samples_of_an_open_ended_program_are_stable_when_one_is_a_beginning_of_the_other():
    def lasting(launches: int) -> Report:
        record = process(signatures=[signature(0)], streams=[stream(([0], launches))])
        return sample(record)

    stop = {"when_quiet_s": 1.0}
    assert report(lasting(10), lasting(12), stop=stop).launches.stable
    assert not report(lasting(10), lasting(12)).launches.stable


def test_an_unrecorded_python_process_makes_the_launches_incomplete():
    record = process(signatures=[signature(0)], streams=launched(0))
    found = report(sample(record, cold=run(processes=[run().processes[0].model_copy(update={"pid": 99})])))
    assert [one.attached for one in found.processes] == [True, False]
    assert not found.launches.complete


def test_the_structure_is_that_of_the_reference_run():
    loads = [
        load("aa", headers_built=1),
        load("bb", 2000, kernels=[0, 1]),
        load("cc", 3000, name="b", status="cached"),
    ]
    record = process(loads=loads, kernels=[kernel(0), kernel(1, "scale")])
    found = report(sample(record, cold_recording=recording(record, lto_artifacts=2))).structure
    assert (found.identities, found.modules, found.builds, found.header_builds) == (3, 2, 2, 1)
    assert (found.generated_source_bytes, found.lto_artifacts) == (2000, 2)


def test_the_recorders_own_time_is_told_in_percent_of_the_wall():
    found = report(sample(process(hook_ms=30.0), cold=run(3000.0))).recorder
    assert found == {"hook_ms": 30.0, "hook_percent": 1.0}


def test_a_report_survives_being_written_and_read():
    record = process(loads=[load()], signatures=[signature(0)], streams=launched(0, 0))
    found = report(sample(record))
    text = found.model_dump_json(by_alias=True)
    assert json.loads(text)["schema"] == "warp-mcp/report/1"
    assert Report.model_validate_json(text) == found


@pytest.mark.parametrize("kernels", [1, 2, 100])
def test_a_million_launches_in_a_loop_make_a_small_report(kernels: int):
    slots = [signature(i, f"k{i}", 1_000_000 // kernels) for i in range(kernels)]
    record = process(loads=[load()], signatures=slots, streams=[stream((list(range(kernels)), 1_000_000))])
    found = report(*[sample(record)] * 3)
    assert found.launches.total == 1_000_000
    assert found.launches.sequences[0].known == 1_000_000
    assert len(found.model_dump_json()) < 100_000


def test_a_dim_that_never_repeats_makes_a_small_report_too():
    slots = [signature(i, "add", 1, dim=[i + 1]) for i in range(5000)]
    order = stream((list(range(5000)), 5000), length=1_000_000, tail_digest="t")
    record = process(loads=[load()], signatures=slots, streams=[order])
    assert len(report(sample(record)).model_dump_json()) < 200_000


def test_a_module_that_grows_with_each_of_many_rebuilds_makes_a_bounded_report():
    kernels = [kernel(i, f"kernel_{i}") for i in range(200)]
    loads = [load(f"h{i}", 1000 + 300 * i, kernels=list(range(i + 1))) for i in range(200)]
    found = report(sample(process(loads=loads, kernels=kernels)))
    assert (len(found.modules), len(found.rebuilds)) == (200, 199)
    assert len(found.model_dump_json()) < 400_000
