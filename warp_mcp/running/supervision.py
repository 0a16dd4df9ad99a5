"""Our end of the supervisor: starting it, telling it to end the target, reading its report, and making sure.

What belongs here: the pipes to one supervisor process and the wire between us (described in
`supervisor/__main__.py`).
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from warp_mcp.running.command import cannot_start
from warp_mcp.running.processes import end_marked

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "supervisor")
END_LIMIT_S = 6.0
"""A supervisor that has not reported so long after being told to end (it needs 4 s at most) is lost."""
READ_BYTES = 64 * 1024


@dataclass(frozen=True)
class Seen:
    """A Python process of the run."""

    pid: int
    parent: int
    argv: list[str]
    code: int | None
    isolated: bool | None = None


@dataclass(frozen=True)
class SupervisorReport:
    """What the supervisor said at the end. See `supervisor/__main__.py` for the meaning."""

    code: int | None
    wall_ms: float
    ended: bool
    left_running: int
    survivors: int
    cpu_s: float
    processes: list[Seen] = field(default_factory=list[Seen])


class Supervision:
    """A supervised command, from `__enter__` to `__exit__`; afterwards nothing of it runs."""

    def __init__(
        self,
        argv: Sequence[str],
        cwd: str,
        env: Mapping[str, str],
        run_id: str,
        lifeline: int | None = None,
    ) -> None:
        self._argv = argv
        self._order = {"argv": list(argv), "cwd": cwd, "env": dict(env), "lifeline_fd": lifeline}
        self._kept = () if lifeline is None else (lifeline,)
        self._run_id = run_id
        self._line = b""
        self._started = False
        self._told = False
        self._lost_at = float("inf")
        self._report: SupervisorReport | None = None
        self._begun_s = time.monotonic()
        self.exited = False
        """The command itself has ended; others may still run."""
        self.done = False
        """The supervisor has said its last word."""

    def __enter__(self) -> "Supervision":
        out, out_target = os.pipe()
        err, err_target = os.pipe()
        self.pipes = {"stdout": out, "stderr": err}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                pass_fds=(out_target, err_target, *self._kept),
                start_new_session=True,
            )
        except BaseException:
            os.close(out)
            os.close(err)
            raise
        finally:
            os.close(out_target)
            os.close(err_target)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._control = self._process.stdin
        self.pipes["report"] = self._process.stdout.fileno()
        order = {**self._order, "stdout_fd": out_target, "stderr_fd": err_target}
        self._send(json.dumps(order).encode() + b"\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the pipe, which makes the supervisor end what is left, and wait for it."""
        with suppress(OSError):
            self._control.close()
        try:
            self._process.wait(END_LIMIT_S)
        except subprocess.TimeoutExpired:
            self._give_up()
        finally:
            if self._process.poll() is None:
                self._give_up()
            os.close(self.pipes["stdout"])
            os.close(self.pipes["stderr"])
            assert self._process.stdout is not None
            self._process.stdout.close()
            if self._report is None or self._report.survivors or sys.platform != "linux":
                end_marked(self._run_id)

    @property
    def report(self) -> SupervisorReport:
        """The last word; when the supervisor was killed, what can be said without it."""
        if self._report is not None:
            return self._report
        wall_ms = (time.monotonic() - self._begun_s) * 1000
        told = self._lost_at < float("inf")
        return SupervisorReport(None, wall_ms, ended=told, left_running=0, survivors=0, cpu_s=0.0)

    def read(self, name: str) -> bytes:
        """Bytes from one of the pipes; empty at its end.

        Raises UsageError when the report says that the command could not be started.
        """
        chunk = os.read(self.pipes[name], READ_BYTES)
        if name == "report":
            self._take(chunk)
        return chunk

    def end(self) -> None:
        """Tell the supervisor, once, to end the target; give it up when it does not answer."""
        self._lost_at = min(self._lost_at, time.monotonic() + END_LIMIT_S)
        if self._started and not self._told:
            self._told = True
            self._send(b"end\n")
        if time.monotonic() > self._lost_at:
            self.done = True

    def _send(self, text: bytes) -> None:
        with suppress(OSError):
            while text:
                text = text[self._control.write(text) or 0 :]

    def _take(self, chunk: bytes) -> None:
        self.done = self.done or not chunk
        *lines, self._line = (self._line + chunk).split(b"\n")
        for line in lines:
            self._note(json.loads(line))

    def _note(self, event: dict[str, Any]) -> None:
        kind = event.pop("event")
        if kind == "refused":
            raise cannot_start(self._argv, event["errno"])
        if kind == "started":
            self._started = True
        elif kind == "exited":
            self.exited = True
        else:
            processes = [Seen(**seen) for seen in event.pop("processes")]
            self._report = SupervisorReport(**event, processes=processes)
            self.done = True

    def _give_up(self) -> None:
        """Kill the supervisor; its target is then found by the run id."""
        self._process.kill()
        self._process.wait()
