"""What a rehearsal of CUDA showed, in sentences, whatever page they stand on. Always says that it is one."""

from collections.abc import Sequence

from warp_mcp.models.finding import Warning
from warp_mcp.models.rehearsal import NotRehearsed, RehearsedArch, RehearsedRun
from warp_mcp.models.rehearsed import all_archs, alone
from warp_mcp.models.report import ModuleEntry, Report
from warp_mcp.presentation.numbers import duration, joined, metric, percent, plural, size

MARK = (
    "Rehearsed on a machine without a GPU: the builds are real and were made here; imports, GPU run time and "
    "the driver's own compile cache are not in it."
)
NOTHING = "nothing was built for CUDA"
ARCH_COLUMNS = ("for", "CUDA builds", "work", "NVRTC", "LTO", "rebuilds", "fired")
ARCH_FIGURES = (1, 2, 3, 4, 5)
WORKER_COLUMNS = ("built by", "wait", "work", "at once", "duplicates")
WORKER_FIGURES = (1, 2, 3, 4)
MOST_TOLD = 3
"""Modules named in a sentence."""
DOMINANT = 0.1
"""Share of the work from which a module is named as dominant, of two at most."""
MUCH_LTO = 0.2
"""Share of a module's time from which its LTO is told apart."""
BUSY = 0.85
"""CPU time of the builds by their wall time below which it is told too, on a machine that was busy."""


def archs_words(report: Report) -> str:
    """`sm_80 and sm_90`; empty where nothing was rehearsed."""
    return joined(report.rehearsal.archs) if report.rehearsal else ""


def is_cuda(entry: ModuleEntry) -> bool:
    """Whether a module was built for the device of the rehearsal, or ahead of time for one."""
    return entry.device.startswith(("cuda", "aot:sm_"))


def reached_cuda(rehearsed: RehearsedArch) -> bool:
    """Whether anything was built or loaded for CUDA: findings without are those of the program as it is."""
    return any(is_cuda(entry) for entry in rehearsed.modules)


def rehearsal_answer(report: Report) -> list[str]:
    """The first sentences of a report that holds nothing but a rehearsal."""
    rehearsed = alone(report)
    assert rehearsed is not None
    if _completed(rehearsed):
        return [built_words(rehearsed), *dominant_words(rehearsed), MARK, *_left_out(rehearsed)]
    told = [
        *failure_words(rehearsed),
        _without_cuda(report),
        built_words(rehearsed),
        *dominant_words(rehearsed),
        MARK,
        *_left_out(rehearsed),
    ]
    return [sentence for sentence in told if sentence]


def built_words(rehearsed: RehearsedArch) -> str:
    """How many CUDA binaries of how many modules, and what building them takes here."""
    built = [entry for entry in rehearsed.modules if is_cuda(entry) and entry.builds]
    if not built:
        return f"In the rehearsal for {rehearsed.arch} {NOTHING}."
    builds = plural(sum(entry.builds for entry in built), "CUDA binary", "CUDA binaries")
    modules = plural(len({entry.name for entry in built}), "module")
    work = f"{_work(rehearsed)} of work on this machine{_cpu(rehearsed)}{_phases(rehearsed)}"
    what = f"{builds} of {modules}: {work}"
    if not _completed(rehearsed):
        return f"Until then the rehearsal for {rehearsed.arch} had built {what}."
    return f"A start on a GPU ({rehearsed.arch}) builds {what}."


def dominant_words(rehearsed: RehearsedArch) -> list[str]:
    """`tiles is 60 % of it, 8.10 s: 12 kernels, …`: which modules the work is. Empty without builds."""
    by_name: dict[str, list[ModuleEntry]] = {}
    for entry in rehearsed.modules:
        if is_cuda(entry) and entry.builds:
            by_name.setdefault(entry.name, []).append(entry)
    whole = sum(map(_ms, by_name.values()))
    largest = sorted(by_name.values(), key=_ms, reverse=True)[:2]
    told = [entries for entries in largest if _ms(entries) > DOMINANT * whole]
    if not told:
        return [f"No module is more than {percent(DOMINANT, 1)} of it."] if by_name else []
    first, *rest = told
    share = f"{percent(_ms(first), whole)} of it, {duration(_ms(first))}" if len(by_name) > 1 else "all of it"
    others = [f"`{one[0].name}` is {percent(_ms(one), whole)}, {duration(_ms(one))}" for one in rest]
    return ["; ".join([f"`{first[0].name}` is {share}: {_contents(first)}", *others]) + "."]


