"""`warp-mcp demo`: the whole loop on a bundled program, measured for real. Its words: `tour_text.py`."""

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path

from warp_mcp import workflows
from warp_mcp.cli import terminal
from warp_mcp.errors import CannotWrite, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.report import Report
from warp_mcp.presentation import comparison_text, report_text, tour_text

PROGRAM = "simulate.py"
PROGRAMS = Path(__file__).parents[1] / "demo"
INTERRUPTED, FAILED = 130, 5

Measure = Callable[[MeasureRequest], tuple[Report, bool, CannotWrite | None]]


def show_tour(measure: Measure) -> int:
    """Measure, read, repair, measure, compare; returns the exit code.

    `measure` shows progress and says whether it was interrupted, and why the report could not be kept.
    """
    _need_warp()
    started = time.monotonic()
    look = terminal.look(sys.stdout)
    _say(tour_text.opening(look))
    baseline = _measured(
        measure, 1, "A program that starts slowly", tour_text.FAULTY, "demo-faulty", "faulty"
    )
    if isinstance(baseline, int):
        return baseline
    _say(report_text(baseline, look))
    _say(tour_text.step(2, "The repair", tour_text.REPAIR, "", look))
    _say(tour_text.diff(_source("faulty"), _source("repaired"), PROGRAM, look))
    candidate = _measured(
        measure, 3, "The same command, after the repair", tour_text.REPAIRED, "demo-repaired", "repaired"
    )
    if isinstance(candidate, int):
        return candidate
    _say(tour_text.short_report(candidate, look))
    command = "warp-mcp compare demo-faulty demo-repaired"
    _say(tour_text.step(4, "Did it work?", tour_text.COMPARE, command, look))
    comparison = workflows.compare(baseline.report_id, candidate.report_id)
    _say(comparison_text(comparison, look))
    _say(tour_text.closing(baseline, candidate, 1000 * (time.monotonic() - started), look))
    return 0


def _need_warp() -> None:
    if importlib.util.find_spec("warp") is None:
        raise UsageError(
            "no_warp",
            f"The interpreter {sys.executable} has no Warp to show this with.",
            "pip install warp-lang",
        )


def _source(side: str) -> str:
    return (PROGRAMS / side / PROGRAM).read_text(encoding="utf-8")


def _measured(measure: Measure, number: int, title: str, words: str, label: str, side: str) -> Report | int:
    """The report of one side, or the exit code to leave with."""
    look = terminal.look(sys.stdout)
    directory = str(PROGRAMS / side)
    command = tour_text.measure_command(label, directory)
    _say(tour_text.step(number, title, words, command, look))
    request = workflows.make_request([sys.executable, PROGRAM], cwd=directory, label=label)
    report, interrupted, problem = measure(request)
    if interrupted:
        return INTERRUPTED
    if problem is not None:
        raise problem
    if all(sample.outcome == "completed" for sample in report.samples):
        return report
    _say(report_text(report, look))
    _say(tour_text.failed(report, look))
    return FAILED


def _say(text: str) -> None:
    terminal.write(text, sys.stdout)
