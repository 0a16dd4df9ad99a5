"""A runner that only says how each run would end, and notes what was asked of it."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from tests.running.conftest import nothing_recorded
from warp_mcp.errors import CannotWrite
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import RunOutcome, RunResult
from warp_mcp.running.injection import Injection
from warp_mcp.running.isolation import SampleDirectories


class FakeRunner:
    """Notes what is asked of it; each run ends as the list says."""

    def __init__(self, *outcomes: RunOutcome, room_for: int = 99, root: str = "/nowhere") -> None:
        self.root = root
        self.outcomes = list(outcomes)
        self.room_for = room_for
        self.log: list[str] = []
        self.injected: list[dict[str, object]] = []

    @contextmanager
    def sample(self) -> Generator[SampleDirectories]:
        if self.log.count("made") == self.room_for:
            raise CannotWrite("temp_not_writable", "The disk is full.", "Free some space.")
        self.log.append("made")
        yield SampleDirectories(self.root, "id")
        self.log.append("removed")

    def run(
        self, step: str, sample: SampleDirectories, injection: Injection, tick: Callable[[], None]
    ) -> RunResult:
        self.log.append(step)
        self.injected.append(injection.parts)
        return RunResult(
            outcome=self.outcomes.pop(0) if self.outcomes else "completed",
            exit_code=None,
            wall_ms=1.0,
            stdout_tail="",
            stderr_tail="",
            stopped_by="none",
            processes=[],
            left_running=0,
            foreign_load=0.0,
            record_dir="",
            cache_dir="",
        )

    def read(self, result: RunResult) -> Recording:
        self.log.append("read")
        return nothing_recorded(result)
