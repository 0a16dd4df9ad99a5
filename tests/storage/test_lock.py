"""One measurement at a time for each user, whatever becomes of the holder."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator

import pytest

from warp_mcp import storage

HOLDER = """
import sys, threading
from warp_mcp import storage
with storage.measurement_lock(lambda message: None, threading.Event()):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder() -> Generator["subprocess.Popen[str]", None, None]:
    """Another process that holds the lock until its stdin is closed."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def test_a_second_measurement_waits_and_says_for_whom(holder: "subprocess.Popen[str]") -> None:
    said: list[str] = []

    def on_wait(message: str) -> None:
        said.append(message)
        if len(said) == 2 and holder.stdin is not None:
            holder.stdin.close()

    with storage.measurement_lock(on_wait, threading.Event()) as held:
        assert held
    assert f"process {holder.pid}" in said[0]


def test_the_lock_dies_with_its_holder(holder: "subprocess.Popen[str]") -> None:
    os.kill(holder.pid, signal.SIGKILL)

    with storage.measurement_lock(lambda message: None, threading.Event()) as held:
        assert held


def test_waiting_ends_when_it_is_cancelled(holder: "subprocess.Popen[str]") -> None:
    cancel = threading.Event()

    with storage.measurement_lock(lambda message: cancel.set(), cancel) as held:
        assert not held
    assert holder.poll() is None


def test_two_threads_of_one_process_wait_for_each_other_too() -> None:
    waited = threading.Event()
    cancel = threading.Event()

    def second() -> None:
        with storage.measurement_lock(lambda message: waited.set(), cancel):
            pass

    with storage.measurement_lock(lambda message: None, threading.Event()):
        thread = threading.Thread(target=second)
        thread.start()
        assert waited.wait(10)
    thread.join(10)
    assert not thread.is_alive()
