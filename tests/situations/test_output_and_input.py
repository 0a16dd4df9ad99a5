"""What a program does with its output, input and directory changes nothing about the report."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.situations.measuring import SAMPLES, Probe, python
from tests.situations.situation import Situation, holds

TABLE = [
    Situation("Warp is silenced by its log level", python("silences_warp")),
    Situation("Warp's messages go to a logger of the program's own", python("uses_its_own_logger")),
    Situation("bytes that are no text are written to both outputs", python("writes_binary_output")),
    Situation("the program changes directory and removes the new one", python("changes_directory")),
    Situation("the program reads its input, which is empty", python("reads_stdin")),
]


@pytest.mark.parametrize("situation", TABLE, ids=lambda situation: situation.says)
def test_the_report_is_right_when(situation: Situation, probe: Probe) -> None:
    holds(situation, probe)


@pytest.mark.parametrize(
    "runner",
    [("pytest", "-q", "-p", "no:cacheprovider", "captured_test.py"), ("unittest", "captured_test")],
    ids=lambda runner: runner[0],
)
def test_the_report_is_right_when_output_is_captured_by(
    runner: tuple[str, ...], probe: Probe, tmp_path: Path
) -> None:
    shutil.copy(SAMPLES / "captured_test.py", tmp_path)

    holds(Situation("captured", (sys.executable, "-m", *runner), launches=4, distinct=1), probe)


def test_the_program_sees_its_world_as_without_the_probe(probe: Probe, tmp_path: Path) -> None:
    command = [*python("shows_its_environment"), "an argument with spaces", "--json", "--"]
    bare = subprocess.run(
        command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )

    measured = probe.measure(*command)

    seen, expected = json.loads(measured.sample["stdout_tail"]), json.loads(bare.stdout)
    attach = set(seen.pop("path")) - set(expected.pop("path"))
    assert seen == expected
    assert len(attach) <= 1
    assert measured.process.returncode == 6
