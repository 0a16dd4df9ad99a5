"""The tool `measure`: start a run or join one, wait as long as the client can, and say how far it is."""

import os
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import ConfigDict, Field

from warp_mcp import workflows
from warp_mcp.errors import UsageError
from warp_mcp.models.base import Model
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.report import Report
from warp_mcp.models.summary import MeasureSummary
from warp_mcp.presentation import (
    cancelled_summary,
    measure_summary,
    measure_summary_text,
    run_summary_text,
    running_summary,
)
from warp_mcp.server.answers import success
from warp_mcp.server.compare_tool import check_report
from warp_mcp.server.elsewhere import wait_elsewhere
from warp_mcp.server.patience import patience_s
from warp_mcp.server.policy import Policy
from warp_mcp.server.resources import notify_new_report
from warp_mcp.server.runs import Run, Runs
from warp_mcp.server.unkept import unkept_report

Seconds = Annotated[float, Field(strict=True)]
Whole = Annotated[int, Field(strict=True)]
SAMPLES, TIMEOUT_S = 3, 900.0


class MeasureOptions(Model):
    """The rarer switches of the command line."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"description": None})

    stop_after_launches: Annotated[Whole | None, Field(description="End the program at its N-th launch.")] = (
        None
    )
    stop_when_quiet_s: Annotated[Seconds | None, Field(description="Or so long after its last load.")] = None
    until_output: Annotated[str | None, Field(description="Or at output with this text.")] = None
    levers: Annotated[
        list[str],
        Field(
            description="Options to try without editing: enable_backward=false, pkg.mod:max_unroll=4, "
            "preload=4, auto."
        ),
    ] = []
    lever_budget_s: Annotated[Seconds, Field(description="Time for auto.")] = 600.0
    outputs: Annotated[bool, Field(strict=True, description="Record what launches compute, for compare.")] = (
        False
    )
    outputs_budget_mb: Annotated[Seconds, Field(description="Most that is hashed.")] = 1024.0
    steady_state: Annotated[bool, Field(strict=True, description="Time the launches, for compare.")] = False
    floor: Annotated[bool, Field(strict=True, description="Cost of one more module.")] = False
    rehearse_cuda: Annotated[list[str], Field(description="Without a GPU, build for these: sm_90.")] = []
    rehearsals: Annotated[Whole, Field(description="For each; a verdict needs 3.")] = 1
    rehearse_workers: Annotated[Whole, Field(description="Also build ahead with 1 to N threads.")] = 0
    rehearse_force: Annotated[bool, Field(strict=True, description="Despite a GPU.")] = False
    against: Annotated[str | None, Field(description="Report: up to 9 samples, as its verdict needs.")] = None


def measure_tool(runs: Runs, policy: Policy) -> Callable[..., Awaitable[Any]]:
    """The tool over the runs of a server, within its limits."""

    async def measure(
        context: Context[Any, Any],
        command: Annotated[
            list[str] | None,
            Field(description="Argument vector, the interpreter with Warp first; no shell."),
        ] = None,
        run_id: Annotated[str | None, Field(description="Instead of command: wait for that run.")] = None,
        cwd: Annotated[
            str | None, Field(description="Absolute directory to run in; needed with command.")
        ] = None,
        env: Annotated[
            dict[str, str] | None, Field(description="Variables to add; clients strip most of the user's.")
        ] = None,
        samples: Annotated[
            Whole, Field(description="Cold runs, each with a warm one; a verdict needs 3.")
        ] = SAMPLES,
        timeout_s: Annotated[Seconds, Field(description="Limit for each single run.")] = TIMEOUT_S,
        wait_s: Annotated[
            Seconds | None,
            Field(description="How long to wait before answering `running`."),
        ] = None,
        label: Annotated[str | None, Field(description="Name: before, after.")] = None,
        options: Annotated[
            MeasureOptions | None,
            Field(description="Rarer switches."),
        ] = None,
        cancel: Annotated[bool, Field(strict=True, description="With run_id: end that run.")] = False,
    ) -> Annotated[CallToolResult, MeasureSummary]:
        """Run a command with empty kernel caches, then warm, and say why it starts slowly and where to edit.

        Use it for programs that use NVIDIA Warp and wait before their first step, and again after a change;
        not to time kernels. The command runs for real, 2 x samples times, one measurement at a time. Long
        ones answer `running` with a run_id: call again with it. Nothing in the project is changed.
        """
        if (command is None) == (run_id is None):
            raise UsageError(
                "command_or_run",
                "Give either command or run_id.",
                "command starts a run; run_id waits for one.",
            )
        if command is not None and cancel:
            raise UsageError(
                "cancel_needs_run", "cancel ends a run by its run_id.", "Leave cancel out to measure."
            )
        budget = patience_s(wait_s, context)
        if run_id is not None:
            _refuse_with_run(
                cwd=cwd is not None,
                env=bool(env),
                samples=samples != SAMPLES,
                timeout_s=timeout_s != TIMEOUT_S,
                label=label is not None,
                options=options not in (None, MeasureOptions()),
            )
            return await _join(runs, run_id, budget, context, cancel=cancel)
        policy.check_measuring()
        request = _request(command or [], cwd, env, samples, timeout_s, label, options)
        against = _against(policy, options)
        if against is not None:
            workflows.check_samples(request)
        checked, recheck = policy.checked(request)
        run = runs.start(checked, recheck, against)
        return await _answer(runs, run, budget, context, owner=True)

    return measure


def _against(policy: Policy, options: MeasureOptions | None) -> Report | None:
    """The report that decides how many samples are made."""
    if options is None or options.against is None:
        return None
    check_report(policy, options.against)
    return workflows.find(options.against)


def _refuse_with_run(**given: bool) -> None:
    """Raises `UsageError` for arguments that go with a command: the run has its own already."""
    names = [name for name, is_given in given.items() if is_given]
    if names:
        raise UsageError(
            "only_with_command",
            f"{', '.join(names)} cannot be given with run_id: that run was started with its own.",
            "Call again with run_id alone, or with wait_s or cancel; or start another run with command.",
        )


def _request(
    command: list[str],
    cwd: str | None,
    env: dict[str, str] | None,
    samples: int,
    timeout_s: float,
    label: str | None,
    options: MeasureOptions | None,
) -> MeasureRequest:
    if cwd is None:
        raise UsageError("no_cwd", "cwd is missing.", "Give the absolute directory to run the command in.")
    if not os.path.isabs(os.path.expanduser(cwd)) or "\0" in cwd:
        raise UsageError(
            "relative_cwd", f"cwd {cwd!r} is not absolute.", "Give the absolute directory to run in."
        )
    chosen = options or MeasureOptions()
    return workflows.make_request(
        command,
        cwd=cwd,
        env=env,
        samples=samples,
        timeout_s=timeout_s,
        label=label,
        stop=workflows.stop_condition(
            chosen.stop_after_launches, chosen.stop_when_quiet_s, chosen.until_output
        ),
        levers=chosen.levers,
        lever_budget_s=_given(chosen, "lever_budget_s"),
        outputs=chosen.outputs,
        outputs_budget_mb=_given(chosen, "outputs_budget_mb"),
        steady_state=chosen.steady_state,
        floor=chosen.floor,
        rehearse_cuda=chosen.rehearse_cuda,
        rehearse_force=chosen.rehearse_force,
        rehearsals=_given(chosen, "rehearsals"),
        rehearse_workers=chosen.rehearse_workers,
    )


def _given(options: MeasureOptions, name: str) -> Any:
    """The value of an option; none where it is the default, which many clients fill in by themselves."""
    value = getattr(options, name)
    return None if value == MeasureOptions.model_fields[name].default else value


async def _join(
    runs: Runs, run_id: str, budget: float, context: Context[Any, Any], *, cancel: bool
) -> CallToolResult:
    """Wait for a run that another call started, or end it; one that is over may have left a report alone."""
    run = runs.find(run_id)
    if run is None:
        found = await wait_elsewhere(run_id, budget, context, cancel=cancel)
        return report_answer(found) if isinstance(found, Report) else found
    if cancel:
        await runs.end(run)
        budget = 0.0
    return await _answer(runs, run, budget, context, owner=False)


async def _answer(
    runs: Runs, run: Run, budget: float, context: Context[Any, Any], *, owner: bool
) -> CallToolResult:
    if not await runs.wait(run, budget, context, owner=owner):
        interpreter = workflows.interpreter_of(run.request)
        summary = running_summary(run.run_id, interpreter, run.request.cwd, run.progress)
        return success(summary, run_summary_text(summary))
    if run.crash is not None:
        raise run.crash
    if run.report is not None:
        problem = run.error if isinstance(run.error, workflows.WriteFailed) else None
        if problem is None or problem.kept:
            await notify_new_report(context, run.report.report_id)
        return report_answer(run.report, problem)
    if isinstance(run.error, workflows.Interrupted):
        summary = cancelled_summary(run.run_id, workflows.interpreter_of(run.request), run.request.cwd)
        return success(summary, run_summary_text(summary))
    assert run.error is not None
    raise run.error


def report_answer(report: Report, problem: workflows.WriteFailed | None = None) -> CallToolResult:
    """What a report says, and what could not be written, when something could not."""
    summary = measure_summary(report)
    if problem is not None:
        summary = unkept_report(summary, problem)
    return success(summary, measure_summary_text(summary))
