"""Files of traced builds: of several processes, cut, damaged or not there."""

import json
from pathlib import Path
from typing import Any

from warp_mcp.reading import read_trace

LINE: dict[str, Any] = {
    "source": "wp_cloth_0123456.cu",
    "arch": 90,
    "traced": {"wall_ms": 800.0, "cpu_ms": 550.0},
    "front_ms": 300.0,
    "headers_ms": 200.0,
    "wrap_ms": 20.0,
    "optimiser_ms": 250.0,
    "linker_ms": 10.0,
    "assembler_ms": 200.0,
    "output_ms": 10.0,
    "counted": {"optimiser_ms": 200.0, "assembler_ms": 180.0},
    "functions": [{"name": "f_0", "bytes": 10, "calls": [], "optimiser_ms": 1.0, "assembler_ms": 0.0}],
}


def test_builds_of_all_processes_are_read(tmp_path: Path) -> None:
    (tmp_path / "1.trace").write_text(json.dumps(LINE) + "\n", encoding="utf-8")
    (tmp_path / "2.trace").write_text(json.dumps(LINE) + '\n{"problem": "no disk"}\n', encoding="utf-8")

    seen = read_trace(str(tmp_path))

    told = [(one.source, one.arch, one.traced_wall_ms, one.traced_cpu_ms) for one in seen.builds]
    assert told == [("wp_cloth_0123456.cu", 90, 800.0, 550.0)] * 2
    assert seen.builds[0].functions[0].name == "f_0"
    assert seen.problems == ["no disk"]


def test_lines_that_are_cut_or_are_something_else_are_counted(tmp_path: Path) -> None:
    whole = json.dumps(LINE)
    without = json.dumps({name: value for name, value in LINE.items() if name != "traced"})
    lines = [whole, whole[:80], "[1]", without, json.dumps({**LINE, "arch": "new"}), ""]
    (tmp_path / "1.trace").write_bytes("\n".join(lines).encode() + b"\n\xff\xfe\n")

    seen = read_trace(str(tmp_path))

    assert len(seen.builds) == 1
    assert seen.problems == ["5 of the lines with traced builds could not be read."]


def test_without_a_file_there_is_nothing(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        seen = read_trace(str(place))
        assert (seen.builds, seen.problems) == ([], [])
