"""Modules as a report tells them: what each cost, what was built again and why, and counts."""

from typing import Literal

from warp_mcp.models.base import Model
from warp_mcp.models.root import CauseKind


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


class Structure(Model):
    """Figures that do not depend on the load of the machine, from the reference run."""

    identities: int
    modules: int
    builds: int
    generated_source_bytes: int
    lto_artifacts: int
    header_builds: int
    warm_compiled: list[str]
