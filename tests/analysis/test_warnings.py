from typing import Any

import pytest

from tests.analysis.factories import (
    config,
    hashing,
    kernel,
    launched,
    load,
    machine,
    process,
    recording,
    report,
    run,
    sample,
    seen,
    signature,
    spawn,
)
from warp_mcp.models.finding import Warning
from warp_mcp.models.recording import Problem
from warp_mcp.models.report import Report
from warp_mcp.models.run import SampleRecording


def warnings(report: Report) -> dict[str, Warning]:
    assert all(warning.message and warning.next for warning in report.warnings)
    codes = [warning.code for warning in report.warnings]
    assert len(codes) == len(set(codes))
    return {warning.code: warning for warning in report.warnings}


def of(*samples: SampleRecording, **changes: Any) -> dict[str, Warning]:
    return warnings(report(*samples, **changes))


def ordinary(**changes: Any) -> SampleRecording:
    """A sample that nothing has to be said of: its wall is mostly compilation, its modules are launched."""
    fields = {"loads": [load(ms=1900)], "signatures": [signature(0)], "streams": launched(0), **changes}
    return sample(process(**fields))


def test_an_ordinary_measurement_has_no_warnings():
    assert of(ordinary(), ordinary(), ordinary()) == {}


def cut(**changes: Any) -> SampleRecording:
    """A sample whose cold run ended with the probe."""
    ended = run(None, outcome="cancelled", exit_code=None, stopped_by="probe_killed")
    fields: dict[str, Any] = {"cold": ended, "warm": None, "warm_recording": None, **changes}
    return sample(process(loads=[load()]), **fields)


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        (
            [cut()],
            "killed, in the cold run of sample 1 of 3: no sample is complete, and of the one under way",
        ),
        ([ordinary(), cut()], "in the cold run of sample 2 of 3: 1 sample is complete, and of the one under"),
        (
            [cut(warm=cut().cold, warm_recording=recording())],
            "in the warm run of sample 1 of 3: no sample is",
        ),
        (
            [ordinary(), ordinary()],
            "because the probe was killed, before sample 3 of 3: 2 samples are complete.",
        ),
    ],
)
def test_of_a_measurement_whose_probe_was_killed_it_is_said_how_far_it_got(
    samples: list[SampleRecording], words: str
):
    found = of(*samples, probe_killed=True)
    assert words in found["cut_short"].message
    assert found["cut_short"].message.count(". ") == 0
    assert "Measure again" in found["cut_short"].next
    assert found["few_samples"].next == "Measure again, to the end."


def test_a_probe_that_was_killed_after_its_last_sample_cut_nothing_short():
    assert of(ordinary(), ordinary(), ordinary(), probe_killed=True) == {}


def test_a_measurement_that_was_cancelled_in_a_warm_run_was_cut_short_too():
    cancelled = run(500.0, outcome="cancelled", exit_code=None, stopped_by="cancel")
    found = of(ordinary(), sample(process(loads=[load(ms=1900)]), warm=cancelled))
    assert (
        "from outside, in the warm run of sample 2 of 3: 1 sample is complete" in found["cut_short"].message
    )


def test_that_compilation_is_a_small_part_comes_before_everything_else():
    waiting = sample(process(loads=[load(ms=300, status="compiled")]), cold=run(16_000.0), warm=run(15_000.0))
    found = report(waiting)
    assert found.warnings[0].code == "compilation_is_minor"
    assert "1.0 s of a cold start of 16.0 s" in found.warnings[0].message


def test_without_a_wait_that_is_known_the_work_is_compared_with_the_wall():
    record = process(loads=[load(ms=300)])
    waiting = sample(record, cold=run(16_000.0), warm_recording=recording(record))
    assert "compilation_is_minor" in of(waiting)


@pytest.mark.parametrize("outcome", ["failed", "timed_out", "cancelled"])
def test_of_a_run_that_was_cut_off_it_is_not_said_that_compilation_is_minor(outcome: str):
    cut = sample(
        process(loads=[load(ms=10)]), cold=run(16_000.0, outcome=outcome), warm=None, warm_recording=None
    )
    assert "compilation_is_minor" not in of(cut)


def test_nor_of_a_run_that_was_not_seen_whole():
    unseen = sample(process(loads=[load(ms=10)]), cold=run(16_000.0, processes=[seen(10), seen(11)]))
    escaped = ordinary(config=[config("kernel_cache_dir", "None", "/tmp/pinned")], loads=[])
    assert "compilation_is_minor" not in of(unseen)
    assert "compilation_is_minor" not in of(escaped)


