"""The report for a team: the complaint, levers, what is claimed, and how much of it there is room for."""

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.factories import a_change, a_comparison, a_delta, a_finding, a_report
from tests.ledger_made import CONTENT, record
from tests.lever_made import GONE, a_lever, priced
from warp_mcp import storage
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.lever import LeverResult
from warp_mcp.presentation.comparison_markdown import fitted_page, page
from warp_mcp.presentation.comparison_text import VERDICT_WORDS
from warp_mcp.presentation.shared_report_complaint import time_in
from warp_mcp.presentation.shared_report_parts import PricedLever, Shared
from warp_mcp.presentation.shared_report_words import CLAIMS
from warp_mcp.workflows import ledger
from warp_mcp.workflows.ledger_levers import append_lever

BEFORE, AFTER = "r-20261201-101530-ab12", "r-20261201-101545-ab13"
TIMING = [
    a_delta("cold_wall_ms", 7900.0, 5800.0),
    a_delta("compile_elapsed_ms", 5100.0, 3000.0),
    a_delta("cold_module_ms", 5000.0, 2900.0),
]
COMPLAINT = "8 s before the first frame"


def shared(comparison: Comparison | None = None, **changes: Any) -> Shared:
    both = {"baseline": a_report(), "candidate": a_report(report_id=AFTER)}
    return Shared(comparison or a_comparison(timing=TIMING), **{**both, **changes})


def lever(
    text: str = "max_unroll=4", side: Any = "before", taken: Any = "none", **changes: Any
) -> PricedLever:
    result = LeverResult.model_validate(a_lever(text, **changes))
    return PricedLever(result, BEFORE if side == "before" else AFTER, side, taken)


def part(text: str, heading: str) -> str:
    body = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return " ".join(body.split())


def complained(complaint: str = COMPLAINT, **changes: Any) -> str:
    """What is said of a complaint."""
    text = page(shared(a_comparison(**{"timing": TIMING, **changes}), complaint=complaint))
    return next((line for line in text.splitlines() if line.startswith("The complaint:")), "")


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("8 s before the first frame", 8e3),
        ("it takes 5 minutes", 3e5),
        ("800 ms", 800.0),
        ("8s!", 8e3),
        ("1,200 ms", 1200.0),
        ("1,5 s", 1500.0),
        ("0.5 h", 1.8e6),
        ("2m30s", 150e3),
        ("1 min 20 s", 80e3),
        ("2 hours and 5 minutes", 7.5e6),
        ("3 s, then 5 s more", 3e3),
        ("slow", None),
        ("5-10 s", None),
        ("10 to 12 seconds", None),
        ("0 s", None),
        ("with 1.2.3 s", None),
        ("for 8 students", None),
        ("9999999 h", None),
        ("9" * 400 + " s", None),
        ("", None),
    ],
)
def test_a_complaint_with_one_time_in_it_can_be_sized(text: str, ms: float | None) -> None:
    found = time_in(text)

    assert (found[0] if found else None) == ms


def test_the_complaint_is_quoted_and_sized_with_what_is_left_of_it() -> None:
    assert complained() == (
        "The complaint: “8 s before the first frame”. The change takes 2.10 s: the start that was measured "
        "took 7.90 s before it and 5.80 s after it, of which 3.00 s are compiling."
    )


def test_a_complaint_near_the_start_that_was_measured_is_told_with_it() -> None:
    told = complained("9 s")

    assert told.endswith("Of the 9 s complained about, 1.10 s was not reproduced here.")
    assert "6.90 s" not in told  # 9 s less the difference: nobody measured that


def test_a_complaint_without_a_time_is_quoted_only_and_none_is_not_told() -> None:
    assert complained("it is slow") == "The complaint: “it is slow”."
    assert complained(" ") == ""


def test_a_complaint_about_another_wait_than_the_one_measured_is_told_apart() -> None:
    assert "7.90 s before it and 5.80 s after it" in complained("5 minutes")
    assert "292.1 s was not reproduced here: that is about something else" in complained("5 minutes")
    assert complained("800 ms").endswith(
        "more than the 800 ms complained about: the start that was measured took 7.90 s before it."
    )


@pytest.mark.parametrize(
    ("verdict", "says"),
    [
        ("inconclusive", "No effect was shown, so none of the 8 s can be called gone."),
        ("invalid", "did not do the same, so nothing can be said of the 8 s."),
        ("unverified", "nothing can be said of the 8 s yet."),
    ],
)
def test_without_an_effect_nothing_of_the_complaint_is_credited(verdict: str, says: str) -> None:
    told = complained(verdict=verdict)

    assert told.endswith(says) and "takes" not in told


