"""All that is known of one measurement, gathered once for findings and warnings. Judges nothing."""

from dataclasses import dataclass

from warp_mcp.analysis.environment import build_environment
from warp_mcp.analysis.identities import build_modules
from warp_mcp.analysis.isolation import check_isolation
from warp_mcp.analysis.metrics import Figures, build_metrics, sample_figures
from warp_mcp.analysis.processes import list_processes, program_record
from warp_mcp.analysis.rebuilds import Flip, find_flips, find_rebuilds
from warp_mcp.analysis.roots import find_roots
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.compile_trace import CompileTrace
from warp_mcp.models.floor import Floor
from warp_mcp.models.recording import Problem, ProcessRecord, Recording
from warp_mcp.models.report import (
    Environment,
    Isolation,
    Launches,
    Metric,
    ModuleEntry,
    ProcessEntry,
    Rebuild,
    SampleOutcome,
)
from warp_mcp.models.root import Root
from warp_mcp.models.run import Machine, SampleRecording

_NOTHING = Recording(processes=[], damaged=[], cache_dir="", lto_artifacts=0)


@dataclass(frozen=True)
class Evidence:
    """One measurement. Modules, rebuilds, launches and processes are those of the `reference` cold run."""

    request: MeasureRequest
    samples: list[SampleRecording]
    outcomes: list[SampleOutcome]
    figures: list[Figures]
    """Of every sample, completed or not."""
    metrics: dict[str, Metric]
    """Over the completed samples."""
    reference: SampleRecording | None
    environment: Environment
    isolation: Isolation
    modules: list[ModuleEntry]
    rebuilds: list[Rebuild]
    roots: list[Root]
    flips: list[Flip]
    launches: Launches
    processes: list[ProcessEntry]
    interpreters: list[str]
    """Interpreters on the machine that have Warp, when that of the command has not."""
    floor: Floor | None = None
    """What one more one-kernel module costs here, where that was measured."""
    trace: CompileTrace | None = None
    """Inside the largest CUDA modules, where they were looked into."""
    probe_killed: bool = False
    """The measurement ended with its probe: no sample was begun after the ones that are here."""

    @property
    def recording(self) -> Recording:
        """What was recorded in the reference run; empty when there is none."""
        return self.reference.cold_recording if self.reference else _NOTHING

    @property
    def program(self) -> ProcessRecord | None:
        """The reference run's process that is the program itself."""
        return program_record(self.recording)

    @property
    def completed(self) -> list[SampleRecording]:
        """The samples that count."""
        return [
            sample
            for sample, outcome in zip(self.samples, self.outcomes, strict=True)
            if outcome == "completed"
        ]

    @property
    def reference_outcome(self) -> SampleOutcome | None:
        """How the reference run ended."""
        for sample, outcome in zip(self.samples, self.outcomes, strict=True):
            if sample is self.reference:
                return outcome
        return None

    @property
    def reference_figures(self) -> Figures:
        """The figures of the reference run; empty when there is none."""
        for sample, figures in zip(self.samples, self.figures, strict=True):
            if sample is self.reference:
                return figures
        return {}

    @property
    def unattached(self) -> list[ProcessEntry]:
        """Python processes of the reference run that left no record."""
        return [process for process in self.processes if not process.attached]

    @property
    def problems(self) -> list[Problem]:
        """What the recorder could not do or keep in the reference run."""
        return [problem for process in self.recording.processes for problem in process.problems]

    @property
    def wait_ms(self) -> float | None:
        """The wait for compilation: `compile_elapsed_ms`, where that is unknown `cold_module_ms`."""
        for name in ("compile_elapsed_ms", "cold_module_ms"):
            if name in self.metrics:
                return max(0.0, self.metrics[name].median)
        return self.reference_figures.get("cold_module_ms")


def gather(
    request: MeasureRequest,
    samples: list[SampleRecording],
    machine: Machine,
    launches: Launches,
    *,
    probe_killed: bool = False,
    floor: Floor | None = None,
    trace: CompileTrace | None = None,
) -> Evidence:
    """Work out what the report is drawn from. `launches`: of the reference run."""
    outcomes: list[SampleOutcome] = [sample_outcome(sample) for sample in samples]
    figures = [sample_figures(sample) for sample in samples]
    completed = [one for one, outcome in zip(figures, outcomes, strict=True) if outcome == "completed"]
    reference = reference_sample(samples)
    recording = reference.cold_recording if reference else _NOTHING
    rebuilds = find_rebuilds(recording)
    return Evidence(
        request=request,
        samples=samples,
        outcomes=outcomes,
        figures=figures,
        metrics=build_metrics(completed),
        reference=reference,
        environment=build_environment(machine, program_record(recording)),
        isolation=check_isolation(samples),
        modules=build_modules(recording),
        rebuilds=rebuilds,
        roots=find_roots(recording, rebuilds),
        flips=find_flips(recording),
        launches=launches,
        processes=list_processes(reference.cold, recording) if reference else [],
        interpreters=machine.interpreters,
        probe_killed=probe_killed,
        floor=floor,
        trace=trace,
    )


def sample_outcome(sample: SampleRecording) -> SampleOutcome:
    """How a sample ended; one in which no process attached is not a completed one."""
    if sample.cold.outcome == "completed" and not sample.cold_recording.processes:
        return "not_attached"
    return sample.cold.outcome


def reference_sample(samples: list[SampleRecording]) -> SampleRecording | None:
    """The first completed sample, else the first that recorded anything, else the first."""
    for sample in samples:
        if sample_outcome(sample) == "completed":
            return sample
    recorded = (sample for sample in samples if sample.cold_recording.processes)
    return next(recorded, samples[0] if samples else None)
