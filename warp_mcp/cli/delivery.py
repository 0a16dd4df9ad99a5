"""Handing a result over: text for the reader, JSON for the file asked for, an exit code for scripts."""

import os
import sys
from collections.abc import Callable
from typing import Any

from warp_mcp import workflows
from warp_mcp.cli import terminal
from warp_mcp.errors import CannotWrite, UsageError
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.report import Report


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
    if json_path == "-":
        problem = _show(value, workflows.to_json(value), sys.stdout) or problem
    elif json_path is not None:
        problem = _write_json(value, json_path) or problem
    stream = sys.stderr if json_path == "-" else sys.stdout
    problem = _show(value, render(value, terminal.look(stream)), stream) or problem
    if problem is None:
        return code
    terminal.say_error(problem)
    return CannotWrite.exit_code


def _show(value: Report | Comparison, text: str, stream: Any) -> CannotWrite | None:
    try:
        terminal.write(text, stream)
    except CannotWrite as error:
        return _with_place(error, value)
    return None


def _write_json(value: Report | Comparison, path: str) -> CannotWrite | None:
    try:
        workflows.write_json(value, path)
    except CannotWrite as error:
        return _with_place(error, value)
    return None


def _with_place(error: CannotWrite, value: Report | Comparison) -> CannotWrite:
    message = f"{error.message} The result is kept in {workflows.where_kept(value)}"
    return CannotWrite(error.code, message, error.next_step)