def test_a_regression_adds_to_the_complaint() -> None:
    worse = [a_delta("cold_wall_ms", 8000.0, 9000.0), a_delta("compile_elapsed_ms", 3000.0, 4000.0)]

    told = complained(verdict="regressed", timing=worse)
    assert told.endswith(
        "The change adds 1.00 s: the start that was measured took 8.00 s before it and 9.00 s after it, of "
        "which 4.00 s are compiling."
    )


def test_a_start_within_its_noise_is_sized_by_the_wait_for_compilation_or_not_at_all() -> None:
    still = {**a_delta("cold_wall_ms", 7900.0, 7890.0), "outside_noise": False}
    wait, judged = a_delta("compile_elapsed_ms", 3000.0, 2000.0), a_delta("cold_module_ms")

    assert "takes 1.00 s of waiting for compilation: 3.00 s before it and 2.00 s after it." in complained(
        timing=[still, wait, judged]
    )
    assert "none of the 8 s is shown to be gone" in complained(timing=[still])


def test_where_reuse_of_the_cache_is_judged_the_second_start_is_sized() -> None:
    warm = a_delta("warm_wall_ms", 8000.0, 1000.0)

    told = complained(timing=[*TIMING, warm], judged_on="warm_module_ms")

    assert "second start, with the caches filled: 8.00 s before it and 1.00 s after it." in told


@pytest.mark.parametrize("verdict", sorted(VERDICT_WORDS))
@pytest.mark.parametrize("kept", [True, False])
def test_every_verdict_makes_a_page_without_labels_or_claims(verdict: str, kept: bool) -> None:
    storage.save_report(priced())
    record("Prove CS-10 is optimal", why="it is necessary and irreducible", estimate="as fast as it can be")
    findings = [a_finding(one, "fired", title=f"{one} (CS-3) is at work", fix="x") for one in MECHANISMS]
    claiming = {"reasons": ["This is optimal (CS-1)."], "next_checks": ["Only a necessary build is left."]}
    comparison = a_comparison(verdict=verdict, timing=TIMING, **claiming)
    told = shared(
        comparison,
        **({} if kept else {"baseline": None, "candidate": None}),
        ledger=ledger.list_entries(),
        complaint="8 s, and CS-2 makes it irreducible",
        notes=("now optimal",),
        levers=(lever(takes_away=["Nothing necessary (CS-7)."]), lever("mode=debug", taken="all")),
    )
    told = replace(told, candidate=a_report(report_id=AFTER, findings=findings)) if kept else told

    text = page(told)

    assert text.splitlines()[0].endswith(f": {verdict}")
    assert "CS-" not in text
    outside = re.sub(r"`+[^`]*`+", "", re.sub(r"“[^”]*”", "", text))
    assert not CLAIMS.search(outside), CLAIMS.search(outside)
    assert "“now optimal”" in text and "\\[cache never reused\\] makes it irreducible”" in text


@pytest.mark.parametrize("verdict", ["inconclusive", "invalid", "unverified"])
def test_without_an_effect_nothing_is_called_fixed(verdict: str) -> None:
    told = part(page(shared(a_comparison(verdict=verdict))), "Mechanisms")

    assert "**Fixed**" not in told and "**Fired before, ruled out after** - kernels defined after" in told


def test_reasons_name_times_in_words() -> None:
    reasons = ["cold_module_ms 4000 → 2000 ms; cold_module_cpu_ms is the same"]

    told = part(page(shared(a_comparison(reasons=reasons))), "Why this verdict")

    assert "- building modules 4000 → 2000 ms; building modules in CPU time is the same" in told


def test_a_user_cannot_end_the_quotes() -> None:
    text = page(shared(complaint="x” So it is optimal. “y", notes=("a” b",)))

    assert '“x" So it is optimal. "y”' in text and '“a" b”' in text


def test_notes_stand_before_what_the_record_shows() -> None:
    told = part(page(shared(notes=("options first", " ", "one\nmore"))), "What was changed")

    assert told.startswith(
        "As told by whoever made the change: - “options first” - “one more” What the record"
    )
    assert "What was edited was not told." in part(page(shared()), "What was changed")


def test_a_change_that_left_no_trace_says_so() -> None:
    told = part(page(shared(a_comparison(modules=[], structure=[]))), "What was changed")

    assert "nothing of what is built differs" in told


def test_a_lever_not_taken_is_told_with_what_it_would_buy_and_what_stands_against_it() -> None:
    against = lever(slower_kernels=["step"], outputs="different", workload="unverified")
    told = part(page(shared(levers=(against,))), "What relaxing a constraint would buy")

    assert (
        "| `max_unroll=4`, priced before the change | −2.00 s (−50 %) of building modules, improved |" in told
    )
    assert GONE in told and "Runs slower: `step`." in told and "Its outputs differ." in told
    assert "buys another amount now" in told


def test_a_lever_that_was_not_applied_buys_nothing_that_is_known() -> None:
    did_nothing = (lever(applied=False), lever("mode=debug", samples=0))

    told = part(page(shared(levers=did_nothing)), "What relaxing a constraint would buy")

    assert "−2.00 s" not in told
    assert "not applied in the runs with it" in told and "no run with it completed" in told


