"""What a rehearsal could not do, read from what its processes left."""

import json
from pathlib import Path

from warp_mcp.reading import read_rehearsal


def write(directory: Path, pid: int, *lines: object) -> None:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    (directory / f"{pid}.rehearsal").write_text(text, encoding="utf-8")


def test_the_last_count_of_each_process_is_its_total(tmp_path: Path) -> None:
    one = {"what": "kernel a", "why": "no"}
    write(tmp_path, 1, {**one, "count": 1}, {"what": "b", "why": "no", "count": 1}, {**one, "count": 4})
    write(tmp_path, 2, {**one, "count": 2})
    assert (
        read_rehearsal(str(tmp_path)) == [("kernel a", "no")] * 4 + [("b", "no")] + [("kernel a", "no")] * 2
    )


def test_lines_without_a_count_stand_for_once_each(tmp_path: Path) -> None:
    write(tmp_path, 1, {"what": "a", "why": "no"}, {"what": "a", "why": "no"})
    assert read_rehearsal(str(tmp_path)) == [("a", "no"), ("a", "no")]


def test_a_line_that_is_cut_says_so(tmp_path: Path) -> None:
    write(tmp_path, 1, {"what": "a", "why": "no", "count": 1}, '{"what": "b", "w', "[]")
    note = ("a note of the rehearsal", "its line could not be read")
    assert read_rehearsal(str(tmp_path)) == [("a", "no"), note, note]


def test_an_architecture_that_warp_does_not_have_is_told_with_those_it_has(tmp_path: Path) -> None:
    write(tmp_path, 1, {"unsupported": 33, "supported": [80, 90]})
    assert read_rehearsal(str(tmp_path)) == [
        ("compiling for sm_33", "the architectures of this Warp: sm_80, sm_90")
    ]


def test_without_files_there_is_nothing(tmp_path: Path) -> None:
    assert read_rehearsal(str(tmp_path)) == []
