import random
import re
from typing import Any

from tests.analysis.factories import launched, process, report, report_of, sample, signature, stream
from warp_mcp.analysis.workload import compare_workloads
from warp_mcp.models.comparison import Workload
from warp_mcp.models.launching import LaunchStream, Signature
from warp_mcp.models.report import Report


def ran(signatures: list[Signature], *order: int, **changes: Any) -> Report:
    signatures = [one.model_copy(update={"count": order.count(one.slot)}) for one in signatures]
    return report_of(process(signatures=signatures, streams=launched(*order)), **changes)


def in_threads(signatures: list[Signature], *streams: LaunchStream, **changes: Any) -> Report:
    return report_of(process(signatures=signatures, streams=list(streams)), **changes)


def stages(*powers: int) -> list[Signature]:
    """Closures of one factory: equal names and signatures, different contents."""
    return [
        signature(slot, "stage_kernel", kernel_digest=f"power {power}") for slot, power in enumerate(powers)
    ]


LAST = signature(9, "last", dim=[8], types=["array1d[float32]"])


def compare(baseline: Report, candidate: Report) -> Workload:
    return compare_workloads(baseline, candidate)


def test_equal_launches_are_preserved_and_nothing_is_said_of_kernels():
    found = compare(ran(stages(1, 2), 0, 1), ran(stages(1, 2), 0, 1))
    assert found == Workload(
        status="preserved", first_divergence=None, differences=[], renames=[], kernels_changed=[]
    )


def test_a_dropped_launch_among_equal_signatures_is_located_by_what_the_kernels_compute():
    before = ran([*stages(1, 2, 3, 4, 5, 6), LAST], 0, 1, 2, 3, 4, 5, 9)
    after = ran([*stages(1, 2, 3, 5, 6), LAST], 0, 1, 2, 3, 4, 9)
    found = compare(before, after)
    assert found.status == "changed"
    assert found.first_divergence is not None
    assert found.first_divergence.launch == 4
    assert "1 launch fewer of stage_kernel [8]" in found.differences
    assert found.kernels_changed == []


def test_without_contents_a_dropped_launch_is_located_by_signatures():
    slots = [signature(0, "stage", kernel_digest=""), signature(1, "last", kernel_digest="", dim=[9])]
    found = compare(ran(slots, 0, 0, 0, 1), ran(slots, 0, 0, 1))
    assert found.status == "changed"
    assert found.first_divergence is not None
    assert found.first_divergence.launch == 3


def test_an_added_launch_at_the_end_has_no_counterpart():
    found = compare(ran(stages(1), 0), ran(stages(1), 0, 0))
    assert found.first_divergence is not None
    assert (found.first_divergence.launch, found.first_divergence.baseline) == (2, None)
    assert "1 launch more of stage_kernel [8]" in found.differences


def test_another_data_type_is_named():
    old, new = signature(0, "last_single"), signature(0, "last", types=["array1d[float64]"])
    found = compare(ran([old], 0), ran([new], 0))
    assert found.status == "changed"
    assert "array1d[float64] in place of array1d[float32]" in " ".join(found.differences)
    assert found.first_divergence is not None
    assert "float64" in (found.first_divergence.candidate or "")


def test_another_dim_block_dim_device_or_direction_is_a_change():
    for change in ({"dim": [9]}, {"block_dim": 64}, {"device": "cuda:0"}, {"adjoint": True}):
        found = compare(ran([signature(0)], 0), ran([signature(0, **change)], 0))
        assert found.status == "changed", change
        assert found.first_divergence is not None
        assert found.first_divergence.launch == 1


def test_another_order_is_a_change_although_every_count_is_equal():
    slots = [signature(0, "add"), signature(1, "scale", dim=[9])]
    found = compare(ran(slots, 0, 0, 1), ran(slots, 0, 1, 0))
    assert found.status == "changed"
    assert found.differences[0].startswith("the same launches in another order")


