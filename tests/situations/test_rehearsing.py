"""Rehearsals of CUDA with real builds: a program that needs CUDA, on a machine without a GPU."""

import shutil

import pytest

from tests.situations.measuring import Measured, Probe, python

ARCH = ("--rehearse-cuda", "sm_90")

pytestmark = pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="a GPU would be measured")


def cuda_builds(measured: Measured) -> list[tuple[str, int, int]]:
    """By block dimension: which variant takes longer is not the same in every run."""
    modules = measured.report["rehearsal"]["modules"]
    return sorted((one["device"], one["block_dim"], one["builds"]) for one in modules)


def test_a_program_that_needs_cuda_is_reported_by_what_a_gpu_machine_builds(probe: Probe) -> None:
    measured = probe.measure(*python("needs_cuda"), options=ARCH)

    assert measured.process.returncode == 0
    assert measured.report["samples"] == []
    assert cuda_builds(measured) == [("cuda:0", 128, 1), ("cuda:0", 256, 1)]
    assert "A start on a GPU (sm_90) builds 2 CUDA binaries of 1 module" in measured.text
    assert "the builds are real and were made here" in measured.text
    assert "No sample completed" not in measured.text
    assert "this program needs a CUDA device" in measured.warnings()["needs_cuda"]["message"]
    told = {one["mechanism"]: one for one in measured.report["rehearsal"]["findings"]}
    assert {label for label, one in told.items() if one["status"] == "fired"} == set()
    assert "launches need each build" in told["CS-5"]["title"]
    assert "--rehearse-cuda sm_90 --rehearsals 3" in measured.text


def test_what_a_program_built_before_it_failed_in_the_rehearsal_is_kept_with_its_error(probe: Probe) -> None:
    measured = probe.measure(*python("needs_cuda", "raise"), options=ARCH)

    assert measured.process.returncode == 5
    assert cuda_builds(measured) == [("cuda:0", 128, 1), ("cuda:0", 256, 1)]
    assert "RuntimeError: broken half way" in measured.text
    assert "Until then the rehearsal for sm_90 had built 2 CUDA binaries of 1 module" in measured.text


def test_an_architecture_that_this_warp_cannot_compile_for_is_refused_with_a_list(probe: Probe) -> None:
    refused = probe.run("measure", "--rehearse-cuda", "sm_20", "--", *python("needs_cuda"))

    assert refused.returncode == 2
    assert "sm_20" in refused.stderr and "sm_90" in refused.stderr
