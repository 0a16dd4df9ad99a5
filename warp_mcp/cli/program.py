"""The command line: options in, one workflow, text and an exit code out. Computes nothing itself."""

import contextlib
import gc
import importlib
import os
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from types import FrameType

import click

from warp_mcp import __version__, workflows
from warp_mcp.cli import terminal
from warp_mcp.cli.delivery import check_target, deliver
from warp_mcp.cli.doctoring import doctor
from warp_mcp.cli.explaining import explain
from warp_mcp.cli.ledger import ledger
from warp_mcp.errors import CannotWrite, ProbeError, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.report import Report
from warp_mcp.presentation import cli_help, comparison_text, listing_text, pruned_text, report_text

DEBUG_VARIABLE = "WARP_MCP_DEBUG"
INTERNAL, INTERRUPTED = 70, 130
NO_SAMPLE_COMPLETED, NOTHING_OF_WARP = 5, 6
COMPARE_EXITS = {"improved": 0, "inconclusive": 0, "regressed": 1, "invalid": 3, "unverified": 4}


class MeasureCommand(click.Command):
    """Knows whether the command to measure was set apart by two dashes."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an option of ours behind the command when nothing says whose it is."""
        before = list(args)
        rest = super().parse_args(ctx, args)
        command: Sequence[str] = ctx.params.get("command") or ()
        if "--" not in before[: len(before) - len(command)]:
            self._refuse_ours(command)
        return rest

    def _refuse_ours(self, command: Sequence[str]) -> None:
        ours = {name for parameter in self.params for name in parameter.opts if name.startswith("--")}
        for word in command[1:]:
            if word.split("=")[0] in ours:
                raise UsageError(
                    "ambiguous_option",
                    f"{word} stands behind the command, where it belongs to the program.",
                    f"Put it before the command, or write: warp-mcp measure -- {workflows.shown(command)}",
                )


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


JSON_OPTION = click.option(
    "--json", "json_path", metavar="FILE", help="Also write the result as JSON; - for standard output."
)


@program.command(
    cls=MeasureCommand,
    help=cli_help.MEASURE_HELP,
    short_help=cli_help.SHORT["measure"],
    context_settings={"allow_interspersed_args": False},
)
@click.option("--samples", type=int, default=3, show_default=True, help="Cold runs, each with its warm run.")
@click.option(
    "--timeout", type=float, default=900.0, show_default=True, help="Limit for each run, in seconds."
)
@click.option("--cwd", metavar="DIR", help="Directory to run the command in.")
@click.option("--label", metavar="TEXT", help="A name to call the report by.")
@JSON_OPTION
@click.option(
    "--stop-after-launches",
    type=int,
    metavar="N",
    help="End the program when a process of it makes its N-th launch.",
)
@click.option(
    "--stop-when-quiet", type=float, metavar="S", help="End it when nothing was built for S seconds."
)
@click.option("--until-output", metavar="TEXT", help="End it at a line of its output that contains TEXT.")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def measure(
    samples: int,
    timeout: float,
    cwd: str | None,
    label: str | None,
    json_path: str | None,
    stop_after_launches: int | None,
    stop_when_quiet: float | None,
    until_output: str | None,
    command: tuple[str, ...],
) -> int:
    """Measure a command; see `cli_help`."""
    check_target(json_path)
    stop = workflows.stop_condition(stop_after_launches, stop_when_quiet, until_output)
    request = workflows.make_request(
        command, cwd=cwd, samples=samples, timeout_s=timeout, label=label, stop=stop
    )
    report, interrupted, problem = run_measurement(request)
    code = deliver(report, report_text, json_path, problem, measure_exit(report))
    if problem is None:
        what = "Interrupted. What was complete" if interrupted else "The whole report"
        terminal.write(f"{what} is kept in {workflows.where_kept(report)}", sys.stderr)
    return INTERRUPTED if interrupted else code


def run_measurement(request: MeasureRequest) -> tuple[Report, bool, CannotWrite | None]:
    """Measure with live progress; also whether Ctrl-C came, and why the report could not be kept."""
    with cancel_on_signals() as cancel, terminal.live_progress(sys.stderr) as show:
        try:
            return workflows.measure(request, show, cancel), cancel.is_set(), None
        except workflows.WriteFailed as error:
            assert isinstance(error.value, Report)
            return error.value, cancel.is_set(), error


@contextlib.contextmanager
def cancel_on_signals() -> Generator[threading.Event, None, None]:
    """An event that Ctrl-C, SIGTERM and SIGHUP set, so that the run is ended and cleaned up in order."""
    cancel = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if cancel.is_set():
            # Asked twice: leave now. What cleans up on the way out still does.
            raise KeyboardInterrupt
        cancel.set()
        terminal.write("\nStopping: ending the program and removing its caches.", sys.stderr)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    earlier = [signal.signal(number, stop) for number in numbers]
    try:
        yield cancel
    finally:
        for number, handler in zip(numbers, earlier, strict=True):
            signal.signal(number, handler)


def measure_exit(report: Report) -> int:
    """The exit code of a measurement; that none completed is decided first."""
    if not any(sample.outcome == "completed" for sample in report.samples):
        return NO_SAMPLE_COMPLETED
    touched = report.modules or report.launches.total
    unrecorded = any(not process.attached for process in report.processes)
    return 0 if touched or unrecorded else NOTHING_OF_WARP


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


program.add_command(explain)
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
