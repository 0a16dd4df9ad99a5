"""The report of one measurement: schema `warp-mcp/report/1`."""

from typing import Literal

from pydantic import Field

from warp_mcp.models.base import Model
from warp_mcp.models.finding import Finding, Warning
from warp_mcp.models.floor import Floor, FloorUse
from warp_mcp.models.launches import KernelContent, Launches, SignatureCount
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.metric import Metric
from warp_mcp.models.modules import Cause, ModuleEntry, PhaseCost, Rebuild, Structure
from warp_mcp.models.outputs import Outputs
from warp_mcp.models.rehearsal import Rehearsal
from warp_mcp.models.root import Root
from warp_mcp.models.run import RunOutcome
from warp_mcp.models.sampling import Sampling
from warp_mcp.models.sequence import Sequence, SequenceSegment, Work
from warp_mcp.models.steady_state import SteadyState

__all__ = [
    "Cause",
    "Environment",
    "Isolation",
    "KernelContent",
    "Launches",
    "Metric",
    "ModuleEntry",
    "PhaseCost",
    "ProcessEntry",
    "Rehearsal",
    "Rebuild",
    "Report",
    "SCHEMA",
    "Sample",
    "SampleOutcome",
    "Sequence",
    "SequenceSegment",
    "SignatureCount",
    "Structure",
    "WallPart",
    "WarmRun",
    "Work",
]

SCHEMA = "warp-mcp/report/1"

SampleOutcome = Literal["completed", "failed", "timed_out", "cancelled", "not_attached"]


class Environment(Model):
    """The machine and the versions; times are comparable only where the fingerprint is equal."""

    fingerprint: str
    cpu: str
    cores: int
    memory_bytes: int
    gpu: str | None
    driver: str | None
    cuda_toolkit: str | None
    platform: str
    python: str | None
    """Version of the target's interpreter; null when no process attached."""
    executable: str | None
    """Of the program's own process; when none attached, what the command's first word names."""
    warp: str | None
    variables: dict[str, str]
    """`WARP_*` and `CUDA_*` variables that the user had set."""


class Isolation(Model):
    """Whether every cold sample used its own empty caches."""

    ok: bool
    violations: list[str]
    """Sentences, each with the `file:line` where it is known."""


class WarmRun(Model):
    """The run that followed a cold one, on the cache it filled."""

    outcome: RunOutcome
    exit_code: int | None
    wall_ms: float | None
    """Null when the probe was killed during the run."""
    module_ms: float
    compiled: list[str]
    """Names of modules that were compiled again: the cache was not reused for them."""


class Sample(Model):
    """One cold run and its warm run."""

    outcome: SampleOutcome
    exit_code: int | None
    stderr_tail: str
    stdout_tail: str
    cold_wall_ms: float | None
    """Null when the probe was killed before the sample was over."""
    cold_module_ms: float
    overlap_factor: float | None
    peak_builds: int
    launches: int
    stopped_by: str
    """`none`, a stop condition, `timeout`, `cancel`, or `probe_killed`."""
    foreign_load: float
    warm: WarmRun | None
    """Null when no warm run was made, as after a failed or timed-out cold run."""


class ProcessEntry(Model):
    """One Python process of the reference run."""

    pid: int
    parent: int
    argv: list[str]
    attached: bool
    exit_code: int | None


class WallPart(Model):
    """A part of the cold wall: `interpreter`, `imports`, `warp_import`, `compilation`, `program`."""

    name: str
    ms: float
    detail: str


class Report(Model):
    """One measurement. Every field is present in every report; unknown is null or said in `warnings`."""

    schema_: str = Field(default=SCHEMA, alias="schema", serialization_alias="schema")
    report_id: str
    label: str | None
    created_at: str
    """ISO 8601, UTC."""
    command: list[str]
    cwd: str
    stop: str
    """Kind of stop condition, with its value; "none" for a program that ends by itself."""
    environment: Environment
    isolation: Isolation
    samples: list[Sample]
    metrics: dict[str, Metric]
    structure: Structure
    wall_parts: list[WallPart]
    modules: list[ModuleEntry]
    rebuilds: list[Rebuild]
    roots: list[Root] = []
    """The lines behind the rebuilds, the dearest first; their costs add up to those of the rebuilds."""
    launches: Launches
    kernels: list[KernelContent]
    processes: list[ProcessEntry]
    findings: list[Finding]
    warnings: list[Warning]
    recorder: dict[str, float]
    """`hook_ms` and `hook_percent` of the reference run's cold wall."""
    levers: list[LeverResult] = []
    """What each lever that was tried bought, the most first."""
    outputs: Outputs | None = None
    """What the launches computed; null when that was not asked for."""
    steady_state: SteadyState | None = None
    """How long launches take once everything is built; null when that was not asked for."""
    floor: Floor | None = None
    """What one more one-kernel module costs here; null when that was not measured."""
    floor_use: FloorUse | None = None
    """What that says of splitting and merging the modules of this program."""
    sampling: Sampling | None = None
    """Why there are as many samples as there are; null when a number was asked for."""
    rehearsal: Rehearsal | None = None
    """What a machine with a GPU would build; null when that was not asked for."""
