"""What to do after reading a report, as commands that can be pasted. The state of the report chooses."""

from shlex import join

from warp_mcp.models.report import Report

_STOPS = (
    "`--stop-after-launches N` (the same point in every run), `--stop-when-quiet S` or `--until-output TEXT`"
)


def next_steps(report: Report) -> list[str]:
    """Sentences, the first one first."""
    outcomes = {sample.outcome for sample in report.samples}
    if "completed" not in outcomes:
        return _after_failure(report, outcomes)
    if not report.modules and not report.launches.total:
        return [
            f"Measure a command that launches kernels; this was `{join(report.command)}` in {report.cwd}."
        ]
    if any(warning.code == "compilation_is_minor" for warning in report.warnings):
        return [
            "Look at the largest part above: no change to how Warp compiles can save more than its own part."
        ]
    return [*_edits(report), *_loop(report)]


def _after_failure(report: Report, outcomes: set[str]) -> list[str]:
    if "timed_out" in outcomes:
        return [
            f"Say when the program has started: {_STOPS}.",
            "Or give each run more time: `--timeout SECONDS`.",
        ]
    if "not_attached" in outcomes:
        return ["Name the interpreter that has Warp: `warp-mcp measure -- /path/to/python your_program.py`"]
    if "cancelled" in outcomes:
        return [f"Measure again: `{_again(report, None)}`"]
    return [f"Make the program run by itself first: `cd {report.cwd} && {join(report.command)}`"]


def _edits(report: Report) -> list[str]:
    places = [cause.where for rebuild in report.rebuilds for cause in rebuild.causes if cause.where]
    if not places:
        return []
    distinct = list(dict.fromkeys(places))
    words = ", ".join(f"`{place}`" for place in distinct[:3])
    more = f" and {len(distinct) - 3} more" if len(distinct) > 3 else ""
    return [f"Edit {words}{more}, so that a module is complete before its first launch."]


def _loop(report: Report) -> list[str]:
    if not report.rebuilds:
        return ["Nothing was built twice. After a change that is to help:", *_commands(report)]
    return _commands(report)


def _commands(report: Report) -> list[str]:
    compare = f"warp-mcp compare {report.report_id} latest"
    return [f"Measure again: `{_again(report, 'after')}`", f"Compare: `{compare}`"]


def _again(report: Report, label: str | None) -> str:
    named = ["--label", label] if label else []
    return f"warp-mcp {join(['measure', *named])} -- {join(report.command)}"
