"""What each lever bought: the runs with it compared with the unchanged ones between which they were made."""

from collections.abc import Iterator
from dataclasses import dataclass

from warp_mcp.analysis.comparison import compare_reports
from warp_mcp.analysis.lever_arrival import arrived, not_taken
from warp_mcp.analysis.module_changes import Match, match_modules, option_differences
from warp_mcp.analysis.takes_away import takes_away
from warp_mcp.analysis.texts import listed
from warp_mcp.models.comparison import Comparison, Verdict
from warp_mcp.models.lever import Lever, LeverResult
from warp_mcp.models.report import ModuleEntry, Report
from warp_mcp.models.run import ArmRecording

_ORDER: tuple[Verdict, ...] = ("improved", "inconclusive", "unverified", "regressed", "invalid")
"""What a lever is good for, the best first."""

_METRICS = ("compile_elapsed_ms", "cold_module_ms", "warm_module_ms")
"""What a verdict is judged on, that which a person waits for first."""

_LAST_LINE_CHARACTERS = 160


def price_levers(unchanged: Report, arms: list[tuple[ArmRecording, Report]]) -> list[LeverResult]:
    """The price of each arm that has a lever, what buys most first.

    What no run shows to have taken hold comes last. Only changes of one metric are ranked by size, and only
    where they are outside the noise; the rest stays as it was tried.
    """
    results = [_price(unchanged, arm, arm.lever, report) for arm, report in arms if arm.lever is not None]
    return sorted(results, key=_rank)


def _rank(result: LeverResult) -> tuple[bool, int, int, float]:
    ranked = result.verdict in ("improved", "regressed")
    metric = _METRICS.index(result.judged_on) if result.judged_on in _METRICS else len(_METRICS)
    return (
        not result.applied,
        _ORDER.index(result.verdict),
        metric if ranked else 0,
        result.delta or 0.0 if ranked else 0.0,
    )


def _price(unchanged: Report, arm: ArmRecording, lever: Lever, report: Report) -> LeverResult:
    compared = compare_reports(
        unchanged,
        report,
        comparison_id="",
        created_at="",
        interleaved=True,
        on_wait=lever.preload is not None,
    )
    if not _completed(report):
        return _unknown(unchanged, arm, lever, report, compared)
    reach = _reach(match_modules(unchanged, report))
    applied = arrived(unchanged, report, arm, lever, moved=bool(reach.moved) or reach.options)
    verdict, reasons = _verdict(unchanged, report, arm, lever, compared, reach, applied=applied)
    change = next((delta for delta in compared.timing if delta.metric == compared.judged_on), None)
    return LeverResult(
        lever=lever.text,
        metrics=report.metrics,
        judged_on=compared.judged_on,
        delta=change.delta if change else None,
        delta_percent=change.delta_percent if change else None,
        verdict=verdict,
        reasons=[_of_arms(reason) for reason in reasons],
        samples=_completed(report),
        modules_moved=reach.moved,
        modules_unmoved=reach.unmoved,
        source_bytes=report.structure.generated_source_bytes,
        source_bytes_unchanged=unchanged.structure.generated_source_bytes,
        workload=compared.workload.status,
        outputs=compared.outputs.status,
        steady_state=compared.steady_state.status,
        slower_kernels=_slower(compared),
        takes_away=takes_away(lever, unchanged, compared),
        problems=arm.problems,
        failures=_failures(report),
        applied=applied,
        sampling=arm.settled,
    )


