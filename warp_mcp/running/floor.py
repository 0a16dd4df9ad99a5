"""Runs that tell what a one-kernel module costs, each in empty caches, in the interpreter of the program.

What belongs here: the command and the order of these runs. They have the environment, the directory, the
supervision and the isolation of a sample; what their records mean is none of this layer's business.
"""

import json
import os
import secrets
import threading
from collections.abc import Callable, Mapping

from warp_mcp.models.command import MeasureRequest, StopCondition
from warp_mcp.models.progress import Progress
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import RunResult
from warp_mcp.running.environment import PACKAGE, target_environment, user_environment
from warp_mcp.running.isolation import SampleDirectories, sample_directories
from warp_mcp.running.progress import Ticker
from warp_mcp.running.target import RunSpec, run_target

PROGRAM = os.path.join(PACKAGE, "floor", "one_kernel_modules.py")
MODULES = 5
"""One-kernel modules in a run: the first pays for what the others share."""
RUNS = 3
"""The fewest that tell a spread of the first one."""

FloorRun = tuple[RunResult, Recording]


def floor_runs(
    request: MeasureRequest,
    executable: str,
    target: Mapping[str, object],
    *,
    read: Callable[[RunResult], Recording],
    on_progress: Callable[[Progress], None],
    cancel: threading.Event,
) -> list[FloorRun]:
    """Build one-kernel modules in `executable`. `target`: `device`, `block_dim` and `options` (texts).

    Ends early with the first run that did not complete, which is then the last one handed back. Raises
    CannotWrite for a temp directory that cannot be used, UsageError when the interpreter cannot be started.
    """
    argv = [executable, PROGRAM, json.dumps({**target, "modules": MODULES})]
    ticker = Ticker(RUNS, on_progress)
    for step in ("cold", "warm"):
        ticker.expect(step, 0)
    ticker.expect("floor", RUNS)
    runs: list[FloorRun] = []
    for number in range(1, RUNS + 1):
        if cancel.is_set():
            break
        with sample_directories(secrets.token_hex(8)) as directories, ticker.step("floor", number) as tick:
            result = run_target(_spec(request, argv, directories), tick=tick, cancel=cancel)
            runs.append((result, read(result)))
        if result.outcome != "completed":
            break
    return runs


def _spec(request: MeasureRequest, argv: list[str], directories: SampleDirectories) -> RunSpec:
    record_dir = directories.records("cold")
    run_id = directories.run_id + secrets.token_hex(4)
    stop = StopCondition()
    env = target_environment(
        user_environment(request), stop, caches=directories.caches, record_dir=record_dir, run_id=run_id
    )
    return RunSpec(
        argv=argv,
        cwd=os.path.abspath(request.cwd),
        env=env,
        run_id=run_id,
        timeout_s=request.timeout_s,
        stop=stop,
        record_dir=record_dir,
        cache_dir=directories.kernels,
        lifeline=directories.lifeline,
    )
