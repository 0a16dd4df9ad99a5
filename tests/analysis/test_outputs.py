"""Outputs of two passes put together, and of two reports compared."""

import base64
import math
import random
import struct
from typing import Any

import pytest

from tests.analysis.factories import kernel, launched, process, report_of, run, signature
from warp_mcp.analysis import compare_reports
from warp_mcp.analysis.outputs import MOST_WRITTEN, collect_outputs
from warp_mcp.analysis.outputs_distance import UPPER, distance, tolerance
from warp_mcp.models.comparison import Comparison, OutputComparison
from warp_mcp.models.outputs import ArraySummary, OutputRecord, Outputs, OutputsSeen
from warp_mcp.models.report import Report
from warp_mcp.models.run import PassRecording

SIGNATURE = "[8] cpu block_dim=1 forward (array1d[float32])"


def array(*numbers: float, name: str = "y", **changes: Any) -> ArraySummary:
    """A small array with its values."""
    raw = struct.pack(f"<{len(numbers)}d", *numbers)
    dtype = changes.get("dtype", "float32")
    fields: dict[str, Any] = {
        "name": name,
        "dtype": dtype,
        "shape": [len(numbers)],
        "digest": f"{dtype} {numbers}",
        "rms": math.sqrt(sum(n * n for n in numbers) / len(numbers)) if numbers else None,
        "sketch": base64.b64encode(raw).decode("ascii"),
    }
    return ArraySummary(**{**fields, **changes})


def record(*arrays: ArraySummary, number: int = 1, **changes: Any) -> OutputRecord:
    fields: dict[str, Any] = {
        "kind": "launch",
        "process": 0,
        "thread": 0,
        "kernel": "add",
        "signature": SIGNATURE,
        "occurrence": number,
    }
    return OutputRecord(number=number, arrays=list(arrays), **{**fields, **changes})


def gradients(*arrays: ArraySummary, number: int = 1) -> OutputRecord:
    return record(*arrays, number=number, kind="gradients", kernel="", signature="")


def passed(*records: OutputRecord, left_out: int = 0, outcome: str = "completed") -> PassRecording:
    seen = OutputsSeen(records=list(records), hashed_bytes=100, left_out=left_out)
    return PassRecording(kind="outputs", run=run(outcome=outcome), outputs=seen)


def collected(*passes: PassRecording) -> Outputs:
    found = collect_outputs(list(passes), 1000)
    assert found is not None
    return found


def side(*records: OutputRecord, again: list[OutputRecord] | None = None, left_out: int = 0) -> Report:
    """A program that ran these launches, and did so twice."""
    names = list(dict.fromkeys(one.kernel for one in records if one.kernel))
    slots = [signature(n, name, count=1) for n, name in enumerate(names)]
    ran = process(
        kernels=[kernel(n, name) for n, name in enumerate(names)],
        signatures=slots,
        streams=launched(*range(len(slots))),
    )
    passes = [
        passed(*records, left_out=left_out),
        passed(*(records if again is None else again), left_out=left_out),
    ]
    return report_of(ran).model_copy(update={"outputs": collected(*passes)})


def compared(baseline: Report, candidate: Report) -> Comparison:
    return compare_reports(baseline, candidate, comparison_id="c", created_at="2026-01-01T00:00:00+00:00")


def outputs(baseline: Report, candidate: Report) -> OutputComparison:
    return compared(baseline, candidate).outputs


def test_without_a_pass_nothing_is_collected_and_nothing_is_compared():
    assert collect_outputs([], 1000) is None
    one = report_of(process(signatures=[signature(0, count=1)], streams=launched(0)))
    assert outputs(one, one) == OutputComparison()
    only = outputs(one, side(record(array(1.0))))
    assert (only.status, only.notes) == ("not_recorded", ["only the outputs of the candidate were recorded"])


def test_a_pass_that_did_not_complete_is_not_the_one_that_is_kept():
    found = collected(passed(record(array(1.0)), outcome="failed"), passed(record(array(2.0))))
    assert (found.passes, found.records[0].arrays[0].rms) == (1, 2.0)
    assert found.problems == ["1 of 2 passes did not complete"]


