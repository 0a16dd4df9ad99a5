"""Our end of a sample's guard: starting it, keeping its lifeline, and telling it that all is done.

What belongs here: the pipe to one guard process and the words on it (described in `guard/__main__.py`). What
a sample's directory holds is the business of `isolation.py`.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guard", "__main__.py")
END_LIMIT_S = 6.0
"""How long its end is waited for; it goes on without us should it find more to remove than that allows."""


class Guard:
    """A process that clears `root` away should everybody be killed who works on it.

    To be entered before `root` is made. `run_id` is what the ids of the sample's runs begin with; `rescue`
    are directories of records, each with the place it is copied to before it is removed. Raises OSError when
    the process cannot be started.
    """

    def __init__(self, root: str, run_id: str, rescue: Sequence[tuple[str, str]] = ()) -> None:
        self._arguments = [root, run_id, *(path for pair in rescue for path in pair)]

    def __enter__(self) -> "Guard":
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", SCRIPT, *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            start_new_session=True,
        )
        assert self._process.stdin is not None
        self._pipe = self._process.stdin
        self.lifeline = self._pipe.fileno()
        """Descriptor that keeps the guard waiting for as long as anybody has it; supervisors inherit it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go. Unless it was told that all is done, the guard now does what is left to do."""
        with suppress(OSError):
            self._pipe.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(END_LIMIT_S)

    def made(self) -> None:
        """The directory is there, with its owner file."""
        self._say(b"made\n")

    def done(self) -> None:
        """The directory is gone, or was never made."""
        self._say(b"done\n")

    def _say(self, word: bytes) -> None:
        """A guard that was killed takes away a safety, nothing else."""
        with suppress(OSError):
            self._pipe.write(word)
