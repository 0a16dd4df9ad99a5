import pytest

from tests.analysis.factories import launched, process, recording, signature, stream
from warp_mcp.analysis.launches import build_launches
from warp_mcp.models.recording import Problem, ProcessRecord
from warp_mcp.models.report import Launches

SLOTS = [signature(0, "add", 2), signature(1, "scale", 1, dim=[9])]


def launches(*processes: ProcessRecord, unrecorded: bool = False) -> Launches:
    return build_launches(recording(*processes), unrecorded=unrecorded)


def test_a_report_holds_the_order_the_counts_and_the_kernels_beside_the_signatures():
    found = launches(process(signatures=SLOTS, streams=launched(0, 1, 0)))
    assert (found.total, found.distinct, found.complete) == (3, 2, True)
    assert [(row.kernel, row.module, row.count) for row in found.by_signature] == [
        ("add", "app", 2),
        ("scale", "app", 1),
    ]
    [sequence] = found.sequences
    assert [found.work[index].kernel for index in sequence.segments[0].pattern] == ["add", "scale", "add"]


def test_thread_numbers_and_process_ids_and_their_order_do_not_matter():
    add, scale = stream(([0], 20), thread=0), stream(([1], 20), thread=1)
    one = launches(process(signatures=SLOTS, streams=[add, scale]))
    swapped = [add.model_copy(update={"thread": 1}), scale.model_copy(update={"thread": 0})]
    other = launches(process(pid=77, signatures=SLOTS, streams=swapped[::-1]))
    apart = launches(
        process(signatures=SLOTS, streams=[scale]), process(pid=11, signatures=SLOTS, streams=[add])
    )
    assert one.sequence_sha256 == other.sequence_sha256 == apart.sequence_sha256
    assert one.sequences == other.sequences


def test_slot_numbers_and_compression_do_not_matter():
    one = launches(process(signatures=SLOTS, streams=[stream(([0, 1], 7))]))
    renumbered = [signature(5, "add"), signature(3, "scale", dim=[9])]
    other = launches(process(signatures=renumbered, streams=[stream(([5], 1), ([3, 5, 3, 5], 6))]))
    assert one.sequence_sha256 == other.sequence_sha256


def test_the_order_within_a_thread_matters():
    one = launches(process(signatures=SLOTS, streams=launched(0, 1)))
    other = launches(process(signatures=SLOTS, streams=launched(1, 0)))
    assert one.sequence_sha256 != other.sequence_sha256


def test_two_threads_are_not_one_thread_that_does_both():
    one = launches(process(signatures=SLOTS, streams=[stream(([0], 1)), stream(([1], 1), thread=1)]))
    other = launches(process(signatures=SLOTS, streams=launched(0, 1)))
    assert one.sequence_sha256 != other.sequence_sha256


def test_kernel_names_and_contents_are_not_part_of_the_digest_but_of_the_content_digest():
    one = launches(process(signatures=[signature(0, "add")], streams=launched(0)))
    renamed = launches(
        process(signatures=[signature(0, "plus", kernel_digest="digest of add")], streams=launched(0))
    )
    changed = launches(process(signatures=[signature(0, "add", kernel_digest="other")], streams=launched(0)))
    assert one.sequence_sha256 == renamed.sequence_sha256 == changed.sequence_sha256
    contents = [found.sequences[0].content_digest for found in (one, renamed, changed)]
    assert contents[0] == contents[1] != contents[2]


def test_the_same_kernel_and_signature_in_two_processes_is_one_row():
    found = launches(process(signatures=SLOTS, streams=[]), process(pid=11, signatures=SLOTS, streams=[]))
    assert (found.distinct, found.by_signature[0].count) == (2, 4)


def test_closures_of_one_name_and_signature_are_one_row():
    slots = [signature(i, "stage", kernel_digest=f"d{i}") for i in range(3)]
    found = launches(process(signatures=slots, streams=launched(0, 1, 2)))
    assert (found.distinct, found.by_signature[0].count) == (1, 3)
    assert len(found.work) == 3


def test_a_thread_that_launched_nothing_is_no_sequence():
    assert launches(process(signatures=SLOTS, streams=[stream()])).sequences == []