def test_a_program_without_warp_is_told_so_with_its_interpreter():
    found = of(sample(process(warp_version=None, warp_import_begin_ms=None, modules=[], kernels=[])))
    assert "/usr/bin/python3" in found["no_warp"].message
    assert "compilation_is_minor" not in found


def test_a_program_that_failed_is_not_said_to_be_without_warp():
    failed = sample(process(warp_version=None), cold=run(outcome="failed", exit_code=2))
    assert "no_warp" not in of(failed)


def test_a_program_whose_child_was_not_seen_is_not_said_to_be_without_warp():
    found = of(sample(process(warp_version=None), cold=run(processes=[seen(10), seen(11)])))
    assert "no_warp" not in found
    assert "recorder_not_attached" in found


@pytest.mark.parametrize(
    ("child", "command", "advice"),
    [
        (["python3", "-I", "x.py"], "python app.py", "without -I"),
        (["python3", "-sE", "x.py"], "python app.py", "without -sE"),
        (["python3", "x.py", "-I"], "python app.py", "Pass the environment"),
        (["python3", "x.py"], "env PYTHONPATH=src python app.py", "before warp-mcp"),
        (["python3", "x.py"], "sh -c PYTHONPATH=src;python", "before warp-mcp"),
    ],
)
def test_the_next_step_for_a_process_without_a_record_depends_on_what_hides_it(
    child: list[str], command: str, advice: str
):
    one = sample(process(), cold=run(processes=[seen(10), seen(11, child)]))
    assert advice in of(one, command=command.split())["recorder_not_attached"].next


def test_a_child_without_the_environment_is_told_with_the_line_that_starts_it():
    one = sample(process(spawned=[spawn(11, where="app.py:30", keeps_recorder=False, keeps_caches=False)]))
    found = of(one)
    assert "app.py:30" in found["recorder_not_attached"].next
    assert "app.py:30" in found["isolation_escaped"].message


def test_a_command_that_starts_no_python_is_said_not_to_be_recorded():
    found = of(sample(cold=run(processes=[])))
    assert "No Python process" in found["recorder_not_attached"].message


def test_what_the_recorder_could_not_do_is_told():
    problems = [Problem(code="hook_missing", detail="Module._compile")]
    found = of(ordinary(problems=problems))
    assert "Module._compile" in found["record_incomplete"].message
    damaged = sample(process(), cold_recording=recording(process(), damaged=["10-1.jsonl is not JSON"]))
    assert "10-1.jsonl" in of(damaged)["record_incomplete"].message


def test_after_a_time_out_the_stop_options_are_the_next_step():
    cut = sample(
        process(signatures=[signature(0)], streams=launched(0, 0)),
        cold=run(outcome="timed_out"),
        warm=None,
        warm_recording=None,
    )
    assert "--stop-after-launches" in of(cut)["timed_out"].next
    nothing_launched = cut.model_copy(update={"cold_recording": recording(process())})
    assert "--until-output" in of(nothing_launched)["timed_out"].next
    assert "an earlier one" in of(cut, stop={"after_launches": 5})["timed_out"].next


def test_a_failed_sample_is_told_with_the_programs_own_last_line():
    failed = sample(
        process(), cold=run(outcome="failed", exit_code=3, stderr_tail="Traceback\nValueError: no\n")
    )
    found = of(ordinary(), failed)
    assert "exit code 3" in found["sample_failed"].message
    assert "ValueError: no" in found["sample_failed"].message


def test_a_warm_run_that_failed_is_told():
    assert "warm_run_failed" in of(ordinary().model_copy(update={"warm": run(outcome="failed", exit_code=1)}))


def test_modules_that_the_warm_run_compiled_are_named():
    record = process(loads=[load(ms=1900)])
    found = of(sample(record, warm_recording=recording(record)))
    assert "app" in found["warm_run_compiled"].message


def test_the_next_step_after_too_few_samples_depends_on_how_many_were_asked_for():
    failed = sample(process(), cold=run(outcome="failed", exit_code=1))
    assert "--samples 3" in of(ordinary(), samples=1)["few_samples"].next
    assert "did not complete" in of(ordinary(), ordinary(), failed)["few_samples"].next
    assert "few_samples" not in of(ordinary(), ordinary(), ordinary(), failed, samples=4)


