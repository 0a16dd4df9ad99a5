"""The check-up: what is looked at in which order, and how clients are told to start this installation."""

import os
import sys
from collections.abc import Callable

from warp_mcp import __version__, storage
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.diagnosis import Check, ClientName, Diagnosis
from warp_mcp.presentation.client_configuration import client_configurations, serve_options
from warp_mcp.running import describe_machine
from warp_mcp.workflows import own_checks, program_checks, server_variables

MODULE = "warp_mcp"
SCRIPT = "warp-mcp"


def diagnose(
    *,
    python: str | None = None,
    client: ClientName | None = None,
    started_as: str = "",
    on_step: Callable[[str], None] = lambda words: None,
) -> Diagnosis:
    """Look at everything, without changing anything.

    `python` is the interpreter of the user's program, where the user names one; `client` limits the
    configurations to one client; `started_as` is the program's own name as the shell gave it. `on_step`
    gets words for what is looked at next.
    """
    command = own_command(started_as)
    here = _here()
    carried = server_variables.carried(os.environ)
    return Diagnosis(
        version=__version__,
        command=command,
        checks=_checks(python, here, on_step),
        configurations=[
            one for one in client_configurations(command, carried) if client in (None, one.client)
        ],
        serve_options=serve_options(here),
    )


def to_json(diagnosis: Diagnosis) -> str:
    """The public JSON text."""
    return storage.to_json(diagnosis)


def own_command(started_as: str) -> list[str]:
    """Absolute words that start this installation: its script, else its interpreter with `-m`."""
    beside = os.path.join(os.path.dirname(sys.executable), SCRIPT)
    named = os.path.abspath(started_as) if os.path.basename(started_as) == SCRIPT else ""
    for path in (beside, named):
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return [path]
    return [sys.executable, "-m", MODULE]


def _checks(python: str | None, here: str, on_step: Callable[[str], None]) -> list[Check]:
    on_step("interpreters with Warp")
    found = program_checks.find_interpreters(python, here)
    on_step("whether Warp starts")
    started = program_checks.start_warp(found)
    on_step("the GPU and its driver")
    machine = describe_machine(MeasureRequest(command=[sys.executable], cwd=here))
    on_step("temp space, state directory and references")
    return [
        own_checks.interpreter_check(),
        program_checks.interpreters_check(found),
        program_checks.start_check(started),
        program_checks.gpu_check(machine, started),
        own_checks.temp_check(),
        own_checks.state_check(),
        own_checks.lock_check(),
        server_variables.variables_check(os.environ),
        own_checks.references_check(),
    ]


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        # It was removed; nothing is lost but the interpreters that were near.
        return "/"
