"""The commands `warp-mcp ledger append|list|verify`: options in, text out. Computes nothing itself."""

import sys
from collections.abc import Callable
from typing import Any

import click

from warp_mcp.cli import terminal
from warp_mcp.errors import UsageError
from warp_mcp.models.ledger import STATUSES
from warp_mcp.presentation import ledger_help
from warp_mcp.presentation.ledger_markdown import ledger_markdown
from warp_mcp.presentation.ledger_text import appended_text, check_text, ledger_text, levers_text
from warp_mcp.workflows import ledger as workflow
from warp_mcp.workflows import ledger_levers as levers

NOT_INTACT = 1
EFFECTS = ("baseline", "candidate", "estimate")
WITH_LEVERS = ("why", "status", "project", "path")
"""What holds for every lever of a report alike."""


@click.group(help=ledger_help.LEDGER_HELP, short_help=ledger_help.LEDGER_SHORT, invoke_without_command=True)
@click.pass_context
def ledger(context: click.Context) -> int | None:
    """Hold the commands; without one, show the help (see `ledger_help`)."""
    if context.invoked_subcommand is not None:
        return None
    terminal.write(context.get_help(), sys.stderr)
    return UsageError.exit_code


def _place_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say which ledger, and how to answer; the same for all commands."""
    options = (
        click.option("--project", metavar="DIR", help="A directory of the project.  [default: this one]"),
        click.option("--path", metavar="FILE", help="Use this file, which ends in .jsonl, instead."),
        click.option("--json", "as_json", is_flag=True, help="Write the result as JSON."),
    )
    for option in reversed(options):
        command = option(command)
    return command


@ledger.command(help=ledger_help.APPEND_HELP, short_help="Record one option.")
@click.option(
    "--from-lever",
    nargs=2,
    metavar="REPORT LEVER",
    help="A lever that was priced: needs only --why.",
)
@click.option("--from-levers", metavar="REPORT", help="Every lever of it that was not taken.")
@click.option("--what", default="", metavar="TEXT", help="The option.  [required]")
@click.option("--where", default="", metavar="TEXT", help="Where it would go, or went.  [required]")
@click.option("--scope", default="", metavar="TEXT", help="How far it reaches.  [required]")
@click.option("--status", default="", metavar="STATUS", help=f"{', '.join(STATUSES)}.  [required]")
@click.option("--layer", metavar="TEXT", help="Where it is not verified; with applied_unverified.")
@click.option("--why", default="", metavar="TEXT", help="Why it was decided so.  [required]")
@click.option("--how-to-take", default="", metavar="TEXT", help="What to change to have it.  [required]")
@click.option("--how-to-undo", default="", metavar="TEXT", help="What to change back.  [required]")
@click.option("--verify", multiple=True, metavar="TEXT", help="What still must be verified; repeatable.")
@click.option("--baseline", metavar="REPORT", help="The report without the option.")
@click.option("--candidate", metavar="REPORT", help="The report with it.")
@click.option("--estimate", metavar="TEXT", help="An effect without reports; marked as an estimate.")
@click.option("--key", metavar="TEXT", help="A name: recording it again under this name adds nothing.")
@_place_options
def append(as_json: bool, from_lever: tuple[str, str] | None, from_levers: str | None, **given: Any) -> int:
    """Record an option, or what levers bought; see `ledger_help`."""
    _check_sources(from_lever, from_levers, given)
    if from_lever:
        texts = {name: value for name, value in given.items() if name not in EFFECTS}
        _show(levers.append_lever(*from_lever, **texts), as_json, appended_text)
    elif from_levers:
        chosen = {name: given[name] for name in WITH_LEVERS}
        _show(levers.append_levers(from_levers, **chosen), as_json, levers_text)
    else:
        _show(workflow.append(**given), as_json, appended_text)
    return 0


def _check_sources(lever: tuple[str, str] | None, every: str | None, given: dict[str, Any]) -> None:
    """Raises `UsageError`: options that would be dropped in silence."""
    if lever and every:
        raise UsageError("two_sources", "--from-lever and --from-levers exclude each other.", "Use one.")
    source = "--from-lever" if lever else "--from-levers" if every else ""
    refused = EFFECTS if lever else [name for name in given if name not in WITH_LEVERS] if every else ()
    unused = [f"--{name.replace('_', '-')}" for name in refused if given[name]]
    if unused:
        message = f"{', '.join(unused)} cannot go with {source}."
        raise UsageError("option_without_use", message, "Leave it out; the report has what was measured.")


@ledger.command("list", help=ledger_help.LIST_HELP, short_help="List the entries, oldest first.")
@click.option("--markdown", is_flag=True, help="Write them as Markdown.")
@_place_options
def list_command(markdown: bool, as_json: bool, project: str | None, path: str | None) -> int:
    """List a ledger; see `ledger_help`."""
    value = workflow.list_entries(project=project, path=path)
    _show(value, as_json, (lambda one, _: ledger_markdown(one)) if markdown else ledger_text)
    return 0


@ledger.command(help=ledger_help.VERIFY_HELP, short_help="Check that it is as it was written.")
@_place_options
def verify(as_json: bool, project: str | None, path: str | None) -> int:
    """Check a ledger; see `ledger_help`."""
    value = workflow.verify(project=project, path=path)
    _show(value, as_json, check_text)
    return 0 if value.intact else NOT_INTACT


def _show(value: Any, as_json: bool, render: Callable[[Any, Any], str]) -> None:
    text = workflow.to_json(value) if as_json else render(value, terminal.look(sys.stdout))
    terminal.write(text, sys.stdout)
