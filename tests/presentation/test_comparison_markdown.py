"""The report that a person sends to a team holds what a report has to hold, and promises nothing."""

import re
from typing import Any

import pytest

from tests.factories import (
    a_change,
    a_comparison,
    a_delta,
    a_finding,
    a_metric,
    a_module,
    a_report,
    a_root,
    a_sample,
)
from tests.ledger_made import record
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.ledger import LedgerListing
from warp_mcp.models.report import Report
from warp_mcp.presentation.comparison_markdown import comparison_markdown
from warp_mcp.presentation.comparison_text import VERDICT_WORDS
from warp_mcp.presentation.shared_report_times import NO_EFFECT
from warp_mcp.workflows import ledger, sharing

HEADINGS = [
    "What was measured",
    "Before and after",
    "What is gone, and what is left",
    "Why this verdict",
    "Is it the same work?",
    "Mechanisms",
    "Trade-offs",
    "Not verified",
    "What was changed",
    "Ledger",
    "What relaxing a constraint would buy",
    "Modules before and after",
    "Environment",
    "How to revert",
    "How to repeat it",
]
"""In the order of the reference, "Reporting a result"."""

TIMING = [
    a_delta("cold_wall_ms", 5100.0, 3100.0),
    a_delta("compile_elapsed_ms", 4200.0, 2100.0),
    a_delta("cold_module_ms", 4000.0, 2000.0),
]


def findings(**told: dict[str, Any]) -> list[dict[str, Any]]:
    """All mechanisms; those named by `CS_1` and so on as told."""
    return [a_finding(label, **told.get(label.replace("-", "_"), {})) for label in MECHANISMS]


def before(**changes: Any) -> Report:
    fired = {
        "status": "fired",
        "title": "Module `fluid.app` was rebuilt 4 times because kernels were defined late",
        "cost_ms": 1600.0,
        "cost_kind": "measured",
        "where": "/home/me/fluid/app.py:22",
        "questions": ["Does a plugin define kernels at run time?"],
    }
    return a_report(**{"findings": findings(CS_1=fired), **changes})


def after(**changes: Any) -> Report:
    ruled_out = {"status": "ruled_out", "title": "No module was rebuilt because of late kernels"}
    value = {
        "report_id": "r-20261201-101545-ab13",
        "label": "after",
        "findings": findings(CS_1=ruled_out, CS_3={**ruled_out, "title": "No option was set late"}),
        "roots": [],
        "rebuilds": [],
        **changes,
    }
    return a_report(**value)


def page(
    comparison: Comparison | None = None, *reports: Report | None, listing: LedgerListing | None = None
) -> str:
    first, second = reports or (before(), after())
    return comparison_markdown(comparison or a_comparison(timing=TIMING), first, second, listing)


def part(text: str, heading: str) -> str:
    """What stands under a heading, as one line."""
    body = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return " ".join(body.split())


