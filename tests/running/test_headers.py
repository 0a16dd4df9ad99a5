"""Header folders of Warp that killed targets leave in the temp directory."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.running.conftest import Program, cold
from warp_mcp.running import headers
from warp_mcp.running.headers import HeaderFolders

Start = Callable[[Path], "subprocess.Popen[bytes]"]

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


LEAVES_NVRTCS_FOLDER = """
import os, tempfile
directory = tempfile.gettempdir()
for name in (f"__nvrtc_auto_pch_{os.getpid()}_0", "__nvrtc_auto_pch_1_0", "__nvrtc_auto_pch_here_0"):
    os.mkdir(os.path.join(directory, name))
os._exit(9)
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


def test_nvrtcs_folder_of_a_process_of_the_run_goes_and_those_of_others_stay(
    program: Program, tmp_path: Path, temp: Path, other_user_of_warp: Start
) -> None:
    other_user_of_warp(temp)
    assert cold(program(LEAVES_NVRTCS_FOLDER), tmp_path).exit_code == 9
    assert sorted(path.name for path in temp.iterdir()) == ["__nvrtc_auto_pch_1_0", "__nvrtc_auto_pch_here_0"]


@pytest.mark.usefixtures("no_other_user_of_warp")
def test_folders_are_looked_for_where_the_program_makes_them(
    program: Program, tmp_path: Path, temp: Path
) -> None:
    own = tmp_path / "own-temp"
    own.mkdir()
    cold(program(LEAVES_FOLDER), tmp_path, env={"TMPDIR": str(own)})
    assert list(own.iterdir()) == [] and list(temp.iterdir()) == []


@pytest.fixture
def other_user_of_warp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Start]:
    """Starts another program that has the library loaded, with a temp directory of its own or ours."""
    if not os.path.isdir("/proc/self"):
        pytest.skip("cannot be told here: nothing is removed")
    library = tmp_path / "warp" / "bin" / "warp.so"
    library.parent.mkdir(parents=True)
    library.write_bytes(b"\0" * 4096)
    monkeypatch.setattr(headers, "_LIBRARY", os.fsencode(str(library)))
    started: list[subprocess.Popen[bytes]] = []

    def start(temp: Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", MAPS_A_FILE, str(library)]
        other = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(temp)})
        started.append(other)
        assert other.stdout is not None
        other.stdout.readline()
        time.sleep(0.05)  # what follows is later than its start, which is known to 10 ms
        return other

    yield start
    for other in started:
        other.kill()
        other.communicate()


def test_a_folder_that_a_living_program_may_be_using_stays(
    tmp_path: Path, temp: Path, other_user_of_warp: Start
) -> None:
    other = other_user_of_warp(temp)
    folders = HeaderFolders(dict(os.environ))
    (temp / "wp_pch_of_the_other").mkdir()
    assert folders.remove_left(str(tmp_path)) == []
    other.kill()
    other.wait()
    assert folders.remove_left(str(tmp_path)) == [str(temp / "wp_pch_of_the_other")]


def test_a_program_with_another_temp_directory_does_not_matter(
    tmp_path: Path, temp: Path, other_user_of_warp: Start
) -> None:
    other_user_of_warp(tmp_path)
    folders = HeaderFolders(dict(os.environ))
    (temp / "wp_pch_ours").mkdir()
    assert folders.remove_left(str(tmp_path)) == [str(temp / "wp_pch_ours")]


def test_a_folder_that_a_record_of_the_run_names_goes_whoever_else_is_there(
    tmp_path: Path, temp: Path, other_user_of_warp: Start
) -> None:
    other_user_of_warp(temp)
    folders = HeaderFolders(dict(os.environ))
    for name in ("wp_pch_ours", "wp_pch_of_the_other"):
        (temp / name).mkdir()
    line = json.dumps({"e": "headers", "path": str(temp / "wp_pch_ours")}) + "\n"
    (tmp_path / "1-1.jsonl").write_text(line, encoding="utf-8")
    assert folders.remove_left(str(tmp_path)) == [str(temp / "wp_pch_ours")]
