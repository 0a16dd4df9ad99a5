"""An option to be tried without editing the program, and what that bought."""

from typing import Literal

from warp_mcp.models.base import Model
from warp_mcp.models.comparison import OutputsStatus, SteadyStatus, Verdict
from warp_mcp.models.metric import Metric


class Setting(Model):
    """One option with its value, for one module or for the process."""

    option: str
    value: bool | int | float | str | None
    module: str | None = None
    """Name of the module it is set on; null for the whole process."""


class Lever(Model):
    """Options that are applied together, or modules that are built ahead side by side."""

    text: str
    """As typed."""
    settings: list[Setting] = []
    preload: int | None = None
    """Workers that build the modules of the unchanged run before the first launch."""


class LeverResult(Model):
    """What one lever bought, measured beside the unchanged runs and interleaved with them."""

    lever: str
    """As typed."""
    metrics: dict[str, Metric]
    """Of the runs with the lever, by the names of the report's own metrics."""
    judged_on: str
    delta: float | None
    """Change of the judged metric in ms, lever minus unchanged; null where a side does not tell it."""
    delta_percent: float | None
    """The same in percent of the unchanged median; negative is less."""
    verdict: Verdict
    reasons: list[str]
    """The first says why the verdict is what it is."""
    samples: int
    """Completed samples with the lever."""
    modules_moved: list[str]
    """Modules whose hashes differ from those of the unchanged run: the receipt that the option arrived."""
    modules_unmoved: list[str]
    """Modules that the option did not reach."""
    source_bytes: int | None
    """Generated source in the runs with the lever; null where none completed."""
    source_bytes_unchanged: int
    workload: Literal["preserved", "changed", "unverified"]
    outputs: OutputsStatus
    steady_state: SteadyStatus
    slower_kernels: list[str] = []
    """Kernels that run slower with the lever; empty also where that was not measured."""
    takes_away: list[str]
    """Sentences: what the option would take away, and whether this run used it."""
    problems: list[str] = []
    """Sentences: what of the lever could not be applied, by the runs themselves."""
    failures: list[str] = []
    """Sentences: how the runs with the lever ended that did not complete; empty where all did."""
    applied: bool | None = None
    """Whether the runs with it show that it took hold; null where none completed, and in reports of before
    this was told."""
    sampling: str = ""
    """Why no more samples were made; empty when a number was asked for."""
