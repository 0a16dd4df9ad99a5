"""What an agent is told at once: a bounded extract of a report or comparison; the whole is stored."""

from typing import Literal

from warp_mcp.models.base import Model
from warp_mcp.models.finding import Warning


class Figure(Model):
    """A metric in milliseconds."""

    median: float
    mad: float | None
    count: int


class ModuleLine(Model):
    """One of the most expensive modules."""

    name: str
    device: str
    status: str
    builds: int
    ms: float
    launches: int


class RootLine(Model):
    """A line of code because of which modules were built again. All of them together are all rebuilds."""

    where: str
    """`file:line`, or what is known instead."""
    owner: str
    """`application`, or the name of the installed library the line is in."""
    what: str
    cost_ms: float
    victims: list[str]
    """Modules, with how often and how long."""


class RebuildLine(Model):
    """A module that was built again, and all its causes; the first few rebuilds only."""

    module: str
    cost_ms: float
    causes: list[str]
    """Sentences that end in the `file:line`."""


class FiredLine(Model):
    """A mechanism that cost time."""

    mechanism: str
    title: str
    cost_ms: float | None
    cost_kind: Literal["measured", "estimate"] | None = None
    where: str | None
    owner: str | None = None
    """Whose code has to change."""
    fix: str = ""
    """What to try first."""
    questions: list[str] = []
    """What to ask the user before that."""


class RunProgress(Model):
    """How far a measurement has come that is not over."""

    done: int
    """Runs of the command that are over, cold and warm ones."""
    total: int
    elapsed_s: float
    remaining_s: float | None
    """An estimate; null before the first run is over."""


class MeasureSummary(Model):
    """The answer to `measure`. While the run is `running` or `queued` it holds no figures yet."""

    status: Literal["completed", "no_sample_completed", "nothing_of_warp", "running", "queued", "cancelled"]
    run_id: str = ""
    """Names the run while it lasts and its report afterwards."""
    report_id: str = ""
    answer: str
    cwd: str = ""
    interpreter: str = ""
    """The executable that was run; of the program's own Python process, once that is known."""
    warp: str = ""
    """Version of Warp in it; empty when none was imported, "unknown" when no Python process was recorded."""
    progress: RunProgress | None = None
    samples: list[str] = []
    cold_wall: Figure | None = None
    warm_wall: Figure | None = None
    compile_wait: Figure | None = None
    module_work: Figure | None = None
    builds: int = 0
    modules: list[ModuleLine] = []
    roots: list[RootLine] = []
    rebuilds: list[RebuildLine] = []
    fired: list[FiredLine] = []
    costs: str = ""
    """That the costs of what fired overlap, where more than one is told."""
    levers: list[str] = []
    """What each lever bought and takes away, the most first."""
    ruled_out: list[str] = []
    not_reached: list[str] = []
    not_reached_because: list[str] = []
    launches: int = 0
    floor: list[str] = []
    """What one more one-kernel module costs here, and what that says of splitting and merging."""
    rehearsal: list[str] = []
    """What a machine with a GPU would build, beyond what the other fields tell of it."""
    output_tail: str = ""
    warnings: list[Warning] = []
    next: list[str]
    left_out: list[str] = []
    resource: str = ""
    """Where the whole report is."""


class TimingLine(Model):
    """One metric on both sides, in milliseconds."""

    metric: str
    baseline: Figure | None
    candidate: Figure | None
    delta_percent: float | None
    outside_noise: bool


class ReceiptLine(Model):
    """One module that changed."""

    name: str
    builds: str
    hash_moved: bool
    options: list[str]


class CompareSummary(Model):
    """The answer to `compare`."""

    verdict: Literal["improved", "inconclusive", "regressed", "invalid", "unverified"]
    comparison_id: str
    baseline: str
    candidate: str
    answer: str
    judged_on: str
    reasons: list[str]
    workload: Literal["preserved", "changed", "unverified"]
    differences: list[str]
    kernels_changed: list[str]
    timing: list[TimingLine]
    receipts: list[ReceiptLine]
    outputs: str = ""
    """Whether both sides computed the same; empty when that was not recorded."""
    steady_state: str = ""
    """Whether kernels run slower; empty where neither side was timed."""
    rehearsal: str = ""
    """What rehearsals of CUDA say; empty where neither side was rehearsed."""
    fixed: list[str]
    remaining: list[str]
    new: list[str]
    environment: list[str]
    warnings: list[str]
    next_checks: list[str]
    next: list[str] = []
    left_out: list[str]
    resource: str = ""
    """The comparison as the report to send."""
