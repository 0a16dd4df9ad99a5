"""What a machine with a GPU would build: compiled here for real, without a GPU."""

from warp_mcp.models.base import Model
from warp_mcp.models.compile_trace import CompileTrace
from warp_mcp.models.finding import Finding, Warning
from warp_mcp.models.launches import KernelContent, Launches
from warp_mcp.models.metric import Metric
from warp_mcp.models.modules import ModuleEntry, Rebuild, Structure
from warp_mcp.models.root import Root
from warp_mcp.models.run import RunOutcome


class NotRehearsed(Model):
    """Something that only a real device does."""

    what: str
    """The launch or the call."""
    why: str
    count: int = 1


class WorkersTried(Model):
    """The same variants, built ahead of the first launch by several threads."""

    workers: int
    wait_ms: float
    """Length of the union of all build intervals."""
    work_ms: float
    """Sum of the load times."""
    builds: int
    duplicates: int
    """Builds of variants that no launch used: a preload at another block_dim."""
    peak_builds: int


class RehearsedRun(Model):
    """How one run of the rehearsal ended."""

    outcome: RunOutcome
    exit_code: int | None
    stderr_tail: str
    stdout_tail: str


class RehearsedArch(Model):
    """One architecture. What it holds is as in a report of a CUDA measurement, without anything of the wall:
    kernels ran on the CPU, and were built for it beside.
    """

    arch: str
    """`sm_90`."""
    runs: list[RehearsedRun]
    metrics: dict[str, Metric]
    """Over the completed runs."""
    structure: Structure
    modules: list[ModuleEntry]
    rebuilds: list[Rebuild]
    roots: list[Root]
    launches: Launches
    kernels: list[KernelContent]
    findings: list[Finding]
    warnings: list[Warning]
    not_rehearsed: list[NotRehearsed]
    workers: list[WorkersTried] = []
    """By number of workers, one first; empty when that was not asked for."""
    compile_trace: CompileTrace | None = None
    """Inside the largest modules, from a separate build; of the first architecture only."""


class Rehearsal(RehearsedArch):
    """The rehearsal of a report: the first architecture asked for, and the others."""

    archs: list[str]
    others: list[RehearsedArch] = []
