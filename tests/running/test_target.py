"""How a run ends, and what is said about it."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from tests.running.conftest import (
    STUBBORN_FAMILY,
    Program,
    alive,
    cold,
    measure,
    pids_in,
    wait_for,
)


@pytest.mark.parametrize(
    ("body", "outcome", "code"),
    [
        ("pass", "completed", 0),
        ("import sys; sys.exit(3)", "failed", 3),
        ("raise ValueError('no')", "failed", 1),
        ("import os; os._exit(0)", "completed", 0),
        ("import os; os._exit(7)", "failed", 7),
        ("import os; os.abort()", "failed", -signal.SIGABRT),
        ("import os; os.kill(os.getpid(), 11)", "failed", -signal.SIGSEGV),
        ("import os; os.kill(os.getpid(), 9)", "failed", -signal.SIGKILL),
        ("import os; os.kill(os.getpid(), 15)", "failed", -signal.SIGTERM),
    ],
)
def test_the_exit_code_is_the_programs_own(
    program: Program, tmp_path: Path, body: str, outcome: str, code: int
) -> None:
    result = cold(program(body), tmp_path)
    assert (result.outcome, result.exit_code, result.stopped_by) == (outcome, code, "none")


def test_a_crash_shows_the_programs_last_lines(program: Program, tmp_path: Path) -> None:
    result = cold(program("print('before'); raise RuntimeError('the reason')"), tmp_path)
    assert result.stdout_tail == "before\n"
    assert "RuntimeError: the reason" in result.stderr_tail


def test_standard_input_is_empty(program: Program, tmp_path: Path) -> None:
    result = cold(program("import sys; print(repr(sys.stdin.read()))"), tmp_path)
    assert result.stdout_tail == "''\n"


def test_binary_output_is_kept_readable(program: Program, tmp_path: Path) -> None:
    body = r"import sys; sys.stdout.buffer.write(b'\x00\xff\x1b[31mred\x1b[0m\n\x07ok\n')"
    result = cold(program(body), tmp_path)
    assert result.stdout_tail == "\ufffdred\nok\n"


def test_a_flood_of_output_neither_blocks_nor_grows(program: Program, tmp_path: Path) -> None:
    body = "import sys\nfor n in range(20_000): sys.stderr.write('x' * 1023 + chr(10))\nprint('end')"
    result = cold(program(body), tmp_path)
    assert result.outcome == "completed"
    assert result.stdout_tail == "end\n"
    assert 0 < len(result.stderr_tail) <= 64 * 1024


def test_the_program_runs_in_the_given_directory(program: Program, tmp_path: Path) -> None:
    directory = tmp_path / "elsewhere"
    directory.mkdir()
    result = cold(program("import os; print(os.getcwd())"), directory)
    assert result.stdout_tail.strip() == str(directory)


def test_a_command_may_be_a_path_relative_to_the_working_directory(tmp_path: Path) -> None:
    script = tmp_path / "bin" / "run.sh"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\necho $0 $1\n", encoding="utf-8")
    script.chmod(0o755)
    assert cold(["bin/run.sh", "a b"], tmp_path).stdout_tail == "bin/run.sh a b\n"


def test_a_shell_wrapper_and_env_pass_everything_on(program: Program, tmp_path: Path) -> None:
    python, script = program("import os, sys; print(os.environ['A'], sys.argv[1:]); sys.exit(4)")
    wrapped = ["sh", "-c", 'env A=b "$0" "$1" "x y"; exit $?', python, script]
    result = cold(wrapped, tmp_path)
    assert (result.stdout_tail, result.exit_code) == ("b ['x y']\n", 4)


def test_signals_are_as_without_the_probe(program: Program, tmp_path: Path) -> None:
    body = """
import signal
print([signal.getsignal(n).name if hasattr(signal.getsignal(n), "name") else "python"
       for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)])
