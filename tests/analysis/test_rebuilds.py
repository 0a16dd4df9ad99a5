from typing import Any

from tests.analysis.factories import kernel, load, process, recording
from warp_mcp.analysis.rebuilds import find_flips, find_rebuilds
from warp_mcp.models.report import Rebuild


def rebuilds(*loads: Any, **changes: Any) -> list[Rebuild]:
    kernels = changes.pop("kernels", [kernel(0), kernel(1, "scale")])
    return find_rebuilds(recording(process(loads=list(loads), kernels=kernels, **changes)))


def test_a_second_identity_of_a_module_in_one_process_is_a_rebuild():
    found = rebuilds(load("aa", 1000), load("bb", 2000, ms=150.0, kernels=[0, 1]))
    assert [(one.from_hash, one.to_hash, one.cost_ms) for one in found] == [("aa", "bb", 150.0)]


def test_each_further_identity_is_compared_with_the_one_before_it():
    loads = [
        load(hash, 1000 + 500 * i, kernels=list(range(i + 1))) for i, hash in enumerate(("aa", "bb", "cc"))
    ]
    found = rebuilds(*loads, kernels=[kernel(i, f"k{i}") for i in range(3)])
    assert [(one.from_hash, one.to_hash) for one in found] == [("aa", "bb"), ("bb", "cc")]
    assert ["k1" in one.causes[0].detail or "k2" in one.causes[0].detail for one in found] == [True, True]


def test_two_processes_that_build_the_same_module_are_two_builds_and_no_rebuild():
    one = process(pid=10, loads=[load("aa", 1000)])
    other = process(pid=11, loads=[load("aa", 1010)])
    assert find_rebuilds(recording(one, other)) == []


def test_two_processes_with_different_identities_are_no_rebuild():
    one = process(pid=10, loads=[load("aa", 1000)])
    other = process(pid=11, loads=[load("bb", 1010)])
    assert find_rebuilds(recording(one, other)) == []


def test_a_failed_build_is_no_partner_of_a_rebuild():
    assert rebuilds(load("aa", 1000, status="error", error="no"), load("bb", 2000)) == []
    assert rebuilds(load("aa", 1000), load("bb", 2000, status="error", error="no")) == []


def test_an_ahead_of_time_build_is_no_partner_of_a_rebuild():
    assert rebuilds(load("aa", 1000), load("bb", 2000, device="aot:sm_90")) == []
    assert rebuilds(load("aa", 1000, device="aot:sm_90"), load("bb", 2000, device="aot:sm_100")) == []


def test_another_device_is_no_rebuild():
    assert rebuilds(load("aa", 1000), load("bb", 2000, device="cuda:0")) == []


def test_the_same_identity_built_again_after_its_cache_was_cleared_is_no_second_identity():
    assert rebuilds(load("aa", 1000), load("aa", 2000)) == []


def test_a_second_identity_from_the_cache_was_not_built():
    assert rebuilds(load("aa", 1000), load("bb", 2000, status="cached", kernels=[0, 1])) == []


def test_a_rebuild_that_the_process_did_not_survive_is_reported():
    assert len(rebuilds(load("aa", 1000), load("bb", 2000, kernels=[0, 1], finished=False))) == 1


def test_another_block_dim_is_a_variant_and_its_only_cause_is_the_block_dim():
    found = rebuilds(load("aa", 1000), load("bb", 2000, block_dim=64, kernels=[0, 1], where="app.py:77"))
    assert [(cause.kind, cause.detail, cause.where) for cause in found[0].causes] == [
        ("block_dim", "block_dim: 1 → 64", "app.py:77")
    ]


def test_a_block_dim_whose_hash_is_the_same_is_still_a_variant():
    found = rebuilds(load("aa", 1000), load("aa", 2000, block_dim=64))
    assert [cause.kind for one in found for cause in one.causes] == ["block_dim"]


def test_a_variant_that_changes_later_is_compared_with_the_same_block_dim():
    loads = [
        load("a1", 1000),
        load("a64", 1500, block_dim=64),
        load("b64", 2000, block_dim=64, kernels=[0, 1]),
        load("b1", 2500, kernels=[0, 1]),
    ]
    found = rebuilds(*loads)
    assert [(one.from_hash, one.to_hash) for one in found] == [("a1", "a64"), ("a64", "b64"), ("a1", "b1")]
    assert [one.causes[0].kind for one in found] == ["block_dim", "kernel_added", "kernel_added"]


def test_going_back_to_an_earlier_identity_without_a_build_is_a_flip():
    loads = [
        load("aa", 1000),
        load("bb", 2000, kernels=[0, 1]),
        load("aa", 3000, ms=4.0, status="cached", where="app.py:60"),
        load("bb", 3100, ms=3.0, status="cached", kernels=[0, 1]),
    ]
    record = recording(process(loads=loads, kernels=[kernel(0), kernel(1, "scale")]))
    assert [(flip.hash, flip.ms) for flip in find_flips(record)] == [("aa", 4.0), ("bb", 3.0)]
    assert len(find_rebuilds(record)) == 1


def test_loading_the_same_identity_on_and_on_is_no_flip():
    loads = [load("aa", 1000), load("aa", 2000, status="cached"), load("aa", 3000, status="cached")]
    assert find_flips(recording(process(loads=loads))) == []


def test_two_block_dims_in_turn_are_no_flip():
    loads = [load("aa", 1000 + 100 * i, block_dim=1 + 63 * (i % 2), status="cached") for i in range(4)]
    assert find_flips(recording(process(loads=loads))) == []
