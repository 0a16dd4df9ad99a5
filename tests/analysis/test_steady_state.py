"""Launch times over passes, and when a kernel is called slower."""

import random
from typing import Any

import pytest

from tests.analysis import factories
from warp_mcp.analysis import compare_reports
from warp_mcp.analysis.steady_state import collect_times, compare_times, slower_kernels
from warp_mcp.analysis.thresholds import MOST_TIMED
from warp_mcp.models.report import Report
from warp_mcp.models.run import Extras, PassRecording
from warp_mcp.models.steady_state import LaunchTimes, SteadyState, TimesSeen

SIGNATURE = "[8] cpu block_dim=1 forward (float32)"


def launches(kernel: str = "step", median: float = 100.0, count: int = 50, **changes: Any) -> LaunchTimes:
    fields: dict[str, Any] = {"module": "app", "signature": SIGNATURE, "mad_us": 1.0, **changes}
    return LaunchTimes(kernel=kernel, launches=count, median_us=median, **fields)


def passed(*times: LaunchTimes, once: int = 0, **run: Any) -> PassRecording:
    return PassRecording(
        kind="steady_state", run=factories.run(**run), times=TimesSeen(launches=list(times), once=once)
    )


def timed(*passes: PassRecording, **process: Any) -> Report:
    sample = factories.sample(factories.process(**process))
    return factories.report(*[sample] * 3, extras=Extras(passes=list(passes)))


def steady(*passes: PassRecording) -> SteadyState:
    found = collect_times(list(passes))
    assert found is not None
    return found


def side(**medians: float) -> Report:
    """Three passes that scatter by 1 % around the medians given by kernel."""
    return timed(
        *[passed(*[launches(name, us * by) for name, us in medians.items()]) for by in (0.99, 1.0, 1.01)]
    )


def test_a_kernel_has_the_median_of_its_passes_and_the_dearest_in_all_comes_first() -> None:
    state = steady(
        *[passed(launches("rare", 900.0, 5), launches("often", us, 500)) for us in (10.0, 30.0, 20.0)]
    )

    assert [(one.kernel, one.median_us, one.launches) for one in state.kernels] == [
        ("often", 20.0, 1500),
        ("rare", 900.0, 15),
    ]
    assert state.kernels[0].pass_medians_us == [10.0, 30.0, 20.0]
    assert state.passes == 3


def test_passes_of_another_kind_are_none_of_these() -> None:
    assert collect_times([]) is None
    assert collect_times([PassRecording(kind="outputs", run=factories.run())]) is None


def test_kernels_that_ran_too_rarely_are_counted() -> None:
    state = steady(*[passed(launches("rare", count=1), launches("often"), once=2)] * 3)

    assert ([one.kernel for one in state.kernels], state.too_few) == (["often"], 3)


def test_the_launches_of_several_processes_count_together() -> None:
    state = steady(passed(launches(median=10.0, count=90), launches(median=50.0, count=10)))

    assert (state.kernels[0].median_us, state.kernels[0].launches) == (10.0, 100)


def test_a_bounded_number_is_kept_and_the_rest_is_said() -> None:
    many = [launches(f"k{n}", median=1000.0 - n) for n in range(MOST_TIMED + 7)]
    state = steady(passed(*many))

    assert len(state.kernels) == MOST_TIMED and state.kernels[0].kernel == "k0"
    assert state.problems == ["7 further kernels, which take less, are not kept"]


def test_a_pass_that_failed_or_was_disturbed_is_said() -> None:
    state = steady(passed(launches(), outcome="failed"), passed(launches(), foreign_load=1.5))

    assert state.problems == [
        "pass 1 did not complete: failed",
        "other programs kept up to 1.5 cores busy in 1 of 2 passes",
    ]


