"""Handing a result over: text for the reader, JSON for the file asked for, an exit code for scripts."""

import os
import sys
from collections.abc import Callable
from typing import Any

import click

from warp_mcp import workflows
from warp_mcp.cli import terminal
from warp_mcp.errors import CannotWrite, UsageError

COMPARE_EXITS = {"improved": 0, "inconclusive": 0, "regressed": 1, "invalid": 3, "unverified": 4}
"""The exit code of each verdict."""

JSON_OPTION = click.option(
    "--json", "json_path", metavar="FILE", help="Also write the result as JSON; - for standard output."
)


def check_target(json_path: str | None, *inputs: str) -> None:
    """Refuse a file for the JSON that cannot be meant, before anything is measured.

    Raises `UsageError`: the name is empty, or it is that of a report to be compared.
    """
    if json_path == "":
        raise UsageError("no_file_name", "The file for --json has no name.", "Name a file, or - for stdout.")
    if json_path not in (None, "-") and os.path.exists(str(json_path)):
        if any(os.path.exists(one) and os.path.samefile(str(json_path), one) for one in inputs):
            raise UsageError(
                "would_replace_input",
                f"{json_path} is one of the reports to compare; the comparison would replace it.",
                "Name another file for --json.",
            )


def deliver(
    value: Any,
    render: Callable[[Any, Any], str],
    json_path: str | None,
    problem: CannotWrite | None,
    code: int,
) -> int:
    """Show the result, write the file that was asked for, and return the exit code.

    With `--json -` standard output carries the JSON alone, and the text goes to stderr. What cannot be
    written in one place is still written in the others.
    """
    kept = workflows.where_kept(value) if problem is None else None
    problems = [problem] if problem else []
    if json_path == "-":
        problems += _attempt(lambda: terminal.write(workflows.to_json(value), sys.stdout))
    elif json_path is not None:
        failed = _attempt(lambda: workflows.write_json(value, json_path))
        kept = kept or (None if failed else json_path)
        problems += failed
    stream = sys.stderr if json_path == "-" else sys.stdout
    problems += _attempt(lambda: terminal.write(render(value, terminal.look(stream)), stream))
    for one in problems:
        place = f" The result is kept in {kept}" if kept else ""
        terminal.say_error(CannotWrite(one.code, one.message + place, one.next_step))
    return CannotWrite.exit_code if problems else code


def _attempt(write: Callable[[], None]) -> list[CannotWrite]:
    """Why something could not be written; empty when it was."""
    try:
        write()
    except CannotWrite as error:
        return [error]
    return []
