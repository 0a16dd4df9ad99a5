"""Directories of samples: made, removed, and those of dead probes cleaned up."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.running.conftest import alive, guard_of, wait_for
from warp_mcp.errors import CannotWrite
from warp_mcp.running import isolation
from warp_mcp.running.isolation import remove_stale, remove_tree, sample_directories

HOLDS = """
import sys, time
from warp_mcp.running.isolation import sample_directories
with sample_directories("abc") as sample:
    print(sample.root, flush=True)
    time.sleep(300)
"""


def test_directories_are_private_and_gone_afterwards(temp: Path) -> None:
    with sample_directories("id") as sample:
        root = Path(sample.root)
        assert root.parent == temp and root.name.startswith("warp-mcp-")
        assert root.stat().st_mode & 0o777 == 0o700
        for path in (*sample.caches.values(), sample.records("cold"), sample.records("warm")):
            assert os.listdir(path) == []
    assert not root.exists()


def test_directories_are_gone_after_an_interrupt(temp: Path) -> None:
    with pytest.raises(KeyboardInterrupt), sample_directories("id"):
        raise KeyboardInterrupt
    assert list(temp.iterdir()) == []


def test_those_of_a_living_probe_stay_and_those_of_a_dead_one_go(temp: Path) -> None:
    probe = subprocess.Popen([sys.executable, "-c", HOLDS], stdout=subprocess.PIPE, encoding="utf-8")
    assert probe.stdout is not None
    root = probe.stdout.readline().strip()
    assert remove_stale() == []
    guard = guard_of(probe.pid)
    guard.kill()
    probe.kill()
    probe.wait()
    probe.stdout.close()
    assert wait_for(lambda: not alive(guard.pid))  # until then it holds the lock too
    assert remove_stale() == [root]
    assert list(temp.iterdir()) == []


def test_what_is_not_ours_is_never_touched(temp: Path, tmp_path: Path) -> None:
    (temp / "warp-mcp-shared").mkdir(mode=0o755)
    (temp / "warp-mcp-shared").chmod(0o755)
    (temp / "warp-mcp-file").write_text("x", encoding="utf-8")
    (temp / "warp-mcp-fresh").mkdir(mode=0o700)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (temp / "warp-mcp-link").symlink_to(elsewhere)
    (temp / "other").mkdir()
    before = sorted(temp.iterdir())
    assert remove_stale() == []
    assert sorted(temp.iterdir()) == before and elsewhere.exists()


def test_one_without_an_owner_goes_when_it_is_old(temp: Path) -> None:
    forgotten = temp / "warp-mcp-forgotten"
    forgotten.mkdir(mode=0o700)
    os.utime(forgotten, (time.time() - 7200, time.time() - 7200))
    assert remove_stale() == [str(forgotten)]


def test_read_only_parts_do_not_hinder_removal(tmp_path: Path) -> None:
    inner = tmp_path / "tree" / "inner"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x", encoding="utf-8")
    inner.chmod(0o500)
    remove_tree(str(tmp_path / "tree"))
    assert not (tmp_path / "tree").exists()


def test_an_unusable_temp_directory_is_said_with_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "gone"))
    with pytest.raises(CannotWrite, match="gone") as caught, sample_directories("id"):
        pass
    assert caught.value.exit_code == 74 and "TMPDIR" in caught.value.next_step


def test_a_full_disk_is_said_and_leaves_nothing(temp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(root: str, run_id: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(isolation, "_own", full)
    with pytest.raises(CannotWrite, match="No space left") as caught, sample_directories("id"):
        pass
    assert "Free some space" in caught.value.next_step
    assert list(temp.iterdir()) == []


def test_a_directory_that_somebody_else_made_first_is_left_to_them(
    temp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = temp / "warp-mcp-taken" / "file"
    theirs.parent.mkdir(mode=0o700)
    theirs.touch()
    monkeypatch.setattr(isolation.secrets, "token_hex", lambda _: "taken")
    with pytest.raises(CannotWrite, match="File exists"), sample_directories("id"):
        pass
    assert theirs.exists()


def test_a_file_system_that_takes_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    if not os.path.isdir("/proc/self"):
        pytest.skip("needs a directory in which not even root can make another")
    monkeypatch.setenv("TMPDIR", "/proc")
    with pytest.raises(CannotWrite, match="/proc"), sample_directories("id"):
        pass
