"""What a model is told: the whole verdict in both channels, and never more than it can afford."""

import pytest

from tests.factories import (
    a_change,
    a_comparison,
    a_finding,
    a_module,
    a_rebuild,
    a_report,
    a_root,
    a_sample,
    a_victim,
)
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report
from warp_mcp.presentation import (
    compare_summary,
    compare_summary_text,
    measure_summary,
    measure_summary_text,
)

MOST_CHARACTERS = 6000
"""1,500 tokens at four characters each."""

LONG = "an endless sentence of a program with a great deal to say " * 40


def a_monster() -> Report:
    """Everything a program can do to a report, at once."""
    cause = {"kind": "kernel_added", "detail": LONG, "where": "/" + "deep/" * 200 + "app.py:1"}
    warning = {"code": "build_failed", "message": LONG, "next": LONG}
    return a_report(
        modules=[a_module(number, name=LONG) for number in range(1, 600)],
        rebuilds=[a_rebuild(number, module=LONG, causes=[cause] * 40) for number in range(300)],
        warnings=[warning] * 30,
        samples=[a_sample(outcome="failed", exit_code=1, stderr_tail=LONG * 5, warm=None)] * 50,
        roots=[
            a_root(where=LONG, detail=LONG, owner=LONG, victims=[a_victim(LONG + str(n)) for n in range(50)])
            for _ in range(40)
        ],
        findings=[
            a_finding(
                name,
                "fired",
                title=LONG,
                cost_ms=1.0,
                cost_kind="estimate",
                where=LONG,
                owner=LONG,
                fix=LONG,
                questions=[LONG] * 5,
            )
            for name in MECHANISMS
        ],
        command=["python", *["--argument"] * 300],
    )


def test_the_first_line_of_the_text_is_the_answer() -> None:
    summary = measure_summary(a_report())

    assert measure_summary_text(summary).splitlines()[0] == summary.answer
    assert summary.answer.startswith("You wait 5.11 s ± 0.01 (3) for a cold start")


def test_both_channels_carry_id_causes_and_next_steps() -> None:
    cause = a_rebuild()["causes"][0]
    summary = measure_summary(a_report(rebuilds=[a_rebuild(causes=[cause, {**cause, "detail": "another"}])]))
    text = measure_summary_text(summary)

    for words in (summary.report_id, *summary.rebuilds[0].causes, *summary.next):
        assert words in text
    assert "app.py:11" in text


def test_a_rebuild_with_one_cause_is_told_once_as_the_victim_of_its_root() -> None:
    text = measure_summary_text(measure_summary(a_report()))

    assert text.count("kernel stage_1 was defined") == 1


def test_both_channels_carry_the_roots_with_their_victims_and_whose_they_are() -> None:
    roots = [a_root(victims=[a_victim("fluid.a"), a_victim("fluid.b")]), a_root(owner="newton")]
    summary = measure_summary(a_report(roots=roots))
    text = measure_summary_text(summary)

    assert [(root.where, root.owner, root.victims) for root in summary.roots] == [
        ("app.py:11", "application", ["`fluid.a`, 400 ms", "`fluid.b`, 400 ms"]),
        ("app.py:11", "newton", ["`fluid.app`, 400 ms"]),
    ]
    assert "root app.py:11 (your code), 400 ms: kernel stage_1 was defined" in text
    assert "root app.py:11 (in newton)" in text
    assert "2 causes" not in summary.answer and "1 line causes 3 of 2 builds" in summary.answer


