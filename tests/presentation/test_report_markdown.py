"""One measurement as Markdown says what the terminal says, and nothing of the program becomes markup."""

import re

import pytest

from tests.factories import a_finding, a_module, a_rebuild, a_report, a_sample
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report
from warp_mcp.presentation.report_markdown import report_markdown


def one_line(report: Report) -> str:
    return " ".join(report_markdown(report).split())


def test_the_wait_comes_first_then_how_much_of_it_is_compilation() -> None:
    lines = report_markdown(a_report()).splitlines()

    assert lines[0] == "# Cold start of `python app.py`"
    assert lines[2] == "You wait 5.11 s ± 0.01 (3) for a cold start, 900 ms ± 10 (3) for a warm one."
    assert lines[4].startswith("Compilation is 4.21 s ± 0.01 (3) of that, 82 %")


def test_the_machine_the_samples_and_the_report_are_named() -> None:
    text = one_line(a_report())

    assert "Report: `before` (`r-20261201-101530-ab12`)" in text
    assert "3 samples, all completed" in text
    assert "Machine: A processor, 2 cores; no GPU seen; Linux; Warp 1.19.0; Python 3.11.7" in text


def test_the_lines_behind_the_rebuilds_are_told_with_what_they_had_built_again() -> None:
    text = one_line(a_report(rebuilds=[a_rebuild(1), a_rebuild(2)]))

    assert "`app.py:11`, 400 ms: kernel stage_1 was defined after the module had loaded. Built again:" in text


def test_findings_are_told_by_status_with_advice_below_those_that_fired() -> None:
    fired = a_finding(
        "CS-10", "fired", title="Half of it is adjoint code", cost_ms=500.0, cost_kind="measured",
        fix="Try `enable_backward=False`", questions=["Does anything need gradients?"], owner="application",
    )  # fmt: skip
    ruled_out = a_finding("CS-2", "ruled_out", title="The warm run compiled nothing")
    rest = [a_finding(label) for label in MECHANISMS if label not in ("CS-2", "CS-10")]

    text = one_line(a_report(findings=[fired, ruled_out, *rest]))

    assert "- Half of it is adjoint code: 500 ms (CS-10). - Try first: `enable_backward=False`" in text
    assert "- Ask before: Does anything need gradients?" in text
    assert "- cache never reused (CS-2): The warm run compiled nothing." in text
    assert "nothing was built for CUDA (CS-1, CS-3 to CS-9, CS-11 to CS-13)." in text


def test_a_program_that_failed_is_shown_with_its_last_lines() -> None:
    broken = a_sample(outcome="failed", exit_code=1, stderr_tail="Traceback\n```\nValueError: no", warm=None)

    text = report_markdown(a_report(samples=[broken], metrics={}, modules=[]))

    assert text.splitlines()[2] == "No sample completed."
    assert "````\nTraceback\n```\nValueError: no\n````" in text


def test_commands_of_the_next_steps_can_be_pasted() -> None:
    text = report_markdown(a_report())

    assert "```sh\nwarp-mcp measure --label after -- python app.py\n```" in text
    assert "```sh\nwarp-mcp compare r-20261201-101530-ab12 latest\n```" in text


@pytest.mark.parametrize("ok", [True, False])
def test_escaped_caches_are_said(ok: bool) -> None:
    isolation = {"ok": ok, "violations": [] if ok else ["app.py:3 set kernel_cache_dir"]}

    assert ("left those it was given" in one_line(a_report(isolation=isolation))) is not ok


def test_five_hundred_modules_and_a_flood_of_output_are_cut_and_counted() -> None:
    flood = a_sample(outcome="failed", exit_code=1, stderr_tail="x" * 20_000_000)

    text = report_markdown(
        a_report(modules=[a_module(n + 1) for n in range(500)], samples=[flood, a_sample()])
    )

    assert "… and 480 more, " in text
    assert len(text) < 30_000


def test_names_of_a_program_make_no_markup() -> None:
    nasty = "<img src=x>\n# Owned"
    text = report_markdown(a_report(command=["python", nasty], modules=[a_module(name=nasty)], label=nasty))

    outside_code = re.sub(r"(`+).+?\1", "", text, flags=re.DOTALL)
    assert "<img" not in outside_code
    assert not re.search(r"^# Owned", outside_code, flags=re.MULTILINE)
