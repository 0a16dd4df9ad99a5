"""Measurements in this process of which the arms are kept, and edited copies of what is measured.

A report holds what each lever bought; the runs it rests on, as a report of their own, are caught on the way.
"""

import shutil
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.situations.measuring import SAMPLES
from warp_mcp import workflows
from warp_mcp.analysis.levers import price_levers
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.report import Report
from warp_mcp.models.run import ArmRecording

PROGRAMS = SAMPLES / "levers"
IMPORT = "import warp as wp\n\n"
"""The blank line gives way to an edit: comments in generated source hold line numbers, which stay so."""

Identity = tuple[str, str, str, int]
"""Name, hash, device and block_dim of a module."""


@dataclass(frozen=True)
class Measurement:
    """A report, and the runs with each lever as a report of their own."""

    report: Report
    arms: dict[str, Report]

    def lever(self, text: str) -> LeverResult:
        """What came of one lever, as typed."""
        return next(one for one in self.report.levers if one.lever == text)


@dataclass(frozen=True)
class Edit:
    """A line below the import of Warp in one file of a program."""

    file: str
    line: str


def measure(
    directory: Path,
    program: Path,
    levers: Sequence[str] = (),
    *,
    samples: int = 3,
    outputs: bool = True,
) -> Measurement:
    """Measure a program with our interpreter; state goes below `directory`."""
    arms: dict[str, Report] = {}

    def kept(unchanged: Report, made: list[tuple[ArmRecording, Report]]) -> list[LeverResult]:
        arms.update({arm.lever.text: report for arm, report in made if arm.lever is not None})
        return price_levers(unchanged, made)

    request = workflows.make_request(
        [sys.executable, str(program)], cwd=str(directory), samples=samples, levers=levers, outputs=outputs
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WARP_MCP_STATE_DIR", str(directory / "state"))
        patch.setattr("warp_mcp.analysis.report.price_levers", kept)
        # As many as asked for: nothing here hangs on a verdict that more would settle.
        patch.setattr("warp_mcp.workflows.planning.MOST_SAMPLES", samples)
        report = workflows.measure(request, lambda progress: None, threading.Event())
    assert all(sample.outcome == "completed" for sample in report.samples), report.samples
    return Measurement(report, arms)


def copy_of(directory: Path, program: str, edit: Edit | None = None) -> Path:
    """A copy of the program below `directory`, edited if need be.

    Generated source names the files of functions: its size is the same where paths are equally long.
    """
    copy = directory / "levers"
    shutil.copytree(PROGRAMS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    if edit is not None:
        path = copy / edit.file
        text = path.read_text(encoding="utf-8")
        assert text.count(IMPORT) == 1, path
        path.write_text(text.replace(IMPORT, f"{IMPORT.rstrip()}\n{edit.line}\n"), encoding="utf-8")
    return copy / program


def identities(report: Report) -> set[Identity]:
    """What was built."""
    return {(one.name, one.hash, one.device, one.block_dim) for one in report.modules}
