"""What each lever bought, judged on reports of small programs with and without it."""

from typing import Any

from tests.analysis.factories import (
    config,
    kernel,
    launched,
    load,
    module,
    process,
    report,
    run,
    sample,
    signature,
)
from warp_mcp.analysis.levers import price_levers
from warp_mcp.models.lever import Lever, LeverResult, Setting
from warp_mcp.models.report import Report
from warp_mcp.models.run import ArmRecording, SampleRecording

BACKWARD_OFF = Lever(text="enable_backward=false", settings=[Setting(option="enable_backward", value=False)])
UNROLL_LESS = Lever(text="max_unroll=4", settings=[Setting(option="max_unroll", value=4)])
SIDE_BY_SIDE = Lever(text="preload=2", preload=2)

NAMES = ("solver", "shapes")


def program(
    ms: float,
    *,
    moved: tuple[str, ...] = (),
    source: int = 1000,
    options: dict[str, str] | None = None,
    **more: Any,
) -> SampleRecording:
    """Two modules of one kernel each; those in `moved` get another hash, this source and these options."""
    loads = [
        load(
            f"{name}{'2' if name in moved else '1'}",
            1000.0 + number * ms,
            ms,
            module=number,
            name=name,
            kernels=[number],
            source_bytes=source if name in moved else 1000,
            options={
                "enable_backward": "True",
                "max_unroll": "16",
                **((options or {}) if name in moved else {}),
            },
        )
        for number, name in enumerate(NAMES)
    ]
    fields: dict[str, Any] = {
        "loads": loads,
        "modules": [module(number, name) for number, name in enumerate(NAMES)],
        "kernels": [kernel(number, module=number) for number in range(2)],
        "signatures": [signature(0, count=3, hash="solver1")],
        "streams": launched(0, 0, 0),
    }
    return sample(process(**{**fields, **more}), cold=run(2000.0 + 2 * ms))


def three(ms: float, **changes: Any) -> list[SampleRecording]:
    return [program(ms + number, **changes) for number in range(3)]


UNCHANGED = report(*three(200.0))


def priced(*arms: tuple[Lever, list[SampleRecording]], **recorded: Any) -> list[LeverResult]:
    told = [
        (ArmRecording(lever=lever, samples=samples, **recorded), report(*samples)) for lever, samples in arms
    ]
    return price_levers(UNCHANGED, told)


def backward_off(ms: float = 100.0) -> list[SampleRecording]:
    return three(ms, moved=NAMES, source=600, options={"enable_backward": "False"})


def unrolled_less(ms: float) -> list[SampleRecording]:
    return three(ms, moved=NAMES, source=900, options={"max_unroll": "4"})


def test_a_lever_that_saves_is_improved_with_its_receipts():
    (found,) = priced((BACKWARD_OFF, backward_off()))
    assert (found.lever, found.verdict, found.judged_on) == (
        "enable_backward=false",
        "improved",
        "cold_module_ms",
    )
    assert (found.delta, round(found.delta_percent or 0)) == (-200.0, -50)
    assert (found.modules_moved, found.modules_unmoved) == (["solver", "shapes"], [])
    assert (found.source_bytes, found.source_bytes_unchanged) == (1200, 2000)
    assert (found.workload, found.outputs, found.steady_state) == (
        "preserved",
        "not_recorded",
        "not_recorded",
    )
    assert (found.samples, found.applied, found.failures) == (3, True, [])
    assert found.metrics["cold_module_ms"].median == 202.0


def test_two_percent_count_because_the_runs_were_made_in_turn():
    (found,) = priced((BACKWARD_OFF, backward_off(194.0)))
    assert found.verdict == "improved"
    (found,) = priced((BACKWARD_OFF, backward_off(199.0)))
    assert found.verdict == "inconclusive"


def test_a_lever_on_one_module_leaves_the_others_unmoved():
    lever = Lever(
        text="solver:enable_backward=false",
        settings=[Setting(option="enable_backward", value=False, module="solver")],
    )
    samples = three(150.0, moved=("solver",), source=600, options={"enable_backward": "False"})
    (found,) = priced((lever, samples))
    assert (found.modules_moved, found.modules_unmoved) == (["solver"], ["shapes"])


def test_what_buys_most_comes_first_and_what_costs_comes_last():
    slower = three(300.0, moved=NAMES, source=1500, options={"max_unroll": "64"})
    more = Lever(text="max_unroll=64", settings=[Setting(option="max_unroll", value=64)])
    changed = three(50.0, moved=NAMES, source=600, signatures=[signature(0, count=3, dim=[9])])
    other = Lever(text="mode=debug", settings=[Setting(option="mode", value="debug")])
    results = priced(
        (other, changed), (more, slower), (UNROLL_LESS, unrolled_less(150.0)), (BACKWARD_OFF, backward_off())
    )
    assert [(one.lever, one.verdict) for one in results] == [
        ("enable_backward=false", "improved"),
        ("max_unroll=4", "improved"),
        ("max_unroll=64", "regressed"),
        ("mode=debug", "invalid"),
    ]


