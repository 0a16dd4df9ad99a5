"""What a user asks to have measured, checked before anything is started. Starts nothing itself."""

import os
import shlex
from collections.abc import Sequence

from pydantic import ValidationError

from warp_mcp.analysis.thresholds import MOST_SAMPLES
from warp_mcp.errors import UsageError
from warp_mcp.models.command import MOST_SECONDS, MeasureRequest, StopCondition
from warp_mcp.workflows.levers import parse_lever
from warp_mcp.workflows.rehearsing import parse_archs

RESERVED_LABEL = "latest"
"""Always means the newest report, so it cannot name one."""

MOST_WORDS = f"{MOST_SECONDS:.0f} (7 days)"

AUTO = "auto"
"""In place of a lever: those that the findings point to."""

MOST_LEVERS = 20
"""Levers of one measurement: each costs as many runs as the program itself does."""

LEVER_BUDGET_S, OUTPUTS_BUDGET_MB = 600.0, 1024.0
"""Where no other is given."""

LABEL_LIMIT = 80
"""Characters: a label is typed again at `compare`, and has to fit a line of `list`."""


def make_request(
    command: Sequence[str],
    *,
    cwd: str | None = None,
    env: dict[str, str] | None = None,
    samples: int = 3,
    timeout_s: float = 900.0,
    label: str | None = None,
    stop: StopCondition | None = None,
    levers: Sequence[str] = (),
    lever_budget_s: float | None = None,
    outputs: bool = False,
    outputs_budget_mb: float | None = None,
    steady_state: bool = False,
    floor: bool = False,
    rehearse_cuda: Sequence[str] = (),
    rehearse_force: bool = False,
    rehearsals: int | None = None,
    rehearse_workers: int = 0,
    compile_trace: bool = True,
) -> MeasureRequest:
    """Check what a user asked for, before anything is started; `warp_mcp.running` looks the command up.

    `levers`: as typed; "auto" stands for those that findings point to. `None` is what was not given; an
    option that nothing asked for would use is refused, code `option_without_use`.
    Raises `UsageError` when it cannot be carried out, with the step to take next.
    """
    _check_command(command)
    _check_label(label)
    _check_number(levers)
    budget_mb = OUTPUTS_BUDGET_MB if outputs_budget_mb is None else outputs_budget_mb
    try:
        asked = MeasureRequest(command=list(command), cwd=_directory(cwd), env=env or {})
        request = MeasureRequest(
            command=asked.command,
            cwd=asked.cwd,
            env=asked.env,
            samples=samples,
            timeout_s=timeout_s,
            label=label,
            stop=stop or StopCondition(),
            levers=[parse_lever(text) for text in dict.fromkeys(levers) if text.strip() != AUTO],
            auto_levers=any(text.strip() == AUTO for text in levers),
            lever_budget_s=LEVER_BUDGET_S if lever_budget_s is None else lever_budget_s,
            outputs=outputs,
            outputs_budget_bytes=max(0, round(budget_mb * 2**20)),
            steady_state=steady_state,
            floor=floor,
            rehearse_archs=parse_archs(rehearse_cuda, asked) if rehearse_cuda else [],
            rehearse_force=rehearse_force,
            rehearsals=1 if rehearsals is None else rehearsals,
            rehearse_workers=rehearse_workers,
            compile_trace=compile_trace,
        )
    except ValidationError as error:
        raise _bad_value(error) from error
    _check_uses(
        request, lever_budget_s=lever_budget_s, outputs_budget_mb=outputs_budget_mb, rehearsals=rehearsals
    )
    return request


def _check_uses(
    request: MeasureRequest,
    *,
    lever_budget_s: float | None,
    outputs_budget_mb: float | None,
    rehearsals: int | None,
) -> None:
    """Raises `UsageError` for an option that was given and that nothing asked for would use."""
    _check_used(
        lever_budget_s is None or request.auto_levers,
        "A time for levers is given, but none are to be chosen by what the findings point to",
        "Add the lever `auto`, or leave the time out.",
    )
    _check_used(
        outputs_budget_mb is None or request.outputs,
        "A budget for outputs is given, but outputs are not to be recorded",
        "Ask for outputs too, or leave the budget out.",
    )
    _check_used(
        bool(request.rehearse_archs)
        or (
            rehearsals is None
            and not request.rehearse_workers
            and not request.rehearse_force
            and request.compile_trace
        ),
        "Options of a rehearsal are given, but no architecture to rehearse for",
        "Add --rehearse-cuda sm_90, or another architecture, or leave them out.",
    )