def test_the_same_work_on_other_threads_is_a_change_but_its_interleaving_is_not():
    slots = [signature(0, "add"), signature(1, "scale", dim=[9])]
    apart = in_threads(slots, stream(([0], 3)), stream(([1], 3), thread=1))
    swapped = in_threads(slots, stream(([1], 3)), stream(([0], 3), thread=1))
    together = in_threads(slots, stream(([0], 3), ([1], 3)))
    assert compare(apart, swapped).status == "preserved"
    assert compare(apart, together).status == "changed"


def test_a_thread_that_only_one_side_has_is_where_they_differ():
    slots = [signature(0, "add"), signature(1, "scale", dim=[9])]
    found = compare(
        in_threads(slots, stream(([0], 3)), stream(([1], 3), thread=1)), in_threads(slots, stream(([0], 3)))
    )
    assert found.status == "changed"
    assert found.first_divergence is not None
    assert found.first_divergence.launch == 1
    assert found.first_divergence.candidate is None


def test_a_renamed_kernel_is_an_advisory():
    found = compare(
        ran([signature(0, "add", kernel_digest="d")], 0), ran([signature(0, "plus", kernel_digest="d")], 0)
    )
    assert (found.status, found.renames, found.kernels_changed) == ("preserved", ["add → plus"], [])


def test_a_kernel_that_computes_something_else_is_named_and_the_launches_are_not_verified():
    found = compare(ran(stages(1, 2), 0, 1), ran(stages(1, 7), 0, 1))
    assert (found.status, found.kernels_changed, found.first_divergence) == (
        "unverified",
        ["stage_kernel"],
        None,
    )


def test_a_kernel_launched_in_place_of_another_with_the_same_signature_is_not_preserved():
    twice = ran(stages(1, 2), 0, 0)
    found = compare(ran(stages(1, 2), 0, 1), twice)
    assert found.status == "unverified"
    assert found.kernels_changed == ["stage_kernel"]


def test_two_kernels_of_one_signature_in_another_order_are_not_preserved():
    slots = [signature(0, "add"), signature(1, "scale")]
    found = compare(ran(slots, 0, 1), ran(slots, 1, 0))
    assert (found.status, found.kernels_changed) == ("unverified", ["scale in place of add"])


def test_one_thread_of_several_equal_ones_that_launches_another_kernel_is_noticed():
    slots = [signature(0, "add"), signature(1, "scale")]
    same = in_threads(slots, stream(([0], 2)), stream(([0], 2), thread=1))
    other = in_threads(slots, stream(([0], 2)), stream(([1], 2), thread=1))
    assert compare(same, other).status == compare(other, same).status == "unverified"
    assert compare(same, other).kernels_changed == ["scale in place of add"]


def test_a_changed_kernel_does_not_hide_where_a_launch_was_dropped():
    before = ran([signature(0, "a"), signature(1, "b"), signature(2, "c")], 0, 1, 2)
    after = ran([signature(0, "a", kernel_digest="new"), signature(2, "c")], 0, 2)
    found = compare(before, after)
    assert found.status == "changed"
    assert found.first_divergence is not None
    assert found.first_divergence.launch == 2
    assert found.kernels_changed == ["a"]


def test_kernels_whose_content_is_unknown_are_compared_by_name_and_that_is_said():
    slots = [signature(0, "add", kernel_digest="")]
    found = compare(ran(slots, 0), ran(slots, 0))
    assert found.status == "preserved"
    assert "add" in found.differences[0]


def test_launches_that_were_not_recorded_are_not_verified():
    nothing = report(sample())
    found = compare(nothing, ran(stages(1), 0))
    assert (found.status, found.differences[0]) == (
        "unverified",
        "the launches of the baseline were not recorded",
    )


def test_an_incomplete_record_is_not_verified_even_when_what_it_holds_is_equal():
    whole = ran(stages(1), 0)
    cut = whole.model_copy(update={"launches": whole.launches.model_copy(update={"complete": False})})
    assert compare(whole, cut).status == "unverified"


def test_a_program_that_differs_from_sample_to_sample_proves_nothing_when_it_differs():
    def shaken(*orders: tuple[int, ...]) -> Report:
        return report(*[sample(process(signatures=stages(1), streams=launched(*order))) for order in orders])

    unstable = shaken((0,), (0, 0), (0,))
    assert not unstable.launches.stable
    assert compare(unstable, shaken((0, 0), (0, 0), (0, 0))).status == "unverified"
    assert compare(unstable, shaken((0,), (0,), (0,))).status == "preserved"