def test_what_differs_between_passes_is_unstable_and_left_out_of_the_comparison():
    shaky = side(record(array(1.0), array(5.0, name="z")), again=[record(array(1.0), array(6.0, name="z"))])
    assert shaky.outputs is not None
    assert [(one.number, one.kernel, one.array) for one in shaky.outputs.unstable] == [(1, "add", "z")]
    found = outputs(side(record(array(1.0), array(5.0, name="z"))), shaky)
    assert (found.status, found.compared) == ("identical", 1)
    found = compared(side(record(array(1.0), array(7.0, name="z"))), shaky)
    assert (found.outputs.status, found.verdict) == ("not_deterministic", "inconclusive")
    assert "z after launch 1 of add" in found.outputs.notes[0]


def test_a_report_keeps_first_launches_before_last_ones_before_others():
    many = [
        record(*[array(float(n))] * 10, number=n, kernel=f"k{n % 100}", occurrence=1 + n // 100)
        for n in range(500)
    ]
    found = collected(passed(*many))
    kept = [one.occurrence for one in found.records]
    assert sum(len(one.arrays) for one in found.records) == MOST_WRITTEN
    assert (kept.count(1), kept.count(5), found.left_out) == (100, 100, 300)
    assert [one.number for one in found.records] == sorted(one.number for one in found.records)


def test_an_array_that_only_one_side_wrote_is_a_difference_unless_it_holds_the_same():
    wrote, left = record(array(1.0)), record(array(0.0, wrote=False))
    found = compared(side(wrote), side(left))
    assert found.verdict == "invalid"
    assert found.outputs.differences[0].what == "y after launch 1 of add: the candidate did not write it"
    assert "baseline did not" in outputs(side(left), side(wrote)).differences[0].what
    assert outputs(side(wrote), side(record(array(1.0, wrote=False)))).status == "identical"


def test_names_of_arguments_and_kernels_do_not_count():
    other = record(array(1.0, name="result"), kernel="plus")
    assert outputs(side(record(array(1.0))), side(other)).status == "identical"


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"dtype": "float64"}, "float64 in place of float32"),
        ({"shape": [1, 1], "digest": "other"}, "shape [1, 1] in place of [1]"),
        ({"nan_count": 2, "digest": "other"}, "2 NaNs in place of 0"),
        ({"infinite_count": 1, "digest": "other"}, "1 infinite value in place of 0"),
        ({"sketch": "", "digest": "other"}, "the bytes differ"),
    ],
)
def test_arrays_that_are_not_alike_are_different_whatever_their_values(changes: dict[str, Any], what: str):
    found = outputs(side(record(array(1.0))), side(record(array(1.0, **changes))))
    assert found.first_difference is not None
    assert found.first_difference.what.endswith(what)


@pytest.mark.parametrize(
    ("dtype", "relative", "status"),
    [
        ("float32", 9e-6, "within_tolerance"),
        ("float32", 2e-5, "different"),
        ("vec2[float16]", 9e-3, "within_tolerance"),
        ("float64", 1e-9, "different"),
        ("int32", 1e-9, "different"),
    ],
)
def test_a_type_has_its_tolerance(dtype: str, relative: float, status: str):
    before = array(3.0, -4.0, dtype=dtype)
    after = array(3.0 * (1 + relative), -4.0 * (1 + relative), dtype=dtype)
    assert outputs(side(record(before)), side(record(after))).status == status


def test_what_is_computed_from_an_array_within_its_tolerance_need_not_be_nearer():
    def launches(single: float, double: float, whole: float) -> Report:
        return side(
            record(array(single)),
            record(array(double, dtype="float64"), number=2),
            record(array(whole, dtype="int32"), number=3),
        )

    before = launches(1.0, 3.0, 7.0)
    assert outputs(before, launches(1.0 + 1e-7, 3.0 + 3e-7, 7.0)).status == "within_tolerance"
    assert outputs(before, launches(1.0, 3.0 + 3e-7, 7.0)).status == "different"
    assert outputs(before, launches(1.0 + 1e-7, 3.0 + 3e-4, 7.0)).status == "different"
    assert outputs(before, launches(1.0 + 1e-7, 3.0 + 3e-7, 8.0)).status == "different"


