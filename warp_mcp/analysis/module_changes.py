"""The modules of both sides set side by side: builds, times, identities, and the options that differ."""

from collections import defaultdict
from dataclasses import dataclass

from warp_mcp.models.comparison import ModuleChange
from warp_mcp.models.report import ModuleEntry, Report

_MOST = 200
"""Modules listed in a comparison, those with the largest difference first."""


@dataclass(frozen=True)
class Match:
    """The identities of one module on both sides; one list is empty for a module of one side."""

    name: str
    device: str
    baseline: list[ModuleEntry]
    candidate: list[ModuleEntry]


@dataclass(frozen=True)
class OptionDifference:
    """An option whose values differ over the identities of one module."""

    option: str
    old: set[str]
    new: set[str]

    def __str__(self) -> str:
        return f"{self.option}: {_joined(self.old)} → {_joined(self.new)}"


def _joined(values: set[str]) -> str:
    return " and ".join(sorted(values)) or "absent"


def match_modules(baseline: Report, candidate: Report) -> list[Match]:
    """By name and device; modules named after a hash by the content of their kernels."""
    before, after = _by_name(baseline), _by_name(candidate)
    partners = _by_content(before, after)
    matches = [
        Match(
            name,
            device,
            entries,
            after.get((name, device)) or after.get(partners.get((name, device), ("", "")), []),
        )
        for (name, device), entries in before.items()
    ]
    taken = {*before, *partners.values()}
    return matches + [Match(*key, [], entries) for key, entries in after.items() if key not in taken]


_Key = tuple[str, str]


def _by_name(report: Report) -> dict[_Key, list[ModuleEntry]]:
    groups: dict[_Key, list[ModuleEntry]] = defaultdict(list)
    for entry in report.modules:
        groups[entry.name, entry.device].append(entry)
    return dict(groups)


def _by_content(
    before: dict[_Key, list[ModuleEntry]], after: dict[_Key, list[ModuleEntry]]
) -> dict[_Key, _Key]:
    """Partners of modules whose name the other side does not have: the same kernels on the same device."""
    waiting: dict[tuple[str, str], list[_Key]] = defaultdict(list)
    for key in after:
        if key not in before:
            waiting[_content(after[key]), key[1]].append(key)
    partners: dict[_Key, _Key] = {}
    for key in before:
        found = waiting.get((_content(before[key]), key[1]), [])
        if key not in after and found and _content(before[key]):
            partners[key] = found.pop(0)
    return partners


def _content(entries: list[ModuleEntry]) -> str:
    return " ".join(sorted({entry.content for entry in entries if entry.content}))


def option_differences(match: Match) -> list[OptionDifference]:
    """Options that both sides record and that differ; empty for a module of one side."""
    old, new = _values(match.baseline), _values(match.candidate)
    return [
        OptionDifference(name, old[name], new[name])
        for name in sorted(set(old) & set(new))
        if old[name] != new[name]
    ]


def _values(entries: list[ModuleEntry]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        for name, value in entry.options.items():
            values[name].add(value)
    return dict(values)


def module_changes(matches: list[Match]) -> list[ModuleChange]:
    """One entry for each module, the largest difference first."""
    changes = [_change(match) for match in matches]
    changes.sort(key=lambda change: -abs(change.candidate_ms - change.baseline_ms))
    return changes[:_MOST]


def _change(match: Match) -> ModuleChange:
    return ModuleChange(
        name=match.name,
        device=match.device,
        baseline_builds=sum(entry.builds for entry in match.baseline),
        candidate_builds=sum(entry.builds for entry in match.candidate),
        baseline_ms=sum(entry.ms for entry in match.baseline),
        candidate_ms=sum(entry.ms for entry in match.candidate),
        hash_moved=hash_moved(match),
        options=[str(difference) for difference in option_differences(match)],
    )


def hash_moved(match: Match) -> bool:
    """Whether the set of identities differs."""
    return {entry.hash for entry in match.baseline} != {entry.hash for entry in match.candidate}
