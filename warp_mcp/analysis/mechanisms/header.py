"""CS-12: the precompiled header of CPU builds, which pays off from the second or third small module on."""

from dataclasses import dataclass

from warp_mcp.analysis.evidence import Evidence
from warp_mcp.analysis.mechanisms.findings import (
    built_loads,
    fired,
    not_applicable,
    not_reached,
    rounded,
    ruled_out,
    some,
    unseen,
)
from warp_mcp.analysis.owners import owner_of
from warp_mcp.analysis.stakes import is_cuda, least_stake_ms, native_ms
from warp_mcp.analysis.texts import counted, seconds
from warp_mcp.analysis.thresholds import HEADER_OF_PARSING, LOADING_OF_PARSING, PARSING_OF_HEADER
from warp_mcp.models.finding import Finding
from warp_mcp.models.recording import LoadRecord, ProcessRecord

MECHANISM = "CS-12"
QUESTION = "Whether the precompiled header pays off"
OPTION = "use_precompiled_headers"
ON_CUDA = (
    "on CUDA its header is in NVRTC's time: measure with use_precompiled_headers True and False, and compare"
)
"""NVRTC makes it within its own call (Warp 1.19, `build_cuda`), so that no phase tells it apart."""


@dataclass(frozen=True)
class Use:
    """The CPU builds of one process, and what the other choice would save; negative where it would cost."""

    builds: list[LoadRecord]
    headers: int
    header_ms: float
    saving_ms: float
    off_at: str | None = None
    """The line that switched the header off, where one did."""

    @property
    def on(self) -> bool:
        """Whether headers were made."""
        return self.headers > 0


def examine(evidence: Evidence) -> Finding:
    """Fired when the other choice would save more than what counts, over all processes."""
    uses = [use for use in map(_use, evidence.recording.processes) if use]
    reason = unseen(evidence)
    if reason and not uses:
        return not_reached(MECHANISM, QUESTION, reason)
    if not uses and _only_cuda(evidence):
        return not_reached(MECHANISM, QUESTION, ON_CUDA)
    if not uses:
        return not_applicable(MECHANISM, QUESTION, "nothing was built for the CPU with a known header option")
    # Headers are a setting of the whole process: what one gains another may lose, so both are added up.
    stake = sum(use.saving_ms for use in uses)
    if stake > least_stake_ms(evidence):
        return _fired(uses, stake)
    if reason:
        return not_reached(MECHANISM, QUESTION, reason)
    return ruled_out(
        MECHANISM,
        "Making the precompiled header or not: the other choice would not save enough to matter",
        {**_signals(uses), "least_that_counts_ms": rounded(least_stake_ms(evidence))},
    )


def _only_cuda(evidence: Evidence) -> bool:
    """Whether a build for CUDA was made with the option on record."""
    return any(is_cuda(load.device) and OPTION in load.options for load in built_loads(evidence))


def _use(process: ProcessRecord) -> Use | None:
    """Headers and CPU builds of one process; `None` when it built none, or the option is not recorded."""
    builds = [
        load
        for load in process.loads
        if load.device == "cpu" and load.status == "compiled" and OPTION in load.options
    ]
    if not builds:
        return None
    headers = sum(load.headers_built for load in builds)
    header_ms = sum(load.phases["header"].wall_ms for load in builds if "header" in load.phases)
    if headers:
        return Use(
            builds, headers, header_ms, header_ms - PARSING_OF_HEADER * header_ms / headers * len(builds)
        )
    if all(load.options[OPTION] == "False" for load in builds):
        return Use(builds, 0, 0.0, _saving_with(builds), _switched_off_at(process))
    return None


def _switched_off_at(process: ProcessRecord) -> str | None:
    changes = [change for change in process.config if change.name == OPTION and change.new == "False"]
    return next((change.where or change.via for change in reversed(changes)), None)


def _saving_with(builds: list[LoadRecord]) -> float:
    """What headers would save, one for each compiling thread, in terms of the shortest compile without one.

    Sources: thresholds.
    """
    shortest, threads = min(map(native_ms, builds)), len({load.thread for load in builds})
    return shortest * (len(builds) * (1 - LOADING_OF_PARSING) - HEADER_OF_PARSING * threads)


def _signals(uses: list[Use]) -> dict[str, object]:
    return {
        "headers": sum(use.headers for use in uses),
        "header_ms": rounded(sum(use.header_ms for use in uses)),
        "cpu_builds": sum(len(use.builds) for use in uses),
    }


def _fired(uses: list[Use], stake: float) -> Finding:
    gaining = [use for use in uses if use.saving_ms > 0]
    on = sum(use.saving_ms for use in gaining if use.on) * 2 > sum(use.saving_ms for use in gaining)
    builds = [load for use in gaining if use.on == on for load in use.builds]
    signals = _signals(uses)
    off_at = next((use.off_at for use in gaining if use.off_at), None)
    return fired(
        MECHANISM,
        _title(gaining, on, builds),
        {
            "modules": some(load.name for load in builds),
            "options": [f"{OPTION}: {on}"],
            "where": some(load.where for load in builds),
            **signals,
        },
        cost_ms=stake,
        how=_how(on),
        where=off_at or builds[0].where,
        owner=owner_of(off_at),
        fix=_fix(on, sum(use.headers for use in gaining)),
    )


def _title(gaining: list[Use], on: bool, builds: list[LoadRecord]) -> str:
    if on:
        spent = seconds(sum(use.header_ms for use in gaining if use.on))
        return f"A precompiled header took {spent} and served only {counted(len(builds), 'CPU build')}"
    return (
        f"{counted(len(builds), 'CPU build was', 'CPU builds were')} made without a precompiled header: "
        "each had to read Warp's headers"
    )


def _how(on: bool) -> str:
    if on:
        return (
            f"the header's time less {PARSING_OF_HEADER:g} of it for each build that used it, which "
            "reading the same "
            "headers took on two machines; only a run without the header measures it"
        )
    return (
        f"what the builds took less a header ({HEADER_OF_PARSING:g} of the shortest compile) and loading it "
        f"({LOADING_OF_PARSING:g} each), as on two machines; only a run with the header measures it"
    )


def _fix(on: bool, headers: int) -> str:
    if on and headers > 1:
        return (
            "Compile in one thread, so that one header serves all builds; or try "
            "warp.config.use_precompiled_headers = False at the entry point, and compare."
        )
    if on:
        return (
            "Try warp.config.use_precompiled_headers = False at the entry point, before the first "
            "launch, and compare; "
            "from the second build of a process on the header pays off."
        )
    return "Leave warp.config.use_precompiled_headers at its default, True, at the entry point, and compare."
