"""Levers as people and agents read them: the table, what carries each verdict, the next step."""

import re
from typing import Any

import pytest

from tests.factories import a_finding, a_metric, a_rebuild
from tests.lever_made import a_lever, priced
from warp_mcp.models.report import Report
from warp_mcp.presentation import Look, report_text
from warp_mcp.presentation.cutting import LIMIT_CHARACTERS
from warp_mcp.presentation.lever_words import take_words
from warp_mcp.presentation.levers_markdown import levers_section
from warp_mcp.presentation.measure_summary import MOST_LEVERS, measure_summary, measure_summary_text
from warp_mcp.presentation.report_markdown import report_markdown

WHOLE = "use_precompiled_headers=false,fluid.solver.contacts:enable_backward=false,max_unroll=4"


def shown(*levers: dict[str, Any], **changes: Any) -> str:
    """The part of the page that is about levers."""
    page = report_text(priced(*levers, **changes), Look(width=100))
    return page[page.index("What each lever buys") : page.index("Modules, by time")]


def steps(report: Report) -> list[str]:
    return measure_summary(report).next


def test_a_report_without_levers_says_nothing_of_them():
    report = priced().model_copy(update={"levers": []})
    assert "lever" not in report_text(report)
    assert levers_section(report) == []
    assert measure_summary(report).levers == []


def test_the_table_has_change_verdict_modules_source_launches_and_outputs():
    row = next(line for line in shown().splitlines() if line.strip().startswith("enable_backward=false"))
    assert row.split() == [
        "enable_backward=false", "−2.00", "s", "−50", "%", "improved", "1", "of", "1", "1", "kB", "same",
        "unknown",
    ]  # fmt: skip


def test_the_unchanged_side_stands_above_the_table():
    assert "building modules 4.00 s ± 0.01 (3)" in shown()


def test_no_line_is_longer_than_the_page_and_no_figure_wraps_whatever_the_lever():
    page = shown(a_lever(WHOLE), a_lever("a." + "x" * 90 + ":max_unroll=1"))
    assert max(map(len, page.splitlines())) <= 100
    assert (
        sum("−2.00 s" in line and "−50 %" in line and "improved" in line for line in page.splitlines()) == 2
    )
    assert "fluid.solver.contacts:" in page


def test_below_the_table_stands_what_carries_the_verdict_and_what_is_taken_away():
    lever = a_lever(
        reasons=["it took less", "a second reason"],
        takes_away=["Gradients: none used."],
        slower_kernels=["step", "solve"],
        modules_unmoved=["fluid.gone"],
        sampling="improved, and no further sample could change that",
        samples=5,
    )
    page = " ".join(shown(lever).split())
    for words in (
        "`enable_backward=false`: it took less.",
        "a second reason.",
        "Takes away: Gradients: none used.",
        "Kernels that ran slower with it: step and solve.",
        "Did not move: fluid.gone: they have it already, the program sets it there, or",
        "Stopped after 5 samples: improved",
    ):
        assert words in page


def test_what_is_not_known_is_said_to_be_unknown():
    lever = a_lever(delta=None, delta_percent=None, verdict="unverified", workload="unverified")
    row = next(line for line in shown(lever).splitlines() if line.strip().startswith("enable_backward=false"))
    assert row.split()[1:] == ["unknown", "unverified", "1", "of", "1", "1", "kB", "unknown", "unknown"]


def test_a_lever_that_was_not_applied_shows_no_change():
    lever = a_lever(applied=False, verdict="inconclusive", reasons=["no module took it"], modules_moved=[])
    row = next(line for line in shown(lever).splitlines() if line.strip().startswith("enable_backward=false"))
    assert row.split()[1:4] == ["not", "applied", "inconclusive"]
    (line,) = measure_summary(priced(lever)).levers
    assert line.startswith("enable_backward=false: inconclusive, not applied; no module took it; ")


def test_of_a_lever_without_a_completed_run_every_cell_is_unknown():
    lever = a_lever(
        samples=0, verdict="unverified", metrics={}, delta=None, delta_percent=None, source_bytes=None,
        modules_moved=[], reasons=["no run with this lever completed"], workload="unverified",
    )  # fmt: skip
    row = next(line for line in shown(lever).splitlines() if line.strip().startswith("enable_backward=false"))
    assert row.split()[1:] == ["unknown", "unverified", *["unknown"] * 4]
    assert "| unknown |  | unverified | unknown | unknown | unknown | unknown |" in "\n".join(
        levers_section(priced(lever))
    )
    (line,) = measure_summary(priced(lever)).levers
    assert "no run with it completed" in line and "moved" not in line and "launches" not in line


