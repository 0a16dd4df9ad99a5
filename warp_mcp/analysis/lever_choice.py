"""Which levers are worth a try: those that the findings of a measurement point to, the dearest first."""

from collections.abc import Iterator
from math import ceil
from typing import Any

from warp_mcp.analysis.lever_words import make_lever
from warp_mcp.models.finding import Finding
from warp_mcp.models.lever import Lever, Setting
from warp_mcp.models.report import ModuleEntry, Report

_MOST_MODULES = 3
"""Modules that get a lever of their own: each costs as many runs as the program itself does."""

_LOW_UNROLL = 4
"""First lower budget to try (default 16): loops of up to four steps, such as those over the components of a
vector, stay unrolled. Where the budget is as low already, 1 leaves nothing unrolled."""

_MATHDX = ("enable_mathdx_gemm", "enable_mathdx_solver", "enable_mathdx_fft")

_NAMED_ANEW = ("unique", "map")
"""Modules with a hash in their name: no option can be set on them by the name of another run."""

Choice = tuple[Lever, float]
"""A lever and the milliseconds that it is expected to save, by the finding; a bound or an estimate."""


def choose_levers(report: Report) -> list[Choice]:
    """Levers for what fired, the dearest first; where several hold for the process, these together last."""
    hits = {finding.mechanism: finding for finding in report.findings if finding.status == "fired"}
    chosen = [
        *_backward(report, hits.get("CS-10")),
        *_headers(hits.get("CS-12")),
        *_unrolling(hits.get("CS-11")),
        *_mathdx(report, hits.get("CS-7")),
        *_preload(report, hits.get("CS-13")),
    ]
    chosen.sort(key=lambda choice: -choice[1])
    return chosen + _together(report, chosen)


def _backward(report: Report, finding: Finding | None) -> Iterator[Choice]:
    """For the process where no module needs backward code; else for the dearest modules that do not."""
    if finding is None:
        return
    if not any(entry.adjoint_launches for entry in report.modules):
        yield _for_process({"enable_backward": False}, finding.cost_ms)
        return
    entries = {entry.name: entry for entry in report.modules}
    stakes: dict[str, Any] = finding.evidence.get("at_stake_by_module_ms", {})
    named = [name for name in stakes if name in entries and _keeps_its_name(entries[name])]
    for name in sorted(named, key=lambda name: -stakes[name])[:_MOST_MODULES]:
        setting = Setting(option="enable_backward", value=False, module=name)
        yield make_lever([setting]), float(stakes[name])


def _keeps_its_name(entry: ModuleEntry) -> bool:
    return entry.made not in _NAMED_ANEW


def _headers(finding: Finding | None) -> Iterator[Choice]:
    """The other choice than the one that was made."""
    if finding is None:
        return
    on = "use_precompiled_headers: True" in finding.evidence.get("options", [])
    yield _for_process({"use_precompiled_headers": not on}, finding.cost_ms)


def _unrolling(finding: Finding | None) -> Iterator[Choice]:
    if finding is None:
        return
    told = [str(option).removeprefix("max_unroll: ") for option in finding.evidence.get("options", [])]
    budgets = [int(budget) for budget in told if budget.isdigit()]
    low = 1 if budgets and max(budgets) <= _LOW_UNROLL else _LOW_UNROLL
    yield _for_process({"max_unroll": low}, finding.cost_ms)


def _mathdx(report: Report, finding: Finding | None) -> Iterator[Choice]:
    """All switches that the linked modules have on: the record does not tell what a link is for."""
    if finding is None:
        return
    names = set(finding.evidence.get("modules", []))
    linked = [entry for entry in report.modules if entry.name in names]
    on = [option for option in _MATHDX if any(entry.options.get(option) == "True" for entry in linked)]
    if on:
        yield _for_process(dict.fromkeys(on, False), finding.cost_ms)


def _preload(report: Report, finding: Finding | None) -> Iterator[Choice]:
    """No more workers than cores, and than the modules can keep busy."""
    if finding is None or finding.cost_ms is None or len(finding.evidence.get("preload_safely", [])) < 2:
        return
    ceiling = float(finding.evidence.get("ceiling", 0.0))
    workers = min(report.environment.cores, ceil(ceiling))
    if workers >= 2:
        # What is at stake is the wait less its largest build; with fewer workers than that takes, less.
        whole = finding.cost_ms * ceiling / (ceiling - 1)
        yield make_lever([], workers), min(finding.cost_ms, whole * (1 - 1 / workers))


def _for_process(options: dict[str, bool | int], cost_ms: float | None) -> Choice:
    settings = [Setting(option=name, value=value) for name, value in options.items()]
    return make_lever(settings), cost_ms or 0.0


def _together(report: Report, chosen: list[Choice]) -> list[Choice]:
    """Those for the process in one lever. Its parts share time, so the wait bounds what it saves."""
    whole = [(lever, ms) for lever, ms in chosen if all(one.module is None for one in lever.settings)]
    if len(whole) < 2:
        return []
    settings = [setting for lever, _ in whole for setting in lever.settings]
    preload = next((lever.preload for lever, _ in whole if lever.preload), None)
    wait = report.metrics.get("compile_elapsed_ms") or report.metrics.get("cold_module_ms")
    expected = sum(ms for _, ms in whole)
    return [(make_lever(settings, preload), min(expected, max(0.0, wait.median)) if wait else expected)]
