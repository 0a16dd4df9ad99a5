"""Removing old reports, and what is as old as they are."""

from datetime import datetime, timezone
from pathlib import Path

import pytest

from tests.factories import a_comparison, a_report
from warp_mcp import storage

IDS = ["r-20261203-101530-ab12", "r-20261202-101530-ab12", "r-20261201-101530-ab12"]
NOW = datetime(2026, 12, 3, 12, 0, 0, tzinfo=timezone.utc)


@pytest.fixture(autouse=True)
def kept() -> None:
    for report_id in IDS:
        storage.save_report(a_report(report_id=report_id))


def test_the_newest_stay() -> None:
    assert [entry.report_id for entry in storage.keep_newest(1)] == IDS[1:]


def test_those_older_than_so_many_days_go() -> None:
    assert [entry.report_id for entry in storage.older_than(1.5, NOW)] == IDS[2:]


def test_a_removed_report_takes_comparisons_and_recordings_of_its_time_with_it(own_state_dir: Path) -> None:
    old = storage.save_comparison(a_comparison(comparison_id="c-20261201-111111-ab12"))
    new = storage.save_comparison(a_comparison(comparison_id="c-20261203-111111-ab12"))

    storage.remove(storage.keep_newest(1))

    assert [entry.report_id for entry in storage.list_reports()] == IDS[:1]
    assert not old.exists()
    assert new.exists()


def test_removing_nothing_changes_nothing() -> None:
    storage.remove([])

    assert len(storage.list_reports()) == 3
