"""How the command line uses the terminal: live progress and errors on stderr, colour, width."""

import contextlib
import errno
import os
import shutil
import sys
import time
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, TextIO

from warp_mcp.errors import CannotWrite, ProbeError
from warp_mcp.models.progress import Progress
from warp_mcp.presentation import Look, error_text, progress_text

if TYPE_CHECKING:
    from rich.progress import TaskID

WIDEST = 100
"""Columns. Longer lines are hard to read, and this fits the pages reports are pasted into."""
NARROWEST = 60
SIGN_OF_LIFE_S = 15.0
"""Longest silence on a stream that is not a terminal: continuous-integration logs look dead after that."""


def look(stream: TextIO) -> Look:
    """Colour and width for what is written to `stream`: plain text of 100 columns unless it is a terminal."""
    directory = _here()
    if not stream.isatty():
        return Look(color=False, width=WIDEST, directory=directory)
    color = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    columns = shutil.get_terminal_size((WIDEST, 24)).columns
    return Look(color=color, width=max(NARROWEST, min(WIDEST, columns)), directory=directory)


def _here() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        # It was removed; that is for the commands to complain about that need it.
        return None


def prepare_streams() -> None:
    """Replace characters that the terminal cannot show; let a closed stream swallow what it is given."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started us: there is nobody to write to
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))
        else:
            stream.reconfigure(errors="replace")


GONE = (errno.EPIPE, errno.EIO)
"""The reader has gone away (`| head`), or the terminal was closed: nobody is there to be told."""


def write(text: str, stream: TextIO) -> None:
    """Write a text and end the line.

    Raises `CannotWrite` when standard output has no room for it. What cannot be said on stderr is left
    unsaid: neither progress nor an error message may end what is going on.
    """
    try:
        stream.write(text if text.endswith("\n") else text + "\n")
        stream.flush()
    except OSError as error:
        # What is left in the buffer must not raise again at interpreter exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if error.errno not in GONE and stream is not sys.stderr:
            message = f"The output could not be written: {error.strerror or error}."
            raise CannotWrite("cannot_write", message, "Free some space, or write it elsewhere.") from error


def say_error(error: ProbeError) -> None:
    """One sentence and the next step, on stderr."""
    write(error_text(error.message, error.next_step, look(sys.stderr)), sys.stderr)


@contextlib.contextmanager
def live_progress(stream: TextIO) -> Generator[Callable[[Progress], None], None, None]:
    """A function that shows progress: one moving line on a terminal, a line for each step elsewhere."""
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        yield PlainProgress(stream)
        return
    with _moving(stream) as moving:
        yield moving


class PlainProgress:
    """Writes a line when a step begins, and a sign of life within long ones."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._step: tuple[str, int] | None = None
        self._said_at = 0.0

    def __call__(self, progress: Progress) -> None:
        """Show one report of progress, unless it only repeats the last."""
        step = (progress.step, progress.sample)
        now = time.monotonic()
        if step == self._step and now - self._said_at < SIGN_OF_LIFE_S:
            return
        self._step, self._said_at = step, now
        write(progress_text(progress), self._stream)


@contextlib.contextmanager
def _moving(stream: TextIO) -> Generator[Callable[[Progress], None], None, None]:
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    console = Console(file=stream, width=look(stream).width, highlight=False)
    bar = Bar(
        SpinnerColumn(),
        BarColumn(bar_width=24),
        TextColumn("{task.description}"),
        console=console,
        transient=True,
    )
    with bar:
        task: TaskID = bar.add_task("Starting", total=1.0)

        def show(progress: Progress) -> None:
            bar.update(task, description=progress_text(progress), completed=_fraction(progress), refresh=True)

        yield show


def _fraction(progress: Progress) -> float:
    """Share of the time, where it can be told; else share of the runs."""
    if progress.remaining_s is not None and progress.elapsed_s + progress.remaining_s > 0:
        return progress.elapsed_s / (progress.elapsed_s + progress.remaining_s)
    return progress.done / progress.total if progress.total else 0.0