def test_the_same_times_are_the_same() -> None:
    times = compare_times(side(step=100.0, other=20.0), side(step=101.0, other=20.0))

    assert (times.status, len(times.kernels), times.notes) == ("same", 2, [])
    assert slower_kernels(times) == []


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        ({"a": 100.0, "b": 50.0}, {"a": 150.0, "b": 50.0}, "slower"),
        ({"a": 100.0, "b": 50.0}, {"a": 60.0, "b": 50.0}, "faster"),
        ({"a": 100.0, "b": 50.0}, {"a": 60.0, "b": 90.0}, "mixed"),
        ({"a": 100.0, "b": 50.0}, {"a": 104.0, "b": 50.0}, "same"),  # apart, and under 5 %
        ({"a": 1.0}, {"a": 1.4}, "within_noise"),  # 40 %, and under 0.5 µs
    ],
)
def test_a_difference_has_to_be_large_enough(
    before: dict[str, float], after: dict[str, float], status: str
) -> None:
    assert compare_times(side(**before), side(**after)).status == status


def test_a_difference_within_the_spread_of_the_launches_or_of_the_passes_is_noise() -> None:
    wide = timed(*[passed(launches(median=us, mad_us=40.0)) for us in (99.0, 100.0, 101.0)])
    scattered = timed(*[passed(launches(median=us)) for us in (90.0, 150.0, 160.0)])

    times = compare_times(wide, side(step=170.0))
    assert (times.status, times.hidden) == (
        "within_noise",
        "differences up to 80 % are hidden by the noise",
    )
    assert compare_times(side(step=100.0), scattered).status == "within_noise"


def test_a_doubled_launch_time_within_its_noise_is_not_called_the_same() -> None:
    doubled = timed(*[passed(launches(median=us)) for us in (90.0, 214.0, 320.0)])

    times = compare_times(side(step=100.0), doubled)

    assert (times.status, times.kernels[0].outside_noise) == ("within_noise", False)
    assert times.hidden == "differences up to 460 % are hidden by the noise"


def test_noise_of_a_kernel_that_hardly_matters_hides_nothing_and_that_of_many_does() -> None:
    def one(count: int) -> Report:
        small = [launches(f"k{n}", 10.0, mad_us=2.0) for n in range(count)]
        return timed(*[passed(launches("heavy", us), *small) for us in (999.0, 1000.0, 1001.0)])

    assert compare_times(one(1), one(1)).status == "same"
    assert compare_times(one(200), one(200)).status == "within_noise"


def test_noise_beside_a_kernel_that_stands_out_is_told_too() -> None:
    def one(step: float) -> Report:
        noisy = launches("noisy", 100.0, mad_us=20.0)
        return timed(*[passed(launches(median=step * by), noisy) for by in (0.99, 1.0, 1.01)])

    times = compare_times(one(100.0), one(50.0))

    assert (times.status, times.hidden) == ("faster", "differences up to 40 % are hidden by the noise")


def test_a_kernel_that_matters_and_was_timed_in_two_passes_is_not_called_the_same() -> None:
    def one(passes: int) -> Report:
        full, part = passed(launches("a"), launches("b")), passed(launches("a"))
        return timed(*[full if n < passes else part for n in range(3)])

    times = compare_times(one(3), one(2))

    assert (times.status, times.hidden) == ("within_noise", "b was timed in fewer than 3 passes")


def test_two_passes_are_too_few_to_call_a_kernel_slower_and_that_is_said() -> None:
    two = timed(*[passed(launches(median=300.0))] * 2)

    times = compare_times(side(step=100.0), two)

    assert times.status == "not_recorded"
    assert times.notes == ["The candidate has 2 of the 3 passes that a difference needs."]


def test_a_kernel_that_hardly_matters_is_told_and_decides_nothing() -> None:
    times = compare_times(side(heavy=10_000.0, tiny=20.0), side(heavy=10_000.0, tiny=60.0))

    assert times.status == "same"
    assert [(one.kernel, one.outside_noise) for one in times.kernels] == [("tiny", True), ("heavy", False)]


def test_launches_that_are_more_are_not_slower_for_that() -> None:
    often = timed(*[passed(launches(median=us, count=500)) for us in (99.0, 100.0, 101.0)])

    assert compare_times(side(step=100.0), often).status == "same"


