"""Which levers the findings of a report point to."""

from typing import Any

from tests.factories import a_finding, a_metric, a_module, a_report
from warp_mcp.analysis.lever_choice import choose_levers
from warp_mcp.models.report import Report


def fired(mechanism: str, cost_ms: float, **evidence: Any) -> dict[str, Any]:
    return a_finding(mechanism, "fired", title="It happened", cost_ms=cost_ms, evidence=evidence)


BACKWARD = fired("CS-10", 700.0, at_stake_by_module_ms={"fluid.a": 100.0, "fluid.b": 400.0, "fluid.c": 200.0})
HEADER_ON = fired("CS-12", 500.0, options=["use_precompiled_headers: True"])
HEADER_OFF = fired("CS-12", 500.0, options=["use_precompiled_headers: False"])
UNROLLED = fired("CS-11", 900.0, options=["max_unroll: 16"])


def chosen(*findings: dict[str, Any], **changes: Any) -> list[tuple[str, float]]:
    report: Report = a_report(findings=list(findings), **changes)
    return [(lever.text, round(ms)) for lever, ms in choose_levers(report)]


def test_without_a_finding_no_lever_is_chosen():
    assert chosen() == []
    assert chosen(a_finding("CS-10", "ruled_out"), a_finding("CS-12")) == []


def test_backward_code_that_no_module_needs_is_switched_off_for_the_process():
    assert chosen(BACKWARD) == [("enable_backward=false", 700)]


def test_beside_modules_that_need_it_backward_code_is_switched_off_in_the_dearest_three():
    needs = a_module(1, name="fluid.loss", adjoint_launches=2)
    names = ("fluid.a", "fluid.b", "fluid.c", "fluid.d", "solve_1f2e3d")
    others = [a_module(number, name=name) for number, name in enumerate(names, start=2)]
    others[-1]["made"] = "unique"
    stakes = {"fluid.a": 100.0, "fluid.b": 400.0, "fluid.c": 200.0, "fluid.d": 50.0, "solve_1f2e3d": 900.0}
    found = chosen(fired("CS-10", 1650.0, at_stake_by_module_ms=stakes), modules=[needs, *others])
    assert found == [
        ("fluid.b:enable_backward=false", 400),
        ("fluid.c:enable_backward=false", 200),
        ("fluid.a:enable_backward=false", 100),
    ]


def test_the_header_is_reversed_from_what_it_is():
    assert chosen(HEADER_ON) == [("use_precompiled_headers=false", 500)]
    assert chosen(HEADER_OFF) == [("use_precompiled_headers=true", 500)]


def test_the_unroll_budget_goes_to_four_and_from_there_to_one():
    assert chosen(UNROLLED) == [("max_unroll=4", 900)]
    assert chosen(fired("CS-11", 900.0, options=["max_unroll: 4"])) == [("max_unroll=1", 900)]
    assert chosen(fired("CS-11", 900.0, options=["max_unroll: unknown"])) == [("max_unroll=4", 900)]


def test_mathdx_is_switched_off_where_a_linked_module_has_it_on():
    linked = a_module(1, options={"enable_mathdx_gemm": "True", "enable_mathdx_fft": "False"})
    other = a_module(2, options={"enable_mathdx_solver": "True"})
    finding = fired("CS-7", 3000.0, modules=["fluid.module_1"])
    assert chosen(finding, modules=[linked, other]) == [("enable_mathdx_gemm=false", 3000)]
    assert chosen(finding, modules=[a_module(1)]) == []


SERIAL = {"preload_safely": ["a", "b", "c", "d"], "ceiling": 3.4}


def cores(count: int) -> dict[str, Any]:
    return {**a_report().environment.model_dump(), "cores": count}


def test_a_preload_has_no_more_workers_than_cores_and_than_modules_keep_busy():
    assert chosen(fired("CS-13", 2400.0, **SERIAL), environment=cores(16)) == [("preload=4", 2400)]
    assert chosen(fired("CS-13", 2400.0, **SERIAL), environment=cores(2)) == [("preload=2", 1700)]
    assert chosen(fired("CS-13", 2400.0, **SERIAL), environment=cores(1)) == []


def test_modules_that_cannot_be_built_ahead_safely_are_not():
    assert chosen(fired("CS-13", 2400.0, preload_safely=["a"], ceiling=3.4), environment=cores(16)) == []


def test_the_dearest_comes_first_and_all_for_the_process_together_last():
    found = chosen(BACKWARD, HEADER_ON, UNROLLED, metrics={"compile_elapsed_ms": a_metric(1800.0)})
    assert found == [
        ("max_unroll=4", 900),
        ("enable_backward=false", 700),
        ("use_precompiled_headers=false", 500),
        ("max_unroll=4,enable_backward=false,use_precompiled_headers=false", 1800),
    ]


def test_levers_of_single_modules_are_not_put_together():
    needs = a_module(1, name="fluid.loss", adjoint_launches=2)
    found = chosen(BACKWARD, HEADER_ON, modules=[needs, a_module(2, name="fluid.b")])
    assert [text for text, _ in found] == ["use_precompiled_headers=false", "fluid.b:enable_backward=false"]
