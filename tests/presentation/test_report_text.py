"""What a reader of a report meets first, and that every state of it can be shown."""

import shlex
from collections.abc import Callable
from typing import Any, get_args

import pytest

from tests.factories import (
    a_finding,
    a_metric,
    a_module,
    a_rebuild,
    a_report,
    a_root,
    a_sample,
    a_victim,
)
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report
from warp_mcp.models.root import CauseKind
from warp_mcp.models.sampling import Sampling
from warp_mcp.presentation import Look, measure_summary, measure_summary_text, report_text
from warp_mcp.presentation.report_markdown import report_markdown

FAILED = a_sample(
    outcome="failed", exit_code=1, stderr_tail="Traceback …\nValueError: tolerance exceeded", warm=None
)
MINOR = {"code": "compilation_is_minor", "message": "Little.", "next": "Look at the imports first."}


def measured_text(report: Report) -> str:
    """The text that an agent gets."""
    return measure_summary_text(measure_summary(report))


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
        < text.index("Findings")
        < text.index("Modules, by time")
        < text.index("What to do next")
    )


@pytest.mark.parametrize("shown", [report_text, report_markdown, measured_text])
def test_a_number_of_samples_that_was_not_asked_for_is_explained(shown: Callable[[Report], str]) -> None:
    why = "improved, and no 2 further samples like those seen could change that"
    sampling = Sampling(against="r-before", least=3, most=9, made=7, stopped="settled", why=why)

    words = " ".join(shown(a_report(sampling=sampling)).split())

    assert f"Stopped after 7 samples against r-before: {why}." in words.replace("\\", "")
    assert "Stopped after" not in shown(a_report())


def test_each_root_is_shown_with_its_line_what_happened_there_and_what_was_built_again() -> None:
    text = one_line(a_report())

    assert "1. `app.py:11`, 400 ms: kernel stage_1 was defined after the module had loaded" in text
    assert "└ `fluid.app`, 400 ms" in text


def test_the_victims_of_a_root_hang_below_it_each_module_once_and_the_dearest_first() -> None:
    victims = [a_victim("fluid.a", 100.0), a_victim("fluid.b", 900.0), a_victim("fluid.a", 200.0)]

    text = one_line(a_report(roots=[a_root(victims=victims, cost_ms=1200.0)]))

    assert "├ `fluid.b`, 900 ms └ `fluid.a`, 2 times, 300 ms" in text
    assert "Built again, and why: 3 rebuilds, 1.20 s" in text


def test_a_rebuild_that_stays_when_its_root_is_gone_says_so() -> None:
    one = a_root(victims=[a_victim(other_causes=2)])
    several = a_root(victims=[a_victim("fluid.b"), a_victim("fluid.b", other_causes=1)])

    text = one_line(a_report(roots=[one, several]))

    assert "`fluid.app`, 400 ms; also for 2 other reasons" in text
    assert "`fluid.b`, 2 times, 800 ms; 1 of them also for other reasons" in text


def test_an_option_is_shown_with_its_old_and_new_value() -> None:
    cause = {
        "kind": "option_changed",
        "detail": "fast_math: False → True",
        "where": "/home/me/fluid/app.py:9",
    }

    text = one_line(a_report(rebuilds=[a_rebuild(causes=[cause])]))

    assert "an option was set after the module had loaded: fast_math: False → True" in text


def test_a_line_outside_the_programs_directory_keeps_its_path() -> None:
    cause = {"kind": "kernel_added", "detail": "kernel k", "where": "/usr/lib/fluid.py:3"}

    assert "`/usr/lib/fluid.py:3`" in one_line(a_report(rebuilds=[a_rebuild(causes=[cause])]))


def test_a_root_without_a_known_line_says_what_is_known() -> None:
    near = a_root(where=None, near="/home/me/fluid/app.py:7")

    text = one_line(a_report(roots=[near, a_root(where=None)]))

    assert "1. line not known, near `app.py:7`, 400 ms" in text
    assert "2. line not known, 400 ms" in text
    assert "Find the line that did it, shown by `app.py:7` (400 ms)" in text


