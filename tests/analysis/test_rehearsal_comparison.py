"""Rehearsals are compared with rehearsals of the same architecture only, by the same judge."""

from typing import Any

import pytest

from tests.analysis.factories import kernel, launched, load, process, sample, signature
from tests.analysis.test_rehearsal import CUDA, arm, broken, rehearsed
from warp_mcp.analysis import compare_reports
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.report import Report
from warp_mcp.models.run import SampleRecording

ORDINARY = sample(process(loads=[load()], signatures=[signature(0)], streams=launched(0)))
CHURN = (load("aa", **CUDA), load("bb", 2000, kernels=[0, 1], **CUDA))
ONCE = (load("bb", **CUDA),)


def cuda(*loads: Any) -> SampleRecording:
    ran = signature(0, device="cuda:0", block_dim=256)
    kernels = [kernel(number, f"k{number}") for number in range(2)]
    return sample(process(loads=list(loads), kernels=kernels, signatures=[ran], streams=launched(0)))


def only(*loads: Any, count: int = 3, archs: tuple[int, ...] = (90,)) -> Report:
    return rehearsed(*(arm(*[cuda(*loads)] * count, arch=arch) for arch in archs))


def both(*loads: Any) -> Report:
    return rehearsed(arm(*[cuda(*loads)] * 3), samples=(ORDINARY,) * 3)


def ordinary() -> Report:
    return rehearsed(samples=(ORDINARY,) * 3)


def compare(baseline: Report, candidate: Report) -> Comparison:
    return compare_reports(baseline, candidate, comparison_id="c-1", created_at="2026-01-01T00:00:00Z")


def test_reports_without_rehearsals_say_nothing_of_them() -> None:
    found = compare(ordinary(), ordinary())

    assert (found.rehearsal.status, found.rehearsal.verdict, found.verdict) == ("none", None, "inconclusive")


def test_two_reports_of_rehearsals_alone_are_judged_by_them_and_say_so() -> None:
    found = compare(only(*CHURN), only(*ONCE))

    assert (found.verdict, found.judged_on) == ("improved", "cold_module_ms")
    assert (found.rehearsal.status, found.rehearsal.arch, found.rehearsal.alone) == (
        "compared",
        "sm_90",
        True,
    )
    assert "nothing but a rehearsal of CUDA" in found.reasons[-1] and "sm_90" in found.reasons[-1]
    assert "1 build in place of 2" in found.causes
    assert found.workload.status == "preserved"
    assert [(change.device, change.candidate_builds) for change in found.modules] == [("cuda:0", 1)]
    assert found.mechanisms.fixed == ["CS-1"]
    assert not any("compile_elapsed" in delta.metric or "wall" in delta.metric for delta in found.timing)


def test_more_builds_in_a_rehearsal_are_a_regression() -> None:
    assert compare(only(*ONCE), only(*CHURN)).verdict == "regressed"


def test_the_same_rehearsal_twice_is_inconclusive() -> None:
    assert compare(only(*CHURN), only(*CHURN)).verdict == "inconclusive"


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_than_three_rehearsals_prove_nothing(count: int) -> None:
    found = compare(only(*CHURN, count=count), only(*ONCE))

    assert found.verdict == "unverified"
    assert "completed rehearsal" in found.reasons[0] and "a verdict needs 3" in found.reasons[0]


def test_rehearsals_that_failed_prove_nothing() -> None:
    found = compare(rehearsed(arm(broken(*CHURN))), only(*ONCE))

    assert found.verdict == "unverified" and found.rehearsal.alone


def test_rehearsals_beside_ordinary_samples_have_a_verdict_of_their_own() -> None:
    found = compare(both(*CHURN), both(*ONCE))

    assert found.verdict == "inconclusive"
    assert (found.rehearsal.verdict, found.rehearsal.alone) == ("improved", False)
    assert {change.device for change in found.modules} == {"cpu"}
    assert {change.device for change in found.rehearsal.modules} == {"cuda:0"}


def test_ordinary_samples_are_never_compared_with_a_rehearsal() -> None:
    for pair in ((ordinary(), only(*ONCE)), (only(*ONCE), ordinary()), (only(*ONCE), both(*ONCE))):
        found = compare(*pair)
        assert found.verdict == "invalid"
        assert "a rehearsal is compared with rehearsals only" in found.reasons[0]


def test_a_rehearsal_beside_samples_still_meets_one_that_stands_alone() -> None:
    found = compare(both(*CHURN), only(*ONCE))

    assert found.verdict == "invalid"
    assert (found.rehearsal.status, found.rehearsal.verdict) == ("compared", "improved")


def test_a_rehearsal_on_one_side_is_said() -> None:
    found = compare(both(*ONCE), ordinary())

    assert found.rehearsal.status == "not_comparable"
    assert found.rehearsal.reasons == ["only the baseline was rehearsed for CUDA"]
    assert found.verdict == "inconclusive"


def test_rehearsals_for_other_architectures_cannot_be_compared() -> None:
    found = compare(only(*CHURN), only(*ONCE, archs=(120,)))

    assert (found.rehearsal.status, found.verdict) == ("not_comparable", "invalid")
    assert "sm_90 and sm_120" in found.reasons[0]


def test_the_first_common_architecture_decides_and_the_others_are_told() -> None:
    found = compare(only(*CHURN, archs=(80, 90, 120)), only(*ONCE, archs=(120, 90)))

    assert found.rehearsal.arch == "sm_90"
    (other,) = found.rehearsal.others
    assert other.startswith("sm_120: improved;")


def test_a_changed_launch_makes_rehearsals_invalid() -> None:
    other = sample(
        process(
            loads=list(ONCE),
            kernels=[kernel(0, "k0"), kernel(1, "k1")],
            signatures=[signature(0, device="cuda:0", block_dim=128)],
            streams=launched(0),
        )
    )
    found = compare(only(*CHURN), rehearsed(arm(other, other, other)))

    assert found.verdict == "invalid" and found.workload.status == "changed"


def test_builds_that_overlap_now_are_judged_by_the_time_in_which_anything_was_built() -> None:
    first, second = load("aa", 1000, name="a", **CUDA), load("bb", 2000, name="b", **CUDA)
    beside = second.model_copy(update={"begin_ms": 1010.0, "end_ms": 1210.0, "thread": 2})
    in_turn, together = only(first, second), only(first, beside)

    found = compare(in_turn, together)

    assert found.judged_on == "build_wait_ms", found.reasons
    assert (found.verdict, found.causes) == ("improved", ["up to 2 builds at once in place of 1"])
    waits = [one.rehearsal.metrics["build_wait_ms"].median for one in (in_turn, together) if one.rehearsal]
    assert waits == [400.0, 210.0]
