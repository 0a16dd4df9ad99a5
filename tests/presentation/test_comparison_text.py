"""The verdict first, then what carries it."""

import pytest

from tests.factories import a_change, a_comparison, a_delta
from warp_mcp.models.comparison import Comparison
from warp_mcp.presentation import Look, comparison_text
from warp_mcp.presentation.comparison_text import VERDICT_WORDS


def one_line(comparison: Comparison) -> str:
    return " ".join(comparison_text(comparison).split())


def workload(**changes: object) -> dict[str, object]:
    base = {
        "status": "preserved",
        "first_divergence": None,
        "differences": [],
        "renames": [],
        "kernels_changed": [],
    }
    return {**base, **changes}


@pytest.mark.parametrize("verdict", sorted(VERDICT_WORDS))
def test_the_verdict_is_the_first_line_in_plain_words(verdict: str) -> None:
    first = comparison_text(a_comparison(verdict=verdict)).splitlines()[0]

    assert first == VERDICT_WORDS[verdict][0]
    assert first.lower().startswith(verdict)


def test_the_metric_it_rests_on_follows_with_both_sides_and_the_difference() -> None:
    assert "Building modules: 4.00 s ± 0.01 (3) → 2.00 s ± 0.01 (3), −2.00 s (−50 %)." in one_line(
        a_comparison()
    )


def test_both_reports_are_named_by_label_and_id() -> None:
    assert "before (r-20261201-101530-ab12) → r-20261201-101545-ab13" in one_line(a_comparison())


def test_a_hash_that_moved_is_shown_as_the_receipt_of_an_option() -> None:
    still = a_change(2, hash_moved=False, options=[], baseline_builds=1, candidate_builds=1)

    text = one_line(a_comparison(modules=[a_change(), still]))

    assert "fluid.module_1 cpu 5 → 1 4.00 → 2.00 s moved fast_math: False → True" in text
    assert "1 other module did not move." in text
    assert "fluid.module_2" not in text


def test_the_first_launch_that_differs_is_shown_on_both_sides() -> None:
    first = {"launch": 4, "baseline": "stage [8] float32", "candidate": None}

    text = one_line(
        a_comparison(verdict="invalid", workload=workload(status="changed", first_divergence=first))
    )

    assert "First difference at launch 4:" in text
    assert "baseline: stage [8] float32" in text
    assert "candidate: no further launch" in text


def test_changed_kernels_and_renames_are_named() -> None:
    text = one_line(a_comparison(workload=workload(kernels_changed=["solve"], renames=["a → b"])))

    assert "Kernels whose code changed: solve." in text
    assert "Same content under another name: a → b." in text


def test_launches_are_not_doubted_because_a_kernel_changed() -> None:
    changed = a_comparison(workload=workload(status="unverified", kernels_changed=["step"]))

    assert "The same launches ran on both sides, but the code of kernels changed." in one_line(changed)


def test_what_was_not_checked_is_listed() -> None:
    assert "Not checked here · Outputs: compare the results on both sides." in one_line(a_comparison())


def test_a_side_without_a_figure_is_unknown() -> None:
    text = one_line(a_comparison(timing=[a_delta("cold_module_ms", None, 2000.0)]))

    assert "unknown" in text


def test_nothing_built_differently_is_said() -> None:
    assert "Nothing: the same modules, with the same hashes." in one_line(
        a_comparison(modules=[], structure=[])
    )


def test_many_differences_are_cut_and_counted() -> None:
    text = one_line(
        a_comparison(
            workload=workload(differences=[f"launch {n} is gone" for n in range(40)]),
            modules=[a_change(n) for n in range(100)],
        )
    )

    assert "… and 32 more, in the comparison file." in text
    assert "… and 85 more, in the comparison file." in text


@pytest.mark.parametrize("width", [60, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    text = comparison_text(a_comparison(), Look(width=width))

    assert max(map(len, text.splitlines())) <= width
