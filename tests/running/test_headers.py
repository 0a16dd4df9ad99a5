"""Header folders of Warp that killed targets leave in the temp directory."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.running.conftest import Program, cold
from warp_mcp.running import headers
from warp_mcp.running.headers import HeaderFolders

LEAVES_FOLDER = """
import os, tempfile
open(os.path.join(tempfile.mkdtemp(prefix="wp_pch_"), "builtin.pch"), "wb").write(b"x" * 100)
os._exit(9)
"""


MAPS_A_FILE = """
import mmap, sys, time
file = open(sys.argv[1], "r+b")
mapped = mmap.mmap(file.fileno(), 0)
print("mapped", flush=True)
time.sleep(99)
"""


@pytest.fixture
def no_other_user_of_warp(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other programs on this machine may use Warp just now; their folders are elsewhere."""
    monkeypatch.setattr(headers, "_LIBRARY", b"/no/library/of/this/name")


@pytest.mark.usefixtures("no_other_user_of_warp")
def test_a_folder_that_a_run_left_is_removed_and_older_ones_stay(
    program: Program, tmp_path: Path, temp: Path
) -> None:
    (temp / "wp_pch_before").mkdir()
    (temp / "unrelated").mkdir()
    assert cold(program(LEAVES_FOLDER), tmp_path).exit_code == 9
    assert sorted(path.name for path in temp.iterdir()) == ["unrelated", "wp_pch_before"]


@pytest.mark.usefixtures("no_other_user_of_warp")
def test_folders_are_looked_for_where_the_program_makes_them(
    program: Program, tmp_path: Path, temp: Path
) -> None:
    own = tmp_path / "own-temp"
    own.mkdir()
    cold(program(LEAVES_FOLDER), tmp_path, env={"TMPDIR": str(own)})
    assert list(own.iterdir()) == [] and list(temp.iterdir()) == []


def test_a_folder_that_a_living_program_may_be_using_stays(
    tmp_path: Path, temp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not os.path.isdir("/proc/self"):
        pytest.skip("cannot be told here: nothing is removed")
    library = tmp_path / "warp" / "bin" / "warp.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"\0" * 4096)
    monkeypatch.setattr(headers, "_LIBRARY", os.fsencode(str(library)))
    other = subprocess.Popen([sys.executable, "-c", MAPS_A_FILE, str(library)], stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    folders = HeaderFolders(dict(os.environ))
    time.sleep(0.05)  # later than the start of the other program, which is known to 10 ms
    (temp / "wp_pch_of_the_other").mkdir()
    assert folders.remove_left() == []
    other.kill()
    other.wait()
    other.stdout.close()
    assert folders.remove_left() == [str(temp / "wp_pch_of_the_other")]
