"""Variables that a server started by a client would miss: which matter, and which a configuration carries.

Clients give the servers they start a handful of variables and nothing else. What they are told to add is
written by `presentation/client_configuration.py`.
"""

from collections.abc import Mapping

from warp_mcp import storage
from warp_mcp.models.diagnosis import Check
from warp_mcp.running.masking import MASK, is_secret_name, masked_text, printable
from warp_mcp.storage.state import VARIABLE as STATE_DIR

CLIENTS_PASS = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
"""What clients give the servers they start, and nothing else."""

OF_THE_SERVER = (STATE_DIR, "WARP_MCP_WAIT_S", "TMPDIR", "TEMP", "TMP")
"""Where reports are kept, how long a call waits, and where the caches of samples are made."""

OF_PROGRAMS = ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "PYTHONPATH")
OF_PROGRAMS_PREFIXES = ("WARP_", "CUDA_", "NVIDIA_")
"""Variables that decide how a program that uses Warp runs."""

ACTIVATED = ("VIRTUAL_ENV", "CONDA_PREFIX")
"""Of an activated environment, which a command tells by its interpreter."""


def carried(env: Mapping[str, str]) -> dict[str, str]:
    """What every client's configuration has to add; no secret is written into a file that is shared."""
    found = {
        name: printable(value)
        for name, value in sorted(env.items())
        if _of_the_server(name, value) or (_of_programs(name) and masked_text(value) == printable(value))
    }
    if STATE_DIR in found:
        found[STATE_DIR] = str(storage.state_dir())
    return {name: value for name, value in found.items() if not is_secret_name(name)}


def variables_check(env: Mapping[str, str]) -> Check:
    """Which variables a program or the server itself would miss in a server that a client starts."""
    missed = {
        name: value
        for name, value in sorted(env.items())
        if _of_the_server(name, value) or _of_programs(name) or name in ACTIVATED
    }
    title, name = "Variables that clients leave out", "variables"
    if not missed:
        message = "None is set here that a program would miss."
        return Check(name=name, title=title, status="ok", message=message)
    listed = ", ".join(f"{one}={_value(one, value)}" for one, value in missed.items())
    return Check(
        name=name,
        title=title,
        status="warning",
        message=f"Set here, and not in a server that a client starts: {listed}.",
        next=_how_to_pass(list(missed), env),
    )


def _of_the_server(name: str, value: str) -> bool:
    return name in OF_THE_SERVER and bool(value.strip())


def _of_programs(name: str) -> bool:
    if name in CLIENTS_PASS or name.startswith("WARP_MCP_"):
        return False
    return name in OF_PROGRAMS or name.startswith(OF_PROGRAMS_PREFIXES)


def _value(name: str, value: str) -> str:
    return MASK if is_secret_name(name) else masked_text(value)


def _how_to_pass(missed: list[str], env: Mapping[str, str]) -> str:
    """The configurations carry most; an activated environment is told by its interpreter."""
    steps = ["The configurations below carry them."] if any(name in missed for name in carried(env)) else []
    if rest := [name for name in missed if _of_programs(name)]:
        steps.append(f"{'Or pass' if steps else 'Pass'} {', '.join(rest)} in `env` of measure.")
    if any(name in ACTIVATED for name in missed):
        steps.append("Begin the command with the full path of the environment's python.")
    return " ".join(steps)