def _unknown(
    unchanged: Report, arm: ArmRecording, lever: Lever, report: Report, compared: Comparison
) -> LeverResult:
    """A lever of which no run completed: nothing that its runs left is the work of a whole one."""
    failures = _failures(report)
    return LeverResult(
        lever=lever.text,
        metrics={},
        judged_on=compared.judged_on,
        delta=None,
        delta_percent=None,
        verdict="unverified",
        reasons=[*failures, *arm.problems] or ["no run with this lever completed"],
        samples=0,
        modules_moved=[],
        modules_unmoved=[],
        source_bytes=None,
        source_bytes_unchanged=unchanged.structure.generated_source_bytes,
        workload="unverified",
        outputs="not_recorded",
        steady_state="not_recorded",
        takes_away=takes_away(lever, unchanged, compared),
        problems=arm.problems,
        failures=failures,
        applied=None,
        sampling=arm.settled,
    )


def _of_arms(reason: str) -> str:
    """A reason in the words of levers: whoever tries one has no baseline and no candidate."""
    return reason.replace("the baseline", "the unchanged side").replace(
        "the candidate", "the side with the lever"
    )


@dataclass(frozen=True)
class _Reach:
    """Which modules a lever reached, by name."""

    moved: list[str]
    unmoved: list[str]
    options: bool
    """An option of some module differs, whether or not its hash does."""


def _reach(matches: list[Match]) -> _Reach:
    names = dict.fromkeys(match.name for match in matches)
    moved = {match.name for match in matches if _identities(match.baseline) != _identities(match.candidate)}
    return _Reach(
        moved=[name for name in names if name in moved],
        unmoved=[name for name in names if name not in moved],
        options=any(option_differences(match) for match in matches),
    )


def _identities(entries: list[ModuleEntry]) -> set[tuple[str, str, int]]:
    return {(entry.hash, entry.device, entry.block_dim) for entry in entries}


def _verdict(
    unchanged: Report,
    report: Report,
    arm: ArmRecording,
    lever: Lever,
    compared: Comparison,
    reach: _Reach,
    *,
    applied: bool,
) -> tuple[Verdict, list[str]]:
    """What `compare` says, unless the lever was not what ran; what went wrong comes first."""
    first = [*_failures(report), *arm.problems]
    if applied:
        return compared.verdict, first + compared.reasons + _same_builds(lever, reach, compared)
    if not arm.problems and unchanged.modules:
        first += [not_taken(unchanged, report, arm, lever)]
    if compared.verdict in ("invalid", "unverified"):
        return compared.verdict, first + compared.reasons
    return ("unverified" if arm.problems else "inconclusive"), first + compared.reasons


def _completed(report: Report) -> int:
    return sum(sample.outcome == "completed" for sample in report.samples)


def _failures(report: Report) -> list[str]:
    """How the first sample that did not complete ended."""
    failed = [sample for sample in report.samples if sample.outcome not in ("completed", "cancelled")]
    if not failed:
        return []
    first = failed[0]
    words = {"timed_out": "did not end in time", "not_attached": "was not recorded"}.get(
        first.outcome, f"failed (exit code {first.exit_code})"
    )
    lines = (first.stderr_tail.strip() or first.stdout_tail.strip()).splitlines()
    said = f": {lines[-1].strip()[-_LAST_LINE_CHARACTERS:]}" if lines else ""
    return [f"with this lever the program {words} in {len(failed)} of {len(report.samples)} samples{said}"]


def _same_builds(lever: Lever, reach: _Reach, compared: Comparison) -> list[str]:
    """For a preload alone: whether it built what the unchanged run builds, and no more."""
    if lever.preload is None or lever.settings:
        return []
    if reach.moved:
        return [f"it did not build the same: {listed(reach.moved)} moved"]
    figures = {one.name: one for one in compared.structure}
    if figures["generated_source_bytes"].baseline != figures["generated_source_bytes"].candidate:
        return ["identities and hashes are the same, the generated source is not"]
    return ["identities, hashes and generated source are the same as without it"]


def _slower(compared: Comparison) -> list[str]:
    return list(dict.fromkeys(_slower_kernels(compared)))


def _slower_kernels(compared: Comparison) -> Iterator[str]:
    for change in compared.steady_state.kernels:
        if change.outside_noise and change.delta_percent > 0:
            yield change.kernel
