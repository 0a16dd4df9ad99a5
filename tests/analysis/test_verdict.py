import random
from typing import Any

import pytest

from tests.analysis.factories import (
    config,
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
)
from warp_mcp.analysis import compare_reports
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.recording import ProcessRecord
from warp_mcp.models.report import Report
from warp_mcp.models.run import SampleRecording


def compare(baseline: Report, candidate: Report) -> Comparison:
    return compare_reports(baseline, candidate, comparison_id="c-1", created_at="2026-01-01T00:00:00+00:00")


def program(builds: int = 1, each: float = 200.0, cpu: float | None = None, **changes: Any) -> ProcessRecord:
    """A process that builds one module so many times, one after the other, and launches three times."""
    fields = changes.pop("fields", {})
    hashes = changes.pop("hashes", [f"h{i}" for i in range(builds)])
    loads = [
        load(hash, 1000 + 2 * i * each, each, cpu_ms=each if cpu is None else cpu, **fields)
        for i, hash in enumerate(hashes)
    ]
    slots = [signature(0, count=3, hash=hashes[0])]
    return process(**{"loads": loads, "signatures": slots, "streams": launched(0, 0, 0), **changes})


def measured(*programs: ProcessRecord, **changes: Any) -> Report:
    return report(*[sample(one) for one in programs], **changes)


def steady(builds: int = 1, each: float = 200.0, **changes: Any) -> Report:
    return measured(*[program(builds, each + i, **changes) for i in range(3)])


def test_fewer_builds_that_take_less_time_are_improved_and_the_other_way_regressed():
    many, few = steady(4), steady(2)
    found = compare(many, few)
    assert (found.verdict, found.judged_on) == ("improved", "cold_module_ms")
    assert "2 builds in place of 4" in found.causes
    assert compare(few, many).verdict == "regressed"


def test_a_report_compared_with_itself_gets_no_verdict():
    one = steady(4)
    assert compare(one, one).verdict == "inconclusive"


def test_a_large_difference_without_a_recorded_cause_is_inconclusive():
    found = compare(steady(each=200.0), steady(each=100.0))
    assert found.verdict == "inconclusive"
    assert found.causes == []
    assert "nothing recorded explains it" in found.reasons[0]


def test_a_cause_without_a_difference_outside_the_noise_is_inconclusive():
    found = compare(steady(4, 100.0), steady(2, 199.0))
    assert found.verdict == "inconclusive"
    assert "noise band" in found.reasons[0]


def test_the_reason_says_which_bound_a_difference_stays_under():
    within, little = compare(steady(4, 100.0), steady(2, 199.0)), compare(steady(4, 100.0), steady(2, 194.0))
    assert "noise band" in within.reasons[0] and "under 5 %" not in within.reasons[0]
    assert "under 5 % of the baseline" in little.reasons[0] and "noise band" not in little.reasons[0]


def test_too_few_samples_are_told_once_where_both_sides_have_as_many():
    one = measured(program(4, 100.0))
    two = measured(program(2, 100.0), program(2, 100.0))
    assert compare(one, one).reasons[0] == "both sides have 1 completed sample; a verdict needs 3"
    assert compare(one, two).reasons[:2] == [
        "the baseline has 1 completed sample; a verdict needs 3",
        "the candidate has 2 completed samples; a verdict needs 3",
    ]


def test_figures_of_a_cause_are_told_in_full():
    before, after = (
        steady(4, each, fields={"source_bytes": size}) for each, size in ((200.0, 1142774), (90.0, 5))
    )
    assert compare(before, after).causes[0] == "20 bytes of generated source in place of 4571096"


def test_a_difference_of_wall_time_that_cpu_time_does_not_confirm_is_inconclusive():
    busy = measured(*[program(4, 300.0 + i, cpu=100.0) for i in range(3)])
    idle = measured(*[program(2, 200.0 + i, cpu=200.0) for i in range(3)])
    found = compare(busy, idle)
    assert found.verdict == "inconclusive"
    assert "cold_module_cpu_ms" in found.reasons[0]


def test_a_cause_in_the_other_direction_does_not_count():
    found = compare(steady(4, 100.0), steady(2, 400.0))
    assert found.verdict == "inconclusive"
    assert found.causes == []


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"source_bytes": 900}, "improved"),
        ({"source_bytes": 995}, "inconclusive"),
        ({"source_bytes": 1100}, "inconclusive"),
        ({"options": {"fast_math": "True", "enable_backward": "True"}}, "inconclusive"),
        ({"options": {"fast_math": "False", "enable_backward": "False"}}, "inconclusive"),
        ({"options": {"fast_math": "False", "enable_backward": "False"}, "source_bytes": 995}, "improved"),
        ({"options": {"fast_math": "False", "enable_backward": "True", "lineinfo": "True"}}, "inconclusive"),
    ],
)
def test_source_and_options_count_only_where_they_change_what_is_built(fields: dict[str, Any], expected: str):
    found = compare(steady(each=200.0), steady(each=100.0, fields=fields))
    assert found.verdict == expected


