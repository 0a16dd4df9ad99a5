"""What the recorder saw in one run of the target: the reader's output, the analysis' input.

Times named `t_ms` are milliseconds on the machine-wide monotonic clock, so events of several
processes can be ordered. A `where` is `file:line` of the innermost frame outside Warp and the
standard library; `via` is the outermost frame of the application when that is another one.
"""

from typing import Literal

from warp_mcp.models.base import Model
from warp_mcp.models.launching import LaunchStream, Signature

PHASES = ("hash", "codegen", "native_compile", "header", "lto", "load")
"""The phases of building one module, in order. `header` is the building of a precompiled header alone."""

BuildStatus = Literal["compiled", "cached", "error"]


class KernelRecord(Model):
    """One kernel object (or one overload of a generic kernel) as it stood when its module was hashed."""

    id: int
    """Number of this state of a kernel within its process; a later state of the same object has another."""
    object: int
    """Number of the kernel object. A kernel is dead when no kernel of a later load is the same object."""
    module: int
    key: str
    """Warp's key, with the enclosing scopes in it."""
    name: str
    """Last component of the key."""
    defined_at: str | None
    """`file:line` of the `def`."""
    generic: bool
    """True for an overload instantiated from a generic kernel."""
    signature: str
    """Warp's argument signature of an overload; empty for a kernel that is not generic."""
    arg_types: list[str]
    digest: str
    """Digest of dedented source without decorators."""
    constants: dict[str, str]
    """Resolved constants and static expressions the kernel itself uses: name to value text."""
    uses: dict[str, str]
    """Functions and structs that the kernel reaches, directly or not: qualified name to digest."""
    uses_at: dict[str, str] = {}
    """Where those of `uses` are defined, "file:line", as far as known."""
    constants_at: dict[str, str] = {}
    """Where those of `constants` were assigned, "file:line": only of ones that changed, only where one line
    of the program can have done it."""
    options: dict[str, str]

    @property
    def content(self) -> tuple[str, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
        """What makes two kernels the same: source, constants, and everything they call or store in.

        Names of callees are left out (a function moved to another module keeps its digest).
        """
        constants = tuple(sorted(self.constants.items()))
        uses = tuple(sorted((name.rsplit(".", 1)[-1], digest) for name, digest in self.uses.items()))
        return self.digest, constants, uses


class ModuleRecord(Model):
    """The creation of one Warp module."""

    id: int
    name: str
    t_ms: float
    options: dict[str, str]
    """Options the module was born with."""
    made: str = "file"
    """How it came to be: "file", "named", "unique", "map" or "fem"."""
    where: str | None
    via: str | None


class Phase(Model):
    """Time in one phase: wall and CPU of the building thread."""

    wall_ms: float
    cpu_ms: float


class LtoPart(Model):
    """LTO objects that one build asked for, on one side."""

    count: int
    """Distinct objects."""
    wall_ms: float


class LoadRecord(Model):
    """One load of one module variant, or one ahead-of-time build (`device` then is "aot:…")."""

    module: int
    name: str
    hash: str
    device: str
    block_dim: int
    status: BuildStatus
    begin_ms: float
    end_ms: float
    cpu_ms: float
    """CPU time of the building thread between begin and end, without builds within this one."""
    nested_ms: float = 0.0
    """Wall time of builds within this one: `wp.static` may launch while code is generated."""
    within: bool = False
    """True for a build within another one of the same thread."""
    thread: int
    phases: dict[str, Phase]
    """Keys are a subset of `PHASES`. A phase this Warp release cannot tell is absent."""
    kernels: list[int]
    """Ids of the live kernels (overloads of generic ones, each) the identity consists of."""
    options: dict[str, str]
    """Resolved options."""
    source_bytes: int
    """Bytes of generated source without `#line` lines; 0 unless compiled."""
    adjoint_bytes: int = 0
    """Part of `source_bytes` within adjoint functions."""
    statements: int = 0
    """Forward statements that were generated."""
    unrolled_statements: int = 0
    """Those of them that unrolled loops would not have without unrolling."""
    lto: dict[str, LtoPart] = {}
    """LTO objects of the forward and of the adjoint pass, by "forward" and "adjoint"; on CUDA only."""
    lto_artifacts: int
    headers_built: int
    where: str | None
    """Where the load was asked for: the launch, `force_load` or `load_module` in the user's code."""
    via: str | None
    error: str | None = None
    forced: bool = False
    """Asked for by `force_load`, `load_module` or ahead of time, not by a launch."""
    finished: bool = True
    """False when the process ended in the middle of this build: the times end where the record ends."""

    @property
    def ms(self) -> float:
        """Wall time of the load, without builds within it."""
        return self.end_ms - self.begin_ms - self.nested_ms

    @property
    def aot(self) -> bool:
        """True for an ahead-of-time build."""
        return self.device.startswith("aot:")


class OptionChange(Model):
    """A module option changed through `set_module_options` after the module was created."""

    module: int
    t_ms: float
    option: str
    old: str
    new: str
    where: str | None
    via: str | None


class ConfigChange(Model):
    """An assignment to `warp.config`."""

    t_ms: float
    name: str
    old: str
    new: str
    where: str | None
    via: str | None


class CacheEvent(Model):
    """Something that decides which cache is used: a clear, or the directory Warp settled on."""

    kind: Literal["cleared_kernels", "cleared_lto", "directory"]
    t_ms: float
    path: str | None
    """Directory in use (`directory` only)."""
    where: str | None
    via: str | None


class HashingRecord(Model):
    """How often one module was hashed, and what that took in all."""

    module: int
    count: int
    ms: float
    declared: int
    """Kernels declared in the module, including redeclarations."""


class ImportRecord(Model):
    """A slow top-level import, with everything it imported in turn."""

    name: str
    ms: float


class SpawnRecord(Model):
    """A child process that this process started itself."""

    pid: int
    argv: list[str]
    t_ms: float
    where: str | None = None
    via: str | None = None
    keeps_recorder: bool = True
    """False when the child cannot be recorded: its environment or its options leave the recorder out."""
    keeps_caches: bool = True
    """False when the environment handed to the child leaves out `WARP_CACHE_PATH`."""


class Problem(Model):
    """Something the recorder could not do or could not keep."""

    code: Literal[
        "hook_missing", "hook_failed", "record_cut", "signatures_cut", "sequence_cut", "uncounted_launches"
    ]
    detail: str


class ProcessRecord(Model):
    """Everything recorded in one Python process."""

    pid: int
    parent: int
    argv: list[str]
    python: str
    executable: str
    cwd: str
    forked: bool
    started_ms: float
    """When the process started (interpreter start), monotonic."""
    attached_ms: float
    exited_ms: float | None
    """When the recorder saw the interpreter end; null after a hard exit or a kill."""
    warp_version: str | None
    warp_path: str | None
    warp_import_begin_ms: float | None
    warp_import_end_ms: float | None
    first_launch_ms: float | None
    imports: list[ImportRecord]
    modules: list[ModuleRecord]
    kernels: list[KernelRecord]
    loads: list[LoadRecord]
    options: list[OptionChange]
    config: list[ConfigChange]
    cache: list[CacheEvent]
    hashing: list[HashingRecord]
    spawned: list[SpawnRecord]
    signatures: list[Signature]
    streams: list[LaunchStream]
    other_launches: int
    """Launches counted beyond the signature cap: in no signature, in every total."""
    launches: int
    """All launches that ran."""
    backward_passes: int
    """Calls of `Tape.backward`."""
    hook_ms: float
    """Time inside the recorder's own hooks, by its own clock, without the per-launch path."""
    problems: list[Problem]


class Recording(Model):
    """One run of the target: every process that left a record."""

    processes: list[ProcessRecord]
    damaged: list[str]
    """Records that could not be read, each with a sentence why."""
    cache_dir: str
    """The isolated kernel cache of this run."""
    lto_artifacts: int
    """`.lto` files found in the run's cache."""
