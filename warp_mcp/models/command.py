"""What the user asked to have measured. No process is started here."""

from typing import Literal

from pydantic import Field

from warp_mcp.models.base import Model
from warp_mcp.models.lever import Lever

MOST_SECONDS = 7 * 24 * 3600.0
"""Of a time-out or a wait within a run. A cold start takes minutes; who gives more wants to wait for ever,
and clocks of the operating system overflow somewhere above."""


class StopCondition(Model):
    """Ends a target that would not end by itself. At most one of the three is set."""

    after_launches: int | None = Field(default=None, ge=1)
    """End the process at its N-th launch, the same point in every run."""
    when_quiet_s: float | None = Field(default=None, gt=0, le=MOST_SECONDS)
    """End the target once nothing was built for this many seconds after the first launch."""
    until_output: str | None = Field(default=None, min_length=1)
    """End the target at the first line of its output that contains this text."""

    @property
    def kind(self) -> Literal["none", "after_launches", "when_quiet", "until_output"]:
        """Which of the three is set."""
        if self.after_launches is not None:
            return "after_launches"
        if self.when_quiet_s is not None:
            return "when_quiet"
        return "until_output" if self.until_output is not None else "none"


class MeasureRequest(Model):
    """One measurement: a command, where it runs, and how often."""

    command: list[str] = Field(min_length=1)
    """Argument vector; never a shell string."""
    cwd: str
    """Absolute directory in which the command runs."""
    env: dict[str, str] = {}
    """Variables added to the inherited environment."""
    samples: int = Field(default=3, ge=1, le=50)
    """Cold samples; each is followed by its warm run."""
    timeout_s: float = Field(default=900.0, gt=0, le=MOST_SECONDS)
    """Limit for each single run."""
    label: str | None = None
    stop: StopCondition = StopCondition()
    levers: list[Lever] = []
    """Each is tried beside the unchanged runs."""
    auto_levers: bool = False
    """Also try those that the findings of the first sample point to."""
    lever_budget_s: float = Field(default=600.0, gt=0)
    """Seconds that levers chosen by findings may take in all."""
    outputs: bool = False
    """Record what launches compute, in passes of their own."""
    outputs_budget_bytes: int = Field(default=2**30, gt=0)
    """Most bytes hashed in one such pass."""
    steady_state: bool = False
    """Time launches in warm runs of their own."""
    floor: bool = False
    """Measure what one more one-kernel module costs."""
    rehearse_archs: list[int] = []
    """CUDA architectures to compile for without a GPU; 90 stands for sm_90."""
    rehearse_force: bool = False
    """Also where there is a GPU."""
    rehearsals: int = Field(default=1, ge=1, le=9)
    """Cold runs of the rehearsal for each architecture."""
    rehearse_workers: int = Field(default=0, ge=0, le=64)
    """Most threads that build the variants ahead; 0: that is not tried."""
    compile_trace: bool = True
    """Build the largest modules of the rehearsal once more, to see what each kernel takes."""
