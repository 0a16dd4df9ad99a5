"""A ledger as a person reads it: in a terminal and as Markdown."""

from typing import Any

import pytest

from tests.ledger_made import CONTENT
from warp_mcp.models.ledger import LedgerAppended, LedgerCheck, LedgerEntry, LedgerListing
from warp_mcp.presentation import Look
from warp_mcp.presentation.ledger_markdown import ledger_markdown
from warp_mcp.presentation.ledger_summary import ledger_summary, ledger_summary_text
from warp_mcp.presentation.ledger_text import appended_text, check_text, ledger_text

MEASURED = {
    "kind": "measured",
    "baseline": {"report_id": "r-1", "label": "before", "median_ms": 4000.0, "mad_ms": 10.0, "count": 3},
    "candidate": {"report_id": "r-2", "label": None, "median_ms": 2000.0, "mad_ms": 12.0, "count": 3},
    "judged_on": "cold_module_ms",
    "delta_ms": -2000.0,
    "delta_percent": -50.0,
    "verdict": "improved",
    "reason": "The modules took 2.0 s less to build",
    "comparison_id": "c-1",
}
PROBLEM = {"line": 2, "code": "edited", "message": "Line 2 was changed after it was written."}


def an_entry(**changes: Any) -> LedgerEntry:
    value = {
        **CONTENT,
        "layer": None,
        "effect": MEASURED,
        "key": "no-backward",
        "project": "fluid-1a2b3c4d",
        "created_at": "2026-12-01T10:15:30Z",
        "schema": "warp-mcp/ledger/1",
        "number": 1,
        "previous": "0" * 64,
        "hash": "a" * 64,
        **changes,
    }
    return LedgerEntry.model_validate(value)


def a_listing(*entries: LedgerEntry, **changes: Any) -> LedgerListing:
    value = {
        "path": "/state/ledger/fluid-1a2b3c4d.jsonl",
        "project": "fluid-1a2b3c4d",
        "exists": True,
        "entries": entries,
        "problem": None,
        "cut_bytes": 0,
        **changes,
    }
    return LedgerListing.model_validate(value)


def a_check(**changes: Any) -> LedgerCheck:
    value = {
        "path": "/team.jsonl",
        "intact": True,
        "entries": 3,
        "last_hash": "a" * 64,
        "problem": None,
        "cut_bytes": 0,
        "shows": ["The order."],
        "cannot_show": ["Who wrote it."],
        **changes,
    }
    return LedgerCheck.model_validate(value)


def joined(text: str) -> str:
    return " ".join(text.split())


def test_an_entry_is_told_with_everything_it_holds() -> None:
    text = joined(ledger_text(a_listing(an_entry())))

    assert text.startswith("1 entry: 1 declined.")
    assert "1. Build the module sim without backward code: declined 2026-12-01 10:15:30 UTC" in text
    for name in ("where", "scope", "why", "how_to_take", "how_to_undo"):
        assert CONTENT[name] in text
    assert f"to verify {CONTENT['verify'][0]}" in text


@pytest.mark.parametrize("render", [ledger_text, ledger_markdown])
def test_a_measured_effect_has_medians_spread_counts_verdict_and_reports(render: Any) -> None:
    text = joined(render(a_listing(an_entry())))

    assert "4.00 s ± 0.01 (3) → 2.00 s ± 0.01 (3), −2.00 s (−50 %)." in text
    assert "Verdict: improved. The modules took 2.0 s less to build." in text
    assert "reports before, r-1 (without) and r-2 (with), comparison c-1" in text


@pytest.mark.parametrize("render", [ledger_text, ledger_markdown])
@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        ("inconclusive", "The difference is no effect"),
        ("invalid", "the difference is not the option's effect"),
        ("unverified", "the difference may not be the option's"),
    ],
)
def test_numbers_that_prove_nothing_say_so(render: Any, verdict: str, words: str) -> None:
    entry = an_entry(effect={**MEASURED, "verdict": verdict})

    assert words in joined(render(a_listing(entry)))


@pytest.mark.parametrize("render", [ledger_text, ledger_markdown])
def test_a_number_without_reports_is_called_an_estimate(render: Any) -> None:
    estimate = an_entry(effect={"kind": "estimate", "text": "about 2 s"})

    assert "Estimate, not measured: about 2 s" in render(a_listing(estimate))
    assert "Not measured and not estimated." in render(a_listing(an_entry(effect=None)))


@pytest.mark.parametrize("render", [ledger_text, ledger_markdown])
def test_a_side_that_lacks_the_metric_is_unknown(render: Any) -> None:
    side = {**MEASURED["candidate"], "median_ms": None, "mad_ms": None, "count": 0}
    effect = {**MEASURED, "candidate": side, "delta_ms": None, "delta_percent": None}

    assert "→ unknown. Verdict" in joined(render(a_listing(an_entry(effect=effect))))


def test_what_was_applied_names_the_layer_that_is_not_verified() -> None:
    entry = an_entry(status="applied_unverified", layer="gradients")

    assert "applied, not verified: gradients" in ledger_text(a_listing(entry))