def test_kernels_are_paired_across_modules_and_renames_by_what_they_are_launched_with() -> None:
    moved = timed(*[passed(launches(module="elsewhere", median=us)) for us in (299.0, 300.0, 301.0)])
    renamed = timed(*[passed(launches("stride", median=us)) for us in (299.0, 300.0, 301.0)])
    other = timed(*[passed(launches("stride", median=us, signature="[9]")) for us in (299.0, 300.0, 301.0)])

    assert compare_times(side(step=100.0), moved).status == "slower"
    assert compare_times(side(step=100.0), renamed).status == "slower"
    unlike = compare_times(side(step=100.0), other)
    assert (unlike.status, unlike.kernels) == ("not_recorded", [])
    assert unlike.notes == ["No kernel was timed on both sides.", "Timed on one side only: step, stride."]


def test_a_name_that_the_other_side_launches_too_is_no_rename() -> None:
    """Its times alone are missing there: the kernel that has the signature is another one."""
    before = timed(*[passed(launches("add"))] * 3, **_launching("add"))
    after = timed(*[passed(launches("other", 300.0))] * 3, **_launching("add"))

    assert compare_times(before, after).kernels == []


def _launching(name: str) -> dict[str, Any]:
    return {"signatures": [factories.signature(0, name)], "streams": factories.launched(0)}


def test_nothing_is_said_where_nobody_timed_and_the_side_is_named_where_one_did() -> None:
    assert compare_times(timed(), timed()).notes == []
    times = compare_times(side(step=1.0), timed())
    assert times.status == "not_recorded"
    assert times.notes == ["Launches of the candidate were not timed: measure it with --steady-state."]


def with_option(report: Report, value: str) -> Report:
    modules = [one.model_copy(update={"options": {"max_unroll": value}}) for one in report.modules]
    return report.model_copy(update={"modules": modules})


@pytest.mark.parametrize("recorded", [True, False])
def test_a_changed_option_asks_for_launch_times_unless_they_are_there(recorded: bool) -> None:
    def one(value: str) -> Report:
        passes = [passed(launches())] * 3 if recorded else []
        return with_option(timed(*passes, loads=[factories.load()]), value)

    told = compare_reports(one("16"), one("4"), comparison_id="c", created_at="")

    asks = [check for check in told.next_checks if check.startswith("Steady state")]
    assert bool(asks) is not recorded
    assert all("max_unroll" in check for check in asks)


def test_launch_times_that_noise_may_hide_are_still_to_be_checked() -> None:
    def one(value: str) -> Report:
        passes = [passed(launches(median=us)) for us in (90.0, 100.0, 140.0)]
        return with_option(timed(*passes, loads=[factories.load()]), value)

    told = compare_reports(one("16"), one("4"), comparison_id="c", created_at="")

    (check,) = [check for check in told.next_checks if check.startswith("Steady state")]
    assert "differences up to 100 % are hidden by the noise; max_unroll can make them slower" in check


def test_a_slower_kernel_is_a_warning_whatever_the_verdict() -> None:
    told = compare_reports(side(step=100.0), side(step=250.0), comparison_id="c", created_at="")

    assert told.warnings[0] == "kernels run slower: step (100.0 → 250.0 µs, +150 %)"


def test_equal_programs_are_rarely_called_unequal() -> None:
    """20 kernels with a spread of 4 % between passes and a drift of up to 3 % between sides, 50 times."""
    rng = random.Random(1)

    def one() -> Report:
        drift = 1 + rng.uniform(-0.03, 0.03)
        passes = [
            passed(*[launches(f"k{n}", 50.0 * drift * rng.gauss(1.0, 0.04), mad_us=1.0) for n in range(20)])
            for _ in range(3)
        ]
        return timed(*passes)

    results = [compare_times(one(), one()) for _ in range(50)]

    called = sum(kernel.outside_noise for times in results for kernel in times.kernels)
    assert called <= 0.02 * 50 * 20, "the share that `BAND_RANGES` states"
    assert sum(times.status not in ("same", "within_noise") for times in results) <= 1
