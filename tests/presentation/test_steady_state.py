"""Launch times on pages for people and in the answer to an agent: always visible, no more than is known."""

from typing import Any

import pytest

from tests.factories import a_comparison, a_report
from warp_mcp.models.comparison import KernelTimeChange, SteadyComparison
from warp_mcp.models.steady_state import KernelTime, SteadyState
from warp_mcp.presentation import comparison_text, report_text
from warp_mcp.presentation.compare_summary import compare_summary, compare_summary_text
from warp_mcp.presentation.comparison_markdown import comparison_markdown
from warp_mcp.presentation.report_markdown import report_markdown
from warp_mcp.presentation.steady_state_words import time


def change(kernel: str, before: float, after: float, *, outside: bool = True) -> KernelTimeChange:
    return KernelTimeChange(
        kernel=kernel,
        signature="[8] cpu block_dim=1 forward (float32)",
        baseline_us=before,
        candidate_us=after,
        delta_percent=100 * (after - before) / before,
        outside_noise=outside,
    )


def pages(times: SteadyComparison, **changes: Any) -> list[str]:
    told = a_comparison(**changes).model_copy(update={"steady_state": times})
    summary = compare_summary(told)
    assert summary.steady_state in compare_summary_text(summary)
    made = [comparison_text(told), comparison_markdown(told), summary.steady_state]
    return [" ".join(page.split()) for page in made]


@pytest.mark.parametrize("verdict", ["improved", "inconclusive", "regressed", "invalid", "unverified"])
def test_a_slower_kernel_stands_on_every_page_whatever_the_verdict(verdict: str) -> None:
    times = SteadyComparison(status="slower", kernels=[change("step", 12.1, 30.4)])

    for page in pages(times, verdict=verdict):
        assert "Kernels run slower once everything is built: `step` 12.1 µs → 30.4 µs, +151 %." in page


def test_the_same_times_are_one_sentence_and_kernels_of_little_weight_are_named_as_such() -> None:
    kernels = [change("tiny", 1.0, 3.0), change("step", 100.0, 101.0, outside=False)]

    for page in pages(SteadyComparison(status="same", kernels=kernels)):
        assert "2 kernels timed on both sides; 1 kernel of little weight" in page


HIDDEN = "differences up to 460 % are hidden by the noise"


def test_noise_that_may_hide_a_slower_kernel_is_no_good_news_on_any_page() -> None:
    times = SteadyComparison(
        status="within_noise", kernels=[change("step", 8.0, 17.1, outside=False)], hidden=HIDDEN
    )

    for page in pages(times):
        assert f"Nothing stands out, but {HIDDEN}: 1 kernel timed on both sides." in page
        assert "✓ Nothing" not in page and "as long as before" not in page


def test_noise_beside_a_faster_kernel_is_told_with_it() -> None:
    times = SteadyComparison(status="faster", kernels=[change("step", 20.0, 10.0)], hidden=HIDDEN)

    for page in pages(times):
        assert f"−50 %. Of the others {HIDDEN}." in page
        assert "✓ Kernels" not in page


def test_where_one_side_was_not_timed_the_reason_stands_there_and_where_neither_was_nothing() -> None:
    note = "Launches of the candidate were not timed: measure it with --steady-state."
    for page in pages(SteadyComparison(notes=[note])):
        assert f"Launch times were not compared. {note}" in page and page.count(note) == 1
    for page in pages(SteadyComparison()):
        assert "Launch times" not in page and "run as fast" not in page


def test_faster_and_slower_kernels_are_told_apart() -> None:
    times = SteadyComparison(status="mixed", kernels=[change("a", 10.0, 20.0), change("b", 20.0, 10.0)])

    for page in pages(times):
        assert "Some kernels run slower (`a` 10.0 µs → 20.0 µs, +100 %), others faster (`b`" in page


def test_a_report_shows_its_dearest_kernels_and_what_is_to_be_known_of_them() -> None:
    kernels = [
        KernelTime(
            kernel=f"k{n}",
            module="app",
            signature="[8] cpu",
            launches=297,
            median_us=1000.0 - n,
            mad_us=2.0,
            pass_medians_us=[1.0, 2.0, 3.0],
        )
        for n in range(12)
    ]
    state = SteadyState(passes=3, kernels=kernels, too_few=2, problems=["pass 1 did not complete: failed"])
    told = a_report().model_copy(update={"steady_state": state})

    for page in (report_text(told), report_markdown(told)):
        page = " ".join(page.split())
        assert "1.0 ms ± 2.0 µs" in page and "99" in page and "k7" in page and "k8" not in page
        assert "and 4 more" in page
        assert "2 kernels with their signatures ran too rarely to be timed." in page
        assert "Pass 1 did not complete: failed." in page


def test_a_report_without_launch_times_says_nothing_of_them() -> None:
    for page in (report_text(a_report()), report_markdown(a_report())):
        assert "How long launches take" not in page


def test_times_have_a_unit_that_fits() -> None:
    assert [time(us) for us in (0.87, 99.96, 124.2, 1500.0, 12_345.0, 2e6)] == [
        "0.9 µs",
        "100.0 µs",
        "124 µs",
        "1.5 ms",
        "12 ms",
        "2.00 s",
    ]
