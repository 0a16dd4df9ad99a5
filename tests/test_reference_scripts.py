"""The Python of `references/measurement.md` runs as it stands, and does what the text says of it."""

import os
import re
import subprocess
import sys
from pathlib import Path

TEXT = (Path(__file__).parents[1] / "references" / "measurement.md").read_text(encoding="utf-8")


def run_block(mark: str, directory: Path, *arguments: str, more: str = "") -> str:
    """Run the one Python block that contains `mark`, with caches of its own; returns all it printed."""
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (block,) = [block for block in blocks if mark in block]
    script = directory / "block.py"
    script.write_text(block + more, encoding="utf-8")
    caches = {
        name: str(directory / name) for name in ("WARP_CACHE_PATH", "WARP_CACHE_ROOT", "CUDA_CACHE_PATH")
    }
    result = subprocess.run(
        [sys.executable, str(script), *arguments],
        env={**os.environ, **caches},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_script_for_measuring_by_hand_runs_and_gives_each_pair_an_empty_cache(tmp_path: Path) -> None:
    target = tmp_path / "target.py"
    target.write_text(
        "import os, pathlib\n"
        "place = pathlib.Path(os.environ['WARP_CACHE_PATH'])\n"
        "print('seen before' if place.exists() else 'new')\n"
        "place.mkdir(exist_ok=True)\n",
        encoding="utf-8",
    )

    printed = run_block("def run_ms(", tmp_path, sys.executable, str(target))

    assert re.findall(r"new|seen before", printed) == ["new", "seen before"] * 3
    assert len(re.findall(r"^cold \d+ ms, warm \d+ ms$", printed, re.MULTILINE)) == 3
    assert re.search(r"compilation is -?\d+ ms of the wait \(MAD \d+, 3 samples\)", printed)


def test_the_script_for_the_floor_builds_both_modules(tmp_path: Path) -> None:
    printed = run_block("def one_kernel_module(", tmp_path)

    assert re.findall(r"^Module (\w+) .*\(compiled\)$", printed, re.MULTILINE) == ["first", "floor"]


def test_the_function_for_the_steady_state_runs_the_step_once_more_than_it_times(tmp_path: Path) -> None:
    more = "\n\nsteps = []\nassert steady_ms(lambda: steps.append(1), 3) >= 0\nprint('steps', len(steps))\n"

    assert run_block("def steady_ms(", tmp_path, more=more).splitlines()[-1] == "steps 4"


def test_no_python_of_the_document_is_left_out() -> None:
    marks = ("def run_ms(", "def one_kernel_module(", "def steady_ms(")

    assert TEXT.count("```python\n") == len(marks)
    assert all(TEXT.count(mark) == 1 for mark in marks)