def test_a_program_that_was_ended_at_another_moment_is_judged_on_the_common_part():
    stop = {"stop": {"when_quiet_s": 2.0}}
    slots = [signature(0, "add"), signature(1, "scale", dim=[9])]
    short = in_threads(slots, stream(([0], 1), ([0, 1], 1000)), **stop)
    long = in_threads(slots, stream(([0], 1), ([0, 1], 5000)), **stop)
    found = compare(short, long)
    assert found.status == "preserved"
    assert found.differences[0].startswith("judged on the first 1001 launches")
    other = in_threads(slots, stream(([0], 2), ([0, 1], 5000)), **stop)
    assert compare(short, other).status == "changed"


def test_runs_that_were_ended_after_the_same_launches_say_so_too():
    one = in_threads(stages(1), stream(([0], 100)), stop={"when_quiet_s": 2.0})
    found = compare(one, one)
    assert found.status == "preserved"
    assert found.differences[0].startswith("judged on the first 100 launches")


def test_a_kernel_replaced_within_the_common_part_is_noticed():
    stop = {"stop": {"when_quiet_s": 2.0}}
    slots = [signature(0, "add"), signature(1, "scale")]
    short = in_threads(slots, stream(([0, 1], 100)), **stop)
    swapped = in_threads(slots, stream(([0, 1], 50), ([1, 0], 100)), **stop)
    found = compare(short, swapped)
    assert (found.status, found.kernels_changed) == ("unverified", ["scale"])


def test_where_only_signatures_are_known_to_the_end_it_is_said():
    def cut() -> Report:
        return in_threads(stages(1), stream(([0], 10), length=90, tail_digest="t"))

    found = compare(cut(), cut())
    assert found.status == "preserved"
    assert found.differences == [
        "after the first 10 launches of a thread, launches are compared by signature only"
    ]


def test_a_side_that_launched_nothing_has_no_common_part():
    stop = {"stop": {"when_quiet_s": 2.0}}
    found = compare(in_threads(stages(1), stream(), **stop), in_threads(stages(1), stream(([0], 5)), **stop))
    assert found.status == "changed"


def test_a_program_that_ends_by_itself_is_not_judged_on_a_common_part():
    slots = stages(1)
    found = compare(in_threads(slots, stream(([0], 1000))), in_threads(slots, stream(([0], 1001))))
    assert found.status == "changed"
    assert found.first_divergence is not None
    assert found.first_divergence.launch == 1001


def test_a_difference_beyond_what_is_kept_is_bounded_by_checkpoints():
    def long(changed_at: int) -> Report:
        rng = random.Random(7)
        order = [rng.randrange(2) for _ in range(20_000)]
        order[changed_at] = 1 - order[changed_at]
        slots = [signature(0, "add"), signature(1, "scale", dim=[9])]
        return in_threads(slots, stream((order, 20_000)))

    found = compare(long(15_000), long(19_000))
    assert found.status == "changed"
    assert found.first_divergence is None
    text = next(sentence for sentence in found.differences if "first difference" in sentence)
    low, high = (int(number) for number in re.findall(r"between launch (\d+) and launch (\d+)", text)[0])
    assert low <= 15_001 <= high <= 1.25 * low


def test_the_first_divergence_is_the_one_that_a_comparison_launch_by_launch_finds():
    rng = random.Random(11)
    slots = [signature(i, f"k{i}", dim=[i]) for i in range(3)]
    for _ in range(60):
        left = [rng.randrange(3) for _ in range(rng.randrange(1, 12))]
        right = left[: rng.randrange(len(left) + 1)] + [rng.randrange(3) for _ in range(rng.randrange(3))]
        found = compare(ran(slots, *left), ran(slots, *right))
        if left == right:
            assert found.status == "preserved"
            continue
        pairs = zip(left, right, strict=False)
        expected = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right))) + 1
        assert found.status == "changed"
        assert found.first_divergence is not None
        assert found.first_divergence.launch == (expected if right else 1)
