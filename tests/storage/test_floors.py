"""Measured floors are kept by environment, device and options, and read again."""

from pathlib import Path

import pytest

from tests.analysis.test_floor import a_floor
from warp_mcp.storage.floors import floor_path, read_floor, save_floor


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARP_MCP_STATE_DIR", str(tmp_path / "state"))


def test_a_kept_floor_is_read_again() -> None:
    path = floor_path("f", "cpu", 0, {"max_unroll": "4"})
    assert read_floor(path) is None

    save_floor(path, a_floor(12.5))

    assert read_floor(path) == a_floor(12.5)
    assert path.stat().st_mode & 0o077 == 0


def test_another_environment_device_block_dim_or_option_is_another_floor() -> None:
    paths = {
        floor_path("f", "cpu", 0, {"a": "1", "b": "2"}),
        floor_path("g", "cpu", 0, {"a": "1", "b": "2"}),
        floor_path("f", "cuda:0", 0, {"a": "1", "b": "2"}),
        floor_path("f", "cpu", 64, {"a": "1", "b": "2"}),
        floor_path("f", "cpu", 0, {"a": "1", "b": "3"}),
    }

    assert len(paths) == 5
    assert floor_path("f", "cpu", 0, {"b": "2", "a": "1"}) in paths, "the order does not matter"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"device": "cpu"}', "\udcff"])
def test_a_damaged_file_is_none(text: str) -> None:
    path = floor_path("f", "cpu", 0, {})
    save_floor(path, a_floor())
    path.write_bytes(text.encode("utf-8", "surrogateescape"))

    assert read_floor(path) is None
