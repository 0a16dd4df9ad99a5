"""A look into the compiler, through the command line: the kernel that dominates, and what stays untouched.

    pytest tests/tier2/rehearsals_from_inside.py

How near a price comes to what an edit really saves is a figure: `tests/benchmarks/compile_trace.py`.
"""

import shutil
from typing import Any

import pytest

from tests.situations.measuring import Measured, Probe, python
from warp_mcp.analysis.trace_choice import LINKED

pytestmark = [
    pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="a GPU would be measured"),
    pytest.mark.timeout(900),
]
PROGRAM = python("cuda_only/has_one_dear_kernel")
ARCH = ("--rehearse-cuda", "sm_90")


def measured(root: Any, *options: str, command: tuple[str, ...] = PROGRAM) -> Measured:
    found = Probe(root).measure(*command, options=(*ARCH, *options), limit_s=800)
    assert found.process.returncode == 0, found.text
    return found


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    return measured(tmp_path_factory.mktemp("looked"))


def kernels(found: Measured) -> dict[str, dict[str, Any]]:
    (module,) = found.report["rehearsal"]["compile_trace"]["modules"]
    return {one["kernel"]: one for one in module["kernels"]}


def identities(rehearsal: dict[str, Any]) -> list[dict[str, Any]]:
    """What was built, without how long that took."""
    same = ("name", "hash", "block_dim", "builds", "launches", "options", "source_bytes")
    built = [{key: one[key] for key in same} for one in rehearsal["modules"]]
    return sorted(built, key=lambda one: one["name"])


def test_the_kernel_that_dominates_is_named_and_its_backward_code_priced(looked: Measured) -> None:
    found = kernels(looked)

    assert list(found) == ["deform", "shift"]
    assert found["deform"]["backward_ms"] > found["shift"]["backward_ms"] > 0
    assert found["deform"]["share"] > 0.3
    assert looked.report["rehearsal"]["compile_trace"]["problems"] == []
    assert "Switching backward off for `deform` saves about" in looked.text


def test_the_finding_on_backward_code_names_the_kernels_behind_it(looked: Measured) -> None:
    findings = {one["mechanism"]: one for one in looked.report["rehearsal"]["findings"]}

    assert findings["CS-10"]["status"] == "fired"
    assert list(findings["CS-10"]["evidence"]["backward_by_kernel_ms"]) == ["deform", "shift"]


def test_the_timed_builds_and_what_ran_are_those_of_a_rehearsal_without_a_look(
    looked: Measured, tmp_path_factory: pytest.TempPathFactory
) -> None:
    plain = measured(tmp_path_factory.mktemp("plain"), "--no-compile-trace").report["rehearsal"]
    found = looked.report["rehearsal"]

    assert plain["compile_trace"] is None
    for part in ("structure", "not_rehearsed"):
        assert found[part] == plain[part]
    assert identities(found) == identities(plain)
    assert {one["options"]["compile_time_trace"] for one in found["modules"]} == {"False"}
    assert found["launches"]["sequence_sha256"] == plain["launches"]["sequence_sha256"]
    assert found["structure"]["warm_compiled"] == []


def test_a_program_that_is_ended_after_so_many_launches_is_looked_into_too(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    stopped = measured(tmp_path_factory.mktemp("stopped"), "--stop-after-launches", "2")

    assert stopped.report["rehearsal"]["launches"]["total"] == 2
    assert kernels(stopped)["deform"]["backward_ms"] > 0


def test_what_an_edit_takes_away_has_no_price_any_more(tmp_path_factory: pytest.TempPathFactory) -> None:
    edited = measured(
        tmp_path_factory.mktemp("edited"),
        command=python("cuda_only/builds_three_variants"),
    )

    (module,) = edited.report["rehearsal"]["compile_trace"]["modules"]
    assert (module["builds"], module["backward_ms"]) == (4, 0)
    assert [(one["kernel"], one["backward_ms"]) for one in module["kernels"]] == [("fill", 0)]
    assert "none is backward code" in edited.text


def test_a_module_with_links_is_named_without_a_second_build(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    linked = measured(
        tmp_path_factory.mktemp("linked"),
        command=python("cuda_tiles/tile_matmul", "on", "module"),
    )

    trace = linked.report["rehearsal"]["compile_trace"]
    assert [one["not_priced"] for one in trace["modules"]] == [LINKED]
    assert "looking into the compiler" not in linked.text
