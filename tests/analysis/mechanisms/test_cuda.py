"""CS-5, CS-7 and CS-13: what only builds for CUDA have, whether for a device or ahead of time."""

import pytest

from tests.analysis.factories import kernel, launched, load, module, option, process, signature
from tests.analysis.mechanisms.found import finding, modules, phases
from warp_mcp.models.recording import LtoPart, ProcessRecord

CUDA_ONLY = ("CS-5", "CS-7", "CS-13")


@pytest.mark.parametrize("label", CUDA_ONLY)
def test_a_run_that_builds_for_the_cpu_alone_does_not_reach_them(label: str) -> None:
    found = finding(label, process(**modules(5)))

    assert (found.status, found.evidence["reason"]) == (
        "not_reached",
        "nothing was built for CUDA in this run",
    )


@pytest.mark.parametrize("label", CUDA_ONLY)
def test_one_cuda_build_rules_them_out(label: str) -> None:
    assert finding(label, process(**modules(1, device="cuda:0"))).status == "ruled_out"


def several_block_dims(*launches: tuple[str, int]) -> ProcessRecord:
    """A module of two kernels built for 128 and 256 threads, and these launches of (kernel, block_dim)."""
    return process(
        kernels=[kernel(0, "a"), kernel(1, "b")],
        loads=[
            load("h", 1000, 400, device="cuda:0", block_dim=128, kernels=[0, 1], where="app.py:61"),
            load("i", 2000, 600, device="cuda:0", block_dim=256, kernels=[0, 1], where="app.py:62"),
        ],
        signatures=[
            signature(slot, name, device="cuda:0", block_dim=dim, hash="h" if dim == 128 else "i")
            for slot, (name, dim) in enumerate(launches)
        ],
        streams=launched(*range(len(launches))),
    )


def test_a_module_at_two_block_dims_fires_with_the_kernels_nobody_needed_there() -> None:
    found = finding("CS-5", several_block_dims(("a", 128), ("b", 256)))

    assert (found.status, found.cost_ms, found.cost_kind) == ("fired", 0.5 * 400 + 0.5 * 600, "estimate")
    assert found.evidence["block_dims"] == [128, 256]
    assert [one["launched_at_it"] for one in found.evidence["variants"]] == [["a"], ["b"]]
    assert found.where == "app.py:61"


def test_where_every_kernel_is_launched_at_both_each_build_is_needed() -> None:
    found = finding("CS-5", several_block_dims(*[(name, dim) for name in "ab" for dim in (128, 256)]))

    assert (found.status, found.evidence["block_dims"]) == ("ruled_out", [128, 256])
    assert "launches need each build" in found.title


def test_what_more_modules_would_take_is_taken_off_what_they_would_save() -> None:
    """`a` at both and `b` at one: modules of their own are three builds in place of two."""
    shared = several_block_dims(("a", 128), ("a", 256), ("b", 256))
    floor = 0.55 * 0.9 * 400

    found = finding("CS-5", shared)
    assert (found.status, found.cost_ms) == ("fired", pytest.approx(0.5 * 400 - floor))

    small = [one.model_copy(update={"end_ms": one.begin_ms + 300}) for one in shared.loads]
    assert finding("CS-5", shared.model_copy(update={"loads": small})).status == "ruled_out"


def test_a_build_that_was_made_again_for_another_cause_is_no_further_variant() -> None:
    twice = several_block_dims(("a", 128), ("b", 256))
    late = twice.loads[1].model_copy(update={"hash": "j", "begin_ms": 4000.0, "end_ms": 4600.0})

    found = finding("CS-5", twice.model_copy(update={"loads": [*twice.loads, late]}))

    assert "was built 2 times on CUDA, for the block dimensions 128, 256" in found.title
    assert found.cost_ms == 0.5 * 400 + 0.5 * 600


def test_what_was_loaded_at_a_block_dim_of_no_launch_is_to_be_loaded_at_that_of_its_launches() -> None:
    preloaded = finding("CS-5", several_block_dims(("a", 256), ("b", 256)))
    needed = finding("CS-5", several_block_dims(("a", 128), ("b", 256)))

    assert "No launch needed what was built at block_dim 128" in preloaded.fix
    assert "the block_dim of these, 256, to wp.force_load()" in preloaded.fix
    assert "a module of their own" in needed.fix


def test_two_devices_at_one_block_dim_are_no_several_block_dims() -> None:
    one = process(
        loads=[load(device=f"cuda:{i}", block_dim=256, begin=1000 + 500 * i) for i in range(2)],
        kernels=[kernel()],
    )

    assert finding("CS-5", one).status == "ruled_out"


