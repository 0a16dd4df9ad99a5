"""What a reader of an explanation meets first, and that the reference arrives unharmed."""

import re

import pytest

from tests.factories import a_finding, a_report
from tests.reference_made import use_made_reference
from warp_mcp import storage, workflows
from warp_mcp.models.explanation import Explanation, Part
from warp_mcp.models.finding import MECHANISMS, Finding
from warp_mcp.presentation.evidence_lines import evidence_lines, key_words
from warp_mcp.presentation.explanation_text import explain_command, explanation_text, index_text
from warp_mcp.presentation.look import Look

CWD = "/home/me/fluid"
ESCAPE = "\x1b"
PARTS = [Part(heading="What it is", text="The text.")]


def explained(**changes: object) -> Explanation:
    value = {
        "mechanism": "CS-3",
        "slug": "options-after-load",
        "name": "options set after first load",
        "parts": PARTS,
        "report_id": "r-20261201-101530-ab12",
        "report_label": "before",
        "cwd": CWD,
        "status": "fired",
        "title": f"Module `app` was rebuilt because of {CWD}/app.py:41",
        "evidence": {"modules": ["app"], "where": [f"{CWD}/app.py:41"]},
        "cost_ms": 812.0,
        "cost_kind": "measured",
        "where": f"{CWD}/app.py:41",
        "owner": "application",
        "ceiling_ms": 812.0,
        "ceiling_words": "At most 812 ms of a compile wait of 4.21 s.",
        "next_experiment": "Make the change at `app.py:41` and compare.",
    }
    return Explanation.model_validate({**value, **changes})


def written(text: str, look: Look | None = None) -> str:
    """A part of the reference as it is shown."""
    topic = Explanation(mechanism=None, slug="t", name="T", parts=[Part(heading="", text=text)])
    return explanation_text(topic, look or Look())


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_the_readers_own_numbers_come_before_the_reference() -> None:
    text = one_line(explanation_text(explained()))

    places = [
        text.index(words)
        for words in (
            "It happened in this run",
            "rebuilt because of app.py:41: 812 ms.",
            "modules: app",
            "At most 812 ms",
            "Make the change at `app.py:41`",
            "warp-mcp compare r-20261201-101530-ab12 latest",
            "What the reference says",
            "What it is The text.",
        )
    ]
    assert places == sorted(places)
    assert CWD not in text


def test_an_estimate_is_marked_as_one() -> None:
    assert "812 ms (an estimate)." in explanation_text(explained(cost_kind="estimate"))


def test_a_library_is_named_as_the_owner() -> None:
    assert "in the installed library `newton`" in explanation_text(explained(owner="newton"))


def test_the_questions_stand_before_the_experiment() -> None:
    text = explanation_text(explained(questions=["May numbers change?"], scope="This module."))

    assert text.index("? May numbers change?") < text.index("The next experiment")
    assert "How far it may reach: This module." in text


@pytest.mark.parametrize(
    ("status", "words"),
    [("ruled_out", "Ruled out for this run"), ("not_reached", "Cannot be told from this run")],
)
def test_what_did_not_fire_is_told_without_a_cost_and_with_nothing_to_compare(
    status: str, words: str
) -> None:
    text = explanation_text(
        explained(status=status, cost_ms=None, cost_kind=None, ceiling_ms=None, ceiling_words="")
    )

    assert words in text
    assert "What the fix could save" not in text and "warp-mcp compare" not in text


def test_a_reason_that_the_title_gives_is_not_told_twice() -> None:
    def text(title: str) -> str:
        return explanation_text(explained(status="not_reached", title=title, evidence={"reason": "no GPU"}))

    assert text("It cannot be told: no GPU").count("no GPU") == 1
    assert "because: no GPU" in text("It cannot be told")


def test_without_a_report_only_the_reference_is_shown() -> None:
    section = Explanation(mechanism="CS-3", slug="s", name="options", parts=PARTS)

    assert explanation_text(section) == "CS-3: options\n\nWhat it is\nThe text.\n"


# --- Evidence ---


def test_evidence_has_words_for_keys_and_units_for_figures() -> None:
    evidence = {
        "rebuilds": 2,
        "header_ms": 1200.0,
        "generated_source_bytes": 41_000,
        "adjoint_share": 0.4,
        "safe": True,
        "by_module_ms": {"app": 20.0},
        "identities": [["a" * 40, "b" * 40]],
        "nothing": None,
        "none_of_these": [],
    }

    assert evidence_lines(evidence, "") == [
        "rebuilds: 2",
        "header: 1.20 s",
        "generated source: 41 kB",
        "adjoint: 40 %",
        "safe: yes",
        "by module: app 20 ms",
        "hashes, from → to: aaaaaaa → bbbbbbb",
    ]


def test_lines_of_the_program_are_relative_to_where_it_ran() -> None:
    lines = evidence_lines(
        {"where": [f"{CWD}/a.py:1", "/usr/lib/b.py:2"], "calls": [f"set at {CWD}/a.py:3"]}, CWD
    )

    assert lines == ["at: `a.py:1` and `/usr/lib/b.py:2`", "calls: set at a.py:3"]