@pytest.mark.parametrize(
    ("code", "detail", "complete"),
    [
        ("uncounted_launches", "a graph loaded from a file", False),
        ("record_cut", "65536", False),
        ("hook_missing", "warp._src.context.invoke", False),
        ("hook_missing", "Module._compile", True),
        ("signatures_cut", "more than 65536", True),
        ("sequence_cut", "thread 1", True),
    ],
)
def test_only_problems_after_which_launches_may_be_missing_make_the_record_incomplete(
    code: str, detail: str, complete: bool
):
    problem = Problem.model_validate({"code": code, "detail": detail})
    found = launches(process(signatures=SLOTS, streams=launched(0, 1), problems=[problem]))
    assert found.complete is complete


def test_an_unrecorded_process_or_a_damaged_record_makes_it_incomplete():
    assert not launches(process(signatures=SLOTS, streams=launched(0)), unrecorded=True).complete
    record = recording(process(signatures=SLOTS, streams=launched(0)), damaged=["10-1.jsonl: not JSON"])
    assert not build_launches(record, unrecorded=False).complete


def test_without_a_record_there_is_no_digest_and_with_one_that_has_no_launches_there_is():
    assert launches().sequence_sha256 is None
    assert launches(process()).sequence_sha256 is not None


def test_a_release_in_which_launches_cannot_be_seen_has_no_digest():
    missing = Problem(code="hook_missing", detail="warp._src.context.invoke")
    assert launches(process(problems=[missing])).sequence_sha256 is None


def test_the_digest_goes_on_beyond_a_cut():
    def cut(tail: str) -> Launches:
        return launches(
            process(signatures=SLOTS, streams=[stream(([0, 1], 10), length=50, tail_digest=tail)])
        )

    assert cut("t").sequence_sha256 == cut("t").sequence_sha256 != cut("u").sequence_sha256
    assert cut("t").complete
    assert (cut("t").sequences[0].length, cut("t").sequences[0].known) == (50, 10)


def test_equal_sequences_of_many_threads_are_kept_once_and_counted():
    streams = [stream(([0], 5), thread=i) for i in range(300)]
    found = launches(process(signatures=SLOTS, streams=streams))
    assert [(one.length, one.threads) for one in found.sequences] == [(5, 300)]
    assert found.other_sequences == 0


def test_what_there_is_no_room_for_is_counted():
    streams = [stream(([0], i + 1), thread=i) for i in range(300)]
    found = launches(process(signatures=SLOTS, streams=streams))
    assert len(found.sequences) + found.other_sequences == 300


def test_a_hundred_thousand_different_launches_fit_into_a_small_report():
    slots = [signature(i, "add", 1, dim=[i], types=["array1d[float32]"] * 8) for i in range(20_000)]
    order = [stream((list(range(20_000)), 20_000), length=100_000, tail_digest="t")]
    found = launches(process(signatures=slots, streams=order, launches=100_000))
    assert len(found.model_dump_json()) < 150_000
    assert (found.total, found.distinct) == (100_000, 20_000)
    assert len(found.by_signature) + found.other_signatures == 20_000
    [sequence] = found.sequences
    assert 100 < sequence.known < sequence.length
    assert sequence.checkpoints[-1][0] > 15_000


def test_a_program_without_repetition_is_cut_at_a_launch_and_not_at_a_pattern():
    slots = [signature(i, "add", 1, dim=[i]) for i in range(1000)]
    found = launches(process(signatures=slots, streams=[stream((list(range(1000)), 3000))]))
    [sequence] = found.sequences
    assert sequence.known == len(sequence.segments[0].pattern) < 1000


def test_an_order_that_names_launches_nobody_described_is_incomplete():
    found = launches(process(signatures=SLOTS, streams=[stream(([0], 3), ([7], 2), ([0], 1))]))
    assert not found.complete
    assert found.sequences[0].known == 3


def test_totals_that_the_order_does_not_account_for_make_it_incomplete():
    assert not launches(process(signatures=SLOTS, streams=launched(0), launches=5)).complete
