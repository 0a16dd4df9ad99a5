"""When the server goes away, for whatever reason, nothing that it started lives on."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.clients import PATIENCE_S, Raw, child_of, stubborn, wait_until_gone


@pytest.mark.parametrize(
    "event", ["stdin closes", signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL]
)
def test_when_the_server_goes_away_nothing_it_started_lives_on(
    raw: Raw, tmp_path: Path, event: str | int
) -> None:
    raw.call(stubborn(tmp_path), 1)
    child = child_of(tmp_path)

    if isinstance(event, int):
        raw.process.send_signal(event)
    elif raw.process.stdin is not None:
        raw.process.stdin.close()

    raw.process.wait(PATIENCE_S)
    wait_until_gone(child)


def test_an_idle_server_ends_at_a_signal_and_says_which(raw: Raw) -> None:
    raw.process.send_signal(signal.SIGTERM)

    assert raw.process.wait(PATIENCE_S) == 128 + signal.SIGTERM


def test_standard_output_holds_the_protocol_alone_whatever_the_program_prints(raw: Raw) -> None:
    noise = "import os; [os.write(fd, b'\\xff\\x00{not json}\\n' * 1000) for fd in (1, 2)]"

    raw.call([sys.executable, "-c", noise], 1)

    assert raw.answer(1)["result"]["structuredContent"]["samples"] == ["completed"]


def test_the_server_imports_neither_warp_nor_numpy() -> None:
    script = (
        "import sys\nfrom warp_mcp.cli import main\n"
        "try:\n    main(['serve'])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('warp', 'numpy') if name in sys.modules], file=sys.stderr)\n"
    )

    result = subprocess.run(
        [sys.executable, "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )

    assert result.stderr.splitlines()[-1] == "[]"
    assert result.stdout == ""
