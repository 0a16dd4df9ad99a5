"""Rehearsals of CUDA on the pages of a comparison, and in the answer to an agent."""

import pytest

from tests.analysis.test_rehearsal_comparison import CHURN, ONCE, both, compare, only, ordinary
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.rehearsed import rehearsed_for
from warp_mcp.presentation import compare_summary, compare_summary_text, comparison_text
from warp_mcp.presentation.comparison_markdown import comparison_markdown

MARK = "GPU run time and the driver's own compile cache are not in it"


def pages(comparison: Comparison) -> list[str]:
    plain = (
        comparison_text(comparison),
        comparison_markdown(comparison),
        compare_summary_text(compare_summary(comparison)),
    )
    return [" ".join(page.replace("\\_", "_").split()) for page in plain]


@pytest.mark.parametrize("page", range(3))
def test_a_verdict_that_rests_on_rehearsals_says_so(page: int) -> None:
    told = pages(compare(only(*CHURN), only(*ONCE)))[page]

    assert "Improved: " in told and "starts with less compilation." in told
    assert "nothing but a rehearsal of CUDA" in told and "sm_90" in told
    assert MARK in told


@pytest.mark.parametrize("page", range(3))
def test_rehearsals_beside_ordinary_samples_are_told_apart_from_the_verdict(page: int) -> None:
    told = pages(compare(both(*CHURN), both(*ONCE)))[page]

    assert "Inconclusive" in told
    assert "Rehearsed for sm_90: improved. Less is built for CUDA: building modules 400 ms" in told


def test_what_changed_for_cuda_is_named() -> None:
    told = pages(compare(both(*CHURN), both(*ONCE)))[0]

    assert "1 module changed: `app` 2 → 1 builds." in told
    assert "Findings: fixed CS-1" in told
    assert MARK in told


@pytest.mark.parametrize("page", range(3))
def test_a_rehearsal_on_one_side_only_is_said(page: int) -> None:
    told = pages(compare(both(*ONCE), ordinary()))[page]

    assert "The rehearsals were not compared: only the baseline was rehearsed for CUDA." in told


@pytest.mark.parametrize("page", range(3))
def test_a_sample_against_a_rehearsal_is_invalid_with_a_sentence(page: int) -> None:
    told = pages(compare(ordinary(), only(*ONCE)))[page]

    assert "Invalid" in told and "a rehearsal is compared with rehearsals only" in told


def test_without_rehearsals_nothing_is_said_of_them() -> None:
    assert not any("ehearse" in page for page in pages(compare(ordinary(), ordinary())))


def test_further_architectures_have_a_verdict_each() -> None:
    told = pages(compare(only(*CHURN, archs=(90, 120)), only(*ONCE, archs=(90, 120))))

    assert all("Rehearsed for sm_120: improved" in page for page in told)


def test_the_page_for_a_team_speaks_of_rehearsals() -> None:
    before, after = only(*CHURN), only(*ONCE)
    sides = [rehearsed_for(side, "sm_90") for side in (before, after)]
    told = comparison_markdown(compare(before, after), sides[0], sides[1])

    assert told.startswith("# CUDA, rehearsed: start of `python app.py`: improved")
    assert "3 rehearsals, all completed" in told and "samples" not in told.split("## Before and after")[0]
    assert "A rehearsal tells the work of building, not the wait around it: that needs a GPU." in told
    assert "no usable warm run" not in told


def test_every_line_of_the_page_fits() -> None:
    for comparison in (compare(both(*CHURN), both(*ONCE)), compare(only(*CHURN), ordinary())):
        assert max(map(len, comparison_text(comparison).splitlines())) <= 100
