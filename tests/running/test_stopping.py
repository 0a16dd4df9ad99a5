"""Stop conditions that the probe watches from outside."""

import json
import os
import time
from pathlib import Path

import pytest

from tests.running.conftest import Program, cold, wait_for
from warp_mcp.models.command import StopCondition
from warp_mcp.running.stopping import RecordWatch, UntilOutput, stopper_for

WRITES_RECORDS = """
import json, os, sys, threading, time

def open_record():
    name = "%d-%d.jsonl" % (os.getpid(), 1)
    return open(os.path.join(os.environ["WARP_MCP_RECORD_DIR"], name), "a", buffering=1)

record = open_record()

def say(kind, **rest):
    record.write(json.dumps({"e": kind, **rest}) + "\\n")

def now():
    return time.monotonic_ns()

def build(seconds, thread=1):
    say("build_begin", t=now(), thread=thread)
    time.sleep(seconds)
    say("load", t0=0, t1=now(), thread=thread)
"""


def run(program: Program, tmp_path: Path, body: str, quiet_s: float = 0.6, timeout_s: float = 30.0):
    return cold(
        program(WRITES_RECORDS + body),
        tmp_path,
        stop=StopCondition(when_quiet_s=quiet_s),
        timeout_s=timeout_s,
    )


def test_a_program_is_ended_once_it_is_quiet(program: Program, tmp_path: Path) -> None:
    result = run(program, tmp_path, 'build(0.1); say("mark", name="first_launch", t=now()); time.sleep(300)')
    assert (result.outcome, result.stopped_by, result.exit_code) == ("completed", "when_quiet", None)


def test_a_build_that_takes_longer_than_the_quiet_is_waited_for(program: Program, tmp_path: Path) -> None:
    body = (
        'say("mark", name="first_launch", t=now()); build(2.0); print("built", flush=True); time.sleep(300)'
    )
    result = run(program, tmp_path, body)
    assert result.stopped_by == "when_quiet" and result.stdout_tail == "built\n"


def test_two_builds_side_by_side_are_both_waited_for(program: Program, tmp_path: Path) -> None:
    body = """
say("mark", name="first_launch", t=now())
other = threading.Thread(target=build, args=(2.0, 2)); other.start()
build(0.1, 1); other.join(); print("both", flush=True); time.sleep(300)
"""
    assert run(program, tmp_path, body).stdout_tail == "both\n"


def test_nothing_is_quiet_before_the_first_launch(program: Program, tmp_path: Path) -> None:
    result = run(program, tmp_path, "build(0.1); time.sleep(300)", timeout_s=2.5)
    assert (result.outcome, result.stopped_by) == ("timed_out", "timeout")


def test_a_process_that_died_in_the_middle_of_a_build_does_not_count_as_building(
    program: Program, tmp_path: Path
) -> None:
    body = """
say("mark", name="first_launch", t=now())
if os.fork() == 0:
    record = open_record()
    say("build_begin", t=now(), thread=1)
    os._exit(1)
os.wait(); time.sleep(300)
"""
    assert run(program, tmp_path, body).stopped_by == "when_quiet"


def test_a_program_that_ends_by_itself_is_not_stopped(program: Program, tmp_path: Path) -> None:
    result = run(program, tmp_path, 'say("mark", name="first_launch", t=now()); sys.exit(3)')
    assert (result.outcome, result.stopped_by, result.exit_code) == ("failed", "none", 3)


def test_a_record_is_read_line_by_line_while_it_grows(tmp_path: Path) -> None:
    path = tmp_path / f"{os.getpid()}-1.jsonl"
    watch = RecordWatch(str(path))
    watch.follow()
    line = json.dumps({"e": "build_begin", "t": 7, "thread": 1}).encode() + b"\n"
    path.write_bytes(b"not json\n[1]\n" + line[:10])
    watch.follow()
    assert not watch.building
    with path.open("ab") as file:
        file.write(line[10:])
    watch.follow()
    assert watch.building and watch.latest_ns == 7


def test_a_text_on_standard_error_is_found_too() -> None:
    stopper = UntilOutput("ready")
    stopper.feed("stdout", b"rea")
    stopper.feed("stderr", b"dy")
    assert not stopper.due(), "the two streams are not one"
    stopper.feed("stderr", b" now ready\n")
    assert stopper.due()


def test_a_line_in_two_pieces_is_kept_whole_and_a_prompt_is_not_waited_for() -> None:
    stopper = UntilOutput("ready")
    stopper.feed("stdout", b"ready")
    assert stopper.reached() and not stopper.due()
    stopper.feed("stdout", b" now\n")
    assert stopper.due()
    prompt = UntilOutput("password:")
    prompt.feed("stdout", b"password:")
    assert wait_for(prompt.due)


def test_a_program_that_reaches_its_text_and_then_fails_has_completed(
    program: Program, tmp_path: Path
) -> None:
    body = "import sys; print('ready'); sys.exit(3)"
    result = cold(program(body), tmp_path, stop=StopCondition(until_output="ready"))
    assert (result.outcome, result.stopped_by) == ("completed", "until_output")


def test_a_process_that_says_it_stopped_ends_the_rest(program: Program, tmp_path: Path) -> None:
    body = """
import os, time
if os.fork() == 0:
    open(os.path.join(os.environ["WARP_MCP_RECORD_DIR"], "stopped"), "w").close()
    os._exit(0)
time.sleep(300)
"""
    result = cold(program(body), tmp_path, stop=StopCondition(after_launches=5))
    assert (result.outcome, result.stopped_by, result.exit_code) == ("completed", "after_launches", None)


@pytest.mark.parametrize("stop", [StopCondition(), StopCondition(when_quiet_s=0.01)])
def test_an_untouched_program_is_never_due(tmp_path: Path, stop: StopCondition) -> None:
    stopper = stopper_for(stop, str(tmp_path))
    time.sleep(0.02)
    assert not stopper.due() and not stopper.reached()