def _ms(entries: Sequence[ModuleEntry]) -> float:
    return sum(entry.ms for entry in entries)


def _contents(entries: Sequence[ModuleEntry]) -> str:
    """What makes the builds of one module as large as they are."""
    source = sum(entry.source_bytes for entry in entries)
    adjoint = sum(entry.adjoint_bytes for entry in entries)
    lto = sum(entry.phases["lto_ms"].ms for entry in entries if "lto_ms" in entry.phases)
    told = [
        f"{len(entries)} variants" if len(entries) > 1 else "",
        plural(max(entry.kernel_count for entry in entries), "kernel"),
        f"{size(source)} of generated source" if source else "",
        (f"{percent(adjoint, source)} of that backward code" if adjoint else "no backward code")
        if source
        else "",
        f"{duration(lto)} in LTO" if lto > MUCH_LTO * _ms(entries) else "",
    ]
    return ", ".join(part for part in told if part)


def failure_words(rehearsed: RehearsedArch) -> list[str]:
    """How a rehearsal ended that did not complete."""
    failed = [run for run in rehearsed.runs if run.outcome != "completed"]
    if not failed:
        return [] if rehearsed.runs else [f"The rehearsal for {rehearsed.arch} was not begun."]
    of = f"{len(failed)} of {len(rehearsed.runs)} rehearsals: " if len(rehearsed.runs) > 1 else ""
    return [
        f"{of}{'the' if of else 'The'} program {_ending(failed[0])} in the rehearsal for {rehearsed.arch}."
    ]


def _left_out(rehearsed: RehearsedArch) -> list[str]:
    """That something could not be rehearsed, for the first lines; the reasons stand further down."""
    names = [one.what for one in rehearsed.not_rehearsed]
    return [f"Not rehearsed: {joined(names, MOST_TOLD)}."] if names else []


def _ending(run: RehearsedRun) -> str:
    if run.outcome == "timed_out":
        return "ran into the time-out"
    if run.outcome == "cancelled":
        return "was cancelled"
    if run.exit_code is not None and run.exit_code < 0:
        return f"was ended by signal {-run.exit_code}"
    return f"failed with exit code {run.exit_code}"


def _without_cuda(report: Report) -> str:
    failed = [sample for sample in report.samples if sample.outcome == "failed"]
    return f"As it is, without CUDA, it failed with exit code {failed[0].exit_code}." if failed else ""


def _completed(rehearsed: RehearsedArch) -> bool:
    return any(run.outcome == "completed" for run in rehearsed.runs)


def _work(rehearsed: RehearsedArch) -> str:
    if "cold_module_ms" in rehearsed.metrics:
        return metric(rehearsed.metrics["cold_module_ms"])
    return duration(sum(entry.ms for entry in rehearsed.modules))


def _cpu(rehearsed: RehearsedArch) -> str:
    """The CPU time of the work, where the machine was busy."""
    wall, cpu = _figure(rehearsed, "cold_module_ms"), _figure(rehearsed, "cold_module_cpu_ms")
    busy = any(warning.code == "machine_busy" for warning in rehearsed.warnings)
    return f" ({duration(cpu)} of CPU time: it was busy)" if busy and 0 < cpu < BUSY * wall else ""


def _phase_ms(rehearsed: RehearsedArch, name: str) -> float:
    """Of one phase of the builds for CUDA, in the first complete run, else as far as it got."""
    return sum(
        entry.phases[name].ms for entry in rehearsed.modules if is_cuda(entry) and name in entry.phases
    )


def _phases(rehearsed: RehearsedArch) -> str:
    """Of one run as times, of several as shares: the work is a median, the phases are of the first."""
    whole = sum(entry.ms for entry in rehearsed.modules if is_cuda(entry))
    several = sum(run.outcome == "completed" for run in rehearsed.runs) > 1
    parts = [
        f"{percent(ms, whole) if several else duration(ms)} in {name}"
        for name, phase in (("NVRTC", "native_compile_ms"), ("LTO", "lto_ms"))
        if (ms := _phase_ms(rehearsed, phase))
    ]
    return f", {joined(parts)}" if parts else ""


