"""Prices of backward code: what goes with a kernel, what stays for another, and what has no price."""

from typing import Any

import pytest

from tests.analysis import factories
from tests.analysis.factories import process, run, sample, signature
from warp_mcp.analysis.compile_trace import MOST_KERNELS, NOT_BUILT, compile_trace, trace_of
from warp_mcp.models.compile_trace import (
    CompileTrace,
    KernelCost,
    TracedBuild,
    TracedFunction,
    TraceSeen,
    TraceTarget,
)
from warp_mcp.models.run import ArmRecording, PassRecording

Traced = tuple[TraceTarget, TracedBuild]


def function(name: str, ms: float, *calls: str, assembler_ms: float = 0.0, size: int = 100) -> TracedFunction:
    return TracedFunction(
        name=name, bytes=size, calls=list(calls), optimiser_ms=ms, assembler_ms=assembler_ms
    )


def a_build(*functions: TracedFunction, **changes: Any) -> Traced:
    """A build in which all time but 400 ms of the front end is of its functions, and what was known of it."""
    optimising = sum(one.optimiser_ms for one in functions)
    assembling = sum(one.assembler_ms for one in functions)
    build: dict[str, Any] = {
        "source": f"wp_{changes.get('module', 'app')}_0123456.cu",
        "arch": 90,
        "traced_wall_ms": 1000.0,
        "traced_cpu_ms": 1000.0,
        "front_ms": 400.0,
        "headers_ms": 380.0,
        "wrap_ms": 20.0,
        "optimiser_ms": optimising,
        "linker_ms": 0.0,
        "assembler_ms": assembling,
        "output_ms": 0.0,
        "counted_optimiser_ms": optimising,
        "counted_assembler_ms": assembling,
        "functions": list(functions),
    }
    of_build = {name: changes.pop(name) for name in build.keys() & changes.keys()}
    target: dict[str, Any] = {
        "module": "app",
        "source": build["source"],
        "block_dim": 256,
        "arch": 90,
        "builds": 1,
        "all_cpu_ms": 1000.0,
        "timed_cpu_ms": 1000.0,
    }
    return TraceTarget(**{**target, **changes}), TracedBuild(**{**build, **of_build})


TWO = (
    function("bend_00000000_cuda_kernel_forward", 50, "pull_0"),
    function("bend_00000000_cuda_kernel_backward", 200, "pull_0", "adj_pull_0", "adj_turn_0"),
    function("move_00000000_cuda_kernel_forward", 30, "pull_0"),
    function("move_00000000_cuda_kernel_backward", 90, "pull_0", "adj_pull_0"),
    function("pull_0", 10),
    function("adj_pull_0", 40),
    function("adj_turn_0", 7),
)


def told(*traced: Traced) -> CompileTrace:
    targets = {target.source: target for target, _ in traced}
    return compile_trace(list(targets.values()), TraceSeen(builds=[build for _, build in traced]))


def kernels(*traced: Traced) -> dict[str, KernelCost]:
    (module,) = told(*traced).modules
    return {one.kernel: one for one in module.kernels}


def test_a_kernel_takes_along_what_nothing_else_uses() -> None:
    costs = kernels(a_build(*TWO))

    assert costs["bend"].backward_ms == pytest.approx(207)
    assert costs["bend"].forward_ms == pytest.approx(50)
    assert costs["bend"].share == pytest.approx(0.257)


def test_an_adjoint_that_another_kernel_needs_is_in_no_kernels_price_but_in_the_modules() -> None:
    costs = kernels(a_build(*TWO))
    (module,) = told(a_build(*TWO)).modules

    assert costs["move"].backward_ms == pytest.approx(90)
    assert module.backward_ms == pytest.approx(200 + 90 + 40 + 7)
    assert module.backward_share == pytest.approx(0.337)
    assert module.forward_ms == pytest.approx(50 + 30 + 10)