@pytest.mark.parametrize("render", [ledger_text, ledger_markdown])
def test_what_is_wrong_with_a_ledger_comes_before_its_entries(render: Any) -> None:
    text = joined(render(a_listing(an_entry(), problem=PROBLEM, cut_bytes=12)))

    assert text.index("Line 2 was changed") < text.index("cut after 12 bytes") < text.index("1. Build")


@pytest.mark.parametrize("render", [ledger_text, ledger_markdown])
def test_an_empty_ledger_says_so(render: Any) -> None:
    assert "Nothing is recorded yet" in render(a_listing())


@pytest.mark.parametrize("width", [60, 100])
def test_no_line_is_wider_than_the_page_but_paths(width: int) -> None:
    long = an_entry(why="word " * 300, what="w" * 400, verify=["水" * 200])

    text = ledger_text(a_listing(long), Look(width=width))

    assert max(len(line) for line in text.splitlines() if "/state/" not in line) <= width


@pytest.mark.parametrize("render", [ledger_text, ledger_markdown])
def test_nothing_a_file_holds_drives_the_terminal(render: Any) -> None:
    assert "\x1b" not in render(a_listing(an_entry(why="\x1b[2J", what="\x9b2J\x07")))


def test_an_append_says_what_became_of_it() -> None:
    value = {"created": True, "entry": an_entry(number=3), "path": "/team.jsonl", "set_aside": None}
    new = appended_text(LedgerAppended.model_validate(value))
    old = appended_text(LedgerAppended.model_validate({**value, "created": False}))
    cut = appended_text(LedgerAppended.model_validate({**value, "set_aside": "/team.jsonl.torn"}))

    assert new.startswith("Recorded as entry 3.")
    assert old.startswith("Entry 3 says this already; nothing was added.")
    assert "A cut last line was set aside in /team.jsonl.torn" in cut


def test_a_check_says_what_a_chain_shows_and_what_it_cannot_show() -> None:
    text = check_text(a_check())

    assert text.startswith("Intact: 3 entries, chained from the first to the last.")
    assert "a" * 64 in text
    assert text.index("What this shows") < text.index("The order.") < text.index("Who wrote it.")


def test_a_broken_chain_says_where_and_what_to_do() -> None:
    text = joined(check_text(a_check(intact=False, entries=1, problem=PROBLEM)))

    assert text.startswith("Not intact: the chain holds for 1 entry, and not beyond. Line 2 was changed")
    assert "Restore the file" in text and "What an intact chain shows" in text


def test_a_cut_line_is_told_from_a_broken_chain() -> None:
    text = joined(check_text(a_check(intact=False, cut_bytes=7)))

    assert text.startswith("Cut: 3 entries chained as they should be, and a line that is not whole.")


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("a <b> & c", "a &lt;b> &amp; c"),
        ("`a < b[0]` and a[0]", "`a < b[0]` and a\\[0\\]"),
        ("max_unroll and __init__", "max_unroll and \\_\\_init\\_\\_"),
        ("# no heading", "\\# no heading"),
        ("1. no list", "1\\. no list"),
        ("3.5 s", "3.5 s"),
        ("2026-12-01", "2026-12-01"),
        ("![](http://x)", "!\\[\\](http://x)"),
        ("a ` alone", "a \\` alone"),
    ],
)
def test_in_markdown_what_users_wrote_is_text_and_code_is_code(text: str, markdown: str) -> None:
    assert f"- **Why:** {markdown}\n" in ledger_markdown(a_listing(an_entry(why=text)))


def test_in_markdown_several_lines_are_a_paragraph_and_fenced_code_stays_code() -> None:
    text = ledger_markdown(a_listing(an_entry(why="Add:\n```python\nx[0] = __a\n```\n# done")))

    assert "- **Why:** \n\n  Add:\n  ```python\n  x[0] = __a\n  ```\n  \\# done\n" in text


def test_in_markdown_a_fence_that_nothing_closes_takes_nothing_with_it() -> None:
    text = ledger_markdown(a_listing(an_entry(why="one\n```\n<x>")))

    assert "\\`\\`\\`" in text and "&lt;x>" in text


@pytest.mark.parametrize(
    ("delta", "percent", "says"),
    [
        (-2000.0, -50.0, "on cold_module_ms, −2.00 s (−50 %): "),
        (300.0, 7.0, "on cold_module_ms, +300 ms (+7 %): "),
        (300.0, None, "on cold_module_ms, +300 ms: "),
        (None, None, "on cold_module_ms: "),
    ],
)
def test_an_agent_is_told_an_effect_with_its_sign_and_percent(
    delta: float | None, percent: float | None, says: str
) -> None:
    entry = an_entry(effect={**MEASURED, "delta_ms": delta, "delta_percent": percent})
    appended = LedgerAppended(created=True, entry=entry, path="/team.jsonl", set_aside=None)

    assert says in ledger_summary_text(ledger_summary(appended))


def test_the_reason_behind_a_verdict_is_a_sentence() -> None:
    entry = an_entry(effect={**MEASURED, "verdict": "unverified", "reason": "both sides failed"})

    text = ledger_markdown(a_listing(entry))

    assert "Verdict: unverified. Both sides failed." in " ".join(text.split())
