"""Files of JSON lines: what is whole is read, and what is not is told."""

from pathlib import Path

from warp_mcp.reading.json_lines import objects


def test_every_line_gives_an_object_and_a_damaged_one_an_empty_one(tmp_path: Path) -> None:
    path = tmp_path / "1.times"
    path.write_bytes(b'{"a": 1}\n\n[1, 2]\n{"b": \n\xff\xfe\n{"c": 3}')
    problems: dict[str, None] = {}

    assert list(objects([path], problems)) == [{"a": 1}, {}, {}, {}, {"c": 3}]
    assert problems == {}


def test_a_file_that_is_gone_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    whole = tmp_path / "2.times"
    whole.write_text('{"a": 1}\n', encoding="utf-8")
    problems: dict[str, None] = {}

    assert list(objects([tmp_path / "1.times", whole], problems)) == [{"a": 1}]
    assert list(problems) == ["1.times could not be read: No such file or directory"]
