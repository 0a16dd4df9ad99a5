"""Writing whole or not at all; reading back only what this release can read."""

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from tests.factories import a_report
from warp_mcp import storage
from warp_mcp.errors import CannotWrite, UnreadableReport
from warp_mcp.storage import files


def disk_full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_written_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    storage.write_atomic(tmp_path / "a.json", "{}")

    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o600


def test_a_full_disk_leaves_what_was_there_and_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.json"
    target.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", disk_full)

    with pytest.raises(CannotWrite, match="No space left") as raised:
        storage.write_atomic(target, "new")

    assert raised.value.exit_code == 74
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_directory_that_does_not_exist_is_told_with_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite) as raised:
        storage.write_named(tmp_path / "no" / "a.json", "{}")

    assert f"mkdir -p {tmp_path / 'no'}" in raised.value.next_step


def test_a_directory_cannot_be_written_over(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match=r"could not be written"):
        storage.write_named(tmp_path, "{}")


def test_a_symbolic_link_the_user_named_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old", encoding="utf-8")
    (tmp_path / "link.json").symlink_to("real.json")

    storage.write_named(tmp_path / "link.json", "new")

    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "real.json").read_text(encoding="utf-8") == "new"


def test_a_device_the_user_named_is_written_to_and_not_replaced() -> None:
    storage.write_named(Path("/dev/null"), "text")

    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def cut(path: Path) -> Path:
    return written(path, storage.to_json(a_report())[:2000])


def not_json(path: Path) -> Path:
    return written(path, "Module app load took 3 ms")


def other_json(path: Path) -> Path:
    return written(path, '{"schema": "something/else"}')


def a_list(path: Path) -> Path:
    return written(path, "[1, 2]")


def empty(path: Path) -> Path:
    return written(path, "")


def other_version(path: Path) -> Path:
    return written(path, '{"schema": "warp-mcp/report/2"}')


def a_comparison_file(path: Path) -> Path:
    return written(path, '{"schema": "warp-mcp/comparison/1"}')


def binary(path: Path) -> Path:
    path.write_bytes(b"\xff\xfe\x00\x81")
    return path


def missing(path: Path) -> Path:
    return path


def a_directory(path: Path) -> Path:
    path.mkdir()
    return path


def without_a_field(path: Path) -> Path:
    value = json.loads(storage.to_json(a_report()))
    del value["launches"]["total"]
    return written(path, json.dumps(value))


def deeply_nested(path: Path) -> Path:
    return written(path, "[" * 200_000)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (cut, "cut"),
        (not_json, "not_json"),
        (empty, "not_json"),
        (other_json, "not_a_report"),
        (a_list, "not_a_report"),
        (a_comparison_file, "not_a_report"),
        (other_version, "other_schema"),
        (binary, "not_text"),
        (missing, "no_such_file"),
        (a_directory, "is_a_directory"),
        (without_a_field, "damaged"),
        (deeply_nested, "not_json"),
    ],
)
def test_what_is_no_whole_report_of_this_release_is_refused_with_the_next_step(
    tmp_path: Path, make, code
) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnreadableReport) as raised:
        storage.read_report(make(tmp_path / "report.json"))

    assert raised.value.code == code
    assert raised.value.exit_code == 2
    assert raised.value.next_step
    assert "\n" not in raised.value.message


def test_another_schema_version_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableReport, match=r"warp-mcp/report/2; this release reads warp-mcp/report/1"):
        storage.read_report(other_version(tmp_path / "report.json"))


def test_a_report_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    storage.write_named(path, storage.to_json(a_report()))

    assert storage.read_report(path) == a_report()
    assert json.loads(path.read_text(encoding="utf-8"))["schema"] == "warp-mcp/report/1"


def test_every_kind_of_file_has_a_name_for_messages() -> None:
    assert set(files.WHAT) == {"report", "comparison"}
