"""The lines of a pass over outputs, whole and damaged."""

import json
import struct
from pathlib import Path
from typing import Any

from warp_mcp.reading import read_outputs

RECORD: dict[str, Any] = {
    "e": "record",
    "kind": "launch",
    "thread": 0,
    "number": 1,
    "kernel": "add",
    "signature": "[8]",
    "occurrence": 1,
    "arrays": [{"name": "y", "dtype": "float32", "shape": [1], "digest": "aa", "wrote": False}],
}


def write(path: Path, *lines: Any) -> None:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")


def test_a_directory_without_records_holds_nothing(tmp_path: Path):
    found = read_outputs(str(tmp_path))
    assert (found.records, found.hashed_bytes, found.left_out, found.problems) == ([], 0, 0, [])


def test_processes_are_numbered_by_their_start(tmp_path: Path):
    write(tmp_path / "9.outputs", {"e": "process", "pid": 9, "started": 5}, {**RECORD, "kernel": "first"})
    write(tmp_path / "1.outputs", {"e": "process", "pid": 1, "started": 7}, RECORD, {"e": "left_out"})
    (tmp_path / "outputs.hashed").write_bytes(struct.pack("<Q", 64))
    found = read_outputs(str(tmp_path))
    assert [(one.process, one.kernel) for one in found.records] == [(0, "first"), (1, "add")]
    assert (found.left_out, found.hashed_bytes) == (1, 64)
    assert not found.records[0].arrays[0].wrote


def test_what_is_broken_or_cut_is_a_problem_and_the_rest_is_kept(tmp_path: Path):
    head = {"e": "process", "pid": 1, "started": 7}
    bad = {**RECORD, "number": "many"}
    write(tmp_path / "1.outputs", head, RECORD, bad, {"e": "problem", "text": "no room"}, '{"e": "rec', "[1]")
    write(tmp_path / "2.outputs", RECORD)
    (tmp_path / "outputs.hashed").write_bytes(b"12")
    found = read_outputs(str(tmp_path))
    assert (len(found.records), found.hashed_bytes) == (1, 0)
    assert set(found.problems) == {
        "a record of outputs could not be understood",
        "no room",
        "1.outputs: 2 lines could not be read",
        "2.outputs: 1 lines could not be read",
    }
