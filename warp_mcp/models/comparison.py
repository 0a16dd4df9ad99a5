"""The comparison of two reports: schema `warp-mcp/comparison/1`."""

from typing import Literal

from pydantic import Field

from warp_mcp.models.base import Model

SCHEMA = "warp-mcp/comparison/1"

OutputsStatus = Literal[
    "identical", "within_tolerance", "incomplete", "different", "not_recorded", "not_deterministic"
]
"""`incomplete`: what was compared agrees, but nothing of a kernel whose code changed is among it."""
SteadyStatus = Literal["not_recorded", "same", "within_noise", "faster", "slower", "mixed"]
"""`same`: nothing stands out, and noise would not hide much. `within_noise`: nothing does, but it may."""
Verdict = Literal["improved", "inconclusive", "regressed", "invalid", "unverified"]


class Divergence(Model):
    """The first launch at which two sequences differ."""

    launch: int
    """1 = first, within its thread."""
    baseline: str | None
    """Kernel and signature; null when the sequence has ended there."""
    candidate: str | None


class Workload(Model):
    """Whether both sides did the same work."""

    status: Literal["preserved", "changed", "unverified"]
    first_divergence: Divergence | None
    differences: list[str]
    renames: list[str]
    """Sentences "a → b": same content, other name. Advisory."""
    kernels_changed: list[str]
    """Names of kernels whose body, constants or callees differ."""


class Delta(Model):
    """One metric on both sides."""

    metric: str
    baseline_median: float | None
    baseline_mad: float | None
    baseline_count: int
    candidate_median: float | None
    candidate_mad: float | None
    candidate_count: int
    delta: float | None
    """Candidate minus baseline."""
    delta_percent: float | None
    band: float | None
    """Half width of the noise band; null where a side is missing."""
    outside_noise: bool


class ModuleChange(Model):
    """One module on both sides."""

    name: str
    device: str
    baseline_builds: int
    candidate_builds: int
    baseline_ms: float
    candidate_ms: float
    hash_moved: bool
    """The set of identities differs: the receipt that an option or a kernel arrived."""
    options: list[str]
    """Sentences "lineinfo: False → True" for options that differ."""


class StructureChange(Model):
    """Figures that do not depend on load."""

    name: str
    baseline: float
    candidate: float


class MechanismChange(Model):
    """Findings by label."""

    fixed: list[str]
    remaining: list[str]
    new: list[str]


class OutputDifference(Model):
    """One array that both sides recorded and that differs, or that only one side wrote."""

    launch: int
    """Number of the launch within its thread, or of the backward pass; 1 = first."""
    kernel: str
    """Empty for gradients."""
    array: str
    what: str
    """One sentence: by how much, or which side did not write it."""


class OutputComparison(Model):
    """Whether both sides computed the same."""

    status: OutputsStatus = "not_recorded"
    tolerance: float | None = None
    """Difference that counts as equal, relative to the values of the baseline: see
    `analysis/outputs_distance.py`."""
    compared: int = 0
    """Arrays compared."""
    gradients: int = 0
    """Those of them that are gradients."""
    differing: int = 0
    """Those that differ, but within the tolerance."""
    uncovered: list[str] = []
    """Kernels whose code changed, and of which no array was compared."""
    uncovered_why: dict[str, str] = {}
    """For each of them what it did: "did not fit into the budget"."""
    left_out: int = 0
    """Launches whose outputs a side did not record."""
    first_difference: OutputDifference | None = None
    differences: list[OutputDifference] = []
    """Bounded, first launches first."""
    notes: list[str] = []
    """Sentences: why nothing is known, what is not deterministic, the largest distance within tolerance."""


class KernelTimeChange(Model):
    """The launches of one kernel on both sides, once everything is built."""

    kernel: str
    signature: str
    baseline_us: float
    candidate_us: float
    delta_percent: float
    outside_noise: bool


class SteadyComparison(Model):
    """Whether launches take as long as before."""

    status: SteadyStatus = "not_recorded"
    kernels: list[KernelTimeChange] = []
    """Those outside the noise first, then by the time they take; a bounded number."""
    hidden: str = ""
    """What noise may hide of the kernels that do not stand out, as a clause: "differences up to 40 % are
    hidden by the noise". Empty where that is little."""
    notes: list[str] = []


class RehearsalComparison(Model):
    """Two rehearsals of CUDA side by side: what was built, never what a GPU did."""

    status: Literal["compared", "not_comparable", "none"] = "none"
    """`none`: neither side was rehearsed."""
    arch: str | None = None
    """`sm_90`: the first that both sides were rehearsed for; null unless compared."""
    alone: bool = False
    """Both reports hold nothing else, so that the comparison's own verdict is this one."""
    verdict: Verdict | None = None
    judged_on: str = ""
    reasons: list[str] = []
    """Sentences; of rehearsals that are not comparable, why."""
    causes: list[str] = []
    workload: Workload | None = None
    timing: list[Delta] = []
    modules: list[ModuleChange] = []
    structure: list[StructureChange] = []
    mechanisms: MechanismChange | None = None
    others: list[str] = []
    """The verdict for each further architecture that both sides were rehearsed for."""


class Comparison(Model):
    """A verdict and what carries it."""

    schema_: str = Field(default=SCHEMA, alias="schema", serialization_alias="schema")
    comparison_id: str
    created_at: str
    baseline: str
    """Report id."""
    candidate: str
    baseline_label: str | None
    candidate_label: str | None
    verdict: Verdict
    judged_on: str
    """Metric the verdict rests on."""
    reasons: list[str]
    """Sentences; the first says why the verdict is what it is."""
    causes: list[str]
    """Recorded causes in the direction of the difference."""
    workload: Workload
    timing: list[Delta]
    modules: list[ModuleChange]
    structure: list[StructureChange]
    mechanisms: MechanismChange
    environment: list[str]
    """Differences of machine, versions and `WARP_*`/`CUDA_*` variables, as sentences."""
    next_checks: list[str]
    warnings: list[str]
    outputs: OutputComparison = OutputComparison()
    steady_state: SteadyComparison = SteadyComparison()
    rehearsal: RehearsalComparison = RehearsalComparison()
