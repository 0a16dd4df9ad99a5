"""Lines reach the reader when they are written, as on a terminal."""

import sys
from pathlib import Path

from tests.running.conftest import cold
from warp_mcp.models.command import StopCondition


def test_a_line_that_python_would_keep_in_its_buffer_is_seen(tmp_path: Path) -> None:
    body = "import time; print('ready'); time.sleep(300)"
    stop = StopCondition(until_output="ready")
    result = cold(
        [sys.executable, "-c", body], tmp_path, stop=stop, timeout_s=30.0, env={"PYTHONUNBUFFERED": ""}
    )
    assert (result.outcome, result.stopped_by, result.stdout_tail) == ("completed", "until_output", "ready\n")


def test_an_ordinary_run_keeps_the_buffering_of_a_pipe(tmp_path: Path) -> None:
    body = "import sys; print(sys.stdout.line_buffering)"
    assert cold([sys.executable, "-c", body], tmp_path).stdout_tail == "False\n"


def test_a_program_without_standard_output_starts_as_ever(tmp_path: Path) -> None:
    command = ["sh", "-c", f"exec {sys.executable} -c 'import os; os._exit(5)' >&- 2>&-"]
    result = cold(command, tmp_path, stop=StopCondition(until_output="never"))
    assert (result.outcome, result.exit_code, result.stderr_tail) == ("failed", 5, "")