def test_a_lever_priced_on_both_sides_is_told_as_it_is_now() -> None:
    told = part(page(shared(levers=(lever(), lever(side="after")))), "What relaxing a constraint would buy")

    assert "priced after the change" in told and "priced before" not in told


def test_a_lever_that_was_taken_is_a_trade_off_and_no_constraint() -> None:
    text = page(shared(levers=(lever(taken="all"), lever("mode=debug", taken="some", delta=None))))

    assert f"`max_unroll=4`: {GONE}" in part(text, "Trade-offs")
    assert f"`mode=debug`, taken in part: {GONE}" in part(text, "Trade-offs")
    relaxing = part(text, "What relaxing a constraint would buy")
    assert "max_unroll" not in relaxing and "unknown of building modules" in relaxing


def test_a_lever_on_record_is_told_once_with_the_reason_it_was_declined() -> None:
    report = priced(a_lever("max_unroll=4"))
    storage.save_report(report)
    append_lever(report.report_id, "max_unroll=4", why="The solver runs for hours")

    text = page(shared(levers=(lever(),), ledger=ledger.list_entries()))

    relaxing = part(text, "What relaxing a constraint would buy")
    assert relaxing.count("max_unroll") == 1 and "“The solver runs for hours”" in relaxing
    assert "(declined, ledger entry 1): −2.00 s (−50 %) of building modules, improved" in part(
        text, "Mechanisms"
    )
    assert "its unchanged runs, and those with max_unroll=4" in part(text, "Ledger")


def test_without_anything_priced_what_relaxing_would_buy_is_unknown() -> None:
    assert part(page(shared()), "What relaxing a constraint would buy").startswith("Unknown: no option")


def test_what_was_not_recorded_is_listed_as_unknown() -> None:
    report = a_report()
    backward = [module.model_copy(update={"adjoint_launches": 3}) for module in report.modules]
    told = part(
        page(shared(a_comparison(next_checks=[]), candidate=report.model_copy(update={"modules": backward}))),
        "Not verified",
    )

    assert backward
    assert all(f"{topic}: unknown" in told for topic in ("Outputs", "Steady state", "Gradients"))


def test_gradients_of_a_command_without_a_backward_pass_are_said_to_be_no_part_of_it() -> None:
    told = part(page(shared(a_comparison(next_checks=[]))), "Not verified")

    assert "Gradients: this command ran no backward pass" in told


def test_what_was_recorded_and_equal_is_not() -> None:
    comparison = a_comparison(
        next_checks=[], outputs={"status": "identical", "compared": 4, "left_out": 7},
        steady_state={"status": "same"},
    )  # fmt: skip
    told = part(page(shared(comparison)), "Not verified")

    assert "Outputs: unknown" not in told and "Steady state" not in told
    assert "Outputs of 7 launches were not recorded." in told


def test_launch_times_that_noise_may_hide_are_not_verified() -> None:
    steady = {"status": "within_noise", "hidden": "differences up to 40 % are hidden by the noise"}

    told = page(shared(a_comparison(next_checks=[], steady_state=steady)))

    assert f"Steady state: launches were timed, but {steady['hidden']}." in part(told, "Not verified")
    assert "how fast the program runs after its start" in part(told, "Trade-offs")


def test_a_kernel_that_runs_slower_is_a_trade_off() -> None:
    slow = {"kernel": "step", "signature": "s", "baseline_us": 10.0, "candidate_us": 15.0}
    steady = {"status": "slower", "kernels": [{**slow, "delta_percent": 50.0, "outside_noise": True}]}

    told = part(page(shared(a_comparison(steady_state=steady))), "Trade-offs")

    assert "Runs slower: `step`, 10.0 → 15.0 µs a launch (+50 %)." in told


def test_the_page_of_a_resource_is_cut_and_that_of_the_command_line_is_whole() -> None:
    for number in range(60):
        record(f"Option {number}", why="w" * 2_000)
    modules = [a_change(number, name=f"package.module_{number}") for number in range(300)]
    told = shared(a_comparison(modules=modules), ledger=ledger.list_entries(), notes=("n" * 3_000,) * 30)

    small, whole = fitted_page(told), page(told)

    assert len(small) / 4 < 4000 and "more module" in small
    assert "w" * 2_000 in whole and "`package.module_299`" in part(whole, "Modules before and after")
    assert whole.count("n" * 3_000) == 30 and whole.count(CONTENT["how_to_take"]) == 60
    assert set(re.findall("^## .*", small, re.M)) == set(re.findall("^## .*", whole, re.M))


def test_every_table_of_it_has_as_many_cells_in_each_row() -> None:
    text = page(shared(notes=("a | b",), levers=(lever(takes_away=["x | y"]),)))

    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, table
