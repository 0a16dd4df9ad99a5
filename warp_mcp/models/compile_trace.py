"""What the compiler takes for each kernel of the largest CUDA modules, forward and backward code apart.

All times of `KernelCost` and `ModuleCost` are CPU time of the thread that compiled: what a busy machine
inflates least.
"""

from warp_mcp.models.base import Model


class TraceTarget(Model):
    """One module of which the dearest build is to be made once more, with a trace."""

    module: str
    source: str
    """Name of that build's generated source: the module's name and the first digits of its hash."""
    block_dim: int
    arch: int
    builds: int
    """Builds of this module for the architecture, of which this is the dearest."""
    all_cpu_ms: float
    """What the compiler took for all of them, in the timed run."""
    timed_cpu_ms: float
    """What it took for this one."""
    not_traced: str | None = None
    """Why it is not built again, as the end of a sentence that begins with the module's name."""


class TracedFunction(Model):
    """One function of a module's generated source."""

    name: str
    bytes: int
    calls: list[str]
    """Others of the same source that its text calls."""
    optimiser_ms: float
    """Wall time of the passes over it."""
    assembler_ms: float
    """Wall time in ptxas; 0 for what is inlined, and where the output is PTX."""


class TracedBuild(Model):
    """One build with the trace on. Times of stages are wall time."""

    source: str
    arch: int
    traced_wall_ms: float
    traced_cpu_ms: float
    front_ms: float
    headers_ms: float
    """Part of `front_ms` before the first function of the module."""
    wrap_ms: float
    """Part of `front_ms` at its end, for the whole of the source."""
    optimiser_ms: float
    linker_ms: float
    """Part of `optimiser_ms`: linking CUDA's own library functions."""
    assembler_ms: float
    output_ms: float
    counted_optimiser_ms: float
    """Sum over all functions, those of headers too."""
    counted_assembler_ms: float
    functions: list[TracedFunction]


class TraceSeen(Model):
    """What the processes of one run traced."""

    builds: list[TracedBuild]
    problems: list[str] = []


class KernelCost(Model):
    """One kernel in its module, all overloads of a generic one together."""

    module: str
    kernel: str
    """Its name; with that of the function that makes it where two functions make kernels of one name."""
    forward_ms: float
    """Its forward code, with the functions that no other kernel uses."""
    backward_ms: float
    """Its backward code, with the functions that nothing else uses: what `enable_backward=False` on this
    kernel alone saves."""
    share: float
    """Both of what the module's build took, 0 to 1."""
    backward_used: bool = False
    """A backward pass of this run launched it: without backward code its gradients would be lost."""


class ModuleCost(Model):
    """One module, all of its builds for the architecture together."""

    module: str
    arch: int
    block_dim: int
    """Of the dearest build, from which the shares are known."""
    builds: int
    compile_ms: float
    """What the compiler took for all of them, without a trace."""
    forward_ms: float = 0.0
    backward_ms: float = 0.0
    """All backward code: what `enable_backward=False` on the whole module saves of `compile_ms`."""
    backward_share: float = 0.0
    """Of `compile_ms`, 0 to 1."""
    fixed_ms: float = 0.0
    """What the module costs whatever it holds: headers, and what ends a compilation."""
    assembled: bool = True
    """False where the output was PTX, which the driver assembles: that time is in no figure here."""
    kernels: list[KernelCost] = []
    """The dearest first; a bounded number."""
    more_kernels: int = 0
    not_priced: str | None = None
    """Why there are no figures, as the end of a sentence that begins with the module's name."""


class CompileTrace(Model):
    """Inside the largest CUDA modules of a run."""

    headers_ms: float = 0.0
    """What reading Warp's headers took in the build that read them: the first for CUDA of every process."""
    modules: list[ModuleCost]
    """The largest first; also those that were not built again, with the reason."""
    problems: list[str] = []
    """What the separate build could not do, one sentence each."""