@pytest.mark.parametrize(
    ("option", "device", "expected"),
    [
        ("lineinfo", "cpu", "inconclusive"),
        ("lineinfo", "cuda:0", "improved"),
        ("fast_math", "cpu", "inconclusive"),
        ("fast_math", "cuda:0", "improved"),
        ("optimization_level", "cpu", "improved"),
        ("fast_mth", "cpu", "inconclusive"),
    ],
)
def test_an_option_counts_only_on_devices_that_it_affects(option: str, device: str, expected: str):
    def side(value: str, each: float) -> Report:
        fields = {"device": device, "options": {option: value}}
        return steady(each=each, hashes=[value], fields=fields)

    found = compare(side("0", 200.0), side("1", 100.0))
    assert found.verdict == expected
    assert found.modules[0].options == [f"{option}: 0 → 1"]
    assert found.modules[0].hash_moved


def test_turning_backward_on_is_no_cause_of_an_improvement():
    def side(value: str, each: float, size: int) -> Report:
        return steady(each=each, fields={"options": {"enable_backward": value}, "source_bytes": size})

    assert compare(side("False", 200.0, 1000), side("True", 100.0, 1005)).verdict == "inconclusive"
    assert compare(side("False", 100.0, 1000), side("True", 200.0, 1005)).verdict == "regressed"


def test_fewer_headers_and_fewer_links_are_causes():
    for field in ("headers_built", "lto"):
        many, few = ({field: 2}, {field: 1}) if field != "lto" else ({}, {})
        before = [sample(program(fields=many)) for _ in range(3)]
        after = [sample(program(each=100.0, fields=few)) for _ in range(3)]
        if field == "lto":
            before = [
                one.model_copy(update={"cold_recording": recording(program(), lto_artifacts=3)})
                for one in before
            ]
        assert compare(report(*before), report(*after)).verdict == "improved"


def test_a_number_of_builds_that_varies_from_sample_to_sample_is_no_cause():
    racing = measured(program(1, 400.0), program(2, 200.0), program(2, 201.0))
    other = measured(program(1, 100.0), program(1, 101.0), program(1, 102.0))
    assert compare(racing, other).verdict == "inconclusive"


def side_by_side(overlapping: bool, wall: float) -> SampleRecording:
    begins = (1000, 1000, 1000) if overlapping else (1000, 1300, 1600)
    loads = [load(f"h{i}", begin, 250.0, name=f"m{i}", thread=i) for i, begin in enumerate(begins)]
    record = process(loads=loads, signatures=[signature(0, count=3)], streams=launched(0, 0, 0))
    return sample(record, cold=run(wall), warm=run(1000.0))


def test_builds_side_by_side_are_judged_on_the_wait():
    one_by_one = report(*[side_by_side(False, 2000.0 + i) for i in range(3)])
    together = report(*[side_by_side(True, 1500.0 + i) for i in range(3)])
    found = compare(one_by_one, together)
    assert (found.verdict, found.judged_on) == ("improved", "compile_elapsed_ms")
    assert found.causes == ["up to 3 builds at once in place of 1"]
    assert compare(together, one_by_one).verdict == "regressed"


def test_more_overlap_is_no_cause_of_a_longer_wait():
    one_by_one = report(*[side_by_side(False, 1500.0 + i) for i in range(3)])
    together = report(*[side_by_side(True, 2000.0 + i) for i in range(3)])
    assert compare(one_by_one, together).verdict == "inconclusive"


def test_a_wait_that_is_known_of_one_sample_only_is_too_little_for_an_improvement():
    one_by_one = report(*[side_by_side(False, 2000.0 + i) for i in range(3)])
    failed = {"warm": run(outcome="failed", exit_code=1)}
    together = [
        side_by_side(True, 1500.0),
        *[side_by_side(True, 1500.0).model_copy(update=failed) for _ in range(2)],
    ]
    found = compare(one_by_one, report(*together))
    assert found.verdict == "unverified"
    assert "1 sample of the candidate" in found.reasons[0]


def warm_again(compiles: bool, ms: float) -> SampleRecording:
    record = program()
    warm = program(each=ms, fields={"status": "compiled" if compiles else "cached"})
    return sample(record, warm_recording=recording(warm))


def test_a_cache_that_is_reused_now_is_judged_on_the_warm_run():
    never = report(*[warm_again(True, 200.0 + i) for i in range(3)])
    reused = report(*[warm_again(False, 3.0) for _ in range(3)])
    found = compare(never, reused)
    assert (found.verdict, found.judged_on) == ("improved", "warm_module_ms")
    assert found.causes == ["0 builds in the warm run in place of 1"]
    assert compare(reused, never).verdict == "regressed"


