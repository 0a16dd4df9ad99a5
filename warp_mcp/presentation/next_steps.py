"""What to do after reading a report, in the words of the door it is read through."""

from collections.abc import Callable
from dataclasses import dataclass
from shlex import join

from warp_mcp.models.report import Report
from warp_mcp.presentation.headline import MINOR, touches_warp
from warp_mcp.presentation.words import short

_STOP_OPTIONS = {
    "after_launches": "--stop-after-launches",
    "when_quiet": "--stop-when-quiet",
    "until_output": "--until-output",
}


@dataclass(frozen=True)
class Door:
    """How a measurement, a comparison and the options are asked for."""

    measure: Callable[[Report], str]
    compare: Callable[[Report], str]
    stops: str
    timeout: str


def terminal(directory: str | None) -> Door:
    """Commands that can be pasted where the reader is."""
    return Door(
        measure=lambda report: f"`{_measure_command(report, directory)}`",
        compare=lambda report: f"`warp-mcp compare {report.report_id} latest`",
        stops="`--stop-after-launches N`, `--stop-when-quiet S` or `--until-output TEXT`",
        timeout="`--timeout SECONDS`",
    )


def _measure_command(report: Report, directory: str | None) -> str:
    options = ["--label", "after"]
    kind, _, value = report.stop.partition(" ")
    if kind in _STOP_OPTIONS:
        options += [_STOP_OPTIONS[kind], value]
    if directory not in (None, report.cwd):
        options += ["--cwd", report.cwd]
    return f"warp-mcp measure {join(options)} -- {join(report.command)}"


TOOLS = Door(
    measure=lambda report: "`measure` with the same arguments and label `after`",
    compare=lambda report: f"`compare` with baseline `{report.report_id}` and candidate `after`",
    stops="`stop_after_launches`, `stop_when_quiet_s` or `until_output`",
    timeout="`timeout_s`",
)
"""The tools of the server, for an agent."""


def next_steps(report: Report, door: Door) -> list[str]:
    """Sentences, the first one first."""
    outcomes = {sample.outcome for sample in report.samples}
    if "completed" not in outcomes:
        return _after_failure(report, outcomes, door)
    if not touches_warp(report):
        return [
            f"Measure a command that launches kernels; this was `{join(report.command)}` in {report.cwd}."
        ]
    minor = [warning.next for warning in report.warnings if warning.code == MINOR]
    return minor or [
        *_edits(report),
        f"Measure again: {door.measure(report)}",
        f"Compare: {door.compare(report)}",
    ]


def _after_failure(report: Report, outcomes: set[str], door: Door) -> list[str]:
    if "timed_out" in outcomes:
        return [
            f"Say when the program has started: {door.stops}.",
            "The first of them is best: it stops at the same point in every run.",
            f"Or give each run more time: {door.timeout}.",
        ]
    if "not_attached" in outcomes:
        return ["Name the interpreter that has Warp as the first word of the command: `/path/to/python …`"]
    if "cancelled" in outcomes:
        return [f"Measure again: {door.measure(report)}"]
    return [f"Make the program run by itself first: `cd {report.cwd} && {join(report.command)}`"]


def _edits(report: Report) -> list[str]:
    """Where to edit; what to do when nothing was built twice."""
    places = [cause.where for rebuild in report.rebuilds for cause in rebuild.causes if cause.where]
    if not places:
        return ["No module was built twice, so look at what the largest ones hold, and change one thing."]
    distinct = list(dict.fromkeys(short(place, report.cwd) for place in places))
    words = ", ".join(f"`{place}`" for place in distinct[:3])
    more = f" and {len(distinct) - 3} more" if len(distinct) > 3 else ""
    return [f"Edit {words}{more}: a module has to be complete, kernels and options, before its first launch."]
