"""How a workflow can end other than by a result. What a user can do about it is in each of them."""

from warp_mcp.errors import CannotWrite, ProbeError
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.report import Report


class Interrupted(ProbeError):
    """The measurement was cancelled before one sample was complete: exit code 130 (128 + SIGINT)."""

    exit_code = 130


class WriteFailed(CannotWrite):
    """Something could not be written, but there is a report or comparison: it comes along, to be shown."""

    def __init__(self, cause: CannotWrite, value: Report | Comparison, *, kept: bool = False) -> None:
        super().__init__(cause.code, cause.message, cause.next_step)
        self.value = value
        self.kept = kept
        """It lies in the state directory all the same: what could not be written was something else."""