def test_zeros_that_became_anything_at_all_are_different():
    assert outputs(side(record(array(0.0))), side(record(array(1e-30)))).status == "different"


def test_missing_gradients_are_a_difference_unless_a_budget_explains_them():
    whole, without = side(record(array(1.0)), gradients(array(2.0))), side(record(array(1.0)))
    found = compared(whole, without)
    assert found.verdict == "invalid"
    assert "the candidate has no gradients" in found.reasons[0]
    cut = side(record(array(1.0)), left_out=1)
    found = outputs(whole, cut)
    assert (found.status, found.left_out, found.gradients) == ("identical", 1, 0)


def test_the_first_difference_is_the_earliest_launch():
    before = side(record(array(1.0)), record(array(2.0), number=2), gradients(array(1.0)))
    after = side(record(array(1.0)), record(array(3.0), number=2), gradients(array(5.0)))
    found = outputs(before, after)
    assert [(one.launch, one.kernel) for one in found.differences] == [(2, "add"), (1, "")]


def edited(
    *records: OutputRecord, code: str = "new", again: list[OutputRecord] | None = None, left_out: int = 0
) -> Report:
    """A program with the kernels `add` and `large`; `code` tells whether `large` was edited."""
    ran = process(
        kernels=[kernel(0, "add"), kernel(1, "large")],
        signatures=[signature(0, "add"), signature(1, "large", kernel_digest=code)],
        streams=launched(0, 1),
    )
    taken = collected(*[passed(*one, left_out=left_out) for one in (records, again or records)])
    return report_of(ran).model_copy(update={"outputs": taken})


def unedited(*records: OutputRecord, left_out: int = 0) -> Report:
    return edited(*records, code="old", left_out=left_out)


ADD = record(array(1.0))


def large(value: float, **changes: Any) -> OutputRecord:
    return record(array(value, **changes), number=2, kernel="large", occurrence=1)


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (unedited(ADD, left_out=1), edited(ADD, left_out=1), "did not fit into the budget"),
        (unedited(ADD), edited(ADD), "left no record of any array"),
        (
            unedited(ADD, large(2.0, wrote=False)),
            edited(ADD, large(2.0, wrote=False)),
            "wrote no array in the launches that were recorded",
        ),
        (
            unedited(ADD, large(2.0)),
            edited(ADD, large(2.0), again=[ADD, large(3.0)]),
            "wrote what differs from run to run of one program",
        ),
    ],
)
def test_outputs_without_those_of_the_changed_kernel_are_incomplete(before: Report, after: Report, why: str):
    found = compared(before, after)
    assert (found.outputs.status, found.outputs.compared, found.outputs.differing) == ("incomplete", 1, 0)
    assert found.outputs.uncovered_why == {"large": why}
    assert f"the code of kernels changed: large, which {why}" in found.reasons
    assert any("of large, whose code changed, nothing was compared" in one for one in found.next_checks)


def test_outputs_with_those_of_the_changed_kernel_are_identical_whatever_else_was_left_out():
    found = compared(unedited(ADD, large(2.0), left_out=3), edited(ADD, large(2.0), left_out=3))
    assert (found.outputs.status, found.outputs.uncovered_why) == ("identical", {})
    assert not any("code of kernels changed" in reason for reason in found.reasons)


def test_kernels_beyond_those_that_are_named_are_not_taken_for_compared_ones():
    def many(code: str) -> Report:
        names = [f"k{n}" for n in range(60)]
        slots = [signature(n, name, kernel_digest=f"{code} {name}") for n, name in enumerate(names)]
        ran = process(signatures=slots, streams=launched(*range(60)))
        records = [record(array(1.0), number=n, kernel=name) for n, name in enumerate(names, start=1)]
        return report_of(ran).model_copy(update={"outputs": collected(passed(*records), passed(*records))})

    found = outputs(many("old"), many("new"))
    assert found.status == "incomplete"
    assert list(found.uncovered_why.values()) == ["were not looked at one by one"]