def dearest_words(modules: Sequence[ModuleEntry]) -> list[str]:
    """`tiles at block_dim 32, 8.1 s, 4 launches`: the modules that take longest."""
    built = sorted((one for one in modules if is_cuda(one) and one.builds), key=lambda one: -one.ms)
    return [
        f"`{one.name}` at block_dim {one.block_dim}, {duration(one.ms)}, "
        f"{plural(one.launches + one.adjoint_launches, 'launch', 'launches')}"
        for one in built[:MOST_TOLD]
    ]


def not_rehearsed_words(one: NotRehearsed) -> str:
    """What only a real device does, and why."""
    times = f", {one.count} times" if one.count > 1 else ""
    return f"{one.what}{times}: {one.why.rstrip('.')}."


def worker_rows(rehearsed: RehearsedArch) -> list[tuple[str, ...]]:
    """Builds as the program makes them, then ahead of the first launch by 1, 2 … threads."""
    if not rehearsed.workers:
        return []
    work = _figure(rehearsed, "cold_module_ms")
    wait = work / (_figure(rehearsed, "overlap_factor") or 1.0)
    peak = f"{_figure(rehearsed, 'peak_builds'):.0f}"
    first = ("the launches", duration(wait), duration(work), peak, "")
    rows = [
        (
            plural(one.workers, "worker"),
            duration(one.wait_ms),
            duration(one.work_ms),
            str(one.peak_builds),
            str(one.duplicates),
        )
        for one in rehearsed.workers
    ]
    return [first, *rows]


def largest_ms(rehearsed: RehearsedArch) -> float:
    """The largest build: variants of one module, for its block dimensions, can be built side by side too."""
    return max((one.ms / one.builds for one in rehearsed.modules if is_cuda(one) and one.builds), default=0.0)


def _figure(rehearsed: RehearsedArch, name: str) -> float:
    return rehearsed.metrics[name].median if name in rehearsed.metrics else 0.0


def workers_note(rehearsed: RehearsedArch) -> str:
    """What the table of workers is held against."""
    twice = sum(one.duplicates for one in rehearsed.workers)
    wrong = (
        " Duplicates are variants that no launch used: a preload at another block_dim builds a module twice."
        if twice
        else ""
    )
    return f"{_bound(rehearsed)} Each row of workers is one run: some percent of difference are noise.{wrong}"


def _bound(rehearsed: RehearsedArch) -> str:
    """What no number of workers comes below; or that nothing was built side by side at all."""
    if all(one.peak_builds <= 1 for one in rehearsed.workers):
        return "Nothing was built side by side: what could be was one build at a time."
    largest = largest_ms(rehearsed)
    bound = f"The largest build took {duration(largest)} as the launches made it"
    if any(one.wait_ms < largest for one in rehearsed.workers):
        return f"{bound}; in a run with less wait than that the machine was faster."
    return (
        f"{bound}: the wait cannot be expected to come below that, however many workers and cores there are."
    )


def workers_words(rehearsed: RehearsedArch) -> str:
    """The same in one sentence; empty where it was not tried."""
    if not rehearsed.workers:
        return ""
    told = [
        f"{plural(one.workers, 'worker')} {duration(one.wait_ms)}"
        + (f" with {plural(one.duplicates, 'duplicate')}" if one.duplicates else "")
        for one in rehearsed.workers
    ]
    return (
        f"Wait when built ahead: {joined(told)}; the largest build alone {duration(largest_ms(rehearsed))}."
    )


def arch_rows(report: Report) -> list[tuple[str, ...]]:
    """One row for each architecture, where there are several."""
    archs = all_archs(report)
    return [_arch_row(one) for one in archs] if len(archs) > 1 else []


def _arch_row(one: RehearsedArch) -> tuple[str, ...]:
    fired = [finding.mechanism for finding in one.findings if finding.status == "fired"]
    return (
        one.arch,
        str(sum(entry.builds for entry in one.modules if is_cuda(entry))),
        _work(one),
        duration(_phase_ms(one, "native_compile_ms")),
        duration(_phase_ms(one, "lto_ms")),
        str(len(one.rebuilds)),
        ", ".join(fired) or "none",
    )


def warnings_of(report: Report) -> list[Warning]:
    """The warnings to tell: of a report that holds nothing but a rehearsal, those of the rehearsal too."""
    rehearsed = alone(report)
    if rehearsed is None:
        return report.warnings
    codes = {warning.code for warning in rehearsed.warnings}
    return [*(one for one in report.warnings if one.code not in codes), *rehearsed.warnings]