def test_samples_that_build_or_launch_otherwise_disagree():
    twice = ordinary(
        loads=[load(ms=900), load("bb", 2000, 900)], signatures=[signature(0), signature(1, hash="bb")]
    )
    found = of(ordinary(), twice, ordinary())
    assert "builds from 1 to 2" in found["samples_disagree"].message
    other = ordinary(signatures=[signature(0, dim=[9])])
    assert "launches" in of(ordinary(), other, ordinary())["samples_disagree"].message


def test_a_machine_is_busy_from_a_quarter_of_its_cores_on():
    def loaded(cores: float) -> SampleRecording:
        return ordinary().model_copy(update={"cold": run(foreign_load=cores)})

    assert "machine_busy" in of(loaded(0.6), on=machine(cores=2))
    assert "machine_busy" not in of(loaded(0.6), on=machine(cores=64))


def test_a_failed_build_is_told_with_the_line_of_its_kernel_even_when_the_program_went_on():
    failed = load("bb", 2000, name="fancy", status="error", error="Traceback\nno_such_function", kernels=[0])
    found = of(ordinary(loads=[load(ms=1900), failed], kernels=[kernel(0, defined_at="app.py:6")]))
    assert "fancy" in found["build_failed"].message
    assert "no_such_function" in found["build_failed"].message
    assert "app.py:6" in found["build_failed"].next


def test_a_build_that_the_process_did_not_survive_did_not_fail():
    cut = load(
        "bb", 3000, status="error", finished=False, error="the process ended in the middle of this build"
    )
    found = of(ordinary(loads=[load(ms=1900), cut]))
    assert "app" in found["build_cut_off"].message
    assert "build_failed" not in found


def test_a_module_that_was_built_and_never_launched_is_named():
    unused = load("bb", 2000, name="spare")
    ahead = load("cc", 2500, name="ahead", device="aot:sm_90")
    found = of(ordinary(loads=[load(ms=1900), unused, ahead]))
    assert "spare" in found["built_never_launched"].message
    assert "ahead" not in found["built_never_launched"].message
    stopped = of(ordinary(loads=[load(ms=1900), unused]), stop={"after_launches": 1})
    assert "may be launched later" in stopped["built_never_launched"].next


def test_a_variant_that_was_never_launched_is_named_with_its_block_dim():
    found = of(ordinary(loads=[load(ms=1900), load("bb", 2000, block_dim=256)]))
    assert "app at block_dim 256" in found["built_never_launched"].message


def test_nothing_is_said_to_be_unused_when_launches_may_be_missing_or_the_run_broke_off():
    unused = [load(ms=1900), load("bb", 2000, name="spare")]
    missing = [Problem(code="uncounted_launches", detail="a graph")]
    assert "built_never_launched" not in of(ordinary(loads=unused, problems=missing))
    broken = ordinary(loads=unused).model_copy(update={"cold": run(outcome="failed", exit_code=1)})
    assert "built_never_launched" not in of(broken)


def test_builds_side_by_side_are_told():
    record = [load(ms=1900), load("bb", 1100, 500, name="b", thread=2)]
    assert "Up to 2 builds" in of(ordinary(loads=record))["builds_overlapped"].message


def test_flips_between_identities_are_told_with_what_they_cost():
    loads = [
        load(ms=900),
        load("bb", 2000, 900, options={"fast_math": "True"}),
        load("aa", 3000, 8.0, status="cached"),
    ]
    assert "8 ms" in of(ordinary(loads=loads))["identity_flips"].message


def test_kernels_declared_in_a_loop_are_told():
    assert (
        "100 times for 1 distinct" in of(ordinary(hashing=[hashing(100, 100)]))["kernels_redeclared"].message
    )


def test_a_library_with_many_generic_kernels_is_no_loop():
    assert "kernels_redeclared" not in of(ordinary(hashing=[hashing(2, 100)]))


def test_processes_that_outlived_the_command_are_told():
    left = ordinary().model_copy(update={"cold": run(left_running=2)})
    assert "2 processes" in of(left)["processes_left_running"].message


def test_one_process_that_outlived_the_command_is_told_of_as_one():
    left = ordinary().model_copy(update={"cold": run(left_running=1)})
    assert of(left)["processes_left_running"].message == "1 process outlived the command and was ended."
