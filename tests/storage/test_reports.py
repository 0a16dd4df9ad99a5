"""Finding a report by what a user would call it, and listing what is kept."""

import os
import stat
from pathlib import Path

import pytest

from tests.factories import a_report
from warp_mcp import storage
from warp_mcp.errors import CannotWrite, UnreadableReport

FIRST, SECOND, THIRD = "r-20261201-101530-ab12", "r-20261201-101531-cd34", "r-20270101-000000-ef56"


@pytest.fixture
def kept() -> None:
    """Three reports; two share a label."""
    for report_id, label in ((FIRST, "before"), (SECOND, "before"), (THIRD, "after")):
        storage.save_report(a_report(report_id=report_id, label=label))


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("reference", "found"),
    [
        (FIRST, FIRST),
        ("r-20261201-101530", FIRST),
        ("r-2027", THIRD),
        ("latest", THIRD),
        ("after", THIRD),
        ("before", SECOND),
    ],
)
def test_a_report_is_found_by_id_unique_prefix_latest_or_label(reference: str, found: str) -> None:
    assert storage.find_report(reference).report_id == found


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("reference", "code"), [("r-2026", "ambiguous"), ("nothing", "no_such_report"), ("", "no_such_report")]
)
def test_a_name_that_nothing_or_too_much_answers_to_is_refused(reference: str, code: str) -> None:
    with pytest.raises(UnreadableReport) as raised:
        storage.find_report(reference)

    assert raised.value.code == code
    assert raised.value.next_step


def test_before_anything_is_kept_the_next_step_is_to_measure() -> None:
    with pytest.raises(UnreadableReport) as raised:
        storage.find_report("latest")

    assert "warp-mcp measure" in raised.value.next_step


def test_a_file_is_found_by_its_path_and_by_its_bare_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.json"
    storage.write_named(path, storage.to_json(a_report()))
    monkeypatch.chdir(tmp_path)

    assert (
        storage.find_report(str(path))
        == storage.find_report("mine.json")
        == storage.find_report("./mine.json")
    )


def test_a_report_is_kept_for_its_owner_only(own_state_dir: Path) -> None:
    path = storage.save_report(a_report())

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == stat.S_IMODE(own_state_dir.stat().st_mode) == 0o700


def test_a_state_directory_that_was_open_to_others_is_closed(own_state_dir: Path) -> None:
    own_state_dir.mkdir(mode=0o755)
    own_state_dir.chmod(0o755)

    storage.save_report(a_report())

    assert stat.S_IMODE(own_state_dir.stat().st_mode) == 0o700


def test_a_state_directory_that_cannot_be_made_is_told_with_the_variable_that_moves_it(
    own_state_dir: Path,
) -> None:
    own_state_dir.write_text("a file is in the way", encoding="utf-8")

    with pytest.raises(CannotWrite) as raised:
        storage.save_report(a_report())

    assert "WARP_MCP_STATE_DIR" in raised.value.next_step


def test_the_list_is_newest_first_and_shows_what_cannot_be_read(kept: None) -> None:
    storage.report_path(SECOND).write_text("{", encoding="utf-8")

    entries = storage.list_reports()

    assert [entry.report_id for entry in entries] == [THIRD, SECOND, FIRST]
    assert [entry.label for entry in entries] == ["after", None, "before"]
    assert entries[1].problem is not None and "cut short" in entries[1].problem


def test_nothing_is_made_by_reading(own_state_dir: Path) -> None:
    assert storage.list_reports() == []
    assert not own_state_dir.exists()


def test_without_the_variable_reports_go_to_the_users_state_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("WARP_MCP_STATE_DIR")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))

    assert os.path.commonpath([storage.state_dir(), tmp_path]) == str(tmp_path)