def test_the_unchanged_runs_have_no_price():
    arm = ArmRecording(lever=None, samples=[])
    assert price_levers(UNCHANGED, [(arm, UNCHANGED)]) == []


def test_a_lever_that_no_module_took_is_inconclusive_and_says_so():
    (found,) = priced((BACKWARD_OFF, three(100.0)))
    assert found.verdict == "inconclusive"
    assert found.reasons[0].startswith("no module took it: the program sets the option itself")
    assert (found.modules_moved, found.applied) == ([], False)


def test_a_lever_that_asks_for_what_is_so_already_says_so():
    same = Lever(text="max_unroll=16", settings=[Setting(option="max_unroll", value=16)])
    (found,) = priced((same, three(200.0)))
    assert found.reasons[0] == "no module took it: the unchanged run has max_unroll=16 already"


def test_an_option_that_could_not_be_applied_is_unverified_with_the_problem_first():
    said = "Warp 1.10.1 has no option enable_mathdx_fft"
    (found,) = priced((UNROLL_LESS, three(100.0)), problems=[said])
    assert (found.verdict, found.reasons[0], found.problems) == ("unverified", said, [said])
    assert found.applied is False


def test_a_problem_beside_modules_that_moved_leaves_the_verdict_and_comes_first():
    said = "no module named fluid.gone was made"
    (found,) = priced((BACKWARD_OFF, backward_off()), problems=[said])
    assert (found.verdict, found.reasons[0]) == ("improved", said)


def test_a_program_that_fails_with_the_lever_is_unverified_with_its_last_line():
    tail = "Traceback …\nValueError: tile_fft() on GPU without libmathdx requires a power of two"
    failed = [
        one.model_copy(
            update={
                "cold": run(outcome="failed", exit_code=1, stderr_tail=tail),
                "warm": None,
                "warm_recording": None,
            }
        )
        for one in three(100.0)
    ]
    (found,) = priced((UNROLL_LESS, failed))
    assert found.failures == found.reasons and found.applied is None
    assert (found.verdict, found.samples, found.delta) == ("unverified", 0, None)
    assert found.reasons == [
        "with this lever the program failed (exit code 1) in 3 of 3 samples: "
        "ValueError: tile_fft() on GPU without libmathdx requires a power of two"
    ]


def test_a_gradient_that_a_lever_takes_away_changes_the_launches_and_is_invalid():
    with_backward = [
        signature(0, count=3, hash="solver1"),
        signature(1, count=1, hash="solver1", adjoint=True),
    ]
    before = report(*three(200.0, signatures=with_backward, streams=launched(0, 0, 0, 1), backward_passes=1))
    arm = ArmRecording(lever=BACKWARD_OFF, samples=backward_off())
    (found,) = price_levers(before, [(arm, report(*arm.samples))])
    assert (found.verdict, found.workload) == ("invalid", "changed")
    assert "1 adjoint kernel" in found.takes_away[0]


def test_other_variables_of_the_environment_do_not_forbid_the_comparison():
    other = report(*backward_off())
    environment = other.environment.model_copy(update={"variables": {"WARP_X": "1"}, "fingerprint": "other"})
    arm = ArmRecording(lever=BACKWARD_OFF, samples=[])
    (found,) = price_levers(UNCHANGED, [(arm, other.model_copy(update={"environment": environment}))])
    assert found.verdict == "improved"


def side_by_side(*, together: bool, wall: float, slower: float = 1.0) -> SampleRecording:
    loads = [
        load(f"{name}1", 1000.0 if together else 1000.0 + 250 * number, 250.0 * slower, name=name,
             module=number, thread=number, kernels=[number])
        for number, name in enumerate(NAMES)
    ]  # fmt: skip
    record = process(
        loads=loads,
        modules=[module(number, name) for number, name in enumerate(NAMES)],
        signatures=[signature(0, count=3, hash="solver1")],
        streams=launched(0, 0, 0),
    )
    return sample(record, cold=run(wall), warm=run(1000.0))


ONE_BY_ONE = report(*[side_by_side(together=False, wall=2000.0 + i) for i in range(3)])


def preloaded(samples: list[SampleRecording], **recorded: Any) -> LeverResult:
    arm = ArmRecording(lever=SIDE_BY_SIDE, samples=samples, **recorded)
    (found,) = price_levers(ONE_BY_ONE, [(arm, report(*samples))])
    return found