def test_many_levers_are_cut_and_counted():
    many = [a_lever(f"max_unroll={number}") for number in range(30)]
    assert "… and 18 more levers, in the report file." in shown(*many)
    assert "… and 10 more levers, in the report" in "\n".join(levers_section(priced(*many)))


def test_the_markdown_has_the_same_table_and_lines():
    document = report_markdown(priced(a_lever(WHOLE), a_lever(takes_away=["Speed | <b>of</b> launches."])))
    assert f"| `{WHOLE}` | −2.00 s | −50 % | improved | 1 of 1 | 1 kB | same | unknown |" in document
    assert "  - Takes away: Speed | &lt;b>of&lt;/b> launches." in document


@pytest.mark.parametrize("many", [0, 1, 40])
def test_labels_of_mechanisms_are_never_used_for_levers(many: int):
    report = priced(*[a_lever() for _ in range(many + 1)])
    assert not re.search(r"CS-\d", shown(*[a_lever() for _ in range(many + 1)]))
    assert not re.search(r"CS-\d", "\n".join(levers_section(report)))


def test_an_agent_is_told_the_first_levers_in_short_lines_and_how_many_are_left_out():
    summary = measure_summary(priced(*[a_lever(f"max_unroll={number}") for number in range(8)]))
    assert len(summary.levers) == MOST_LEVERS
    assert summary.levers[0].startswith(
        "max_unroll=0: improved, 2.00 s less (−50 %) of building modules; 1 of 1"
    )
    assert "3 more of levers" in summary.left_out
    assert "lever max_unroll=0: improved" in measure_summary_text(summary)


def test_an_agent_is_told_why_a_lever_has_no_verdict():
    lever = a_lever(verdict="unverified", reasons=["with this lever the program failed"], delta=None)
    assert (
        measure_summary(priced(lever))
        .levers[0]
        .startswith("enable_backward=false: unverified; with this lever the program failed; ")
    )


def test_a_summary_with_levers_fits_whatever_they_say():
    lever = a_lever(
        ",".join(f"a.b{number}:max_unroll=1" for number in range(60)),
        takes_away=["x" * 900] * 30,
        reasons=["y" * 900] * 9,
    )
    rebuilds = [a_rebuild(number) for number in range(40)]
    summary = measure_summary(priced(*[lever] * 40, rebuilds=rebuilds))
    assert len(summary.model_dump_json()) <= LIMIT_CHARACTERS


def test_a_lever_that_improved_is_the_next_step_after_what_has_to_be_asked():
    first, second, third, *_ = steps(priced(rebuilds=[]))
    assert first.startswith("Ask first whether this may be lost: Gradients: this run used none")
    assert second == (
        "Take `enable_backward=false`, with which it was 2.00 s less (−50 %) of building modules: put "
        "`wp.config.enable_backward = False` at the entry point, before any file with kernels is imported."
    )
    assert third.startswith("Measure again")


def test_the_lines_behind_rebuilds_stay_next_steps_beside_a_lever():
    assert any("app.py:11" in step for step in steps(priced()))


def test_a_lever_that_takes_nothing_away_is_not_asked_for():
    lever = a_lever("use_precompiled_headers=true", takes_away=["Nothing of what the program computes."])
    assert steps(priced(lever, rebuilds=[]))[0].startswith("Take `use_precompiled_headers=true`")


def test_levers_that_did_not_improve_change_no_step():
    finding = a_finding("CS-10", "fired", cost_ms=700.0, fix="Try switching it off.")
    report = priced(a_lever(verdict="inconclusive"), rebuilds=[], findings=[finding])
    assert steps(report)[0].startswith("Try first")
    assert not any("Take `" in step for step in steps(report))


@pytest.mark.parametrize(
    ("lever", "words"),
    [
        ("max_unroll=4", "`wp.config.max_unroll = 4` at the entry point"),
        ("mode=debug", '`wp.config.mode = "debug"` at the entry point'),
        ("optimization_level=none", "`wp.config.optimization_level = None`"),
        (
            "fast_math=true",
            '`wp.set_module_options({"fast_math": True})` at the top of each file with kernels',
        ),
        (
            "fluid.solver:enable_backward=false",
            '`wp.set_module_options({"enable_backward": False})` on module `fluid.solver`',
        ),
        ("preload=4", "max_workers=4"),
    ],
)
def test_a_lever_is_taken_in_the_words_of_warp(lever: str, words: str):
    result = priced(a_lever(lever)).levers[0]
    (said,) = take_words(result)
    assert words in said


def test_the_wait_is_named_where_a_lever_was_judged_on_it():
    lever = a_lever(
        "preload=4", judged_on="compile_elapsed_ms", metrics={"compile_elapsed_ms": a_metric(10.0)}
    )
    assert "2.00 s less (−50 %) of the compile wait" in measure_summary(priced(lever)).levers[0]