def test_a_function_reached_through_another_one_counts_too() -> None:
    build = a_build(
        function("k_cuda_kernel_forward", 1),
        function("k_cuda_kernel_backward", 2, "adj_outer_0"),
        function("adj_outer_0", 4, "adj_inner_0"),
        function("adj_inner_0", 8, "adj_outer_0"),
    )

    assert kernels(build)["k"].backward_ms == pytest.approx(14)


def test_overloads_of_a_generic_kernel_are_one_kernel() -> None:
    build = a_build(
        function("fill_11111111_cuda_kernel_backward", 10, "adj_set_0"),
        function("fill_22222222_cuda_kernel_backward", 20, "adj_set_0"),
        function("adj_set_0", 5),
    )

    assert {name: one.backward_ms for name, one in kernels(build).items()} == {"fill": pytest.approx(35)}


def test_a_kernel_that_a_function_makes_has_the_name_that_the_program_gives_it() -> None:
    costs = kernels(
        a_build(
            function("make_wind__locals__wind_00000000_cuda_kernel_forward", 10),
            function("make_wind__locals__wind_00000000_cuda_kernel_backward", 20),
            function("make_a__locals__twice_00000000_cuda_kernel_forward", 3),
            function("make_b__locals__twice_00000000_cuda_kernel_forward", 4),
        )
    )

    assert list(costs) == ["wind", "make_b__locals__twice", "make_a__locals__twice"]
    assert costs["wind"].backward_ms == pytest.approx(20)


def test_what_a_stage_tells_of_no_function_is_shared_out_by_time_and_of_the_front_end_by_size() -> None:
    build = a_build(
        function("k_cuda_kernel_forward", 100, assembler_ms=50, size=100),
        function("k_cuda_kernel_backward", 100, assembler_ms=150, size=300),
        optimiser_ms=250,
        linker_ms=10,
        assembler_ms=240,
        output_ms=20,
        front_ms=480.0,
    )

    # Optimiser: 240 ms for 200 that are told; assembler: 260 for 200; front end: 80 ms for 400 bytes.
    assert kernels(build)["k"].backward_ms == pytest.approx(1.2 * 100 + 1.3 * 150 + 0.2 * 300)


def test_wall_time_of_a_busy_machine_becomes_cpu_time() -> None:
    assert kernels(a_build(*TWO, traced_wall_ms=4000.0))["move"].backward_ms == pytest.approx(22.5)


def test_what_tracing_itself_takes_is_no_part_of_a_price() -> None:
    # 400 ms are headers and wrapping up; without the trace the other 600 ms were 540.
    assert kernels(a_build(*TWO, timed_cpu_ms=940.0, all_cpu_ms=940.0))["move"].backward_ms == pytest.approx(
        81
    )


@pytest.mark.parametrize(("timed_ms", "price"), [(700.0, 0.8 * 90), (1400.0, 90)])
def test_a_header_that_only_one_of_both_builds_made_moves_prices_within_bounds(
    timed_ms: float, price: float
) -> None:
    build = a_build(*TWO, timed_cpu_ms=timed_ms, all_cpu_ms=timed_ms)

    assert kernels(build)["move"].backward_ms == pytest.approx(price)


def test_where_headers_take_nothing_tracing_may_have_taken_more_than_was_seen_elsewhere() -> None:
    large = {"front_ms": 0.0, "headers_ms": 0.0, "wrap_ms": 0.0}
    build = a_build(*TWO, timed_cpu_ms=700.0, all_cpu_ms=700.0, **large)

    assert kernels(build)["move"].backward_ms == pytest.approx(0.7 * 90)


def test_parts_never_add_up_to_more_than_the_build() -> None:
    slow = [one.model_copy(update={"optimiser_ms": 5 * one.optimiser_ms}) for one in TWO]
    (module,) = told(a_build(*slow)).modules

    assert module.forward_ms + module.backward_ms == pytest.approx(1000)
    assert (module.fixed_ms, module.compile_ms) == (0, 1000)
    assert module.backward_share == pytest.approx(337 / 427)