HEADLINES = [
    (
        [("app.py:1", "application", 563.0, 3)],
        "1 line causes 3 of 19 builds, 563 ms; it is yours: `app.py:1`.",
    ),
    (
        [("lib.py:1", "newton", 563.0, 1)],
        "1 line causes 1 of 19 builds, 563 ms; it is in newton: `lib.py:1`.",
    ),
    (
        [
            ("a.py:1", "application", 6000.0, 4),
            ("n.py:1", "newton", 20000.0, 8),
            ("n.py:2", "newton", 5000.0, 2),
        ],
        "3 lines cause 14 of 19 builds, 31.0 s; 6.00 s of it is yours, 25.0 s is in newton.",
    ),
    (
        [("a.py:1", "application", 100.0, 1), ("a.py:2", "application", 200.0, 1)],
        "2 lines cause 2 of 19 builds, 300 ms; they are yours.",
    ),
    (
        [("a.py:1", "application", 100.0, 1), (None, "application", 200.0, 1)],
        "2 causes are behind 2 of 19 builds, 300 ms; they are yours.",
    ),
    (
        [(f"{name}.py:1", name, 100.0 * number, 1) for number, name in enumerate("abcde", start=1)],
        "5 lines cause 5 of 19 builds, 1.50 s; 500 ms of it is in e, 400 ms is in d, 300 ms is in c, "
        "300 ms is in 2 other libraries.",
    ),
]


@pytest.mark.parametrize(("roots", "words"), HEADLINES)
def test_the_headline_says_how_many_lines_cause_how_many_builds_and_whose_they_are(
    roots: list[tuple[str | None, str, float, int]], words: str
) -> None:
    structure = {**a_report().structure.model_dump(), "builds": 19}
    made = [
        a_root(where=where, owner=owner, cost_ms=cost, victims=[a_victim(ms=cost / count)] * count)
        for where, owner, cost, count in roots
    ]

    text = one_line(a_report(structure=structure, roots=made))

    assert words in text
    assert text.index(words) < text.index("Where the cold start goes")


def test_without_rebuilds_it_is_said_what_that_does_not_mean() -> None:
    text = one_line(a_report(rebuilds=[]))

    assert "No structural churn: no module was built twice in one process." in text
    assert "builds can be large or made one at a time" in text
    assert "lost to the next start" in text and "backward code" in text
    assert "Built again" not in text


@pytest.mark.parametrize(
    ("changes", "said", "words"),
    [
        ({"isolation": {"ok": False, "violations": ["app.py:6: sets it"]}}, False, "which says little here"),
        (
            {"processes": [{"pid": 8, "parent": 1, "argv": ["p"], "attached": False, "exit_code": 0}]},
            True,
            "in one process that was recorded (1 process left no record)",
        ),
        ({"samples": [FAILED]}, False, "No sample completed"),
    ],
)
def test_no_churn_is_not_claimed_beyond_what_was_seen(
    changes: dict[str, object], said: bool, words: str
) -> None:
    text = one_line(a_report(rebuilds=[], **changes))

    assert ("No structural churn" in text) == said
    assert words in text


def test_nothing_is_said_of_churn_when_nothing_was_built() -> None:
    structure = {**a_report().structure.model_dump(), "builds": 0}

    assert (
        "built twice" not in one_line(a_report(rebuilds=[], structure=structure)).split("What to do next")[0]
    )


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


@pytest.mark.parametrize(
    ("last", "hint"),
    [("RuntimeError: no CUDA device", True), ("ValueError: n", False)],
)
def test_a_program_that_stops_for_want_of_cuda_is_told_of_the_rehearsal(last: str, hint: bool) -> None:
    """Warp's own line on the missing driver is above the error of every program, and says nothing."""
    tail = f"Warp CUDA warning: Could not find or load the NVIDIA CUDA driver.\n{last}\n"
    report = a_report(samples=[a_sample(outcome="failed", exit_code=1, stderr_tail=tail)])
    steps = " ".join(measure_summary(report).next)

    assert ("rehearse it: `--rehearse-cuda sm_90`" in one_line(report)) is hint
    assert ('rehearse it: `options` {"rehearse_cuda": ["sm_90"]}' in steps) is hint


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
        ({"outcome": "cancelled", "cold_wall_ms": None}, "the probe was killed"),
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


def test_all_reasons_why_nothing_can_be_told_stand_in_one_sentence() -> None:
    findings = [
        a_finding("CS-5", "not_reached", evidence={"reason": "nothing was built for CUDA"}),
        a_finding("CS-2", "not_reached", evidence={"reason": "no warm run"}),
    ]

    text = " ".join(report_text(a_report(findings=findings)).split())

    assert text.count("Cannot be told, or does not arise") == 1
    assert "does not arise: nothing was built for CUDA (CS-5); no warm run (CS-2)." in text


def test_roots_victims_and_warnings_beyond_a_screen_are_counted() -> None:
    warning = {"code": "few_samples", "message": "Few.", "next": "More."}
    wide = a_root(victims=[a_victim(f"fluid.m{number}") for number in range(40)])

    text = report_text(a_report(roots=[wide, *[a_root()] * 59], warnings=[warning] * 40))

    assert "… and 52 more causes, 20.8 s in all" in text
    assert "… and 34 more modules" in text
    assert "… and 28 more warnings" in text


