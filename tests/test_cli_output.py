"""Where results go: closed, full and odd outputs, files that are none, and what may not be shown."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.factories import a_comparison, a_report
from warp_mcp import storage
from warp_mcp.presentation import Look, comparison_text
from warp_mcp.storage import reports

PROBE = [sys.executable, "-m", "warp_mcp"]


def probe(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    """The command line in a process of its own."""
    return subprocess.run([*PROBE, *arguments], text=True, timeout=30, check=False, **options)  # type: ignore[call-overload]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A report as a file."""
    path = tmp_path / "good.json"
    path.write_text(storage.to_json(a_report()), encoding="utf-8")
    return path


@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_closed_stream_is_no_verdict(good: Path, closed: str) -> None:
    command = f'{" ".join(PROBE)} compare "$0" "$0" {closed}>&-'
    bare = probe("compare", str(good), str(good), capture_output=True)
    result = subprocess.run(["sh", "-c", command, str(good)], capture_output=True, text=True, check=False)
    assert result.returncode == bare.returncode
    assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_output_without_room_is_said_and_the_result_is_kept(good: Path, tmp_path: Path) -> None:
    target = tmp_path / "comparison.json"
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = probe(
            "compare", str(good), str(good), "--json", str(target), stdout=full, stderr=subprocess.PIPE
        )
    assert result.returncode == 74
    said = " ".join(result.stderr.split())
    assert "No space left" in said and "is kept in" in said
    assert target.exists()


@pytest.mark.parametrize("kind", ["fifo", "/dev/zero", "/dev/null"])
def test_what_is_no_file_is_refused_at_once(good: Path, tmp_path: Path, kind: str) -> None:
    path = kind
    if kind == "fifo":
        path = str(tmp_path / "pipe.json")
        os.mkfifo(path)
    result = probe("compare", path, str(good), capture_output=True)
    assert result.returncode == 2
    assert "is a device or a pipe" in " ".join(result.stderr.split())


def test_a_report_may_come_through_a_pipe_of_the_shell(good: Path) -> None:
    command = f'{" ".join(PROBE)} compare <(cat "$0") "$0"'
    result = subprocess.run(["bash", "-c", command, str(good)], capture_output=True, text=True, check=False)
    assert result.returncode in (0, 4), result.stderr


@pytest.mark.parametrize("number", ["1" + "0" * 400, "Infinity", "NaN"])
def test_numbers_that_are_none_are_damage(good: Path, tmp_path: Path, number: str) -> None:
    text = good.read_text(encoding="utf-8")
    bad = tmp_path / "bad.json"
    bad.write_text(text.replace('"identities":', f'"identities":{number},"was":', 1), encoding="utf-8")
    result = probe("compare", str(bad), str(good), capture_output=True)
    assert result.returncode == 2
    assert "bad.json is cut short or damaged" in " ".join(result.stderr.split())


def test_a_comparison_does_not_replace_what_it_compares(good: Path) -> None:
    before = good.read_text(encoding="utf-8")
    result = probe("compare", str(good), str(good), "--json", str(good), capture_output=True)
    assert result.returncode == 2
    assert good.read_text(encoding="utf-8") == before


def test_a_file_without_a_name_is_refused_before_anything_runs() -> None:
    result = probe("measure", "--json", "", "--", sys.executable, "-c", "pass", capture_output=True)
    assert result.returncode == 2
    assert "has no name" in result.stderr


def test_a_secret_is_in_no_advice() -> None:
    result = probe("measure", "python", "x.py", "--token", "S3CRET", "--json", "x", capture_output=True)
    assert result.returncode == 2
    assert "S3CRET" not in result.stderr and "--token '***'" in result.stderr


@pytest.mark.parametrize("days", ["nan", "inf"])
def test_days_that_are_no_number_are_refused(days: str) -> None:
    result = probe("prune", "--older-than", days, "--dry-run", capture_output=True)
    assert result.returncode == 2
    assert "no number of days" in result.stderr


def test_where_nothing_can_be_written_nothing_is_said_to_be_kept(tmp_path: Path) -> None:
    blocked = tmp_path / "state"
    blocked.write_text("a file where the directory should be", encoding="utf-8")
    result = probe(
        "measure", "--samples", "1", "--json", "/no/such/place/x.json", "--", sys.executable, "-c", "pass",
        capture_output=True, env={**os.environ, "WARP_MCP_STATE_DIR": str(blocked)},
    )  # fmt: skip
    assert result.returncode == 74
    assert "is kept in" not in result.stderr


def test_a_label_may_be_the_name_of_a_branch(good: Path) -> None:
    storage.save_report(a_report(label="feature/x"))
    result = probe("compare", "feature/x", str(good), capture_output=True)
    assert result.returncode in (0, 4), result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_progress_that_cannot_be_shown_ends_nothing(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = probe(
            "measure", "--samples", "1", "--json", str(target), "--", sys.executable, "-c", "pass",
            stdout=subprocess.DEVNULL, stderr=full,
        )  # fmt: skip
    assert result.returncode == 6
    assert target.exists()


def test_complete_samples_are_kept_when_the_terminal_is_closed(tmp_path: Path) -> None:
    child, terminal = pty.fork()
    if child == 0:
        program = "import time; time.sleep(0.3)"
        os.execv(sys.executable, [*PROBE, "measure", "--samples", "20", "--", sys.executable, "-c", program])
    shown = b""
    while b"2 of 20" not in shown:
        shown += os.read(terminal, 65536)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 130
    assert len(reports.report_ids()) == 1


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_figure_is_cut_on_a_narrow_page(width: int) -> None:
    text = comparison_text(a_comparison(), Look(color=False, width=width, directory=None))
    wide = comparison_text(a_comparison(), Look(color=False, width=200, directory=None))
    figures = re.findall(r"\d[\d.,]*", wide)
    assert all(figure in text for figure in figures)
    assert max(map(len, text.splitlines())) <= width
