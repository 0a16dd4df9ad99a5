"""Records that are cut, damaged or foreign are counted and named; what can be read is kept."""

import json
from pathlib import Path
from typing import Any

import pytest

from warp_mcp.reading import read_recording

HANDSHAKE: dict[str, Any] = {
    "e": "process",
    "wire": 1,
    "run": "",
    "pid": 100,
    "ppid": 1,
    "argv": ["python", "x.py"],
    "python": "3.11.7",
    "executable": "/usr/bin/python",
    "cwd": "/",
    "forked": False,
    "t": 2_000_000,
    "started": 1_000_000,
}
BEGIN: dict[str, Any] = {
    "e": "build_begin",
    "t": 5_000_000,
    "thread": 7,
    "module": 0,
    "name": "app",
    "device": "cpu",
    "block_dim": 1,
    "hash": "ab",
    "kernels": [],
}
LOAD: dict[str, Any] = {
    "e": "load",
    "module": 0,
    "name": "app",
    "hash": "ab",
    "device": "cpu",
    "block_dim": 1,
    "status": "compiled",
    "t0": 5_000_000,
    "t1": 9_000_000,
    "cpu_ns": 3_000_000,
    "thread": 7,
    "phases": {"native_compile": [3_000_000, 2_000_000]},
    "kernels": [],
    "options": {},
    "source_bytes": 10,
    "lto": 0,
    "headers": 0,
    "where": "x.py:3",
    "via": None,
    "error": None,
    "forced": False,
}


def write(directory: Path, name: str, *events: dict[str, Any] | str) -> None:
    lines = [event if isinstance(event, str) else json.dumps(event) + "\n" for event in events]
    (directory / name).write_text("".join(lines), encoding="utf-8")


def test_times_come_out_in_milliseconds(tmp_path: Path) -> None:
    write(tmp_path, "1-1.jsonl", HANDSHAKE, BEGIN, LOAD)
    (process,) = read_recording(str(tmp_path), str(tmp_path)).processes
    (load,) = process.loads
    assert (process.started_ms, process.attached_ms, load.begin_ms, load.ms, load.cpu_ms) == (
        1.0,
        2.0,
        5.0,
        4.0,
        3.0,
    )
    assert load.phases["native_compile"].wall_ms == 3.0


def test_a_line_cut_by_the_end_of_its_process_is_counted(tmp_path: Path) -> None:
    write(tmp_path, "1-1.jsonl", HANDSHAKE, BEGIN, LOAD, json.dumps(LOAD)[:40])
    (process,) = read_recording(str(tmp_path), str(tmp_path)).processes
    assert len(process.loads) == 1
    assert [(problem.code, problem.detail) for problem in process.problems] == [
        ("record_cut", "1 lines could not be read")
    ]


def test_a_build_under_way_at_the_end_is_an_unfinished_one(tmp_path: Path) -> None:
    later = {**BEGIN, "name": "app", "hash": "cd", "t": 10_000_000}
    write(
        tmp_path,
        "1-1.jsonl",
        HANDSHAKE,
        BEGIN,
        LOAD,
        later,
        {"e": "mark", "name": "first_launch", "t": 12_000_000},
    )
    (process,) = read_recording(str(tmp_path), str(tmp_path)).processes
    assert [(load.hash, load.status, load.finished) for load in process.loads] == [
        ("ab", "compiled", True),
        ("cd", "error", False),
    ]
    assert process.loads[1].ms == 2.0


def test_a_unique_module_has_the_name_it_was_loaded_by(tmp_path: Path) -> None:
    module = {"e": "module", "id": 0, "name": "ap", "t": 1, "options": {}, "where": None, "via": None}
    write(tmp_path, "1-1.jsonl", HANDSHAKE, module, BEGIN, LOAD)
    (process,) = read_recording(str(tmp_path), str(tmp_path)).processes
    assert [found.name for found in process.modules] == ["app"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "handshake"),
        ("not json\n", "handshake"),
        (json.dumps(LOAD) + "\n", "handshake"),
        (json.dumps({**HANDSHAKE, "wire": 99}) + "\n", "wire version 99"),
        (json.dumps(HANDSHAKE) + "\n" + json.dumps({"e": "load"}) + "\n", "KeyError"),
        (json.dumps(HANDSHAKE) + "\n" + json.dumps({**LOAD, "status": "odd"}) + "\n", "ValidationError"),
    ],
)
def test_a_record_that_is_not_one_is_named_beside_those_that_are(
    tmp_path: Path, content: str, says: str
) -> None:
    write(tmp_path, "1-1.jsonl", HANDSHAKE, BEGIN, LOAD)
    write(tmp_path, "2-1.jsonl", content)
    recording = read_recording(str(tmp_path), str(tmp_path))
    assert [process.pid for process in recording.processes] == [100]
    (damaged,) = recording.damaged
    assert "2-1.jsonl" in damaged and says in damaged


def test_nothing_recorded_is_an_empty_recording(tmp_path: Path) -> None:
    recording = read_recording(str(tmp_path), str(tmp_path / "absent"))
    assert (recording.processes, recording.damaged, recording.lto_artifacts) == ([], [], 0)


def test_lto_files_of_the_cache_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "cache" / "1.19.0" / "lto"
    folder.mkdir(parents=True)
    for name in ("a.lto", "b.lto", "b.meta"):
        (folder / name).touch()
    assert read_recording(str(tmp_path), str(tmp_path / "cache")).lto_artifacts == 2