def test_a_warning_is_shown_with_what_to_do_about_it() -> None:
    warning = {"code": "machine_busy", "message": "The machine was busy.", "next": "Measure again."}

    assert "! The machine was busy. Measure again." in one_line(a_report(warnings=[warning]))


FIRED = a_finding(
    "CS-10",
    "fired",
    title="2 modules hold backward code that nobody used",
    cost_ms=700.0,
    cost_kind="estimate",
    where="/home/me/fluid/app.py:3",
    owner="application",
    fix="Switch it off at the top of /home/me/fluid/app.py.",
    scope="Your own code: the module it is in.",
    questions=["Does anything need gradients?"],
)


def test_findings_say_what_fired_what_is_ruled_out_and_what_could_not_be_told() -> None:
    findings = [a_finding(mechanism) for mechanism in MECHANISMS[3:]]
    findings.append(a_finding("CS-1", "fired", title="Module `app` was rebuilt", cost_ms=400.0))
    findings += [a_finding("CS-2", "ruled_out"), a_finding("CS-3", "ruled_out")]

    text = one_line(a_report(findings=findings))

    assert "Module `app` was rebuilt: 400 ms (CS-1)" in text
    assert "Ruled out: cache never reused (CS-2) and options set after first load (CS-3)." in text
    assert "nothing was built for CUDA (CS-4 to CS-13)." in text


def test_a_finding_comes_with_its_line_its_cost_the_fix_to_try_and_the_questions_before_it() -> None:
    text = one_line(a_report(findings=[FIRED]))

    assert (
        "2 modules hold backward code that nobody used (`app.py:3`): about 700 ms, an estimate (CS-10) "
        "Try first: Switch it off at the top of app.py. Ask before: Does anything need gradients?" in text
    )
    assert "Your own code" not in text


def test_a_finding_in_a_library_names_it_and_says_how_far_the_fix_may_reach() -> None:
    library = {**FIRED, "owner": "newton", "scope": "The code is newton's: send its maintainers this."}

    text = one_line(a_report(findings=[library]))

    assert "(`app.py:3`), in newton: about 700 ms" in text
    assert "Reach: The code is newton's: send its maintainers this." in text


def test_findings_stand_in_the_order_of_their_cost_whatever_fired() -> None:
    findings = [
        a_finding(name, "fired", title=f"Of {name}", cost_ms=float(number), fix=f"Mend {name}.")
        for number, name in enumerate(MECHANISMS)
    ]

    text = one_line(a_report(findings=findings))

    places = [text.index(f"Of {name}:") for name in reversed(MECHANISMS)]
    assert places == sorted(places)


def test_reasons_of_findings_that_could_not_be_told_are_cut() -> None:
    findings = [a_finding("CS-1", evidence={"reason": "because " * 100}), a_finding("CS-2", evidence={})]

    text = one_line(a_report(findings=findings))

    assert "… (CS-1); " in text
    assert "Whether CS-2 happened cannot be told (CS-2)." in text


def test_a_measurement_that_was_cut_short_is_measured_again_under_its_own_label_before_any_edit() -> None:
    cut = {"code": "cut_short", "message": "It was cut short in sample 2 of 3.", "next": "Measure again."}
    few = {"code": "few_samples", "message": "1 completed sample.", "next": "Measure again, to the end."}
    report = a_report(label="slow", samples=[a_sample()], warnings=[cut, few])

    assert "It was cut short in sample 2 of 3." in one_line(report).split("What to do next")[0]
    assert steps(report).split("Times hold")[0].strip().startswith("1. Measure again, to the end: warp-mcp")
    assert "--label slow" in steps(report) and "2." not in steps(report)


def steps(report: Report) -> str:
    return one_line(report).split("What to do next")[1]


def test_the_next_steps_begin_with_the_lines_behind_the_rebuilds() -> None:
    text = steps(
        a_report(roots=[a_root(), a_root(where="/home/me/fluid/b.py:2"), a_root(), a_root(), a_root()])
    )

    assert (
        "1. Edit `app.py:11` (400 ms): define `stage`, in every variant that the program uses, before the "
        "first launch of module `fluid.app`. 2. Edit `b.py:2`" in text
    )
    assert "Then 2 more causes, 800 ms in all, listed above. 4. Measure again:" in text


@pytest.mark.parametrize("kind", get_args(CauseKind))
def test_every_kind_of_root_has_something_to_try(kind: str) -> None:
    text = steps(a_report(roots=[a_root(kind=kind, subjects=[])]))

    assert text.split("Measure again")[0].strip().endswith(". 2.")
    assert "{" not in text


