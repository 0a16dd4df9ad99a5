"""What the records hold that can explain a difference of times: condition (c) of the verdict.

Figures count when their ranges over the samples of the two sides lie apart, so that what varies from
run to run is never a ground.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from warp_mcp.analysis import options
from warp_mcp.analysis.module_changes import Match, OptionDifference, option_differences
from warp_mcp.analysis.statistics import ranges_apart
from warp_mcp.analysis.texts import counted
from warp_mcp.analysis.thresholds import SOURCE_PERCENT
from warp_mcp.models.report import Metric, Report


@dataclass(frozen=True)
class Ground:
    """A recorded change that bears on times."""

    text: str
    direction: int
    """-1: it makes the candidate faster; 1: slower; 0: either, by the program."""


def values_of(report: Report, name: str) -> list[float]:
    """The values of a metric over the completed samples; empty when unknown."""
    metric = report.metrics.get(name)
    return metric.values if metric else []


def overlap_values(report: Report) -> list[float]:
    """Builds in flight at once, over the samples; no build overlaps as little as one."""
    return [max(1.0, value) for value in values_of(report, "peak_builds")]


def overlap_changed(baseline: Report, candidate: Report) -> bool:
    """Whether the ranges of `peak_builds` over the samples do not intersect."""
    return ranges_apart(overlap_values(baseline), overlap_values(candidate))


def building_grounds(baseline: Report, candidate: Report, matches: list[Match]) -> list[Ground]:
    """Grounds that bear on the work of building, in the cold run."""
    found = [
        _counted(baseline, candidate, "builds", "build"),
        _source(baseline, candidate),
        _counted(baseline, candidate, "lto_artifacts", "LTO artifact"),
        _headers(baseline, candidate),
    ]
    return [ground for ground in found if ground] + list(_options(matches))


def overlap_grounds(baseline: Report, candidate: Report) -> list[Ground]:
    """More or less overlap: it bears on the wait, not on the work."""
    if not overlap_changed(baseline, candidate):
        return []
    before, after = max(overlap_values(baseline)), max(overlap_values(candidate))
    text = f"up to {after:g} builds at once in place of {before:g}"
    return [Ground(text, -1 if after > before else 1)]


def reuse_grounds(baseline: Report, candidate: Report) -> list[Ground]:
    """Another set of modules built by the warm run: it bears on the warm run."""
    before, after = _warm_sets(baseline), _warm_sets(candidate)
    if ranges_apart(values_of(baseline, "warm_builds"), values_of(candidate, "warm_builds")):
        old, new = baseline.metrics["warm_builds"], candidate.metrics["warm_builds"]
        text = f"{counted(round(new.median), 'build')} in the warm run in place of {round(old.median)}"
        return [Ground(text, _sign(old, new))]
    if len(before) == len(after) == 1 and before != after:
        return [Ground("the warm run builds other modules", 0)]
    return []


def _warm_sets(report: Report) -> set[tuple[str, ...]]:
    """The sets of modules that the warm runs built; one when all samples agree."""
    warm = [sample.warm for sample in report.samples if sample.outcome == "completed" and sample.warm]
    return {tuple(run.compiled) for run in warm if run.outcome == "completed"}


def _sign(old: Metric, new: Metric) -> int:
    return -1 if new.median < old.median else 1


def _counted(
    baseline: Report, candidate: Report, name: str, thing: str, several: str | None = None
) -> Ground | None:
    if not ranges_apart(values_of(baseline, name), values_of(candidate, name)):
        return None
    old, new = baseline.metrics[name], candidate.metrics[name]
    count = counted(round(new.median), thing, several)
    return Ground(f"{count} in place of {round(old.median)}", _sign(old, new))


def _source(baseline: Report, candidate: Report) -> Ground | None:
    name = "generated_source_bytes"
    ground = _counted(baseline, candidate, name, "byte of generated source", "bytes of generated source")
    if ground is None:
        return None
    old, new = baseline.metrics[name].median, candidate.metrics[name].median
    return ground if abs(new - old) * 100 > SOURCE_PERCENT * old else None


def _headers(baseline: Report, candidate: Report) -> Ground | None:
    """Fewer headers is less work, unless the header is off: then every module pays for its text."""
    ground = _counted(
        baseline, candidate, "header_builds", "precompiled header built", "precompiled headers built"
    )
    if ground is None:
        return None
    off = 0 in (baseline.metrics["header_builds"].median, candidate.metrics["header_builds"].median)
    return Ground(ground.text, 0) if off else ground


def _options(matches: list[Match]) -> Iterator[Ground]:
    for match in matches:
        for difference in option_differences(match):
            if _affects(match, difference):
                way = options.direction(difference.option, difference.old, difference.new)
                yield Ground(f"{match.name}: {difference}", way)


def _affects(match: Match, difference: OptionDifference) -> bool:
    """Whether the change reaches what is built: through the compiler, or through source that did change."""
    built = all(any(entry.builds for entry in entries) for entries in (match.baseline, match.candidate))
    how = options.effect(difference.option, match.device)
    if how != "source":
        return built and how is not None
    sizes = [sorted(entry.source_bytes for entry in side) for side in (match.baseline, match.candidate)]
    return built and sizes[0] != sizes[1]