def test_a_preload_is_judged_on_the_wait_and_shows_that_it_built_the_same():
    found = preloaded([side_by_side(together=True, wall=1700.0 + i, slower=1.2) for i in range(3)])
    assert (found.verdict, found.judged_on, found.delta) == ("improved", "compile_elapsed_ms", -300.0)
    assert (found.modules_moved, found.modules_unmoved) == ([], ["solver", "shapes"])
    assert "identities, hashes and generated source are the same as without it" in found.reasons


def test_a_preload_that_built_nothing_side_by_side_is_judged_on_the_wait_too_and_says_why():
    told = [side_by_side(together=False, wall=1700.0 + i) for i in range(3)]
    found = preloaded(told)
    assert (found.verdict, found.judged_on) == ("inconclusive", "compile_elapsed_ms")
    assert found.reasons[0].startswith("no more builds overlapped than without it")
    said = "Warp 1.12.1 cannot build CPU modules side by side safely"
    assert preloaded(told, problems=[said]).verdict == "unverified"
    assert preloaded(told, problems=[said]).reasons[0] == said


def test_reports_without_any_completed_sample_still_have_prices():
    nothing: Report = report()
    arm = ArmRecording(lever=BACKWARD_OFF, samples=[])
    (found,) = price_levers(nothing, [(arm, nothing)])
    assert (found.verdict, found.delta, found.delta_percent) == ("unverified", None, None)


NO_CACHE = Lever(text="cache_kernels=false", settings=[Setting(option="cache_kernels", value=False)])


def uncached(lever: Lever = NO_CACHE, changed: list[str] | None = None, **more: Any) -> LeverResult:
    """Runs whose warm run builds all modules again; hashes and options of modules are the same."""
    samples = [one.model_copy(update={"warm_recording": one.cold_recording}) for one in three(200.0, **more)]
    (found,) = priced((lever, samples), changed=["cache_kernels"] if changed is None else changed)
    return found


def test_an_option_that_no_hash_holds_arrived_where_the_runs_say_so():
    found = uncached()
    assert (found.applied, found.verdict, found.judged_on) == (True, "regressed", "warm_module_ms")
    assert found.modules_moved == [] and "no module took it" not in " ".join(found.reasons)
    assert found.takes_away == ["Reuse of the cache: every start builds all its modules again."]


def test_an_option_that_no_hash_holds_did_not_arrive_where_the_program_sets_it_again():
    found = uncached(config=[config("cache_kernels", "False", "True")])
    assert (found.applied, found.verdict) == (False, "inconclusive")
    assert found.reasons[0].startswith("no module took it: the program sets the option itself")
    assert uncached(config=[config("cache_kernels", "False", "False")]).applied is True


def test_an_option_that_no_hash_holds_and_that_had_the_value_before_did_not_arrive():
    on = Lever(text="cache_kernels=true", settings=[Setting(option="cache_kernels", value=True)])
    found = uncached(on, changed=[])
    assert found.applied is False
    assert found.reasons[0] == "no module took it: the unchanged run has cache_kernels=true already"


def test_an_option_that_concerns_no_device_here_did_not_arrive_although_it_was_set():
    lever = Lever(text="cuda_output=ptx", settings=[Setting(option="cuda_output", value="ptx")])
    (found,) = priced((lever, three(100.0)), changed=["cuda_output"])
    assert found.applied is False


def test_levers_that_did_not_arrive_come_last_and_noise_is_not_ranked():
    def lever(option: str) -> Lever:
        return Lever(text=f"{option}=true", settings=[Setting(option=option, value=True)])

    noise = [(lever("lineinfo"), unrolled_less(199.0)), (lever("verify_fp"), unrolled_less(198.5))]
    results = priced((BACKWARD_OFF, three(50.0)), *noise, (UNROLL_LESS, unrolled_less(150.0)))
    assert [one.lever for one in results] == [
        "max_unroll=4", "lineinfo=true", "verify_fp=true", "enable_backward=false"
    ]  # fmt: skip
    assert [one.verdict for one in results] == ["improved", *["inconclusive"] * 3]


def test_of_a_lever_without_a_completed_run_everything_is_unknown():
    cut = [
        one.model_copy(update={"cold": run(outcome="cancelled"), "warm": None, "warm_recording": None})
        for one in backward_off()[:1]
    ]
    (found,) = priced((BACKWARD_OFF, cut))
    assert (found.verdict, found.samples, found.metrics) == ("unverified", 0, {})
    assert (found.modules_moved, found.modules_unmoved, found.source_bytes) == ([], [], None)
    assert (found.workload, found.outputs, found.steady_state) == (
        "unverified", "not_recorded", "not_recorded",
    )  # fmt: skip
    assert (found.delta, found.applied, found.reasons) == (None, None, ["no run with this lever completed"])