def test_module_names_that_are_salted_anew_in_each_run_are_no_cause():
    def salted(run_number: int, ms: float) -> SampleRecording:
        warm = program(each=ms, fields={"name": f"k_{run_number}", "status": "compiled"})
        return sample(program(), warm_recording=recording(warm))

    before = report(*[salted(i, 200.0 + i) for i in range(3)])
    after = report(*[salted(i, 100.0 + i) for i in range(3, 6)])
    assert compare(before, after).verdict == "inconclusive"


def test_changed_launches_are_invalid_whatever_the_times_say():
    other = steady(2, signatures=[signature(0, count=3, dim=[9])])
    assert compare(steady(4), other).verdict == "invalid"
    assert compare(other, steady(4)).verdict == "invalid"


def test_a_changed_kernel_is_unverified_but_a_regression_is_said_all_the_same():
    changed = [signature(0, count=3, kernel_digest="new")]
    found = compare(steady(4), steady(2, signatures=changed))
    assert found.verdict == "unverified"
    assert "add" in found.reasons[0]
    assert compare(steady(2, signatures=changed), steady(4)).verdict == "regressed"


def test_two_samples_are_too_few_for_an_improvement():
    few = measured(program(2), program(2))
    found = compare(steady(4), few)
    assert found.verdict == "unverified"
    assert "2 completed samples" in found.reasons[0]


def test_a_failed_sample_beside_three_completed_ones_is_a_warning():
    failed = sample(program(2), cold=run(outcome="failed", exit_code=1), warm=None, warm_recording=None)
    after = report(*[sample(program(2, 200.0 + i)) for i in range(3)], failed, samples=4)
    found = compare(steady(4), after)
    assert found.verdict == "improved"
    assert any("failed" in warning for warning in found.warnings)


def test_no_verdict_rests_on_a_sample_that_left_its_cache():
    escaped = [config("kernel_cache_dir", "None", "/home/user/cache", where="app.py:6")]
    after = steady(2, config=escaped)
    found = compare(steady(4), after)
    assert found.verdict == "unverified"
    assert "app.py:6" in found.reasons[0]
    assert compare(after, steady(4)).verdict == "unverified"


def test_another_machine_command_stop_or_warp_is_invalid():
    ordinary = [sample(program(2, 200.0 + i)) for i in range(3)]
    newer = [sample(program(2, 200.0 + i, warp_version="1.20.0")) for i in range(3)]
    for other in (
        report(*ordinary, on=machine(cpu="Another CPU")),
        report(*ordinary, command=["python", "other.py"]),
        report(*ordinary, stop={"after_launches": 5}),
        report(*newer),
    ):
        assert compare(steady(4), other).verdict == "invalid"


def test_reports_without_a_completed_sample_are_unverified():
    nothing = report(sample(cold=run(outcome="failed", exit_code=1), warm=None, warm_recording=None))
    found = compare(nothing, nothing)
    assert found.verdict == "unverified"
    assert compare(report(), steady()).verdict == "unverified"


def noisy(rng: random.Random, builds: int, load_factor: float) -> Report:
    """Three samples whose times are drawn anew: wall up to three times as long, CPU time by a third."""
    samples: list[SampleRecording] = []
    for _ in range(3):
        each = 200.0 * rng.uniform(0.7, 1.3) * load_factor
        record = program(builds, each, cpu=each * rng.uniform(0.6, 1.0))
        samples.append(
            sample(record, cold=run(1000 + 3 * each * rng.random()), warm=run(rng.uniform(500, 2000)))
        )
    return report(*samples)


def test_without_a_recorded_cause_no_numbers_whatever_give_a_verdict():
    rng = random.Random(5)
    reports = [noisy(rng, 3, rng.choice((0.3, 1.0, 3.1))) for _ in range(30)]
    verdicts = {compare(a, b).verdict for a in reports for b in reports if a is not b}
    assert verdicts == {"inconclusive"}


def test_half_of_the_builds_gone_is_improved_under_equal_load_and_never_the_other_way():
    rng = random.Random(6)
    before, after = (
        [measured(*[program(builds, rng.uniform(190, 210)) for _ in range(3)]) for _ in range(15)]
        for builds in (6, 3)
    )
    assert {compare(a, b).verdict for a in before for b in after} == {"improved"}
    assert {compare(b, a).verdict for a in before for b in after} == {"regressed"}


def test_a_kernel_that_moved_to_another_module_is_preserved():
    moved = steady(2, fields={"name": "lib"}, kernels=[kernel(0, key="lib__add")])
    found = compare(steady(4), moved)
    assert found.workload.status == "preserved"
    assert found.verdict == "improved"
