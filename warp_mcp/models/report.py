"""The report of one measurement: schema `warp-mcp/report/1`."""

from typing import Literal

from pydantic import Field

from warp_mcp.models.base import Model
from warp_mcp.models.finding import Finding, Warning
from warp_mcp.models.floor import Floor, FloorUse
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.metric import Metric
from warp_mcp.models.outputs import Outputs
from warp_mcp.models.root import CauseKind, Root
from warp_mcp.models.run import RunOutcome
from warp_mcp.models.sampling import Sampling
from warp_mcp.models.steady_state import SteadyState

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


class PhaseCost(Model):
    """Time in one phase of building."""

    ms: float
    cpu_ms: float


class ModuleEntry(Model):
    """One identity seen in the reference cold run, over all its processes."""

    name: str
    hash: str
    device: str
    block_dim: int
    status: Literal["compiled", "cached", "error"]
    builds: int
    ms: float
    cpu_ms: float
    phases: dict[str, PhaseCost]
    """Keys: `hash_ms`, `codegen_ms`, `native_compile_ms`, `header_ms`, `lto_ms`, `load_ms`."""
    launches: int
    adjoint_launches: int
    kernels: list[str]
    """Keys; cut after 200, the count is in `kernel_count`."""
    kernel_count: int
    options: dict[str, str]
    source_bytes: int
    lto_artifacts: int
    headers_built: int
    defined_at: str | None
    loaded_at: str | None
    error: str | None = None
    content: str = ""
    """Digest of the content of its kernels: equal for equal kernels, whatever their names and options."""
    adjoint_bytes: int = 0
    """Part of `source_bytes` that is adjoint code."""
    unrolled_bytes: int = 0
    """Part of `source_bytes` that would not be there without unrolled loops: an estimate by statements."""
    made: str = "file"
    """`file` (one module for a source file), `named` (asked for by name), `unique` (one for a kernel), `map`
    (`wp.map`) or `fem` (`warp.fem`)."""
    owner: str = "application"
    """Whose code defines it: `application`, or the name of an installed library."""


class Cause(Model):
    """One thing that differs between two identities of a module."""

    kind: CauseKind
    detail: str
    where: str | None
    subject: str = ""
    """Name of what differs: of an option, constant, function, struct or kernel."""
    value: str = ""
    """What it is now: the value of an option or constant, the argument types of an overload."""
    exact: bool = True
    """False where `where` only stands in for the line that did it: the `def` of what refers to a constant or
    struct, or the launch that found the module changed."""
    changes: list["Cause"] = []
    """Of a kernel that was defined again: constants, functions and structs in it that have changed and that
    it may share with other kernels."""
    same_otherwise: bool = False
    """Nothing but `changes` differs: without them, defining the kernel again would have built nothing."""
    forces: bool = False
    """An option that was set on the module itself, so that Warp hashes it anew. A global option or a changed
    constant only rides along: Warp keeps the hash of a loaded module until something of it comes."""


class Rebuild(Model):
    """A second identity of one module name in one process, built again."""

    module: str
    from_hash: str
    to_hash: str
    device: str
    causes: list[Cause]
    cost_ms: float
    pid: int


class SignatureCount(Model):
    """One launch signature, with its kernel's name, over all processes."""

    kernel: str
    module: str
    dim: list[int]
    device: str
    block_dim: int
    types: list[str]
    adjoint: bool
    count: int


class KernelContent(Model):
    """A kernel that was launched, with the digest of what it computes."""

    name: str
    digest: str
    defined_at: str | None


class SequenceSegment(Model):
    """A stretch of a launch sequence: `pattern` (indices into the report's `work`) repeated to `length`."""

    pattern: list[int]
    length: int


class Sequence(Model):
    """The launches of one thread, in order, as far as they are kept."""

    length: int
    known: int
    """How many launches the segments tell."""
    segments: list[SequenceSegment]
    digest: str
    """Digest of the whole sequence; equal for equal work, independent of how it was compressed."""
    checkpoints: list[tuple[int, str]] = []
    """(launches, digest of the first so many launches), ascending: locates a difference beyond `known`."""
    content_digest: str = ""
    """As `digest`, over the kernels' content too; empty when the content of a launched kernel is unknown."""
    threads: int = 1
    """Threads, over all processes, that made exactly this sequence."""


class Work(Model):
    """One distinct unit of work that sequences refer to: the signature without, and the kernel beside it."""

    signature: str
    kernel: str
    digest: str


class Launches(Model):
    """What ran."""

    total: int
    distinct: int
    by_signature: list[SignatureCount]
    """Most frequent first; at most 500, the rest is counted in `other_signatures`."""
    other_signatures: int
    sequence_sha256: str | None
    """Over all threads of all processes, without kernel names; null when launches were not recorded."""
    work: list[Work]
    sequences: list[Sequence]
    """Of all threads that launched, equal ones once; by digest, so that thread numbers do not matter."""
    other_sequences: int = 0
    """Threads whose sequences are in `sequence_sha256` but are not kept here."""
    complete: bool
    """False when a record was cut, a launch could not be counted, or a process was not recorded."""
    stable: bool = True
    """Every completed sample made the same launches."""


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


class Structure(Model):
    """Figures that do not depend on the load of the machine, from the reference run."""

    identities: int
    modules: int
    builds: int
    generated_source_bytes: int
    lto_artifacts: int
    header_builds: int
    warm_compiled: list[str]


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
