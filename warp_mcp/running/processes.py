"""Finding processes of a run from outside: the second line of defence, when a supervisor was killed.

What belongs here: looking at other processes of this user. In an ordinary run nothing here is needed,
because the supervisor knows its own descendants.
"""

import os
from contextlib import suppress

import psutil

from warp_mcp.running.environment import RUN_ID


def end_marked(run_id: str) -> int:
    """Kill every process whose environment carries a run id that begins so; returns how many.

    The ids of a sample's runs begin with the sample's own. An empty id marks nothing.
    """
    ended = 0
    if not run_id:
        return ended
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.pid != os.getpid() and process.environ().get(RUN_ID, "").startswith(run_id):
                process.kill()
                ended += 1
    return ended