def test_a_line_that_is_to_be_left_as_it_is_is_not_told_to_be_edited() -> None:
    text = steps(a_report(roots=[a_root(kind="block_dim")]))

    assert "1. Look at `app.py:11` (400 ms): leave the launches" in text and "Edit" not in text


def test_backward_code_goes_before_links_are_weighed_on_a_gpu() -> None:
    """Also where the links cost more: most of them are for backward code, and that has its line."""
    links = a_finding("CS-7", "fired", cost_ms=9000.0, cost_kind="measured", fix="Weigh the links.")
    both = steps(a_report(rebuilds=[], findings=[links, FIRED]))

    assert "Switch it off at the top of app.py" in both and "Weigh the links." not in both
    assert "Weigh the links." in steps(a_report(rebuilds=[], findings=[links]))


def test_a_line_in_a_library_is_not_told_to_be_edited() -> None:
    text = steps(a_report(roots=[a_root(owner="newton")]))

    assert "1. `app.py:11` (400 ms) is in newton, not in your code:" in text
    assert "send its maintainers this measurement" in text


def test_without_rebuilds_the_next_steps_begin_with_the_dearest_finding() -> None:
    text = steps(a_report(rebuilds=[], findings=[FIRED]))

    assert (
        "1. Ask first: Does anything need gradients? 2. Try first (`app.py:3`): Switch it off at the top of "
        "app.py. 3. Read how it works, and what can go wrong: warp-mcp explain CS-10 --report "
        "r-20261201-101530-ab12" in text
    )


@pytest.mark.parametrize(
    ("cost_ms", "order"),
    [
        (2000.0, ["1. Ask first:", "2. Try first", "Edit `app.py:11`", "Edit `b.py:2`"]),
        (300.0, ["1. Edit `app.py:11`", "Try first", "Edit `b.py:2`"]),
        (400.0, ["1. Edit `app.py:11`", "Try first", "Edit `b.py:2`"]),
        (150.0, ["1. Edit `app.py:11`", "2. Edit `b.py:2`", "3. Measure again:"]),
    ],
)
def test_a_finding_that_costs_more_than_a_line_behind_rebuilds_comes_before_it(
    cost_ms: float, order: list[str]
) -> None:
    roots = [a_root(), a_root(where="/home/me/fluid/b.py:2", cost_ms=200.0)]
    text = steps(a_report(roots=roots, findings=[{**FIRED, "cost_ms": cost_ms}]))

    places = [text.find(words) for words in order]
    assert -1 not in places and places == sorted(places), text
    assert ("Try first" in text) == (cost_ms > 200.0)


def test_the_cost_of_the_rebuilds_themselves_does_not_come_before_their_lines() -> None:
    rebuilds = {**FIRED, "mechanism": "CS-1", "cost_ms": 5000.0}

    assert "Try first" not in steps(a_report(roots=[a_root()], findings=[rebuilds]))


@pytest.mark.parametrize("render", [report_text, report_markdown, measured_text])
@pytest.mark.parametrize(("costs", "said"), [([500.0, 300.0], 1), ([500.0, None], 0), ([500.0], 0)])
def test_where_several_costs_are_told_it_is_said_once_that_they_overlap(
    render: Any, costs: list[float | None], said: int
) -> None:
    findings = [
        {**FIRED, "mechanism": f"CS-{number}", "cost_ms": cost} for number, cost in enumerate(costs, 9)
    ]
    text = " ".join(render(a_report(findings=findings)).split())

    assert text.count("These costs overlap where findings share builds: do not add them up.") == said


def test_without_rebuilds_and_findings_the_largest_build_is_named() -> None:
    text = steps(a_report(rebuilds=[]))

    assert "no finding fired. The largest build is `fluid.module_1`, 1.00 s" in text


def test_a_program_that_left_the_isolated_cache_is_told_to_mend_that_first_and_to_measure_again() -> None:
    violation = "/home/me/fluid/app.py:6: the program sets warp.config.kernel_cache_dir to /tmp/x"

    text = steps(a_report(isolation={"ok": False, "violations": [violation]}))

    assert "1. Change this first, at least while measuring: app.py:6: the program sets" in text
    assert "2. Measure again: warp-mcp measure --label before --" in text
    assert "Compare" not in text


@pytest.mark.parametrize("word", ["optimal", "irreducible", "necessary"])
def test_nothing_is_called_what_no_measurement_can_show(word: str) -> None:
    texts = [report_text(a_report(**changes)) for changes in ({}, {"rebuilds": []}, {"findings": [FIRED]})]

    assert not any(word in text for text in texts)


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
