"""Where ledgers lie: one for each project, or a file that can be nothing but a ledger."""

import os
from pathlib import Path

import pytest

from warp_mcp.errors import UsageError
from warp_mcp.storage.ledger_places import place_of, project_directory, project_name


def test_a_project_is_named_readably_with_a_digest_of_where_it_is(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "my fluid").mkdir(parents=True)

    first, second = (project_name(tmp_path / parent / "my fluid") for parent in ("a", "b"))

    assert first.startswith("my-fluid-") and second.startswith("my-fluid-")
    assert first != second
    assert str(tmp_path) not in first


@pytest.mark.parametrize("mark", ["directory", "file"])
def test_all_directories_of_a_git_work_tree_are_one_project(tmp_path: Path, mark: str) -> None:
    below = tmp_path / "repo" / "src" / "deep"
    below.mkdir(parents=True)
    git = tmp_path / "repo" / ".git"
    git.mkdir() if mark == "directory" else git.write_text("gitdir: elsewhere", encoding="utf-8")

    assert project_name(below) == project_name(tmp_path / "repo")


def test_a_linked_directory_is_the_project_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")

    assert project_directory(str(tmp_path / "link")) == project_directory(str(tmp_path / "real"))


@pytest.mark.parametrize("name", ["…", "ünïcode", "..hidden", "a" * 250, "水" * 80, "a/b\nc\x1b[2J"])
def test_any_name_of_a_directory_gives_a_file_name(tmp_path: Path, name: str) -> None:
    directory = tmp_path / name
    directory.mkdir(parents=True)

    place = place_of(project_name(directory), None)
    place.make_directory()
    place.path.touch()

    assert place.path.parent.name == "ledger"
    assert place.project.isprintable() and not place.project.startswith(".")


def test_a_directory_whose_name_is_no_unicode_is_a_project(tmp_path: Path) -> None:
    directory = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe"))
    directory.mkdir()

    assert project_name(directory).encode("utf-8")


@pytest.mark.parametrize("name", ["nowhere", "file", "null\0byte"])
def test_what_is_no_directory_is_no_project(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UsageError) as raised:
        project_directory(str(tmp_path / name))

    assert raised.value.code == "no_such_directory"


@pytest.mark.parametrize("name", ["notes.txt", "ledger", "ledger.json", ".jsonl", "x.jsonl\0", ""])
def test_a_named_file_must_end_in_jsonl(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name) if name else ""

    with pytest.raises(UsageError) as raised:
        place_of("p", path)

    assert raised.value.code in ("bad_ledger_name", "bad_path")


def test_the_file_a_link_leads_to_must_end_in_jsonl(tmp_path: Path) -> None:
    (tmp_path / "team.jsonl").symlink_to(tmp_path / "profile")

    with pytest.raises(UsageError) as raised:
        place_of("p", str(tmp_path / "team.jsonl"))

    assert raised.value.code == "bad_ledger_name"
    assert "profile" in raised.value.message and not (tmp_path / "profile").exists()
