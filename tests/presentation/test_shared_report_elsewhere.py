"""An entry of the ledger is charged to the command that it was measured on, and to no other."""

from pathlib import Path

import pytest

from tests.factories import a_comparison, a_report
from tests.lever_made import a_lever, priced
from tests.presentation.test_shared_report import AFTER, part
from warp_mcp import storage
from warp_mcp.models.ledger import MeasuredEffect
from warp_mcp.models.report import Report
from warp_mcp.presentation.comparison_markdown import page
from warp_mcp.presentation.shared_report_parts import Shared
from warp_mcp.workflows import ledger
from warp_mcp.workflows.ledger_levers import append_lever
from warp_mcp.workflows.sharing import team_report

OTHER = "r-20261130-090000-ef56"
RELAXING = "What relaxing a constraint would buy"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A directory of a project: its ledger is looked up by it."""
    directory = tmp_path / "fluid"
    directory.mkdir()
    return directory


def kept(report: Report) -> str:
    storage.save_report(report)
    return report.report_id


def told(here: Path, command: list[str], *, pruned: bool = False, status: str = "declined") -> str:
    """The page about `python app.py` where a lever of `command` was recorded."""
    kept(priced(a_lever("max_unroll=4"), report_id=OTHER, label=None, command=command, cwd=str(here)))
    layer = "outputs" if status == "applied_unverified" else None
    append_lever(
        OTHER, "max_unroll=4", why="It runs for hours", project=str(here), status=status, layer=layer
    )
    if pruned:
        storage.report_path(OTHER).unlink()
    before = kept(a_report(cwd=str(here)))
    after = kept(a_report(report_id=AFTER, label="after", cwd=str(here)))
    return team_report(before, after)[1]


def test_what_was_priced_on_another_command_buys_nothing_here(here: Path) -> None:
    text = told(here, ["python", "other.py"])

    assert "−2.00 s" not in part(text, RELAXING)
    assert part(text, RELAXING).endswith(
        "Not listed: ledger entry 1 (measured on another command). What it would buy here is unknown."
    )
    assert "## Ledger" in text and "“It runs for hours”" in part(text, "Ledger")


def test_what_was_priced_on_an_earlier_report_of_this_command_says_on_which(here: Path) -> None:
    relaxing = part(told(here, ["python", "app.py"]), RELAXING)

    assert (
        "−2.00 s (−50 %) of building modules, improved; measured on other reports of this command" in relaxing
    )
    assert f"`{OTHER}`" in relaxing and "Not listed" not in relaxing


def test_what_was_priced_on_a_report_that_is_gone_is_of_an_unknown_command(here: Path) -> None:
    relaxing = part(told(here, ["python", "app.py"], pruned=True), RELAXING)

    assert "−2.00 s" not in relaxing
    assert "ledger entry 1 (measured on reports that are not kept here)" in relaxing


def test_an_empty_list_of_declined_options_does_not_deny_the_entries_below(here: Path) -> None:
    declined = part(told(here, ["python", "other.py"]), "Mechanisms").split("**Measured and declined**")[1]

    assert "Nothing on record" not in declined
    assert declined.strip().startswith(
        "Nothing that was measured on one of the two reports; the ledger, told"
    )


def test_of_a_ledger_that_was_not_found_nothing_is_said_to_be_on_record() -> None:
    report = a_report()

    text = page(Shared(a_comparison(), report, report))

    assert "ledger could not be looked up, so this is unknown." in part(text, "Mechanisms")


def test_what_is_undone_of_another_command_is_said_to_be_perhaps_no_part_of_the_change(here: Path) -> None:
    text = told(here, ["python", "other.py"], status="applied_unverified")

    assert "measured on another command: it may be no part of this change" in part(text, "How to revert")


def test_two_reports_are_of_this_command_only_where_both_are_known_to_be(here: Path) -> None:
    told(here, ["python", "other.py"])
    entry = ledger.list_entries(project=str(here)).entries[0]
    assert isinstance(entry.effect, MeasuredEffect)
    first = entry.effect.baseline.model_copy(update={"report_id": "r-1"})
    both = entry.model_copy(update={"effect": entry.effect.model_copy(update={"baseline": first})})
    found = [
        Shared(a_comparison(), same_command=known).measured_on(both)
        for known in ({OTHER: True}, {OTHER: True, "r-1": True}, {OTHER: True, "r-1": False}, {})
    ]

    assert found == ["unknown", "this command", "another command", "unknown"]