def test_a_kernel_that_a_backward_pass_of_the_run_went_through_is_marked() -> None:
    target, build = a_build(*TWO)
    ended = PassRecording(kind="compile_trace", run=run(), trace=TraceSeen(builds=[build]))
    ran = [signature(0, "bend"), signature(1, "bend", adjoint=True), signature(2, "move")]
    record = process(modules=[factories.module(0, "app")], signatures=ran)
    samples = [sample(record)]
    trace = trace_of(ArmRecording(lever=None, samples=samples, passes=[ended], arch=90, targets=[target]))

    assert trace is not None
    assert {one.kernel: one.backward_used for one in trace.modules[0].kernels} == {
        "bend": True,
        "move": False,
    }


def test_of_repetitions_the_median_counts() -> None:
    slow = a_build(*(one.model_copy(update={"optimiser_ms": 9 * one.optimiser_ms}) for one in TWO))

    assert kernels(a_build(*TWO), slow, a_build(*TWO))["move"].backward_ms == pytest.approx(90)


def test_the_price_is_one_of_all_builds_of_the_module() -> None:
    (module,) = told(a_build(*TWO, builds=3, all_cpu_ms=2500.0)).modules

    assert (module.builds, module.compile_ms) == (3, 2500.0)
    assert module.kernels[0].backward_ms == pytest.approx(2.5 * 207)
    assert module.backward_share == pytest.approx(0.337)


@pytest.mark.parametrize("reason", [None, "is too large"])
def test_a_module_that_was_not_built_again_has_no_prices_and_says_why(reason: str | None) -> None:
    target, build = a_build(*TWO, not_traced=reason)
    (module,) = compile_trace([target], TraceSeen(builds=[build] if reason else [])).modules

    assert (module.not_priced, module.kernels, module.backward_ms) == (reason or NOT_BUILT, [], 0)
    assert module.compile_ms == 1000.0


def test_shares_are_of_what_the_timed_build_took() -> None:
    (module,) = told(a_build(*TWO, timed_cpu_ms=2000.0, all_cpu_ms=4000.0)).modules

    assert module.backward_share == pytest.approx(0.337 / 2)
    assert module.forward_ms + module.backward_ms + module.fixed_ms == pytest.approx(module.compile_ms)


def test_how_the_separate_run_ended_is_said_and_what_it_built_counts() -> None:
    target, build = a_build(*TWO)

    def arm(outcome: str) -> ArmRecording:
        seen = TraceSeen(builds=[build], problems=["No disk."])
        ended = PassRecording(kind="compile_trace", run=run(outcome=outcome, exit_code=3), trace=seen)
        return ArmRecording(lever=None, samples=[], passes=[ended], arch=90, targets=[target])

    for outcome, said in (
        ("completed", []),
        ("failed", ["The separate run ended with exit code 3."]),
        ("timed_out", ["The separate run ran into the time-out."]),
    ):
        trace = trace_of(arm(outcome))
        assert trace is not None and trace.modules[0].not_priced is None
        assert trace.problems == ["No disk.", *said]


def test_without_modules_to_look_into_there_is_nothing() -> None:
    assert trace_of(ArmRecording(lever=None, samples=[], arch=90)) is None


def test_ptx_is_told_apart() -> None:
    assembled = function("k_cuda_kernel_forward", 5, assembler_ms=5)

    assert told(a_build(assembled)).modules[0].assembled
    assert not told(a_build(*TWO)).modules[0].assembled


def test_modules_with_the_most_work_come_first_and_kernels_are_bounded() -> None:
    many = [function(f"k{number}_cuda_kernel_forward", 1) for number in range(MOST_KERNELS + 4)]
    light, heavy = a_build(*TWO, module="light"), a_build(*many, module="heavy", all_cpu_ms=5000.0)

    trace = told(light, heavy)

    assert [one.module for one in trace.modules] == ["heavy", "light"]
    assert (len(trace.modules[0].kernels), trace.modules[0].more_kernels) == (MOST_KERNELS, 4)
