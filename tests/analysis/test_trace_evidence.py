"""Kernels behind a finding of a rehearsal."""

from tests.factories import a_finding
from warp_mcp.analysis.trace_evidence import MOST_KERNELS, with_kernels
from warp_mcp.models.compile_trace import CompileTrace, KernelCost, ModuleCost
from warp_mcp.models.finding import Finding


def a_module(name: str, **costs: float) -> ModuleCost:
    kernels = [
        KernelCost(module=name, kernel=kernel, forward_ms=100.0, backward_ms=ms, share=0.1)
        for kernel, ms in costs.items()
    ]
    return ModuleCost(module=name, arch=90, block_dim=256, builds=1, compile_ms=9000.0, kernels=kernels)


TRACE = CompileTrace(modules=[a_module("app", bend=900.0, pull=0.0, push=40.0), a_module("lib", turn=7.0)])


def found(mechanism: str, status: str = "fired") -> Finding:
    finding = Finding.model_validate(a_finding(mechanism, status, evidence={"modules": ["app"]}))
    (told,) = with_kernels([finding], TRACE)
    return told


def test_backward_code_that_nobody_uses_is_priced_by_kernel_the_dearest_first() -> None:
    assert found("CS-10").evidence["backward_by_kernel_ms"] == {"bend": 900.0, "push": 40.0}


def test_unrolled_loops_are_told_with_the_kernels_that_dominate() -> None:
    assert found("CS-11").evidence["compiler_by_kernel_ms"] == {"bend": 1000.0, "push": 140.0, "pull": 100.0}


def test_other_findings_and_those_that_did_not_fire_stay_as_they_are() -> None:
    for finding in (found("CS-7"), found("CS-10", "ruled_out")):
        assert finding.evidence == {"modules": ["app"]}
    elsewhere = Finding.model_validate(a_finding("CS-10", "fired", evidence={"modules": ["other"]}))
    assert with_kernels([elsewhere], TRACE) == [elsewhere]
    assert with_kernels([elsewhere], None) == [elsewhere]


def test_the_list_is_bounded() -> None:
    many = a_module("app", **{f"k{number}": 5.0 for number in range(MOST_KERNELS + 3)})
    finding = Finding.model_validate(a_finding("CS-10", "fired", evidence={"modules": ["app"]}))

    (told,) = with_kernels([finding], CompileTrace(modules=[many]))

    assert len(told.evidence["backward_by_kernel_ms"]) == MOST_KERNELS
