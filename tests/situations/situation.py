"""One situation: a command, and what the report must say of it. Held against the report by `holds`.

The defaults are those of a healthy program with one build, so that a table shows only what is special.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.situations.measuring import SAMPLES, Measured, Probe, marked


@dataclass(frozen=True)
class Because:
    """One expected rebuild cause."""

    kind: str
    words: tuple[str, ...]
    """What the detail must name."""
    where: str | None = None
    """Marker in the sample of the line the cause must point to; null where no line is known."""


@dataclass(frozen=True)
class Situation:
    """What is run, and what is true of it. Null means: not the same in every run, not looked at."""

    says: str
    """The situation in words: the name of the test."""
    command: tuple[str, ...]
    options: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    in_samples: bool = False
    """Run in the directory of the samples instead of an empty one."""
    exit: int = 0
    outcome: str = "completed"
    exit_code: int | None = 0
    builds: int | None = 1
    modules: int | None = 1
    """Distinct names among the modules that were compiled."""
    launches: int | None = 1
    distinct: int | None = None
    processes: int | None = 1
    unattached: int = 0
    isolated: bool = True
    rebuilds: tuple[Because, ...] = ()
    marks: str = ""
    """Sample that holds the markers of `rebuilds`, without `.py`."""
    warns: tuple[str, ...] = ()
    also: Callable[[Measured], None] = lambda measured: None


UNHEALTHY = {
    "build_failed",
    "identity_flips",
    "kernels_redeclared",
    "option_arrived_too_late",
    "built_never_launched",
    "isolation_escaped",
    "recorder_not_attached",
    "record_incomplete",
    "samples_disagree",
    "builds_overlapped",
}
"""Warnings that a healthy program must not get."""


def holds(situation: Situation, probe: Probe) -> Measured:
    """Measure the situation and hold everything it says against the report."""
    measured = probe.measure(
        *situation.command,
        options=situation.options,
        env=situation.env,
        cwd=SAMPLES if situation.in_samples else None,
    )
    _ending(situation, measured)
    _work(situation, measured)
    _rebuilds(situation, measured)
    _trust(situation, measured)
    situation.also(measured)
    assert probe.leftovers(warps_own=False) == []
    return measured


def _ending(situation: Situation, measured: Measured) -> None:
    sample = measured.sample
    assert (sample["outcome"], sample["exit_code"]) == (situation.outcome, situation.exit_code), sample
    assert measured.process.returncode == situation.exit, measured.text[-2000:]


def _work(situation: Situation, measured: Measured) -> None:
    compiled = measured.modules()
    if situation.builds is not None:
        assert measured.builds() == situation.builds, compiled
    if situation.modules is not None:
        assert len({entry["name"] for entry in compiled}) == situation.modules, compiled
    if situation.launches is not None:
        assert measured.launches["total"] == situation.launches, measured.launches
        modules = measured.modules(None)
        assert (
            sum(entry["launches"] + entry["adjoint_launches"] for entry in modules) == situation.launches
        ), modules
    if situation.distinct is not None:
        assert measured.launches["distinct"] == situation.distinct, measured.launches["by_signature"]


def _rebuilds(situation: Situation, measured: Measured) -> None:
    causes = measured.causes()
    assert [cause["kind"] for cause in causes] == [because.kind for because in situation.rebuilds], causes
    for cause, because in zip(causes, situation.rebuilds, strict=True):
        assert all(word in cause["detail"] for word in because.words), cause
        if because.where is not None:
            assert cause["where"].endswith(marked(situation.marks, because.where)), cause


def _trust(situation: Situation, measured: Measured) -> None:
    processes = measured.report["processes"]
    if situation.processes is not None:
        assert len(processes) == situation.processes, processes
    assert sum(not entry["attached"] for entry in processes) == situation.unattached, processes
    assert measured.report["isolation"]["ok"] == situation.isolated, measured.report["isolation"]
    codes = set(measured.warnings())
    assert set(situation.warns) <= codes, measured.report["warnings"]
    assert codes & UNHEALTHY == set(situation.warns) & UNHEALTHY, measured.report["warnings"]
    assert all(warning["next"] for warning in measured.report["warnings"])
    assert len(measured.report["findings"]) == 13
