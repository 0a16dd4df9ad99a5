"""`warp-mcp measure`: the options of a measurement, live progress, and Ctrl-C that cleans up."""

import contextlib
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from types import FrameType

import click

from warp_mcp import workflows
from warp_mcp.cli import terminal
from warp_mcp.cli.delivery import JSON_OPTION, check_target, deliver
from warp_mcp.errors import CannotWrite, UsageError
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.rehearsed import all_archs, ordinary_completed, rehearsal_completed
from warp_mcp.models.report import Report
from warp_mcp.presentation import cli_help, report_text

INTERRUPTED = 130
NO_SAMPLE_COMPLETED, NOTHING_OF_WARP = 5, 6


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

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under the headings of `cli_help`."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        records = {one.name: record for one in options if (record := one.get_help_record(ctx))}
        for heading, names in cli_help.MEASURE_GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([records.pop(name) for name in names])
        with formatter.section("Other"):
            formatter.write_dl(list(records.values()))

    def _refuse_ours(self, command: Sequence[str]) -> None:
        ours = {name for parameter in self.params for name in parameter.opts if name.startswith("--")}
        for word in command[1:]:
            if word.split("=")[0] in ours:
                raise UsageError(
                    "ambiguous_option",
                    f"{word} stands behind the command, where it belongs to the program.",
                    f"Put it before the command, or write: warp-mcp measure -- {workflows.shown(command)}",
                )


@click.command(
    "measure",
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
@click.option(
    "--against",
    metavar="REPORT",
    help="Make as many samples as the verdict against REPORT needs: --samples at least, 9 at most.",
)
@click.option(
    "--lever",
    "levers",
    multiple=True,
    metavar="OPTION=VALUE",
    help="Also run with this option, or auto: what findings point to; repeatable.",
)
@click.option(
    "--lever-budget",
    type=float,
    show_default="600",
    metavar="S",
    help="Time for levers of auto, in seconds.",
)
@click.option("--outputs", is_flag=True, help="Record what launches compute, in two further warm runs.")
@click.option(
    "--outputs-budget",
    type=float,
    show_default="1024",
    metavar="MB",
    help="Most that is hashed in one of them.",
)
@click.option("--steady-state", is_flag=True, help="Time each kernel's launches, in three further warm runs.")
@click.option("--floor", is_flag=True, help="Measure what one more one-kernel module costs here.")
@click.option(
    "--rehearse-cuda",
    multiple=True,
    metavar="ARCH",
    help="Also build what a GPU of sm_90 would have built; several with commas.",
)
@click.option(
    "--rehearsals",
    type=int,
    show_default="1",
    metavar="N",
    help="How many for each; a verdict needs 3.",
)
@click.option(
    "--rehearse-workers",
    type=int,
    default=0,
    metavar="N",
    help="Also build the same ahead with 1 to N threads.",
)
@click.option(
    "--no-compile-trace",
    is_flag=True,
    help="Do not build the largest modules once more to price their kernels.",
)
@click.option("--force", is_flag=True, help="Rehearse although there is a GPU.")
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
    against: str | None,
    levers: tuple[str, ...],
    lever_budget: float | None,
    outputs: bool,
    outputs_budget: float | None,
    steady_state: bool,
    floor: bool,
    rehearse_cuda: tuple[str, ...],
    rehearsals: int | None,
    rehearse_workers: int,
    no_compile_trace: bool,
    force: bool,
    command: tuple[str, ...],
) -> int:
    """Measure a command; see `cli_help`."""
    check_target(json_path)
    stop = workflows.stop_condition(stop_after_launches, stop_when_quiet, until_output)
    request = workflows.make_request(
        command,
        cwd=cwd,
        samples=samples,
        timeout_s=timeout,
        label=label,
        stop=stop,
        levers=levers,
        lever_budget_s=lever_budget,
        outputs=outputs,
        outputs_budget_mb=outputs_budget,
        steady_state=steady_state,
        floor=floor,
        rehearse_cuda=rehearse_cuda,
        rehearse_force=force,
        rehearsals=rehearsals,
        rehearse_workers=rehearse_workers,
        compile_trace=not no_compile_trace,
    )
    baseline = workflows.find(against) if against is not None else None
    if baseline is not None:
        workflows.check_samples(request)
    report, interrupted, problem = run_measurement(request, baseline)
    code = deliver(report, report_text, json_path, problem, measure_exit(report))
    if problem is None:
        what = "Interrupted. What was complete" if interrupted else "The whole report"
        terminal.write(f"{what} is kept in {workflows.where_kept(report)}", sys.stderr)
    return INTERRUPTED if interrupted else code


def run_measurement(
    request: MeasureRequest, against: Report | None = None
) -> tuple[Report, bool, CannotWrite | None]:
    """Measure with live progress; also whether Ctrl-C came, and why the report could not be kept."""
    with cancel_on_signals() as cancel, terminal.live_progress(sys.stderr) as show:
        try:
            return workflows.measure(request, show, cancel, against=against), cancel.is_set(), None
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
    completed = rehearsal_completed(report)
    if not completed and not ordinary_completed(report):
        return NO_SAMPLE_COMPLETED
    touched = report.modules or report.launches.total
    touched = touched or any(arch.modules or arch.launches.total for arch in all_archs(report))
    unrecorded = any(not process.attached for process in report.processes)
    return 0 if touched or unrecorded else NOTHING_OF_WARP
