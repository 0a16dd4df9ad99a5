"""CS-4 and CS-9: many modules of one kernel each, by folder, maker or `unique`."""

from typing import Any

from tests.analysis.factories import kernel, module, process
from tests.analysis.mechanisms.found import finding, modules, phases
from warp_mcp.models.recording import ModuleRecord


def made(how: str, count: int) -> list[ModuleRecord]:
    return [module(i, f"m{i}", made=how) for i in range(count)]


def test_many_one_kernel_modules_of_one_folder_fire_with_what_the_further_ones_pay() -> None:
    found = finding("CS-4", process(**modules(5)))

    assert (found.status, found.cost_ms, found.cost_kind) == ("fired", 4 * 130.0, "estimate")
    assert found.evidence["floor_ms"] == 130.0
    assert found.evidence["modules"] == [f"m{i}" for i in range(5)]
    assert found.how


def test_two_one_kernel_modules_are_too_little_to_matter() -> None:
    found = finding("CS-4", process(**modules(2, phases=phases(60.0), ms=80.0)))

    assert (found.status, found.evidence["one_kernel_modules"]) == ("ruled_out", 2)
    assert found.evidence["at_stake_ms"] < found.evidence["least_that_counts_ms"]


def test_unique_modules_are_the_matter_of_cs_9_alone() -> None:
    one = process(**{**modules(5), "modules": made("unique", 5)})

    assert finding("CS-9", one).status == "fired"
    assert finding("CS-4", one).status == "ruled_out"


def test_unique_modules_are_told_with_the_file_that_makes_them() -> None:
    found = finding("CS-9", process(**{**modules(5), "modules": made("unique", 5)}))

    assert found.evidence["made_by"] == ["app.py"]


def test_modules_of_wp_map_are_grouped_by_the_file_that_calls_it() -> None:
    found = finding("CS-4", process(**{**modules(5, where="lib/ops.py:7"), "modules": made("map", 5)}))

    assert found.evidence["made_by"] == ["wp.map() in lib/ops.py"]


def test_modules_with_other_options_are_not_one_group() -> None:
    several = modules(4)
    several["loads"] = [
        one.model_copy(update={"options": {"max_unroll": str(i)}}) for i, one in enumerate(several["loads"])
    ]

    assert finding("CS-4", process(**several)).evidence["groups"] == 0


def test_cuda_modules_at_other_block_dims_are_not_one_group_and_cpu_modules_are() -> None:
    def at_two_block_dims(device: str) -> dict[str, Any]:
        several = modules(6, device=device)
        loads = several["loads"]
        return {
            **several,
            "loads": [one.model_copy(update={"block_dim": 64 * (i % 2)}) for i, one in enumerate(loads)],
        }

    assert finding("CS-4", process(**at_two_block_dims("cuda:0"))).evidence["groups"] == 2
    assert finding("CS-4", process(**at_two_block_dims("cpu"))).evidence["groups"] == 1


def test_modules_of_several_kernels_are_no_group() -> None:
    several = modules(5)
    loads = [one.model_copy(update={"kernels": [0, 1]}) for one in several["loads"]]
    kernels = [kernel(i, f"k{i}", module=j) for j in range(5) for i in range(2)]

    assert finding("CS-4", process(**{**several, "loads": loads, "kernels": kernels})).evidence["groups"] == 0


def test_the_owner_is_whose_files_they_are() -> None:
    several = modules(5)
    place = "/venv/lib/python3.11/site-packages/fluids/ops.py"
    kernels = [one.model_copy(update={"defined_at": f"{place}:{one.id}"}) for one in several["kernels"]]
    found = finding("CS-4", process(**{**several, "kernels": kernels}))

    assert found.owner == "fluids"
    assert "fluids" in found.scope
