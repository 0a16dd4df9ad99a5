"""Parts of a rehearsal on their own: occupancy, binaries, counts of what was said, standard error."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import warp_mcp

sys.path.insert(0, str(Path(warp_mcp.__file__).parent / "interventions"))

from _warp_mcp_interventions import (  # pyright: ignore[reportMissingImports]  # noqa: E402
    rehearsed_binaries,
    rehearsed_muting,
    rehearsed_occupancy,
    rehearsed_saying,
)


def kernel(shared: int = 0, registers: int = 0, threads: int = 0) -> Any:
    return rehearsed_binaries.KernelBinary(shared, registers, threads)


@pytest.mark.parametrize(
    ("arch", "registers", "dynamic", "expected"),
    [
        (90, 32, 0, (1024, 2)),  # 2048 threads of 32 registers fill a processor
        (90, 40, 0, (768, 2)),  # 48 warps of 1280 registers are the most
        (90, 255, 0, (256, 1)),  # 8 warps of 8192 registers
        (86, 32, 0, (768, 2)),  # 1536 threads of a processor
        (75, 32, 0, (1024, 1)),  # 1024 threads of a processor
        (90, 32, 116000, (1024, 1)),  # shared memory for one block only
        (90, 32, 232448 + 1, (0, 0)),
    ],
)
def test_the_block_size_that_fills_a_processor(
    arch: int, registers: int, dynamic: int, expected: tuple[int, int]
) -> None:
    assert rehearsed_occupancy.suggested(arch, kernel(registers=registers), dynamic) == expected


def test_a_kernel_with_launch_bounds_has_no_larger_block() -> None:
    assert rehearsed_occupancy.suggested(90, kernel(registers=32, threads=128), 0) == (128, 16)


def test_a_file_that_is_no_binary_tells_nothing(tmp_path: Path) -> None:
    ptx = tmp_path / "a.ptx"
    ptx.write_text(".version 8.0", encoding="utf-8")
    cut = tmp_path / "a.cubin"
    cut.write_bytes(b"\x7fELF\x02" + bytes(20))
    for path in (ptx, cut, tmp_path / "missing"):
        assert rehearsed_binaries.kernel_binary(str(path), b"kernel") is None


def test_a_loop_writes_few_lines_and_the_last_has_the_total(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARP_MCP_RECORD_DIR", str(tmp_path))
    sayings = rehearsed_saying.Sayings()
    for _ in range(1000):
        sayings("a launch", "no reason")
    sayings.finish()
    (path,) = tmp_path.glob("*.rehearsal")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) < 80
    assert lines[-1] == {"what": "a launch", "why": "no reason", "count": 1000}


def test_standard_error_of_native_code_is_kept_back_only_when_the_block_raises(
    capfd: pytest.CaptureFixture[str],
) -> None:
    import os

    lines: list[str] = []
    with rehearsed_muting.native_errors(lines):
        os.write(2, b"shown\n")
    with pytest.raises(ValueError), rehearsed_muting.native_errors(lines):
        os.write(2, b"error: why\n")
        raise ValueError
    assert capfd.readouterr().err == "shown\n"
    assert lines == ["error: why"]
