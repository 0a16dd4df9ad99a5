"""CS-10, CS-11 and CS-12: backward code, unrolled loops and the header, estimated from the record."""

from typing import Any

import pytest

from tests.analysis.factories import kernel, launched, load, process, run, sample, seen, signature
from tests.analysis.mechanisms.found import finding, of, phases
from warp_mcp.models.compile_trace import CompileTrace, ModuleCost
from warp_mcp.models.recording import LtoPart, ProcessRecord
from warp_mcp.models.run import Extras

SMALL = load("ss", 500, 120, name="small", phases=phases(100.0))
"""A module that tells what any module takes: 100 ms."""


def beside_small(large: dict[str, Any], **changes: Any) -> ProcessRecord:
    fields: dict[str, Any] = {"phases": phases(1100.0), "source_bytes": 7000, "module": 1, **large}
    return process(loads=[SMALL, load("ll", 1000, 1200, name="large", **fields)], **changes)


def test_adjoint_code_without_a_backward_pass_fires_by_its_weighed_share_of_the_source() -> None:
    found = finding("CS-10", beside_small({"adjoint_bytes": 2000, "source_bytes": 7000}))

    assert (found.status, found.cost_kind) == ("fired", "estimate")
    assert found.cost_ms == pytest.approx((1100 - 100) * 2.5 * 2000 / (2.5 * 2000 + 5000))
    assert found.questions
    assert "enable_backward" in found.fix


def test_a_module_that_a_backward_pass_went_through_is_not_counted() -> None:
    adjoint = [signature(0, hash="ll", module=1, adjoint=True)]
    found = finding("CS-10", beside_small({"adjoint_bytes": 4000}, signatures=adjoint, streams=launched(0)))

    assert found.status == "ruled_out"
    assert found.evidence["modules_traversed_backward"] == 1


def test_links_of_the_adjoint_are_at_stake_whole() -> None:
    links = {"forward": LtoPart(count=1, wall_ms=900.0), "adjoint": LtoPart(count=2, wall_ms=5000.0)}
    built = load(
        device="cuda:0", phases=phases(0.0, lto=5900.0), adjoint_bytes=10, source_bytes=1000, lto=links
    )
    found = finding("CS-10", process(loads=[built, load("s", name="s", device="cuda:0")]))

    assert found.status == "fired"
    assert found.cost_ms is not None
    assert found.cost_ms >= 5000
    assert found.title.endswith("1 % of its source and 2 MathDx links")


def test_links_that_stay_in_a_module_whose_kernels_go_without_are_called_by_their_name() -> None:
    links = {"forward": LtoPart(count=1, wall_ms=900.0), "adjoint": LtoPart(count=1, wall_ms=5000.0)}
    built = load(device="cuda:0", phases=phases(0.0, lto=5900.0), source_bytes=1000, lto=links)
    found = finding("CS-10", process(loads=[built, load("s", name="s", device="cuda:0")]))

    assert found.title.endswith("used: 1 MathDx link, which kernels without backward code leave in")
    assert found.evidence["adjoint_links"] == 1
    assert "set_module_options" in found.fix


def test_where_a_process_was_lost_a_backward_pass_may_have_been_lost_with_it() -> None:
    lost = run(processes=[seen(), seen(11, ["/usr/bin/python3", "child.py"], parent=10)])

    assert finding("CS-10", beside_small({"adjoint_bytes": 4000}), cold=lost).status == "not_reached"


def test_a_backward_pass_whose_launches_were_captured_and_never_replayed_may_use_the_code() -> None:
    found = finding("CS-10", beside_small({"adjoint_bytes": 4000}, backward_passes=1))

    assert found.status == "not_reached"
    assert "was not replayed" in found.title


def test_a_run_that_failed_may_have_been_on_its_way_to_a_backward_pass() -> None:
    failed = run(outcome="failed", exit_code=1)

    assert finding("CS-10", beside_small({"adjoint_bytes": 4000}), cold=failed).status == "not_reached"


def test_one_build_without_a_header_does_not_tell_what_a_module_costs_without_backward_code() -> None:
    alone = process(loads=[load(ms=1100.0, phases=phases(1000.0), adjoint_bytes=500)])

    assert finding("CS-10", alone).status == "not_reached"


def traced(module: str, backward_ms: float, *, headers_ms: float = 0.0, **changes: Any) -> Extras:
    """What a trace of one module told, and of the headers."""
    fields: dict[str, Any] = {
        "module": module,
        "arch": 90,
        "block_dim": 256,
        "builds": 1,
        "compile_ms": 1100.0,
    }
    cost = ModuleCost(**fields, backward_ms=backward_ms, **changes)
    return Extras(trace=CompileTrace(headers_ms=headers_ms, modules=[cost]))


def test_what_the_compilers_trace_tells_of_a_module_takes_the_place_of_the_estimate() -> None:
    one = sample(beside_small({"adjoint_bytes": 2000, "source_bytes": 7000}))
    found = of("CS-10", one, extras=traced("large", 640.0))

    assert (found.status, found.cost_ms) == ("fired", pytest.approx(640))
    assert found.evidence["at_stake_by_module_ms"] == {"large": 640}
    assert "trace" in found.how and "adjoint share" not in found.how


def test_a_trace_tells_of_a_module_that_is_the_only_one_of_its_run() -> None:
    alone = sample(process(loads=[load(ms=1100.0, name="app", phases=phases(1000.0), adjoint_bytes=500)]))

    assert of("CS-10", alone, extras=traced("app", 640.0)).cost_ms == pytest.approx(640)


