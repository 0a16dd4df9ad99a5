"""The command line: options in, one workflow, text and an exit code out. Computes nothing itself."""

import gc
import importlib
import os
import sys
from collections.abc import Sequence

import click

from warp_mcp import __version__, workflows
from warp_mcp.cli import terminal
from warp_mcp.cli.delivery import COMPARE_EXITS, JSON_OPTION, check_target, deliver
from warp_mcp.cli.doctoring import doctor
from warp_mcp.cli.explaining import explain
from warp_mcp.cli.ledger import ledger
from warp_mcp.cli.measuring import INTERRUPTED, measure, run_measurement
from warp_mcp.cli.reporting import report
from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.comparison import Comparison
from warp_mcp.presentation import cli_help, comparison_text, listing_text, pruned_text

DEBUG_VARIABLE = "WARP_MCP_DEBUG"
INTERNAL = 70


@click.group(
    help=cli_help.HELP,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="warp-mcp")
@click.pass_context
def program(context: click.Context) -> int | None:
    """Hold the commands; without one, show the help."""
    if context.invoked_subcommand is not None:
        return None
    terminal.write(context.get_help(), sys.stderr)
    return UsageError.exit_code


@program.command(help=cli_help.COMPARE_HELP, short_help=cli_help.SHORT["compare"])
@click.argument("baseline")
@click.argument("candidate")
@JSON_OPTION
def compare(baseline: str, candidate: str, json_path: str | None) -> int:
    """Compare two reports; see `cli_help`."""
    check_target(json_path, baseline, candidate)
    try:
        comparison, problem = workflows.compare(baseline, candidate), None
    except workflows.WriteFailed as error:
        assert isinstance(error.value, Comparison)
        comparison, problem = error.value, error
    return deliver(comparison, comparison_text, json_path, problem, COMPARE_EXITS[comparison.verdict])


program.add_command(measure)
program.add_command(explain)
program.add_command(report)
program.add_command(ledger)
program.add_command(doctor)


@program.command("list")
@click.option("--json", "as_json", is_flag=True, help="Write the list as JSON.")
def list_command(as_json: bool) -> int:
    """List the kept reports, newest first: id, date, label, command."""
    if as_json:
        text = workflows.kept_reports_json()
    else:
        text = listing_text(workflows.kept_reports(), terminal.look(sys.stdout))
    terminal.write(text, sys.stdout)
    return 0


@program.command(help=cli_help.PRUNE_HELP, short_help=cli_help.SHORT["prune"])
@click.option(
    "--keep",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"Keep the N newest reports.  [default: {workflows.KEPT}]",
)
@click.option(
    "--older-than", type=click.FloatRange(min=0), metavar="DAYS", help="Remove reports older than DAYS."
)
@click.option("--dry-run", is_flag=True, help="Only say which would go.")
def prune(keep: int | None, older_than: float | None, dry_run: bool) -> int:
    """Remove old reports; see `cli_help`."""
    if keep is not None and older_than is not None:
        raise UsageError("two_rules", "--keep and --older-than exclude each other.", "Use one of them.")
    gone = workflows.prune(
        keep=workflows.KEPT if keep is None else keep, older_than_days=older_than, dry_run=dry_run
    )
    terminal.write(pruned_text(gone, dry_run, terminal.look(sys.stdout)), sys.stdout)
    return 0


@program.command(short_help=cli_help.SHORT["demo"])
def demo() -> int:
    """See the whole loop on a small bundled program: measure, read, repair, measure, compare."""
    from warp_mcp.cli.tour import show_tour

    return show_tour(run_measurement)


@program.command(help=cli_help.SERVE_HELP, short_help=cli_help.SHORT["serve"])
@click.option(
    "--allow-root",
    "roots",
    multiple=True,
    metavar="DIR",
    help="Directories, files and ledgers only below DIR.",
)
@click.option(
    "--allow-command", "commands", multiple=True, metavar="GLOB", help="Run only executables like GLOB."
)
@click.option("--no-measure", is_flag=True, help="Run nothing: compare, explain and record only.")
def serve(roots: tuple[str, ...], commands: tuple[str, ...], no_measure: bool) -> int:
    """Open the other door, by its name: the two know nothing of each other."""
    # Collecting while hundreds of modules are imported finds nothing, and costs a tenth of the start.
    gc.disable()
    server = importlib.import_module("warp_mcp.server")
    gc.freeze()
    gc.enable()
    return server.serve(roots, commands, measuring=not no_measure)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code; the entry point of `warp-mcp`."""
    if sys.platform == "win32":
        terminal.write(
            "warp-mcp: Windows is not supported. Next: run it inside WSL 2, on Linux or macOS.", sys.stderr
        )
        sys.exit(UsageError.exit_code)
    terminal.prepare_streams()
    sys.exit(_exit_code(arguments))


def _exit_code(arguments: Sequence[str] | None) -> int:
    try:
        return program.main(arguments, prog_name="warp-mcp", standalone_mode=False) or 0
    except ProbeError as error:
        terminal.say_error(error)
        return error.exit_code
    except click.ClickException as error:
        where = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "warp-mcp"
        terminal.say_error(UsageError("usage", error.format_message(), f"{where} --help"))
        return UsageError.exit_code
    except (KeyboardInterrupt, click.Abort):
        terminal.write("Interrupted.", sys.stderr)
        return INTERRUPTED
    except Exception as error:
        return _internal(error)


def _internal(error: Exception) -> int:
    if os.environ.get(DEBUG_VARIABLE):
        raise error
    message = f"Internal error: {type(error).__name__}: {error}"
    terminal.say_error(
        ProbeError(
            "internal", message, f"Run it again with {DEBUG_VARIABLE}=1 for a traceback, and report it."
        )
    )
    return INTERNAL
