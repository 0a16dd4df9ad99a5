"""The command `warp-mcp report`: two reports in, the Markdown for a team out. Computes nothing itself."""

import os

import click

from warp_mcp.cli import terminal
from warp_mcp.cli.delivery import COMPARE_EXITS, JSON_OPTION, check_target, deliver
from warp_mcp.errors import CannotWrite, UsageError
from warp_mcp.models.comparison import Comparison
from warp_mcp.presentation import cli_help
from warp_mcp.workflows import sharing


@click.command(help=cli_help.REPORT_HELP, short_help=cli_help.SHORT["report"])
@click.argument("baseline")
@click.argument("candidate")
@click.option("--complaint", default="", metavar="TEXT", help="What the user complained of, as said.")
@click.option("--note", "notes", multiple=True, metavar="TEXT", help="What was changed; repeatable.")
@click.option("--output", metavar="FILE", help="Write it to FILE instead of standard output.")
@JSON_OPTION
def report(
    baseline: str,
    candidate: str,
    complaint: str,
    notes: tuple[str, ...],
    output: str | None,
    json_path: str | None,
) -> int:
    """Write up a change; see `cli_help`."""
    check_target(json_path, baseline, candidate)
    _check_output(output, json_path, baseline, candidate)
    problem: CannotWrite | None = None
    try:
        comparison, text = sharing.team_report(baseline, candidate, complaint=complaint, notes=notes)
    except sharing.PageUnkept as error:
        assert isinstance(error.value, Comparison)
        comparison, text, problem = error.value, error.text, error
    unwritten = _write(output, text)
    shown = text if output in (None, "-") or unwritten else f"Written to {output}: {comparison.verdict}."
    code = deliver(
        comparison, lambda _value, _look: shown, json_path, problem, COMPARE_EXITS[comparison.verdict]
    )
    if unwritten is None:
        return code
    terminal.say_error(unwritten)
    return CannotWrite.exit_code


def _check_output(output: str | None, json_path: str | None, *inputs: str) -> None:
    """Raises `UsageError`: a file that cannot be meant."""
    if output is None or output == "-":
        return
    if not output:
        raise UsageError("no_file_name", "The file for --output has no name.", "Name a file.")
    others = [*inputs, *([json_path] if json_path and json_path != "-" else [])]
    if any(_same_file(output, one) for one in others):
        raise UsageError(
            "would_replace_input",
            f"{output} is a report to compare, or the file for --json; one would replace the other.",
            "Name another file for --output.",
        )


def _same_file(one: str, other: str) -> bool:
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.abspath(one) == os.path.abspath(other)


def _write(output: str | None, text: str) -> CannotWrite | None:
    """Why the file could not be written; `None` when it was, or none was asked for."""
    if output is None or output == "-":
        return None
    try:
        sharing.write_page(text, output)
    except CannotWrite as error:
        return error
    return None