def test_both_channels_carry_the_fix_and_the_questions_of_what_fired() -> None:
    finding = a_finding(
        "CS-10",
        "fired",
        title="Nobody used it",
        cost_ms=700.0,
        cost_kind="estimate",
        owner="newton",
        fix="Switch it off.",
        questions=["Does anything need gradients?"],
    )
    summary = measure_summary(a_report(findings=[finding, a_finding("CS-5")]))
    text = measure_summary_text(summary)

    [fired] = summary.fired
    assert (fired.fix, fired.questions, fired.owner) == (
        "Switch it off.",
        ["Does anything need gradients?"],
        "newton",
    )
    assert "CS-10 fired, 700 ms (an estimate), in newton: Nobody used it" in text
    assert "try first: Switch it off." in text and "ask before: Does anything need gradients?" in text
    assert "not reached: nothing was built for CUDA (CS-5)" in text


def test_an_agent_without_rebuilds_is_told_what_that_does_not_mean_and_the_fix_to_try() -> None:
    finding = a_finding("CS-10", "fired", title="Nobody used it", cost_ms=7.0, fix="Switch it off.")
    summary = measure_summary(a_report(rebuilds=[], findings=[finding]))

    assert "No structural churn" in summary.answer
    assert summary.next[0] == "Try first: Switch it off."
    assert not any("explain" in step for step in summary.next)


def test_the_rebuilds_that_are_not_told_one_by_one_are_counted() -> None:
    summary = measure_summary(a_report(rebuilds=[a_rebuild(number) for number in range(5)]))

    assert len(summary.rebuilds) == 3
    assert summary.left_out == ["2 more of rebuilds"]


def test_an_agent_is_told_of_tools_and_not_of_commands() -> None:
    text = measure_summary_text(measure_summary(a_report()))

    assert "warp-mcp compare" not in text
    assert "`compare` with baseline `r-20261201-101530-ab12`" in text


def test_a_summary_fits_whatever_the_program_does() -> None:
    summary = measure_summary(a_monster())

    assert len(summary.model_dump_json()) <= MOST_CHARACTERS
    assert len(measure_summary_text(summary)) <= MOST_CHARACTERS
    assert summary.left_out


def test_what_is_left_out_is_counted() -> None:
    summary = measure_summary(a_report(modules=[a_module(number) for number in range(1, 101)]))

    assert summary.left_out == ["92 more of modules"]
    assert [module.name for module in summary.modules][:2] == ["fluid.module_1", "fluid.module_2"]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "completed"),
        ({"samples": [a_sample(outcome="failed", exit_code=3, stderr_tail="boom")]}, "no_sample_completed"),
    ],
)
def test_the_status_says_whether_there_is_anything_to_compare(
    changes: dict[str, object], status: str
) -> None:
    assert measure_summary(a_report(**changes)).status == status


def test_a_failed_program_says_its_last_lines() -> None:
    report = a_report(samples=[a_sample(outcome="failed", exit_code=3, stderr_tail="ValueError: boom")])

    assert "ValueError: boom" in measure_summary_text(measure_summary(report))


def test_a_verdict_comes_with_reasons_receipts_and_what_was_not_checked() -> None:
    summary = compare_summary(a_comparison())
    text = compare_summary_text(summary)

    assert text.startswith("Improved: ")
    for words in ("because: The modules took", "hash moved", "fixed: CS-1", "not checked: Outputs"):
        assert words in text


def test_a_comparison_fits_whatever_differs() -> None:
    first = {"launch": 1, "baseline": LONG, "candidate": LONG}
    workload = {
        "status": "changed",
        "first_divergence": first,
        "differences": [LONG] * 100,
        "renames": [LONG] * 100,
        "kernels_changed": [LONG] * 100,
    }
    monster = a_comparison(
        verdict="invalid",
        workload=workload,
        reasons=[LONG] * 30,
        environment=[LONG] * 30,
        warnings=[LONG] * 30,
        next_checks=[LONG] * 30,
        modules=[a_change(number, name=LONG, options=[LONG] * 20) for number in range(300)],
    )
    summary = compare_summary(monster)

    assert len(summary.model_dump_json()) <= MOST_CHARACTERS
    assert len(compare_summary_text(summary)) <= MOST_CHARACTERS
    assert summary.verdict == "invalid"
