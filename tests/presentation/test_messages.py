"""Errors, lists and progress: a line or two each."""

import shlex

import pytest

from warp_mcp.models.progress import Progress
from warp_mcp.models.stored import StoredReport
from warp_mcp.presentation import Look, error_text, listing_text, progress_text, pruned_text

ENTRY = StoredReport(
    report_id="r-20261201-101530-ab12",
    label="before",
    created_at="2026-12-01T10:15:30Z",
    command=["python", "my app.py"],
    cwd="/home/me",
    path="/state/r.json",
    problem=None,
)


def progress(**changes: object) -> Progress:
    value = {
        "step": "cold",
        "sample": 2,
        "samples": 3,
        "done": 2,
        "total": 6,
        "elapsed_s": 14.2,
        "remaining_s": 28.4,
        "message": "cold run 2 of 3 running",
    }
    return Progress.model_validate({**value, **changes})


def test_an_error_is_wrapped_between_words_and_its_command_can_be_pasted() -> None:
    path = "/a" * 60
    message = f"The reference is not in {path}: this installation of warp-mcp is not whole, as it has to be."
    step = (
        "Install it there, with everything that it needs: /opt/python -m pip install --upgrade 'warp lang' "
        + ("--no-deps " * 4)
    )
    lines = error_text(message, step.strip(), Look()).splitlines()

    assert lines[1].startswith(f"{path}:")
    assert all(len(line) <= 100 for line in lines if path not in line)
    pasted = "\n".join(lines[lines.index("  Next: Install it there, with everything that it needs:") + 1 :])
    joined = pasted.replace("\\\n", "")
    assert shlex.split(joined) == shlex.split(step.rpartition(": ")[2])


def test_an_error_is_a_sentence_and_the_next_step() -> None:
    assert (
        error_text("It is gone.", "Look elsewhere.", Look())
        == "warp-mcp: It is gone.\n  Next: Look elsewhere.\n"
    )


def test_a_listed_report_has_id_date_label_and_a_command_to_paste() -> None:
    assert listing_text([ENTRY], Look()).splitlines()[1].split(maxsplit=4) == [
        "r-20261201-101530-ab12",
        "2026-12-01",
        "10:15:30",
        "before",
        "python 'my app.py'",
    ]


def test_a_report_that_cannot_be_read_is_listed_with_the_reason() -> None:
    broken = ENTRY.model_copy(update={"problem": "it is cut short", "created_at": None, "label": None})

    assert "unreadable: it is cut short" in listing_text([broken], Look())


def test_a_long_command_is_cut_at_the_width_of_the_terminal() -> None:
    long = ENTRY.model_copy(update={"command": ["python", *["--option"] * 60]})

    lines = listing_text([long, ENTRY], Look(width=80)).splitlines()

    assert [len(lines), max(map(len, lines))] == [3, 80]
    assert lines[1].endswith("…")


def test_what_was_pruned_is_counted_and_named() -> None:
    assert pruned_text([ENTRY], False, Look()).startswith("Removed 1 report:")
    assert pruned_text([ENTRY, ENTRY], True, Look()).startswith("Would remove 2 reports:")
    assert pruned_text([], False, Look()) == "Nothing to remove.\n"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "cold run 2 of 3 (empty caches) · 14 s · about 28 s left"),
        ({"step": "warm", "remaining_s": None}, "warm run 2 of 3 (the caches it filled) · 14 s"),
        ({"step": "waiting", "message": "Waiting.", "remaining_s": None, "elapsed_s": 0.1}, "Waiting."),
        (
            {"step": "analysing", "message": "Working out the report.", "remaining_s": 0.0},
            "Working out the report.",
        ),
        (
            {"elapsed_s": 3600.0, "remaining_s": 0.2},
            "cold run 2 of 3 (empty caches) · 60 min 0 s · about 1 s left",
        ),
    ],
)
def test_progress_is_one_line_with_the_time_left(changes: dict[str, object], text: str) -> None:
    assert progress_text(progress(**changes)) == text
