"""What a one-kernel module costs, by recordings, and what that bounds."""

import json
from typing import Any

import pytest

from tests.analysis import factories
from tests.analysis.mechanisms.found import modules, phases
from warp_mcp.analysis.floor import MARK, dominant, floor_target, make_floor, options_not_set
from warp_mcp.models.floor import Floor
from warp_mcp.models.metric import Metric
from warp_mcp.models.recording import ProcessRecord
from warp_mcp.models.report import Report
from warp_mcp.models.run import Extras

OPTIONS = {"enable_backward": "True", "max_unroll": "16", "fast_math": "False", "block_dim": "256"}


def a_floor(further: float = 60.0, device: str = "cpu") -> Floor:
    def metric(value: float) -> Metric:
        return Metric(median=value, mad=1.0, values=[value] * 3)

    return Floor(
        fingerprint="f",
        device=device,
        options={},
        first_ms=metric(2000.0),
        further_ms=metric(further),
        measured_at="2026-01-01T00:00:00Z",
    )


def report(record: ProcessRecord, floor: Floor | None = None) -> Report:
    return factories.report(*[factories.sample(record)] * 3, extras=Extras(floor=floor))


def finding(label: str, record: ProcessRecord, floor: Floor | None) -> Any:
    return next(one for one in report(record, floor).findings if one.mechanism == label)


def one_run(*ms: float, told: dict[str, Any] | None = None) -> Any:
    loads = [
        factories.load(f"h{n}", 1000.0 * n, time, name=f"one_kernel_modules.number_{n}")
        for n, time in enumerate(ms)
    ]
    other = factories.load("other", 1.0, 5000.0, name="something.else")
    output = f"hello\n{MARK} {json.dumps(told or {'set': {}, 'could_not': []})}\n"
    record = factories.process(loads=[*reversed(loads), other])
    return factories.run(stdout_tail=output), factories.recording(record)


def test_the_first_module_of_each_process_is_told_apart_from_the_further_ones() -> None:
    target = floor_target(report(factories.process(loads=[factories.load()])).modules[0])
    runs = [one_run(2000.0, 140.0, 150.0), one_run(1900.0, 130.0, 145.0), one_run(2100.0, 141.0, 160.0)]

    floor = make_floor(target, runs, fingerprint="f", measured_at="now")

    assert floor is not None
    assert floor.first_ms.values == [2000.0, 1900.0, 2100.0]
    assert (floor.further_ms.median, len(floor.further_ms.values)) == (143.0, 6)


def test_runs_that_built_nothing_have_no_floor() -> None:
    target = floor_target(report(factories.process(loads=[factories.load()])).modules[0])

    assert make_floor(target, [one_run(), one_run()], fingerprint="f", measured_at="now") is None


def test_what_the_program_set_is_kept_and_what_it_could_not_set_is_told() -> None:
    target = floor_target(report(factories.process(loads=[factories.load()])).modules[0])
    runs = [one_run(9.0, 1.0, told={"set": {"max_unroll": "4"}, "could_not": ["mode"]})]

    floor = make_floor(target, runs, fingerprint="f", measured_at="now")

    assert floor is not None and floor.options == {"max_unroll": "4"}
    assert options_not_set(runs) == ["mode"]


def test_the_target_has_the_options_that_affect_a_build_of_the_dearest_module_on_its_device() -> None:
    loads = [
        factories.load("a", 1000, 900, name="big", options=OPTIONS),
        factories.load("b", 2000, 100, name="small", options={**OPTIONS, "max_unroll": "4"}),
    ]
    told = report(factories.process(loads=loads))

    target = floor_target(dominant(told.modules))  # pyright: ignore[reportArgumentType]

    assert (target.device, target.block_dim) == ("cpu", 0)
    assert target.options == {"enable_backward": "True", "max_unroll": "16"}, (
        "fast_math is nothing on the CPU"
    )
    assert dominant([]) is None


def test_merging_saves_what_was_measured_in_place_of_the_estimate() -> None:
    record = factories.process(**modules(5))
    estimated, measured = finding("CS-4", record, None), finding("CS-4", record, a_floor(60.0))

    assert (estimated.cost_ms, estimated.evidence["floor_is"]) == (4 * 130.0, "an estimate")
    assert (measured.cost_ms, measured.evidence["floor_is"]) == (4 * 60.0, "measured")
    assert measured.evidence["floor_ms"] == 60.0
    assert "as measured" in measured.how and "60 ms" in measured.how


def test_a_floor_for_other_options_or_another_device_is_not_taken() -> None:
    several = modules(6)
    several["loads"] = [
        one.model_copy(
            update={"options": {"enable_backward": str(n == 0)}, "end_ms": one.end_ms + 500 * (n == 0)}
        )
        for n, one in enumerate(several["loads"])
    ]

    other = finding("CS-4", factories.process(**several), a_floor(60.0))
    elsewhere = finding("CS-4", factories.process(**modules(5)), a_floor(60.0, "cuda:0"))

    assert other.evidence["floor_is"] == elsewhere.evidence["floor_is"] == "an estimate"


def test_a_module_for_each_block_dim_pays_the_floor_too() -> None:
    record = factories.process(
        kernels=[factories.kernel(0, "a"), factories.kernel(1, "b")],
        loads=[
            factories.load("h", 1000, 400, device="cuda:0", block_dim=128, kernels=[0, 1]),
            factories.load("i", 2000, 600, device="cuda:0", block_dim=256, kernels=[0, 1]),
        ],
        signatures=[
            factories.signature(0, "a", device="cuda:0", block_dim=128, hash="h"),
            factories.signature(1, "b", device="cuda:0", block_dim=256, hash="i"),
        ],
        streams=factories.launched(0, 1),
    )

    assert finding("CS-5", record, None).cost_ms == 0.5 * 400 + 0.5 * 600
    found = finding("CS-5", record, a_floor(100.0, "cuda:0"))
    assert (found.cost_ms, found.evidence["floor_ms"]) == (0.5 * 300 + 0.5 * 500, 100.0)
    assert "as measured" in found.how


def test_a_split_and_a_merge_are_bounded() -> None:
    several = modules(4)
    several["loads"][0] = factories.load("big", 1000, 900, name="m0", module=0, kernels=[0, 1])
    use = report(factories.process(**several), a_floor(150.0)).floor_use

    assert use is not None
    assert (use.module, use.build_ms, use.parts) == ("m0", 900.0, 3)
    assert use.split_saves_at_most_ms == pytest.approx((900 - 150) * 2 / 3)
    assert use.split_adds_ms == 2 * 150.0
    assert (use.one_kernel_modules, use.merging_saves_ms) == (3, 2 * 150.0)


def test_a_precompiled_header_is_no_part_of_what_a_split_makes_smaller() -> None:
    load = factories.load("h", 1000, 3000, phases=phases(900.0, header=2000.0))

    use = report(factories.process(loads=[load]), a_floor()).floor_use

    assert use is not None and use.build_ms == 1000.0


def test_without_a_floor_nothing_is_bounded() -> None:
    assert report(factories.process(loads=[factories.load()])).floor_use is None
    assert report(factories.process(), a_floor()).floor_use is None
