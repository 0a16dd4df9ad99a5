"""The plain Python client of the README: short, and it runs the loop against the real server."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.once import once
from warp_mcp import workflows

ROOT = Path(__file__).parents[1]
AGENT = ROOT / "tests" / "samples" / "scripted_agent.py"
DEMO = ROOT / "warp_mcp" / "demo"
MOST_LINES = 20


def run_agent(directory: Path, *edit: str) -> "subprocess.CompletedProcess[str]":
    """The agent on a copy of the faulty program of the demo, in a directory of its own."""
    shutil.copy(DEMO / "faulty" / "simulate.py", directory / "simulate.py")
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    return subprocess.run(
        [sys.executable, str(AGENT), "simulate.py", *edit],
        cwd=directory,
        env={**os.environ, "PATH": path, "WARP_MCP_STATE_DIR": str(directory / "state")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run of the whole loop: what it printed, and the state directory it left."""

    def run(directory: Path) -> None:
        result = run_agent(directory, "cp", str(DEMO / "repaired" / "simulate.py"), "simulate.py")
        (directory / "out.txt").write_text(result.stdout, encoding="utf-8")
        (directory / "err.txt").write_text(f"{result.returncode}\n{result.stderr}", encoding="utf-8")

    return once(tmp_path_factory, "scripted-agent", run)


def test_the_agent_ends_with_a_proven_improvement(ran: Path) -> None:
    ended = (ran / "err.txt").read_text(encoding="utf-8")
    assert ended.startswith("0\n"), ended

    lines = (ran / "out.txt").read_text(encoding="utf-8").splitlines()

    assert lines[-1].startswith("Improved")
    assert len(lines) >= 4, "a fix for each of two mechanisms, the second measurement, the verdict"


def test_the_agent_measured_before_and_after_the_edit(ran: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARP_MCP_STATE_DIR", str(ran / "state"))

    before, after = workflows.find("before"), workflows.find("after")

    assert {finding.mechanism for finding in before.findings if finding.status == "fired"} >= {"CS-1", "CS-3"}
    assert len(before.rebuilds) == 4 and len(after.rebuilds) == 0


def test_an_error_of_the_server_ends_the_agent_with_the_next_step(tmp_path: Path) -> None:
    (tmp_path / "state").touch()  # no directory: nothing can be kept there

    result = run_agent(tmp_path, "true")

    assert result.returncode == 1
    assert "next: " in result.stderr


def test_the_agent_is_short_enough_to_be_read() -> None:
    lines = [line for line in AGENT.read_text(encoding="utf-8").splitlines() if line.strip()]

    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= 120


def test_the_readme_shows_the_agent_that_is_tested() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    block = re.search(r"<!-- agent -->\n```python\n(.*?)```\n<!-- /agent -->", readme, re.DOTALL)

    assert block is not None, "the README has no block between <!-- agent --> and <!-- /agent -->"
    assert block[1] == AGENT.read_text(encoding="utf-8")
