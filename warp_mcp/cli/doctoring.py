"""The command `warp-mcp doctor`: options in, text or JSON out. Computes nothing itself."""

import sys
import threading
from typing import get_args

import click

from warp_mcp.cli import terminal
from warp_mcp.models.diagnosis import ClientName
from warp_mcp.presentation import cli_help

PROBLEM = 1
SILENCE_S = 1.0
"""A check-up that takes longer says what it is at."""


@click.command(help=cli_help.DOCTOR_HELP, short_help=cli_help.SHORT["doctor"])
@click.option("--json", "as_json", is_flag=True, help="Write the result as JSON.")
@click.option("--python", metavar="INTERPRETER", help="The interpreter your program runs with.")
@click.option(
    "--client", type=click.Choice(get_args(ClientName)), help="Show the configuration of this client only."
)
def doctor(as_json: bool, python: str | None, client: ClientName | None) -> int:
    """Check the installation; see `cli_help`."""
    # Imported here: no other command needs them, and every command waits for what this file imports.
    from warp_mcp.presentation.doctor_text import doctor_text
    from warp_mcp.workflows import doctoring

    with Patience() as patience:
        diagnosis = doctoring.diagnose(
            python=python, client=client, started_as=sys.argv[0], on_step=patience.step
        )
    text = doctoring.to_json(diagnosis) if as_json else doctor_text(diagnosis, terminal.look(sys.stdout))
    terminal.write(text, sys.stdout)
    return 0 if diagnosis.healthy else PROBLEM


class Patience:
    """Says on stderr what is looked at, once a second has passed."""

    def __init__(self, silence_s: float = SILENCE_S) -> None:
        self._step = ""
        self._late = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(silence_s, self._begin)
        self._timer.daemon = True

    def __enter__(self) -> "Patience":
        """Start to wait."""
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Say no more."""
        self._timer.cancel()

    def step(self, words: str) -> None:
        """What is looked at from now on."""
        with self._lock:
            self._step = words
            if self._late:
                self._say()

    def _begin(self) -> None:
        with self._lock:
            self._late = True
            self._say()

    def _say(self) -> None:
        terminal.write(f"Checking {self._step} …", sys.stderr)
