"""Measurements under way, kept from the first second: should the probe be killed, how far they got is read.

Layout: `runs/<report id>/` with `owner.lock`, held for as long as the probe lives, `measurement.json` (what
is measured, and the samples so far) and, once the probe was killed, the records of the sample it was in the
middle of, moved there by the sample's guard. The directory is gone when the report is kept.
"""

import contextlib
import shutil
from collections.abc import Generator
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from warp_mcp.errors import CannotWrite, UnreadableReport
from warp_mcp.models.run import ArmRecording
from warp_mcp.storage.files import to_json, write_atomic
from warp_mcp.storage.recordings import Measurement
from warp_mcp.storage.state import private_dir, state_dir

FOLDER = "runs"
_MEASUREMENT = "measurement.json"
_RECORDS = "records"


class OpenRun:
    """One measurement under way."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def records(self) -> str:
        """Where the records of a run go whose probe was killed."""
        return str(self._path / _RECORDS)

    def keep(self, measurement: Measurement) -> None:
        """Keep what is known so far. A state directory that is full takes away this safety, nothing else."""
        with contextlib.suppress(CannotWrite):
            write_atomic(self._path / _MEASUREMENT, to_json(measurement))


@contextlib.contextmanager
def open_run(report_id: str) -> Generator[OpenRun, None, None]:
    """A directory for one measurement, removed at the end however that comes, except by a kill.

    Raises `CannotWrite`: the state directory cannot be used.
    """
    path = private_dir(FOLDER, report_id, _RECORDS).parent
    lock = FileLock(path / "owner.lock", mode=0o600)
    # Whoever looks for runs that were killed takes it for a moment, to see whether it is free.
    lock.acquire(timeout=5)  # pyright: ignore[reportUnknownMemberType]
    try:
        yield OpenRun(path)
    finally:
        lock.release()
        shutil.rmtree(path, ignore_errors=True)


def run_is_open(report_id: str) -> bool:
    """Whether a living probe, this one or another, measures this."""
    path = _path(report_id)
    if path is None:
        return False
    try:
        with FileLock(path / "owner.lock", timeout=0):
            return False
    except (Timeout, OSError):
        return True


def abandoned_runs() -> list[str]:
    """Ids of measurements whose probe was killed, oldest first."""
    found = (state_dir() / FOLDER).glob("r-*")
    return sorted(path.name for path in found if not run_is_open(path.name))


def read_run(report_id: str) -> tuple[Measurement, Path]:
    """An abandoned measurement, and where the records of the run it was in are, if there are any.

    Raises `UnreadableReport`: nothing can be read.
    """
    path = _path(report_id)
    if path is None:
        raise UnreadableReport("no_such_run", f"There is no run {report_id}.", "See: warp-mcp list")
    try:
        text = (path / _MEASUREMENT).read_text(encoding="utf-8")
        return Measurement.model_validate_json(text), path / _RECORDS
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise UnreadableReport(
            "lost_run", f"The run {report_id} was killed before anything of it was kept.", "Measure again."
        ) from error


def forget_run(report_id: str) -> None:
    """Remove an abandoned measurement, once there is a report of it or nothing to read."""
    path = _path(report_id)
    if path is not None:
        shutil.rmtree(path, ignore_errors=True)


def with_series(measurement: Measurement, series: list[ArmRecording]) -> Measurement:
    """The same measurement with these runs: the unchanged ones first, then those with a lever."""
    if not series:
        return measurement
    told = {
        "passes": series[0].passes,
        "arms": [arm for arm in series[1:] if arm.arch is None],
        "rehearsals": [arm for arm in series[1:] if arm.arch is not None],
    }
    extras = measurement.extras.model_copy(update=told)
    return measurement.model_copy(update={"samples": series[0].samples, "extras": extras})


def _path(report_id: str) -> Path | None:
    """The directory of a run; `None` when there is none, or the id is no id."""
    if not report_id.startswith("r-") or not report_id.replace("-", "").isalnum():
        return None
    path = state_dir() / FOLDER / report_id
    return path if path.is_dir() else None
