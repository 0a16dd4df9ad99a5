"""The environment a target runs in: the user's own, what the request adds, and the probe's variables.

What belongs here: names and values of variables. Directories are made in `isolation.py`.
"""

import os
from collections.abc import Collection, Mapping

from warp_mcp.models.command import MeasureRequest, StopCondition

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORDER = os.path.join(PACKAGE, "recorder", "attach")
RUN_ID = "WARP_MCP_RUN_ID"
RECORD_DIR = "WARP_MCP_RECORD_DIR"

INTERVENTIONS = os.path.join(PACKAGE, "interventions", "attach")
INTERVENTION = "WARP_MCP_INTERVENTION"
STOP_AFTER = "WARP_MCP_STOP_AFTER_LAUNCHES"
_INTERVENTION_FOR = {"after_launches": "stop_after_launches", "until_output": "line_buffering"}
"""What is changed on purpose in the target, by the kind of stop condition that needs it."""


def user_environment(request: MeasureRequest) -> dict[str, str]:
    """What the target would see without the probe."""
    return {**os.environ, **request.env}


def target_environment(
    user: Mapping[str, str],
    stop: StopCondition,
    *,
    caches: Mapping[str, str],
    record_dir: str,
    run_id: str,
    injected: Collection[str] = (),
) -> dict[str, str]:
    """The user's environment with the recorder in front of PYTHONPATH; nothing of it is dropped.

    `caches` maps the variables of the isolated caches to their directories; `injected` names what else is
    changed in this run on purpose.
    """
    front = [RECORDER]
    added = {**caches, RECORD_DIR: record_dir, RUN_ID: run_id}
    names = [*injected, *([_INTERVENTION_FOR[stop.kind]] if stop.kind in _INTERVENTION_FOR else [])]
    if names:
        front.append(INTERVENTIONS)
        added[INTERVENTION] = ",".join(names)
    if stop.after_launches is not None:
        added[STOP_AFTER] = str(stop.after_launches)
    if user.get("PYTHONPATH"):
        front.append(user["PYTHONPATH"])
    return {**user, **added, "PYTHONPATH": os.pathsep.join(front)}