def test_long_lists_texts_and_much_evidence_are_cut_and_counted() -> None:
    (line,) = evidence_lines({"modules": [f"m{n}" for n in range(50)]}, "")
    many = evidence_lines({f"key_{n}": n for n in range(40)}, "")

    assert line.endswith("m5 and 44 more")
    assert many[-1] == "… and 28 more, in the report file"
    assert len(evidence_lines({"detail": "x" * 5000}, "")[0]) < 400


def test_a_key_that_is_not_known_is_still_words() -> None:
    assert key_words("launches_per_module") == "launches per module"


# --- The reference's Markdown ---


def test_code_is_shown_verbatim() -> None:
    code = [
        "@wp.kernel",
        "def k(a: wp.array[float]):",
        "",
        "    a[0] = 1.0  # [x](y) **z** `w` " + "long " * 20,
    ]

    text = written("```python\n" + "\n".join(code) + "\n```", Look(width=60))

    assert [line.removeprefix("    ") for line in text.splitlines()[-4:]] == [line.rstrip() for line in code]


def test_code_on_a_terminal_keeps_its_backticks() -> None:
    text = re.sub(r"\x1b\[[0-9;]*m", "", written("```\nx = `y`\n```", Look(color=True)))

    assert "    x = `y`" in text


def test_code_that_is_indented_in_a_list_keeps_its_own_indent_only() -> None:
    assert written("  ```\n  if x:\n      y\n  ```").endswith("\n    if x:\n        y\n")


def test_a_fence_that_is_never_closed_loses_nothing() -> None:
    assert "    last" in written("```\nfirst\nlast")


def test_links_and_strong_words_lose_their_marks_and_code_keeps_them() -> None:
    text = written(
        "See **the** [model](#the-model), **`k`** and **[`m`](#m)**, `a**b**c`, `[e](f)` and 2 ** 3."
    )

    assert "See the model, `k` and `m`, `a**b**c`, `[e](f)` and 2 ** 3." in text


def test_lists_keep_their_marks_and_draw_their_lines_together() -> None:
    text = written("Two things:\n- one that\n  goes on\n- two\n\n1. first\n2. second")

    assert "  · one that goes on\n  · two" in text
    assert "  1. first\n  2. second" in text


def test_a_table_that_is_too_wide_to_read_is_told_row_by_row() -> None:
    head = [f"column {number}" for number in range(8)]
    rows = [[f"cell {row}.{number} of many words that fill it" for number in range(8)] for row in range(2)]
    lines = [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * 8, *rows)]

    text = written("\n".join(lines))
    words = " ".join(text.split())

    assert all(len(line) <= 100 for line in text.splitlines())
    assert all(f"· {row[0]} · column 1: {row[1]}" in words for row in rows)
    assert all(f"column {number}: {row[number]}" in words for row in rows for number in range(1, 8))


def test_code_is_moved_to_the_left_rather_than_over_the_edge() -> None:
    assert max(map(len, written("```\n" + "x" * 98 + "\n```").splitlines())) == 100


def test_a_table_keeps_its_cells() -> None:
    text = written("| a | b |\n|---|:-:|\n| `x\\|y` | 2 |\n| short |\n\nAfter.")

    assert re.search(r"`x\|y`\s+2", text)
    assert "short" in text and "After." in text


@pytest.mark.parametrize("width", [60, 100])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    text = explanation_text(
        explained(
            evidence={"modules": ["a.module.in.a.deep.package.of.an.application" * 4] * 9},
            parts=[Part(heading="h " * 90, text="word " * 90 + "\n\n- " + "item " * 60)],
        ),
        Look(width=width),
    )

    assert max(map(len, text.splitlines())) <= width


def test_no_name_can_drive_the_readers_terminal() -> None:
    text = explanation_text(explained(title="\x1b[2J", evidence={"modules": ["\x1b]0;t\x07"]}, fix="\x1b[1m"))

    assert ESCAPE not in text and "\x07" not in text


# --- The list, and the command ---


def test_the_list_has_every_mechanism_and_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    use_made_reference(monkeypatch)

    text = index_text(workflows.explainable(None))

    assert all(re.search(rf"^  {label} ", text, re.MULTILINE) for label in MECHANISMS)
    assert "when-options-are-fixed" in text and "status" not in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_list_of_a_report_has_statuses_and_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    use_made_reference(monkeypatch)
    findings = [a_finding(label) for label in MECHANISMS]
    findings[2] = a_finding("CS-3", "fired", cost_ms=812.0)
    storage.save_report(a_report(findings=findings))

    text = index_text(workflows.explainable("latest"))

    assert re.search(r"CS-3 .* fired +812 ms$", text, re.MULTILINE)
    assert re.search(r"CS-4 .* not reached$", text, re.MULTILINE)


def test_the_command_names_the_mechanism_and_the_report() -> None:
    finding = Finding.model_validate(a_finding("CS-3", "fired"))

    assert explain_command(a_report(), finding) == (
        "warp-mcp",
        "explain",
        "CS-3",
        "--report",
        "r-20261201-101530-ab12",
    )
