"""What was recorded in a measurement whose report could not be made: kept whole, so that nothing is lost."""

from pathlib import Path

from warp_mcp.models.base import Model
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.run import Extras, Machine, SampleRecording
from warp_mcp.storage.files import to_json, write_atomic
from warp_mcp.storage.state import private_dir

FOLDER = "recordings"


class Measurement(Model):
    """Everything a report is made of."""

    request: MeasureRequest
    machine: Machine
    samples: list[SampleRecording]
    """Of the unchanged program."""
    extras: Extras = Extras()


def save_recordings(report_id: str, measurement: Measurement) -> Path:
    """Keep the recordings under the id their report would have had.

    Raises `CannotWrite`: the state directory is not writable or the disk is full.
    """
    path = private_dir(FOLDER) / f"{report_id}.json"
    write_atomic(path, to_json(measurement))
    return path