print(signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""
    command = program(body)
    # Whoever started the tests may have had signals ignored: a shell does that for its background jobs.
    alone = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert cold(command, tmp_path).stdout_tail.splitlines() == alone.splitlines()


def test_no_descriptor_of_the_probe_reaches_the_program(tmp_path: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc on this system")
    listed = cold(["ls", "/proc/self/fd"], tmp_path).stdout_tail.split()
    assert listed == ["0", "1", "2", "3"], "3 is the directory that `ls` itself has open"


def test_a_time_out_ends_the_whole_family(program: Program, tmp_path: Path, pids: Path, temp: Path) -> None:
    result = cold(program(STUBBORN_FAMILY), tmp_path, timeout_s=2.0)
    assert (result.outcome, result.stopped_by, result.exit_code) == ("timed_out", "timeout", None)
    family = pids_in(pids)
    assert len(family) == 4
    assert not [pid for pid in family if alive(pid)]
    assert list(temp.iterdir()) == []


def test_what_was_printed_before_a_time_out_is_kept(program: Program, tmp_path: Path) -> None:
    body = "import time; print('so far', flush=True); time.sleep(300)"
    assert cold(program(body), tmp_path, timeout_s=1.5).stdout_tail == "so far\n"


def test_a_cancel_ends_the_run_and_returns_it(
    program: Program, tmp_path: Path, pids: Path, temp: Path
) -> None:
    cancel = threading.Event()
    command = program(STUBBORN_FAMILY)

    def cancel_when_running() -> None:
        wait_for(lambda: len(pids_in(pids)) == 4)
        cancel.set()

    threading.Thread(target=cancel_when_running).start()
    samples = measure(command, tmp_path, cancel=cancel, samples=3)
    assert [(one.cold.outcome, one.warm) for one in samples] == [("cancelled", None)]
    assert not [pid for pid in pids_in(pids) if alive(pid)]
    assert list(temp.iterdir()) == []


def test_an_interrupt_leaves_nothing_behind_and_is_passed_on(
    program: Program, tmp_path: Path, pids: Path, temp: Path
) -> None:
    command = program(STUBBORN_FAMILY)

    def interrupt(_progress: object) -> None:
        if len(pids_in(pids)) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(command, tmp_path, on_progress=interrupt)
    assert not [pid for pid in pids_in(pids) if alive(pid)]
    assert list(temp.iterdir()) == []


def test_a_daemon_that_ends_by_itself_is_waited_for(program: Program, tmp_path: Path) -> None:
    body = """
import os, time
if os.fork() == 0:
    os.setsid(); time.sleep(1.0); open("finished", "w").close()
"""
    result = cold(program(body), tmp_path)
    assert (result.outcome, result.left_running) == ("completed", 0)
    assert (tmp_path / "finished").exists()


def test_daemons_that_live_on_are_ended_and_counted(program: Program, tmp_path: Path, pids: Path) -> None:
    body = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        open(os.path.join(os.environ["PIDS"], str(os.getpid())), "w").close()
        time.sleep(300)
time.sleep(0.5)
os._exit(5)  # no warm run
"""
    result = cold(program(body), tmp_path)
    assert (result.outcome, result.exit_code, result.left_running) == ("failed", 5, 2)
    assert (result.wall_ms or 0.0) < 10_000, "the wall is that of the command, not of what it left"
    assert not [pid for pid in pids_in(pids) if alive(pid)]


SEEN = "import time; time.sleep(2)"
"""Processes are found by looking again and again: one that is to be found lives through any hiccup."""


def test_python_processes_are_listed_and_others_are_not(program: Program, tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only the command itself is known here")
    body = """
import subprocess, sys
subprocess.run(["sleep", "0.3"])
subprocess.run([sys.executable, "-c", "import time; time.sleep(2)"])
"""
    command = program(body)
    result = cold(command, tmp_path)
    parent, child = result.processes
    assert parent.argv == command and parent.exit_code == 0
    assert child.argv[1:] == ["-c", "import time; time.sleep(2)"]
    assert child.parent == parent.pid


def test_a_fork_is_listed_and_the_moment_before_an_exec_is_not(program: Program, tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only the command itself is known here")
    body = """
import os, time
worker = os.fork()
if worker == 0:
    time.sleep(2)
    os._exit(0)
for _ in range(100):
    child = os.fork()
    if child == 0:
        os.execvp("true", ["true"])
    os.waitpid(child, 0)
os.waitpid(worker, 0)
print(worker)
"""
    result = cold(program(body), tmp_path)
    assert [one.pid for one in result.processes[1:]] == [int(result.stdout_tail)]


def test_a_wrapper_that_becomes_python_is_listed_as_python(program: Program, tmp_path: Path) -> None:
    if sys.platform != "linux":
        pytest.skip("only the command itself is known here")
    python, script = program(SEEN)
    result = cold(["sh", "-c", f"exec env A=b {python} {script}"], tmp_path)
    assert [one.argv for one in result.processes] == [[python, script]]


def test_secrets_are_hidden_in_what_is_said_and_not_in_what_is_run(program: Program, tmp_path: Path) -> None:
    command = [
        *program("import sys, time; time.sleep(2); print(sys.argv[1:])"),
        "--token",
        "abc",
        "KEY=def",
    ]
    result = cold(command, tmp_path)
    assert result.stdout_tail == "['--token', 'abc', 'KEY=def']\n"
    assert [one.argv[2:] for one in result.processes] == [["--token", "***", "KEY=***"]]


def test_a_program_that_fills_the_pipe_and_hangs_is_still_timed_out(program: Program, tmp_path: Path) -> None:
    body = "import os\nwhile True: os.write(1, b'y' * 65536)"
    assert cold(program(body), tmp_path, timeout_s=1.5).outcome == "timed_out"


def test_a_stopped_program_is_ended_too(program: Program, tmp_path: Path) -> None:
    body = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
    assert cold(program(body), tmp_path, timeout_s=1.5).outcome == "timed_out"


WAITS = """
import os, time
open(os.path.join(os.environ["PIDS"], str(os.getpid())), "w").close()
time.sleep(300)
"""


def signal_supervisor(pids: Path, number: int) -> None:
    """From another thread, once the program runs."""

    def send() -> None:
        wait_for(lambda: len(pids_in(pids)) == 1)
        time.sleep(0.2)
        supervisor = psutil.Process(pids_in(pids)[0]).parent()
        assert supervisor is not None
        supervisor.send_signal(number)

    threading.Thread(target=send).start()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_whose_supervisor_is_ended_has_failed_and_leaves_nothing(
    program: Program, tmp_path: Path, pids: Path, temp: Path, number: int
) -> None:
    signal_supervisor(pids, number)
    result = cold(program(WAITS), tmp_path)
    assert (result.outcome, result.exit_code) == ("failed", None)
    assert wait_for(lambda: not alive(pids_in(pids)[0]), 5.0)
    assert list(temp.iterdir()) == []


def test_a_supervisor_that_hangs_cannot_prevent_the_time_out(
    program: Program, tmp_path: Path, pids: Path, temp: Path
) -> None:
    signal_supervisor(pids, signal.SIGSTOP)
    assert cold(program(WAITS), tmp_path, timeout_s=2.0).outcome == "timed_out"
    assert wait_for(lambda: not alive(pids_in(pids)[0]), 5.0)
    assert list(temp.iterdir()) == []