def test_a_module_that_was_not_priced_keeps_its_estimate_beside_one_that_was() -> None:
    other = load("oo", 9000, 1200, name="other", phases=phases(1100.0), source_bytes=7000, adjoint_bytes=2000)
    large = load("ll", 1000, 1200, name="large", phases=phases(1100.0), source_bytes=7000, adjoint_bytes=2000)
    both = sample(process(loads=[SMALL, large, other]))
    estimate = (1100 - 100) * 2.5 * 2000 / (2.5 * 2000 + 5000)

    assert of("CS-10", both, extras=traced("large", 640.0)).cost_ms == pytest.approx(640 + estimate)
    unpriced = of("CS-10", both, extras=traced("large", 0.0, not_priced="is linked"))
    assert unpriced.cost_ms == pytest.approx(2 * estimate)
    assert "trace" not in unpriced.how


def test_the_headers_that_the_first_build_for_cuda_of_a_process_reads_are_no_backward_code() -> None:
    def two(pid: int) -> ProcessRecord:
        part = {"device": "cuda:0", "block_dim": 256, "source_bytes": 7000, "adjoint_bytes": 2000}
        first = load("ff", 1000, 900, name="first", phases=phases(800.0), **part)
        return process(
            pid=pid, loads=[load("gg", 3000, 500, name="second", phases=phases(400.0), **part), first]
        )

    both = sample(two(10), two(11), cold=run(processes=[seen(), seen(11, ["python"], parent=10)]))
    without = of("CS-10", both, extras=traced("other", 0.0))
    with_headers = of("CS-10", both, extras=traced("other", 0.0, headers_ms=400.0))

    assert without.cost_ms is not None and with_headers.cost_ms is not None
    assert without.cost_ms - with_headers.cost_ms == pytest.approx(2 * 400 * 5000 / 10_000)
    at_stake = with_headers.evidence["at_stake_by_module_ms"]
    assert at_stake["first"] == at_stake["second"]


def test_backward_code_that_a_trace_found_cheap_is_ruled_out() -> None:
    one = sample(beside_small({"adjoint_bytes": 2000, "source_bytes": 7000}))

    assert of("CS-10", one, extras=traced("large", 3.0)).status == "ruled_out"


def test_the_fix_for_a_library_is_at_the_entry_point() -> None:
    place = "/venv/lib/python3.11/site-packages/fluids/ops.py:3"
    found = finding("CS-10", beside_small({"adjoint_bytes": 4000}, kernels=[kernel(0, defined_at=place)]))

    assert found.owner == "fluids"
    assert "before fluids is imported" in found.fix


def test_statements_that_unrolling_added_fire_by_their_share() -> None:
    found = finding("CS-11", beside_small({"statements": 100, "unrolled_statements": 90}))

    assert (found.status, found.cost_kind) == ("fired", "estimate")
    assert found.cost_ms == pytest.approx(0.9 * (1100 - 100))
    assert found.evidence["modules"] == ["large"]
    assert found.questions


def test_few_unrolled_statements_are_ruled_out_with_their_share() -> None:
    found = finding("CS-11", beside_small({"statements": 100, "unrolled_statements": 5}))

    assert (found.status, found.evidence["unrolled_percent"]) == ("ruled_out", 5.0)


def test_a_record_without_statements_cannot_tell_of_unrolling() -> None:
    assert finding("CS-11", beside_small({})).status == "not_reached"


def built_with_header(builds: int, header: float = 1000.0, process_id: int = 10) -> ProcessRecord:
    on = {"use_precompiled_headers": "True"}
    first = load(
        "h0", 500, header + 120, name="m0", phases=phases(100.0, header=header), headers_built=1, options=on
    )
    rest = [
        load(f"h{i}", 2000 + 200 * i, 120, name=f"m{i}", module=i, phases=phases(100.0), options=on)
        for i in range(1, builds)
    ]
    return process(pid=process_id, loads=[first, *rest])


def test_a_header_for_a_single_build_fires_with_what_reading_the_headers_would_have_saved() -> None:
    found = finding("CS-12", built_with_header(1))

    assert (found.status, found.cost_kind, found.cost_ms) == ("fired", "estimate", pytest.approx(430.0))
    assert "use_precompiled_headers = False" in found.fix
    assert "entry point" in found.scope


def test_a_header_for_two_builds_pays_off() -> None:
    found = finding("CS-12", built_with_header(2))

    assert (found.status, found.evidence["cpu_builds"]) == ("ruled_out", 2)


def test_what_one_process_would_gain_another_may_lose_because_the_setting_is_for_all() -> None:
    found = finding("CS-12", built_with_header(1), built_with_header(6, process_id=11))

    assert found.status == "ruled_out"


@pytest.mark.parametrize(("builds", "status"), [(1, "ruled_out"), (2, "ruled_out"), (6, "fired")])
def test_without_a_header_several_builds_fire(builds: int, status: str) -> None:
    off = {"use_precompiled_headers": "False"}
    loads = [
        load(f"h{i}", 1000 * i, 750, name=f"m{i}", module=i, phases=phases(730.0), options=off)
        for i in range(builds)
    ]
    found = finding("CS-12", process(loads=loads))

    assert found.status == status


def test_builds_for_cuda_alone_do_not_reach_the_header() -> None:
    assert finding("CS-12", process(loads=[load(device="cuda:0")])).status == "not_reached"


def test_a_stake_below_a_twentieth_of_the_wait_does_not_fire() -> None:
    """130 ms are at stake: more than 100, less than 5 % of a wait of 10 s."""
    one = beside_small({"statements": 100, "unrolled_statements": 13})

    assert finding("CS-11", one).status == "fired"
    assert of("CS-11", sample(one, cold=run(11_000.0))).status == "ruled_out"
