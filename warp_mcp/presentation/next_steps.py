"""What to do after reading a report, in the words of the door it is read through."""

from collections.abc import Callable
from dataclasses import dataclass
from shlex import quote

from warp_mcp.models.report import Report
from warp_mcp.presentation.headline import MINOR, touches_warp
from warp_mcp.presentation.words import short

_STOP_OPTIONS = {
    "after_launches": "--stop-after-launches",
    "when_quiet": "--stop-when-quiet",
    "until_output": "--until-output",
}


@dataclass(frozen=True)
class Step:
    """One thing to do, with the command that does it where there is one."""

    words: str
    command: tuple[str, ...] = ()
    """Words of a shell command, quoted where they need it."""

    @property
    def sentence(self) -> str:
        """Both, for where a command cannot have lines of its own."""
        return f"{self.words} `{' '.join(self.command)}`" if self.command else self.words


@dataclass(frozen=True)
class Door:
    """How a measurement, a comparison and the options are asked for."""

    measure: Callable[[Report], Step]
    compare: Callable[[Report], Step]
    stops: str
    timeout: str


def terminal(directory: str | None) -> Door:
    """Commands that can be pasted where the reader is."""
    return Door(
        measure=lambda report: Step("Measure again:", _measure_command(report, directory)),
        compare=lambda report: Step("Compare:", ("warp-mcp", "compare", report.report_id, "latest")),
        stops="`--stop-after-launches N`, `--stop-when-quiet S` or `--until-output TEXT`",
        timeout="`--timeout SECONDS`",
    )


def _measure_command(report: Report, directory: str | None) -> tuple[str, ...]:
    options = ["--label", "after"]
    kind, _, value = report.stop.partition(" ")
    if kind in _STOP_OPTIONS:
        options += [_STOP_OPTIONS[kind], value]
    if directory not in (None, report.cwd):
        options += ["--cwd", report.cwd]
    return ("warp-mcp", "measure", *map(quote, options), "--", *map(quote, report.command))


TOOLS = Door(
    measure=lambda _: Step("Measure again: `measure` with the same arguments and label `after`"),
    compare=lambda report: Step(f"Compare: `compare` with baseline `{report.report_id}`, candidate `after`"),
    stops="`stop_after_launches`, `stop_when_quiet_s` or `until_output`",
    timeout="`timeout_s`",
)
"""The tools of the server, for an agent."""


def next_steps(report: Report, door: Door) -> list[Step]:
    """What to do, the first thing first."""
    outcomes = {sample.outcome for sample in report.samples}
    missing = [Step(warning.next) for warning in report.warnings if warning.code == "warp_missing"]
    if missing and "completed" not in outcomes:
        return missing
    if "completed" not in outcomes:
        return _after_failure(report, outcomes, door)
    if not touches_warp(report):
        return [Step("Measure a command that launches kernels; this was:", _by_itself(report))]
    minor = [Step(warning.next) for warning in report.warnings if warning.code == MINOR]
    return minor or [_edits(report), door.measure(report), door.compare(report)]


def _by_itself(report: Report) -> tuple[str, ...]:
    return ("cd", quote(report.cwd), "&&", *map(quote, report.command))


def _after_failure(report: Report, outcomes: set[str], door: Door) -> list[Step]:
    if "timed_out" in outcomes and report.stop != "none":
        return [Step(warning.next) for warning in report.warnings if warning.code == "timed_out"]
    if "timed_out" in outcomes:
        return [
            Step(f"Say when the program has started: {door.stops}."),
            Step("The first of them is best: it stops at the same point in every run."),
            Step(f"Or give each run more time: {door.timeout}."),
        ]
    lost = [Step(warning.next) for warning in report.warnings if warning.code == "recorder_not_attached"]
    if "not_attached" in outcomes and lost:
        return lost
    if "not_attached" in outcomes:
        return [Step("Name the interpreter that has Warp as the command's first word: `/path/to/python …`")]
    if "cancelled" in outcomes:
        return [door.measure(report)]
    return [Step("Make the program run by itself first:", _by_itself(report))]


def _edits(report: Report) -> Step:
    """Where to edit; what to do when nothing was built twice."""
    places = [cause.where for rebuild in report.rebuilds for cause in rebuild.causes if cause.where]
    if not places:
        return Step("No module was built twice: look at what the largest ones hold, and change one thing.")
    distinct = list(dict.fromkeys(short(place, report.cwd) for place in places))
    words = ", ".join(f"`{place}`" for place in distinct[:3])
    more = f" and {len(distinct) - 3} more" if len(distinct) > 3 else ""
    return Step(
        f"Edit {words}{more}: a module has to be complete, kernels and options, before its first launch."
    )
