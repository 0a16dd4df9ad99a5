"""Comparisons are found by id, as the latest, or by the beginning of their id; never as a file."""

from pathlib import Path

import pytest

from tests.factories import a_comparison
from warp_mcp import storage
from warp_mcp.errors import UnreadableReport
from warp_mcp.storage.comparisons import comparison_ids, find_comparison, list_comparisons


def keep(number: int) -> str:
    comparison_id = f"c-20261201-10160{number}-cd34"
    storage.save_comparison(a_comparison(comparison_id=comparison_id))
    return comparison_id


def test_a_comparison_is_found_by_its_id_the_beginning_of_it_or_as_the_latest() -> None:
    first, second = keep(1), keep(2)

    assert comparison_ids() == [second, first]
    assert find_comparison(first).comparison_id == first
    assert find_comparison("c-20261201-101601").comparison_id == first
    assert find_comparison("latest").comparison_id == second


@pytest.mark.parametrize(
    ("name", "code"),
    [("nope", "no_such_comparison"), ("", "no_such_comparison"), ("c-", "ambiguous")],
)
def test_a_name_that_says_nothing_or_too_much_is_refused(name: str, code: str) -> None:
    keep(1), keep(2)

    with pytest.raises(UnreadableReport) as caught:
        find_comparison(name)

    assert caught.value.code == code


def test_latest_is_nothing_while_none_is_kept() -> None:
    with pytest.raises(UnreadableReport, match="latest"):
        find_comparison("latest")


def test_a_file_is_never_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "c.json").write_text(storage.to_json(a_comparison()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    for name in ("c.json", str(tmp_path / "c.json"), "../c"):
        with pytest.raises(UnreadableReport):
            find_comparison(name)


def test_one_that_is_damaged_says_where_and_is_listed_with_the_reason() -> None:
    kept, damaged, cut = keep(1), keep(2), keep(3)
    path = storage.comparison_path(damaged)
    path.write_text(path.read_text(encoding="utf-8").replace('"improved"', '"better"'), encoding="utf-8")
    storage.comparison_path(cut).write_text('{"schema"', encoding="utf-8")

    with pytest.raises(UnreadableReport, match="verdict") as caught:
        find_comparison(damaged)

    assert caught.value.code == "damaged"
    listed = {entry.comparison_id: entry for entry in list_comparisons()}
    assert listed[kept].problem is None and listed[kept].verdict == "improved"
    assert listed[kept].baseline == "before" and listed[kept].candidate == "r-20261201-101545-ab13"
    assert listed[damaged].problem and listed[cut].problem
    assert [entry.comparison_id for entry in list_comparisons(1)] == [cut]