def check_samples(request: MeasureRequest) -> None:
    """Raises `UsageError` where more samples are asked for than a comparison is given."""
    if request.samples > MOST_SAMPLES:
        raise UsageError(
            "bad_value",
            f"Against a report, the number of samples is the least that are made, and {MOST_SAMPLES} are the "
            f"most; {request.samples} are asked for.",
            f"Give {MOST_SAMPLES} at most, or compare afterwards.",
        )


def _check_used(is_used: bool, message: str, next_step: str) -> None:
    """Raises `UsageError`: an option that would be dropped in silence."""
    if not is_used:
        raise UsageError("option_without_use", f"{message}, so nothing would use it.", next_step)


def _check_number(levers: Sequence[str]) -> None:
    many = len(dict.fromkeys(levers))
    if many > MOST_LEVERS:
        raise UsageError(
            "too_many_levers",
            f"{many} levers are asked for; {MOST_LEVERS} are the most that one measurement tries.",
            "Split them over several measurements, or join options that belong together with commas.",
        )


def interpreter_of(request: MeasureRequest) -> str:
    """The path of what the command starts; its first word where nothing of that name can be run."""
    from warp_mcp.running.command import resolved
    from warp_mcp.running.environment import user_environment

    found = resolved(request.command, request.cwd, user_environment(request))
    return found or shown_words(request.command)[0]


def _directory(cwd: str | None) -> str:
    """The directory as an absolute path; whether it exists is looked at when the command is."""
    try:
        return os.path.abspath(os.path.expanduser(cwd or "."))
    except FileNotFoundError as error:
        raise UsageError(
            "no_such_directory", "The current directory is gone.", "Change to another one."
        ) from error


def _check_command(command: Sequence[str]) -> None:
    if not command:
        raise UsageError(
            "no_command",
            "There is no command to measure.",
            "Write it after two dashes: warp-mcp measure -- python your_program.py",
        )


def _check_label(label: str | None) -> None:
    if label is None:
        return
    if not label.strip() or len(label) > LABEL_LIMIT or not label.isprintable():
        raise UsageError(
            "bad_label",
            "A label is one to eighty printable characters.",
            "Choose a short name, such as: before",
        )
    if label == RESERVED_LABEL:
        raise UsageError(
            "bad_label",
            "“latest” always means the newest report; it cannot be a label.",
            "Choose another name.",
        )


_LIMITS = {
    "rehearsals": "Rehearsals are from 1 to 9.",
    "rehearse_workers": "Threads that build ahead are from 0 to 64.",
    "samples": "The number of samples is from 1 to 50; three are enough for a verdict.",
    "lever_budget_s": f"The time for levers is a number of seconds above 0, {MOST_WORDS} at most.",
    "outputs_budget_bytes": "The budget for outputs is a number of megabytes above 0.",
    "timeout_s": f"The time-out is a number of seconds above 0, {MOST_WORDS} at most.",
}


def _bad_value(error: ValidationError) -> UsageError:
    first = error.errors()[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    message = f"The value {first['input']!r} cannot be used: {first['msg'][:1].lower()}{first['msg'][1:]}."
    return UsageError("bad_value", message, _LIMITS.get(name, f"Check {name}."))


def stop_condition(
    after_launches: int | None = None, when_quiet_s: float | None = None, until_output: str | None = None
) -> StopCondition:
    """The one condition that was asked for, if any.

    Raises `UsageError` when it is more than one, or out of range.
    """
    given = [value for value in (after_launches, when_quiet_s, until_output) if value is not None]
    if len(given) > 1:
        raise UsageError(
            "two_stops",
            "Only one stop condition can be used at a time.",
            "Keep the one that is the same in every run.",
        )
    try:
        return StopCondition(
            after_launches=after_launches, when_quiet_s=when_quiet_s, until_output=until_output
        )
    except ValidationError as error:
        raise UsageError(
            "bad_value",
            f"The stop condition cannot be used: {error.errors()[0]['msg'].lower()}.",
            f"Launches are 1 or more, seconds above 0 and {MOST_WORDS} at most, and the text is not empty.",
        ) from error


def shown_words(command: Sequence[str]) -> list[str]:
    """The words of a command with what looks like a secret masked."""
    from warp_mcp.running import masked

    return masked(command)


def shown(command: Sequence[str]) -> str:
    """A command as it can be pasted, with what looks like a secret masked."""
    from warp_mcp.running import masked

    return shlex.join(masked(command))
