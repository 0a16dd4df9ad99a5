"""Launches are counted exactly, however they are made and however the program ends."""

import signal

import pytest

from tests.recorder.target import KERNEL, Target

ENDS = {
    "os._exit": ("os._exit(0)", 0),
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
    "a crash in native code": ("ctypes.string_at(0)", -signal.SIGSEGV),
}


@pytest.mark.parametrize(("end", "code"), ENDS.values(), ids=ENDS.keys())
def test_launches_are_exact_however_the_program_ends(target: Target, end: str, code: int) -> None:
    loop = "import ctypes, os, signal\nfor _ in range(12344):\n"
    loop += "    wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
    result = target.recorded(target.program(KERNEL + loop + end + "\n"))
    assert result.returncode == code
    assert [process.launches for process in target.processes()] == [12345]


def test_a_forked_child_begins_with_no_launches_of_its_parent(target: Target) -> None:
    text = KERNEL + (
        "import os\nwp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "child = os.fork()\n"
        "for _ in range(2 if child == 0 else 5):\n    wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "if child == 0:\n    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    parent, child = sorted(target.processes(), key=lambda process: process.forked)
    assert (parent.launches, child.launches) == (7, 2)
    assert child.parent == parent.pid
    assert child.signatures[0].hash == parent.signatures[0].hash


def test_more_threads_than_are_kept_apart_still_lose_no_launch(target: Target) -> None:
    text = KERNEL + (
        "import threading, sys\n"
        "threads = sys.modules.get('_warp_mcp_recorder.threads')\n"
        "if threads: threads.MAX_THREADS = 8\n"
        "def one():\n    for _ in range(2):\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "for _ in range(40):\n    t = threading.Thread(target=one)\n    t.start()\n    t.join()\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    (process,) = target.processes()
    assert process.launches == 81
    assert sum(signature.count for signature in process.signatures) == 81
    assert len(process.streams) <= 9


def test_launches_from_a_signal_handler_neither_hang_nor_get_lost(target: Target) -> None:
    text = KERNEL + (
        "import signal\nran = [1]\n"
        "def once(*_):\n"
        "    wp.launch(add, dim=ran[0] % 97 + 1, inputs=[y], device='cpu')\n    ran[0] += 1\n"
        "y = wp.zeros(100, dtype=float, device='cpu')\n"
        "signal.signal(signal.SIGALRM, once)\nsignal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)\n"
        "for n in range(60000):\n    wp.launch(add, dim=n % 700 + 1, inputs=[x], device='cpu')\n"
        "signal.setitimer(signal.ITIMER_REAL, 0)\nprint(ran[0] + 60000)\n"
    )
    text = text.replace("x = wp.zeros(8", "x = wp.zeros(800")
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert process.launches == int(result.stdout)


def test_launches_from_the_garbage_collector_do_not_hang(target: Target) -> None:
    text = KERNEL + (
        "import gc\nran = [1]\nbusy = []\n"
        "def once(phase, info):\n"
        "    if phase == 'start' and not busy:\n"
        "        busy.append(1)\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "        ran[0] += 1\n        busy.pop()\n"
        "gc.callbacks.append(once)\ngc.set_threshold(1)\n"
        "for n in range(3000):\n"
        "    wp.launch(add, dim=n % 8 + 1, inputs=[x], device='cpu')\n    ran[0] += 1\n"
        "gc.callbacks.clear()\nprint(ran[0])\n"
    )
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert process.launches == int(result.stdout)


def test_a_fork_leaves_the_launches_of_the_parents_threads_alone(target: Target) -> None:
    text = KERNEL + (
        "import os, threading\n"
        "go, done = threading.Event(), threading.Event()\n"
        "def other():\n"
        "    wp.launch(add, dim=8, inputs=[x], device='cpu')\n    done.set()\n    go.wait()\n"
        "    for _ in range(50):\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "thread = threading.Thread(target=other)\nthread.start()\ndone.wait()\n"
        "child = os.fork()\n"
        "if child == 0:\n    wp.launch(add, dim=8, inputs=[x], device='cpu')\n    os._exit(0)\n"
        "os.waitpid(child, 0)\ngo.set()\nthread.join()\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    parent, child = sorted(target.processes(), key=lambda process: process.forked)
    assert (parent.launches, child.launches) == (52, 1)


def test_a_recorded_command_without_threads_does_not_run(target: Target) -> None:
    text = KERNEL + (
        "command = wp.launch(add, dim=8, inputs=[x], device='cpu', record_cmd=True)\n"
        "command.launch()\ncommand.set_dim(0)\ncommand.launch()\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    assert [process.launches for process in target.processes()] == [2]


def test_counters_that_find_no_file_are_kept_in_memory_and_said(target: Target) -> None:
    # No room, or no descriptors, for the map of the thread's launches.
    text = KERNEL.replace(
        "x = wp", "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000))\nx = wp"
    )
    text += (
        "for _ in range(9999):\n    wp.launch(add, dim=8, inputs=[x], device='cpu')\nprint(x.numpy()[0])\n"
    )
    path = target.program(text)
    target.bare(target.program(KERNEL))
    result = target.recorded(target.program(text))
    assert (result.returncode, result.stdout) == (0, "10000.0\n"), (path, result.stderr)
    (process,) = target.processes()
    assert process.launches == 10000
    assert [problem.code for problem in process.problems] == ["hook_failed"]


def test_launches_at_the_recursion_limit_are_counted_or_said_to_be_missing(target: Target) -> None:
    text = KERNEL + (
        "import sys\nran = [1]\n"
        "def deeper():\n"
        "    try:\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n        ran[0] += 1\n"
        "    except RecursionError:\n        return\n"
        "    deeper()\n"
        "try:\n    deeper()\nexcept RecursionError:\n    pass\nprint(int(x.numpy()[0]))\n"
    )
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    missing = int(result.stdout) - process.launches
    assert 0 <= missing < 20
    assert (missing > 0) == any(problem.code == "uncounted_launches" for problem in process.problems)