def sketched(numbers: list[float]) -> ArraySummary:
    """As the intervention sketches a large array, but by Python alone; nothing is clipped."""
    buckets = [0.0] * 64
    for position, number in enumerate(numbers):
        mixed = (position + 1) * 0x9E3779B97F4A7C15 % 2**64
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            mixed = (mixed ^ mixed >> shift) * factor % 2**64
        mixed ^= mixed >> 31
        buckets[mixed & 63] += number * (1.0 - 2.0 * (mixed >> 6 & 1))
    raw = base64.b64encode(struct.pack("<64d", *buckets)).decode("ascii")
    return array(*numbers, sketch=raw)


def test_the_distance_of_large_arrays_is_estimated_and_the_bound_holds():
    rng = random.Random(1)
    outside, ratios = 0, []
    for _ in range(200):
        before = [rng.gauss(0, 1) for _ in range(300)]
        after = [number + rng.gauss(0, 0.1) for number in before]
        true = math.sqrt(sum((a - b) ** 2 for a, b in zip(before, after, strict=True)) / 300)
        found = distance(sketched(before), sketched(after))
        assert found is not None
        ratios.append((found.rms / true) ** 2)
        outside += found.rms * UPPER < true
    assert sum(ratios) / len(ratios) == pytest.approx(1.0, abs=0.05), "unbiased"
    deviation = math.sqrt(sum((ratio - 1.0) ** 2 for ratio in ratios) / len(ratios))
    assert deviation < math.sqrt(2 / 64) * 1.2
    assert outside <= 1


def test_types_are_told_by_their_texts():
    assert tolerance("mat3x3[float64]") == tolerance("float64") < tolerance("vec3[float32]")
    assert tolerance("struct Pair") == tolerance("bool") == 0.0


def test_a_value_far_above_the_others_does_not_hide_them():
    """A sentinel beside nine values, each of which became another."""
    usual = [float(n % 7) for n in range(1, 10)]
    found = outputs(side(record(array(1e10, *usual))), side(record(array(1e10, *[0.5] * 9))))
    assert found.first_difference is not None
    assert found.first_difference.what.endswith("0.5 in place of 6, where values of 30.5 are usual")
    one = [*usual[:-1], usual[-1] * (1 + 1e-3)]
    assert outputs(side(record(array(1e10, *usual))), side(record(array(1e10, *one)))).status == "different"
    near = [number * (1 + 1e-6) for number in usual]
    found = outputs(side(record(array(1e10, *usual))), side(record(array(1e10 * (1 + 1e-6), *near))))
    assert found.status == "within_tolerance"


def test_one_component_far_above_the_others_of_vectors_does_not_hide_them():
    def vectors(noise: float) -> ArraySummary:
        numbers = [value for n in range(12) for value in (n + 1.0 + noise, 2.0)]
        return array(1e9, 5.0, *numbers, dtype="vec2[float32]", shape=[13])

    assert outputs(side(record(vectors(0.0))), side(record(vectors(1e-3)))).status == "different"
    assert outputs(side(record(vectors(0.0))), side(record(vectors(1e-6)))).status == "within_tolerance"


def test_a_value_near_zero_beside_usual_ones_is_held_to_what_is_usual():
    before, after = array(0.0, 0.0, 4e-8, 1.0), array(0.0, 0.0, 0.0, 1.0)
    assert outputs(side(record(before)), side(record(after))).status == "within_tolerance"
    sparse = [0.0] * 40
    before, after = array(3.0, *sparse), array(3.0, 1e-9, *sparse[1:])
    assert outputs(side(record(before)), side(record(after))).status == "within_tolerance"


@pytest.mark.parametrize("figure", ["minimum", "maximum", "mean"])
def test_a_large_array_has_to_agree_in_the_figures_that_no_estimate_blurs(figure: str):
    numbers = [float(n % 7) for n in range(1000)]
    before, after = (sketched(numbers).model_copy(update={figure: value}) for value in (1.0, 1.001))
    after = after.model_copy(update={"digest": "other"})
    found = outputs(side(record(before)), side(record(after)))
    assert found.first_difference is not None
    assert found.first_difference.what.endswith(f"{figure} 1.001 in place of 1")
    near = after.model_copy(update={figure: 1.00001})
    assert outputs(side(record(before)), side(record(near))).status == "within_tolerance"