def test_the_time_in_mathdx_links_fires_and_is_told_forward_and_adjoint_apart() -> None:
    links = {"forward": LtoPart(count=1, wall_ms=3000.0), "adjoint": LtoPart(count=2, wall_ms=5000.0)}
    built = load(ms=9000.0, device="aot:sm_90", block_dim=256, phases=phases(900, lto=8000.0), lto=links)
    found = finding("CS-7", process(loads=[built]))

    assert (found.status, found.cost_ms, found.cost_kind) == ("fired", 8000.0, "measured")
    assert found.title == "1 CUDA module spent 8.0 s on 3 MathDx links, 5.0 s of it for backward code"
    assert found.evidence["links"][0]["adjoint"] == {"count": 2, "ms": 5000.0}
    assert found.questions


def test_cuda_modules_built_one_after_the_other_fire_with_all_but_the_largest() -> None:
    found = finding("CS-13", process(**modules(4, device="cuda:0", block_dim=256, ms=400.0)))

    assert (found.status, found.cost_ms, found.cost_kind) == ("fired", 3 * 400.0, "estimate")
    assert (found.evidence["ceiling"], found.evidence["overlap_factor"]) == (4.0, 1.0)
    assert found.evidence["preload_safely"] == ["m0", "m1", "m2", "m3"]
    assert "block_dim=256" in found.fix


def test_modules_at_several_block_dims_are_to_be_loaded_each_at_its_own() -> None:
    several = modules(4, device="cuda:0", block_dim=256, ms=400.0)
    for part in ("loads", "signatures"):
        several[part][1] = several[part][1].model_copy(update={"block_dim": 16})

    found = finding("CS-13", process(**several))

    assert "wp.load_module(wp.get_module('m0'), 'cuda:0', block_dim=256)" in found.fix
    assert "wp.load_module(wp.get_module('m1'), 'cuda:0', block_dim=16)" in found.fix
    assert "force_load" not in found.fix


@pytest.mark.parametrize("made", ["unique", "map", "fem"])
def test_a_module_whose_name_changes_with_its_content_is_never_to_be_loaded_by_that_name(made: str) -> None:
    several = modules(4, device="cuda:0", block_dim=256, ms=400.0)
    several["modules"][1] = several["modules"][1].model_copy(update={"made": made})
    every = [one.model_copy(update={"made": made}) for one in several["modules"]]

    some, none = (
        finding("CS-13", process(**several)),
        finding("CS-13", process(**{**several, "modules": every})),
    )

    assert "'m0'" in some.fix and "'m1'" not in some.fix and "kernel.module" in some.fix
    assert "get_module" not in none.fix and "each as kernel.module" in none.fix


def test_a_module_that_did_not_exist_at_the_first_build_is_not_to_be_loaded_before_it() -> None:
    several = modules(4, device="cuda:0", block_dim=256, ms=400.0)
    several["modules"][2] = several["modules"][2].model_copy(update={"t_ms": 1001.0})

    found = finding("CS-13", process(**several))

    assert (found.evidence["made_after_the_first_build"], found.cost_ms) == (1, 2 * 400.0)
    assert found.title.startswith("3 CUDA modules")
    assert "'m1'" in found.fix and "'m2'" not in found.fix
    assert "1 more module was imported or made after the first build, the largest m2 (400 ms)" in found.fix


def test_cuda_modules_that_overlap_already_are_ruled_out() -> None:
    several = modules(4, device="cuda:0", block_dim=256, ms=400.0)
    several["loads"] = [
        one.model_copy(update={"begin_ms": 1000.0, "end_ms": 1400.0}) for one in several["loads"]
    ]

    assert finding("CS-13", process(**several)).status == "ruled_out"


def test_a_module_whose_options_change_is_not_named_as_safe_to_preload() -> None:
    several = modules(3, device="cuda:0", block_dim=256, ms=400.0)
    found = finding(
        "CS-13", process(**several, options=[option("fast_math", "False", "True", 1200, module=1)])
    )

    assert found.evidence["not_safe_to_preload"] == ["m1"]


def test_options_that_a_module_was_given_before_the_first_build_are_those_of_a_preload_too() -> None:
    several = modules(3, device="cuda:0", block_dim=256, ms=400.0)
    set_at_import = option("enable_backward", "True", "False", 950, module=1)

    assert finding("CS-13", process(**several, options=[set_at_import])).evidence["not_safe_to_preload"] == []


def test_a_module_that_is_built_again_is_not_independent() -> None:
    loads = [
        load(f"h{i}", 1000 + 500 * i, 400, device="cuda:0", block_dim=256, kernels=list(range(i + 1)))
        for i in range(4)
    ]
    one = process(kernels=[kernel(i, f"k{i}") for i in range(4)], loads=loads, modules=[module()])

    assert finding("CS-13", one).status == "ruled_out"
