"""The command `warp-mcp explain`: words in, text out. Computes nothing itself."""

import sys

import click

from warp_mcp import workflows
from warp_mcp.cli import terminal
from warp_mcp.cli.delivery import check_target
from warp_mcp.models.explanation import Explanation, ExplanationIndex
from warp_mcp.presentation import cli_help
from warp_mcp.presentation.explanation_text import explanation_text, index_text


@click.command(help=cli_help.EXPLAIN_HELP, short_help=cli_help.SHORT["explain"])
@click.argument("mechanism", nargs=-1)
@click.option("--report", "report", metavar="REPORT", help="Show it with the numbers of this report.")
@click.option(
    "--json", "json_path", metavar="FILE", help="Also write the result as JSON; - for standard output."
)
def explain(mechanism: tuple[str, ...], report: str | None, json_path: str | None) -> int:
    """Explain a mechanism or a topic, or list them; see `cli_help`."""
    check_target(json_path, *([report] if report else []))
    if mechanism:
        _show(workflows.explain(" ".join(mechanism), report), json_path)
    else:
        _show(workflows.explainable(report), json_path)
    return 0


def _show(value: Explanation | ExplanationIndex, json_path: str | None) -> None:
    """The text for the reader and the JSON for the file; what fails for one is still done for the other.

    With `--json -` standard output carries the JSON alone, and the text goes to stderr. Nothing is kept of an
    explanation, so there is no place to name when it cannot be written.
    """
    stream = sys.stderr if json_path == "-" else sys.stdout
    look = terminal.look(stream)
    text = index_text(value, look) if isinstance(value, ExplanationIndex) else explanation_text(value, look)
    try:
        terminal.write(text, stream)
    finally:
        if json_path == "-":
            terminal.write(workflows.explanation_json(value), sys.stdout)
        elif json_path is not None:
            workflows.write_explanation(value, json_path)
