"""Files of launch times: of several processes, cut, damaged or not there."""

from pathlib import Path

from warp_mcp.reading.steady_state import NOTHING, read_times

LINE = (
    '{"kernel": "k", "module": "m", "signature": "s", "launches": 4, "median_ns": 1500.0, "mad_ns": 20.0}\n'
)


def test_times_of_all_processes_are_read_in_microseconds(tmp_path: Path) -> None:
    (tmp_path / "1-1.times").write_text(LINE + '{"once": 2}\n', encoding="utf-8")
    (tmp_path / "2-1.times").write_text(LINE + '{"once": 1}\n{"problem": "too many"}\n', encoding="utf-8")

    seen = read_times(str(tmp_path))

    assert [(one.median_us, one.mad_us, one.launches) for one in seen.launches] == [(1.5, 0.02, 4)] * 2
    assert (seen.once, seen.problems) == (3, ["too many"])


def test_lines_that_are_cut_or_are_something_else_are_counted(tmp_path: Path) -> None:
    lines = [LINE, LINE[:40] + "\n", "[1]\n", '{"kernel": "k"}\n', LINE.replace("1500.0", '"long"'), "\n"]
    (tmp_path / "1-1.times").write_bytes("".join(lines).encode() + b"\xff\xfe\n")

    seen = read_times(str(tmp_path))

    assert len(seen.launches) == 1
    assert seen.problems == ["5 of the lines with launch times could not be read"]


def test_no_file_at_all_is_said(tmp_path: Path) -> None:
    assert read_times(str(tmp_path)).problems == [NOTHING]
    assert read_times(str(tmp_path / "nowhere")).problems == [NOTHING]
