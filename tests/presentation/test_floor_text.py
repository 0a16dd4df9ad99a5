"""What one more module costs, as sentences on every page."""

from typing import Any

from tests.analysis.test_floor import a_floor
from tests.factories import a_report
from warp_mcp.models.floor import FloorUse
from warp_mcp.models.report import Report
from warp_mcp.presentation import report_text
from warp_mcp.presentation.floor_text import floor_sentences
from warp_mcp.presentation.measure_summary import measure_summary, measure_summary_text
from warp_mcp.presentation.report_markdown import report_markdown


def use(**changes: Any) -> FloorUse:
    fields: dict[str, Any] = {
        "module": "big",
        "build_ms": 3200.0,
        "parts": 3,
        "split_saves_at_most_ms": 2040.0,
        "split_adds_ms": 280.0,
        "one_kernel_modules": 6,
        "merging_saves_ms": 700.0,
    }
    return FloorUse(**{**fields, **changes})


def with_floor(**changes: Any) -> Report:
    return a_report().model_copy(update={"floor": a_floor(140.0), "floor_use": use(**changes)})


def test_every_page_says_what_one_more_module_costs_and_what_that_bounds() -> None:
    report = with_floor()
    summary = measure_summary(report)
    pages = [report_text(report), report_markdown(report), measure_summary_text(summary)]

    for page in (" ".join(page.split()) for page in pages):
        assert (
            "One more one-kernel module with these options costs 140 ms here, on cpu (median of 3, MAD "
            in page
        )
        assert "the first of a process 2.00 s" in page
        assert "Splitting `big` (3.20 s a build) in three saves at most 2.04 s of the wait" in page
        assert "adds at least 280 ms of work" in page
        assert "Merging the 6 one-kernel modules with these options into one saves about 700 ms." in page


def test_a_split_that_cannot_pay_is_not_praised() -> None:
    small = floor_sentences(with_floor(split_saves_at_most_ms=100.0))[1]
    assert small.startswith(
        "Splitting `big` (3.20 s a build) in three adds at least 280 ms of work and saves at most"
    )
    assert "a split saves nothing" in floor_sentences(with_floor(split_saves_at_most_ms=0.0))[1]


def test_one_small_module_is_nothing_to_merge() -> None:
    assert not any("Merging" in one for one in floor_sentences(with_floor(one_kernel_modules=1)))


def test_options_and_a_busy_machine_are_said() -> None:
    floor = a_floor().model_copy(update={"options": {"max_unroll": "4"}, "foreign_load": 1.8})
    (first, *_) = floor_sentences(a_report().model_copy(update={"floor": floor}))

    assert "(`max_unroll=4`)" in first and "while other programs kept 1.8 cores busy" in first


def test_without_a_floor_nothing_is_said() -> None:
    assert floor_sentences(a_report()) == []
    assert measure_summary(a_report()).floor == []