def test_its_parts_come_in_the_order_of_the_reference() -> None:
    assert re.findall(r"^## (.+)$", page(), flags=re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("verdict", sorted(VERDICT_WORDS))
def test_the_verdict_is_in_the_title_and_in_plain_words_below_it(verdict: str) -> None:
    lines = page(a_comparison(verdict=verdict)).splitlines()
    words = VERDICT_WORDS[verdict][0].replace("the candidate", "the changed program")

    assert lines[0] == f"# Cold start of `python app.py`: {verdict}"
    assert lines[2].startswith(f"**{words}** Building modules: 4.00 s ± 0.01 (3) → ")


def test_command_machine_versions_and_samples_are_named() -> None:
    failed = after(samples=[a_sample(), a_sample(), a_sample(outcome="failed")])
    told = part(page(None, before(), failed), "What was measured")

    assert "Before: `before` (`r-20261201-101530-ab12`), `python app.py`; 3 samples, all completed" in told
    assert "3 samples, 1 not completed (failed); 2026-12-01 10:15:30 UTC" in told
    assert "Machine: A processor, 2 cores; no GPU seen; Warp 1.19.0; Python 3.11.7" in told


def test_two_machines_are_both_named_with_their_differences() -> None:
    other = after(
        environment={**before().environment.model_dump(), "cpu": "Another", "variables": {"CUDA_X": "1"}}
    )
    comparison = a_comparison(verdict="invalid", environment=["the processors differ"])
    text = page(comparison, before(), other)
    measured, told = part(text, "What was measured"), part(text, "Environment")

    assert "Machine before: A processor" in measured and "Machine after: Another" in measured
    assert (
        "| | before | after |" in told and "| processor | A processor, 2 cores | Another, 2 cores |" in told
    )
    assert "| variables of Warp and CUDA | none set | `CUDA_X=1` |" in told
    assert "Differs between the two: the processors differ" in told


def test_one_environment_is_told_once_and_what_is_unknown_is_called_so() -> None:
    told = part(page(), "Environment")

    assert "| | on both sides |" in told and "| Python | 3.11.7 at `/usr/bin/python` |" in told
    assert "| driver, CUDA toolkit | unknown, unknown |" in told


def test_before_and_after_are_medians_with_spread_and_count_and_the_metric_judged_on_stands_out() -> None:
    told = part(page(), "Before and after")

    assert "| cold start | 5.10 s ± 0.01 (3) | 3.10 s ± 0.01 (3) | −2.00 s (−50 %) | ± 40 ms | yes |" in told
    assert "| **building modules** | 4.00 s ± 0.01 (3) | 2.00 s ± 0.01 (3) |" in told
    assert "median absolute deviation" in told


def test_the_reduction_and_what_is_left_are_sized_against_the_wait() -> None:
    left = after(modules=[a_module(1), a_module(2), a_module(3, builds=0)])
    told = part(page(None, before(), left), "What is gone, and what is left")

    assert "| cold start | 5,100 ms | −2,000 ms (−39 %) | 3,100 ms (61 %) |" in told
    assert "| waiting for compilation | 4,200 ms | −2,100 ms (−50 %) | 2,100 ms (50 %) |" in told
    assert "Of the 3.10 s that are left, 2.10 s (68 %) are waiting for compilation." in told
    assert "the largest: `fluid.module_1` 1.00 s, `fluid.module_2` 500 ms." in told
    assert NO_EFFECT not in told


@pytest.mark.parametrize("verdict", ["inconclusive", "invalid", "unverified"])
def test_a_difference_without_an_effect_is_not_called_one(verdict: str) -> None:
    assert NO_EFFECT in part(page(a_comparison(verdict=verdict)), "What is gone, and what is left")


def test_a_difference_within_the_noise_is_said_to_be_so() -> None:
    wall = {**a_delta("cold_wall_ms", 5100.0, 5090.0), "outside_noise": False}
    told = part(page(a_comparison(timing=[wall])), "What is gone, and what is left")

    assert "| −10 ms (under 1 %), within the noise | 5,090 ms (100 %) |" in told
    assert "unknown: no usable warm run" in told


def test_where_reuse_of_the_cache_changed_the_second_start_is_sized_too() -> None:
    timing = [*TIMING, {**a_delta("warm_wall_ms", 4000.0, 900.0), "outside_noise": True}]
    told = part(
        page(a_comparison(timing=timing, judged_on="warm_module_ms")), "What is gone, and what is left"
    )

    assert "| second start, with the caches filled | 4,000 ms | −3,100 ms (−78 %) | 900 ms (22 %) |" in told


def test_the_verdict_is_given_with_its_reasons_and_recorded_cause() -> None:
    assert "On record: 1 build in place of 5" in part(page(), "Why this verdict")
    assert "nothing that explains a difference" in part(page(a_comparison(causes=[])), "Why this verdict")


def test_another_workload_is_told_with_the_first_launch_that_differs() -> None:
    workload = {
        "status": "changed",
        "first_divergence": {"launch": 4, "baseline": "[8] cpu", "candidate": None},
        "differences": ["2 launches in place of 5"],
        "renames": ["a → b"],
        "kernels_changed": ["step"],
    }
    told = part(page(a_comparison(verdict="invalid", workload=workload)), "Is it the same work?")

    assert "First difference at launch 4. Before: `[8] cpu`. After: `no further launch`." in told
    assert "2 launches in place of 5" in told
    assert "Kernels whose code changed: `step`. What they compute was not compared." in told
    assert "Same content under another name: a → b." in told


def test_modules_that_moved_are_shown_with_their_receipt() -> None:
    still = a_change(2, hash_moved=False, options=[], baseline_builds=1, candidate_builds=1)
    text = page(a_comparison(modules=[a_change(), still]), before(), after(modules=[a_module(hash="c" * 9)]))
    told, table = part(text, "What was changed"), part(text, "Modules before and after")

    assert "| builds | 5 | 1 | −80 % |" in told
    assert "Switched: `fast_math: False → True` in `fluid.module_1`." in told
    assert "Hashes that moved: 1 module; 1 other did not." in told
    moved = "moved: `0000001` → `ccccccc`"
    assert f"| `fluid.module_1` | `cpu` | 5 → 1 | 4.00 s | 2.00 s | 1 | {moved} |" in table
    assert "| `fluid.module_2` | `cpu` | 1 | 4.00 s | 2.00 s | 0 | the same |" in table


def test_mechanisms_are_told_by_group_and_each_with_what_the_record_shows() -> None:
    text = page()
    told = part(text, "Mechanisms")

    assert (
        "**Fixed** - kernels defined after their module loaded: before: Module `fluid.app` was "
        "rebuilt 4 times because kernels were defined late; after: No module was rebuilt because of late "
        "kernels."
    ) in told
    assert "**New** None." in told
    assert "- options set after first load: No option was set late." in told
    assert (
        "**Not reached: unknown from this command, or does not arise in it** - nothing was built for CUDA: "
        "cache never reused; boundaries too fine; "
    ) in told


def test_what_fired_before_and_cannot_be_told_any_more_is_not_lost() -> None:
    gone = after(findings=findings())
    comparison = a_comparison(mechanisms={"fixed": [], "remaining": [], "new": []})

    told = part(page(comparison, before(), gone), "Mechanisms")

    assert (
        "**Fired before, and unknown now** - kernels defined after their module loaded: Whether kernels "
        "defined after their module loaded happened" in told
    )


def test_what_is_still_there_and_new_is_told_with_its_line_and_cost() -> None:
    fired = {
        "status": "fired",
        "title": "Half of it is adjoint code",
        "cost_ms": 500.0,
        "cost_kind": "estimate",
    }
    candidate = after(findings=findings(CS_10={**fired, "where": "/home/me/fluid/app.py:7"}))
    for group, heading in (("remaining", "Still there"), ("new", "New")):
        groups = {"fixed": [], "remaining": [], "new": [], group: ["CS-10"]}

        told = part(page(a_comparison(mechanisms=groups), before(), candidate), "Mechanisms")

        assert f"**{heading}** - Half of it is adjoint code (`app.py:7`): about 500 ms, an estimate." in told


def test_trade_offs_are_what_grew_what_was_switched_and_what_has_to_be_asked() -> None:
    slower = {**a_delta("warm_wall_ms", 900.0, 1800.0), "delta_percent": 100.0}
    structure = [
        {"name": "modules", "baseline": 1.0, "candidate": 4.0},
        {"name": "warm_builds", "baseline": 0.0, "candidate": 2.0},
    ]
    told = part(page(a_comparison(timing=[slower], structure=structure)), "Trade-offs")

    assert "Slower: warm start, +100 %, outside the noise." in told
    assert "More modules: 1 → 4." in told
    assert "The warm start builds more: 0 → 2." in told
    assert "before this is relied on: - Does a plugin define kernels at run time?" in told
    assert "What the record cannot show" in told


def test_without_any_trade_off_on_record_that_is_said_and_no_more() -> None:
    told = part(page(a_comparison(modules=[])), "Trade-offs")

    assert "No figure that was recorded got worse outside the noise." in told
    assert "What the record cannot show" in told


def test_a_module_of_one_side_only_is_none_whose_hash_moved() -> None:
    gone, kept = a_change(1, name="gone"), a_change(2, name="kept")
    sides = [{**gone, "candidate_builds": 0, "hash_moved": True}, {**kept, "hash_moved": True}]
    told = part(page(a_comparison(modules=sides)), "What was changed")

    assert "Hashes that moved: 1 module." in told and "of before: `kept`." in told


def test_what_was_not_verified_is_listed_whole_with_the_scope_and_the_doubts() -> None:
    checks = [f"Check number {number}." for number in range(40)]
    told = part(page(a_comparison(next_checks=checks, warnings=["baseline: busy"])), "Not verified")

    assert all(check in told for check in checks)
    assert "Anything but this command on this machine" in told
    assert "Doubt: before the change: busy" in told


def test_the_ledger_tells_what_a_declined_option_would_buy_and_how_to_take_it() -> None:
    record(estimate="about half of the build")
    record("Share the cache", status="deferred", verify=[])

    text = page(listing=ledger.list_entries())
    told = part(text, "Ledger")

    assert "2 entries: 1 declined and 1 deferred." in told
    assert told.index("Share the cache") < told.index("Build the module sim without backward code")
    assert "Effect: an estimate, not measured: “about half of the build”" in told
    assert "How to take it: “wp.set_module_options({'enable_backward': False})”" in told
    assert "Still to verify: “gradients of examples/fit.py”" in told
    assert "**Measured and declined** Nothing that was measured on one of the two reports" in part(
        text, "Mechanisms"
    )
    bought = part(text, "What relaxing a constraint would buy")
    assert (
        "| “Build the module sim without backward code” (declined, ledger entry 1) | not measured; an "
        "estimate: “about half of the build” | “A notebook may call Tape.backward” |"
    ) in bought
    assert "Share the cache" not in bought, "nothing is known of what it buys"


def test_an_option_that_was_measured_and_declined_stands_among_the_mechanisms(tmp_path: Any) -> None:
    from warp_mcp import storage

    for report in (before(), after()):
        storage.save_report(report)
    record(baseline="before", candidate="after")

    text = page(listing=ledger.list_entries())

    name = "“Build the module sim without backward code” (declined, ledger entry 1)"
    effect = "no effect shown (inconclusive); the difference of building modules: +0 ms (+0 %)"
    assert f"{name}: {effect}; reason: “A notebook may call" in part(text, "Mechanisms")
    assert f"| {name} | {effect} |" in part(text, "What relaxing a constraint would buy")


def test_an_option_that_was_measured_on_other_reports_is_in_the_ledger_alone(tmp_path: Any) -> None:
    from warp_mcp import storage

    storage.save_report(before(report_id="r-20261201-101520-ab12", label="old"))
    storage.save_report(after(report_id="r-20261201-101521-ab12", label="older"))
    record(baseline="old", candidate="older")

    text = page(listing=ledger.list_entries())

    assert "Build the module sim" not in part(text, "Mechanisms")
    assert "Build the module sim" in part(text, "Ledger")


def test_a_ledger_that_is_empty_or_not_here_is_told_apart() -> None:
    assert "Nothing is recorded for this project." in part(page(listing=ledger.list_entries()), "Ledger")
    assert "could not be looked up" in part(page(), "Ledger")


def test_how_to_revert_names_lines_options_and_entries() -> None:
    record("Set fast_math", status="applied_unverified", layer="outputs", how_to_undo="remove app.py:9")
    baseline = before(roots=[a_root(where="/home/me/fluid/app.py:41")])
    candidate = after(roots=[a_root(where="/home/me/fluid/kept.py:7")])

    told = part(page(None, baseline, candidate, listing=ledger.list_entries()), "How to revert")

    assert "Lines that cost builds before and do not any more: `app.py:41`, `app.py:22`." in told
    assert "Options to set back: `fast_math: False → True`." in told
    assert "“Set fast_math” (ledger entry 1): “remove app.py:9”" in told
    assert "compare with `r-20261201-101530-ab12`" in told


def test_how_to_repeat_it_can_be_pasted() -> None:
    command = ["python", "my app.py"]
    told = part(page(None, before(command=command), after(command=command)), "How to repeat it")

    assert "warp-mcp measure --label again -- python 'my app.py'" in told
    assert "warp-mcp compare r-20261201-101530-ab12 latest" in told


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"cwd": "/home/me/fluid-2"}, "ran in two directories: measure both again. In its directory"),
        ({"command": ["python", "new.py"]}, "ran by two commands: measure both again. In the directory"),
    ],
)
def test_two_directories_or_commands_are_both_repeated(changes: dict[str, Any], says: str) -> None:
    told = part(page(None, before(), after(**changes)), "How to repeat it")

    assert says in told
    assert "measure --label again-before -- python app.py" in told
    assert f"measure --label again-after -- {' '.join(changes.get('command', ['python', 'app.py']))}" in told
    assert "warp-mcp compare again-before again-after" in told


