"""What a reader of a report meets first, and that every state of it can be shown."""

import shlex

import pytest

from tests.factories import a_finding, a_metric, a_module, a_rebuild, a_report, a_sample
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report
from warp_mcp.presentation import Look, report_text

FAILED = a_sample(
    outcome="failed", exit_code=1, stderr_tail="Traceback …\nValueError: tolerance exceeded", warm=None
)
MINOR = {"code": "compilation_is_minor", "message": "Little.", "next": "Look at the imports first."}


def one_line(report: Report, look: Look | None = None) -> str:
    """The text without line ends, so that wrapped sentences can be found."""
    return " ".join(report_text(report, look or Look()).split())


def test_the_wait_and_its_share_of_compilation_come_first() -> None:
    text = one_line(a_report())

    wait = text.index("You wait 5.11 s ± 0.01 (3) for a cold start, 900 ms ± 10 (3) for a warm one.")
    share = text.index("Compilation is 4.21 s ± 0.01 (3) of that, 82 %: 2 builds of 1 module.")
    assert (
        wait
        < share
        < text.index("Built again")
        < text.index("Modules, by time")
        < text.index("What to do next")
    )


def test_each_rebuild_has_its_cause_and_its_line_in_the_program() -> None:
    assert (
        "`fluid.app`, 400 ms: kernel stage_1 was defined after the module had loaded (`app.py:11`)"
        in one_line(a_report())
    )


def test_an_option_is_shown_with_its_old_and_new_value() -> None:
    cause = {
        "kind": "option_changed",
        "detail": "fast_math: False → True",
        "where": "/home/me/fluid/app.py:9",
    }

    text = one_line(
        a_report(rebuilds=[a_rebuild(causes=[cause, {**cause, "detail": "mode: a → b", "where": None}])])
    )

    assert "fast_math: False → True (`app.py:9`)" in text
    assert "mode: a → b" in text


def test_a_line_outside_the_programs_directory_keeps_its_path() -> None:
    cause = {"kind": "kernel_added", "detail": "kernel k", "where": "/usr/lib/fluid.py:3"}

    assert "(`/usr/lib/fluid.py:3`)" in one_line(a_report(rebuilds=[a_rebuild(causes=[cause])]))


def test_when_compilation_is_a_small_part_that_is_the_headline() -> None:
    text = report_text(a_report(warnings=[MINOR]))

    assert text.split("\n\n")[1].startswith("Compilation is a small part of this wait.")
    assert "1. Look at the imports first." in text


def test_the_parts_of_the_wait_are_shown_with_what_the_imports_are() -> None:
    text = one_line(a_report())

    assert "500 ms · 10 % · scipy 0.4 s" in text
    assert "your program" in text


def test_a_failed_program_is_shown_with_its_own_last_lines_and_how_to_run_it() -> None:
    text = one_line(a_report(samples=[FAILED]))

    assert "No sample completed." in text
    assert "The program failed with exit code 1 after 5.10 s." in text
    assert "ValueError: tolerance exceeded" in text
    assert "cd /home/me/fluid && python app.py" in text


def test_one_failed_sample_of_three_does_not_hide_the_others() -> None:
    text = one_line(a_report(samples=[a_sample(), FAILED, a_sample()]))

    assert "You wait 5.11 s" in text
    assert "1 of 3 samples: the program failed with exit code 1" in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"outcome": "timed_out", "exit_code": None}, "--stop-after-launches"),
        ({"outcome": "not_attached"}, "/path/to/python"),
        ({"outcome": "cancelled", "exit_code": None}, "was cancelled"),
        ({"outcome": "failed", "exit_code": -11}, "ended by signal 11"),
    ],
)
def test_each_way_of_not_completing_has_words_and_a_next_step(changes: dict[str, object], words: str) -> None:
    assert words in one_line(a_report(samples=[a_sample(warm=None, **changes)]))


def test_a_program_that_never_touched_warp_is_told_so() -> None:
    report = a_report(modules=[], rebuilds=[])
    report = report.model_copy(update={"launches": report.launches.model_copy(update={"total": 0})})

    assert "Nothing of Warp was compiled, loaded or launched" in one_line(report)


def test_without_a_usable_warm_run_the_work_is_shown_in_place_of_the_wait() -> None:
    text = one_line(a_report(metrics={"cold_wall_ms": a_metric(5100.0), "cold_module_ms": a_metric(4000.0)}))

    assert "No usable warm run" in text and "building took 4.00 s (1)" in text
    assert "unknown for a warm one" in text


def test_five_hundred_modules_are_cut_and_counted() -> None:
    text = report_text(a_report(modules=[a_module(number) for number in range(1, 501)]))

    assert "… and 485 more" in text
    assert text.count("fluid.module_") == 15


def test_rebuilds_and_warnings_beyond_a_screen_are_counted() -> None:
    warning = {"code": "few_samples", "message": "Few.", "next": "More."}

    text = report_text(a_report(rebuilds=[a_rebuild(n) for n in range(60)], warnings=[warning] * 40))

    assert "… and 50 more rebuilds" in text
    assert "… and 28 more warnings" in text


def test_a_warning_is_shown_with_what_to_do_about_it() -> None:
    warning = {"code": "machine_busy", "message": "The machine was busy.", "next": "Measure again."}

    assert "! The machine was busy. Measure again." in one_line(a_report(warnings=[warning]))


def test_findings_say_what_fired_what_is_ruled_out_and_what_was_not_examined() -> None:
    findings = [a_finding(mechanism) for mechanism in MECHANISMS[3:]]
    findings.append(a_finding("CS-1", "fired", title="Module `app` was rebuilt", cost_ms=400.0))
    findings += [a_finding("CS-2", "ruled_out"), a_finding("CS-3", "ruled_out")]

    text = one_line(a_report(findings=findings))

    assert "Module `app` was rebuilt: 400 ms (CS-1)" in text
    assert "Ruled out: cache never reused (CS-2) and options set after first load (CS-3)." in text
    assert "CS-4 to CS-13" in text


def test_the_next_command_repeats_the_stop_condition_and_the_directory() -> None:
    text = one_line(a_report(stop="after_launches 500"), Look(directory="/home/me"))

    assert (
        "measure --label after --stop-after-launches 500 --cwd /home/me/fluid -- python app.py"
        in text.replace("\\ ", "")
    )
    assert "Compare: warp-mcp compare r-20261201-101530-ab12 latest" in text


def test_a_command_with_blanks_is_quoted_for_a_shell() -> None:
    assert "-- python 'my app.py'" in one_line(a_report(command=["python", "my app.py"]))


def test_a_command_that_is_too_long_for_the_line_can_still_be_pasted() -> None:
    command = ["python", "app.py", *(f"--option-number-{number}=value {number}" for number in range(12))]
    text = report_text(a_report(command=command))

    pasted = text.split("Measure again:\n")[1].split("  3.")[0].replace("\\\n", " ")
    assert shlex.split(pasted) == ["warp-mcp", "measure", "--label", "after", "--", *command]
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("width", [60, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    report = a_report(
        modules=[a_module(name="a.very.long.name.of.a.module.in.a.deep.package.of.an.application")]
    )

    assert max(map(len, report_text(report, Look(width=width)).splitlines())) <= width