def test_without_the_reports_everything_else_is_there() -> None:
    text = comparison_markdown(a_comparison(timing=TIMING))

    assert text.startswith("# Cold start: improved\n")
    assert "neither report is kept" in text
    assert "kernels defined after their module loaded." in part(text, "Mechanisms")
    assert "this is unknown" in part(text, "Mechanisms")


def test_it_names_the_machine_as_the_limit_and_promises_nothing() -> None:
    text = page().lower().replace("cache never reused", "")

    assert "times hold for this machine only" in text
    assert not re.search(r"\b(optimal|irreducible|guarantee\w*|will|always|never)\b", text)


def test_it_stays_readable_with_five_hundred_modules_and_endless_names() -> None:
    modules = [a_change(n, name="m" * 3000, options=[f"o{k}: 0 → 1" for k in range(50)]) for n in range(500)]
    workload = {
        "status": "changed",
        "first_divergence": None,
        "differences": ["x" * 10_000] * 500,
        "renames": ["a → b"] * 500,
        "kernels_changed": ["k" * 3000] * 500,
    }
    huge = a_comparison(
        modules=modules, workload=workload, reasons=["r" * 10_000] * 500, warnings=["w" * 10_000] * 500,
        environment=["e" * 10_000] * 500,
    )  # fmt: skip
    report = before(
        command=["python", "c" * 100_000],
        metrics={"cold_wall_ms": a_metric(1.0, 2.0, 3.0)},
        roots=[a_root(where=f"/home/me/fluid/{'p' * 3000}.py:{n}") for n in range(500)],
    )

    assert len(page(huge, report, after())) / 4 < 4000


def test_names_of_a_program_make_no_markup() -> None:
    nasty = "<img src=x>\n# Owned\n| a |"
    text = page(
        a_comparison(
            modules=[a_change(name=nasty, options=[nasty])],
            reasons=[nasty],
            causes=[nasty],
            next_checks=[nasty],
        ),
        before(command=["python", nasty], label=nasty),
        after(environment={**before().environment.model_dump(), "cpu": nasty}),
    )

    outside_code = re.sub(r"(`+).+?\1", "", text, flags=re.DOTALL)
    assert "<img" not in outside_code
    assert not re.search(r"^# Owned|^\| a \|$", outside_code, flags=re.MULTILINE)


def test_a_report_named_by_a_comparison_is_looked_up_with_its_ledger() -> None:
    text = sharing.page_of(a_comparison(), before(), after())

    assert "A processor" in text
