"""What to do after reading a report, in the words of the door it is read through."""

from collections.abc import Callable
from dataclasses import dataclass
from shlex import quote

from warp_mcp.models.finding import Finding
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.rehearsed import alone, as_report, shown
from warp_mcp.models.report import Report
from warp_mcp.presentation.finding_words import fired, fix_words
from warp_mcp.presentation.headline import MINOR, cut_short_words, touches_warp
from warp_mcp.presentation.lever_words import bought_words, losses, take_words
from warp_mcp.presentation.measure_command import FOR_A_VERDICT, measure_command
from warp_mcp.presentation.numbers import duration
from warp_mcp.presentation.rehearsal_words import reached_cuda
from warp_mcp.presentation.root_words import more_roots, remedy
from warp_mcp.presentation.words import place, relative

OF_REBUILDS = ("CS-1", "CS-3", "CS-6")
"""Mechanisms whose cost is that of rebuilds: what to do about them stands in the roots."""

LINKS, BACKWARD = "CS-7", "CS-10"
"""Most links are for backward code: whether that goes has its line, and comes before what needs a GPU."""

BEFORE, AFTER = "before", "after"
_MOST_ROOTS = 3
"""Lines to edit named one by one: a reader changes one thing and measures again."""

REHEARSAL_FAILED = (
    "The program stopped in the rehearsal: read its last lines, and what could not be rehearsed. Where the "
    "cause is its own, mend it; else measure it on a machine with a GPU."
)


@dataclass(frozen=True)
class Step:
    """One thing to do, with the command that does it where there is one."""

    words: str
    command: tuple[str, ...] = ()
    """Words of a shell command, quoted where they need it."""

    @property
    def sentence(self) -> str:
        """Both, for where a command cannot have lines of its own."""
        return f"{self.words} `{' '.join(self.command)}`" if self.command else self.words


@dataclass(frozen=True)
class Door:
    """How a measurement, a comparison and the options are asked for."""

    measure: Callable[[Report, str], Step]
    """With the label that the next report gets."""
    compare: Callable[[str], Step]
    """With the report, by its id or label, that the edited program is judged against."""
    stops: str
    timeout: str
    rehearse: str
    """What has CUDA rehearsed where there is none."""
    explain: Callable[[str, Report], Step] | None = None
    """How the mechanism of a label is explained with this report; null where that cannot be asked for."""


def terminal(directory: str | None) -> Door:
    """Commands that can be pasted where the reader is."""
    return Door(
        measure=lambda report, label: _measured(report, directory, label),
        compare=lambda baseline: Step("Compare:", ("warp-mcp", "compare", baseline, "latest")),
        stops="`--stop-after-launches N`, `--stop-when-quiet S` or `--until-output TEXT`",
        timeout="`--timeout SECONDS`",
        rehearse="`--rehearse-cuda sm_90`",
        explain=lambda label, report: Step(
            "Read how it works, and what can go wrong:",
            ("warp-mcp", "explain", label, "--report", report.report_id),
        ),
    )


def _measured(report: Report, directory: str | None, label: str) -> Step:
    """After an edit without the levers: a comparison rests on the unchanged runs alone."""
    return Step("Measure again:", measure_command(report, directory, label, levers=label != AFTER))


def _thrice(report: Report) -> str:
    """What a comparison of rehearsals needs."""
    return f", `rehearsals` {FOR_A_VERDICT}" if alone(report) else ""


TOOLS = Door(
    measure=lambda report, label: Step(
        f"Measure again: `measure` with the same arguments{_thrice(report)} and label `{label}`"
    ),
    compare=lambda baseline: Step(f"Compare: `compare` with baseline `{baseline}`, candidate `after`"),
    stops="`stop_after_launches`, `stop_when_quiet_s` or `until_output`",
    timeout="`timeout_s`",
    rehearse='`options` {"rehearse_cuda": ["sm_90"]}',
)
"""The tools of the server, for an agent."""


def next_steps(report: Report, door: Door) -> list[Step]:
    """What to do, the first thing first."""
    if alone(report):
        return _of_rehearsal(report, door)
    outcomes = {sample.outcome for sample in report.samples}
    missing = [Step(warning.next) for warning in report.warnings if warning.code == "warp_missing"]
    if missing and "completed" not in outcomes:
        return missing
    few = any(warning.code == "few_samples" for warning in report.warnings)
    if cut_short_words(report) and few:
        return [_to_the_end(report, door)]
    if "completed" not in outcomes:
        return _after_failure(report, outcomes, door)
    if not touches_warp(report):
        return [Step("Measure a command that launches kernels; this was:", _by_itself(report))]
    minor = [Step(warning.next) for warning in report.warnings if warning.code == MINOR]
    cuda = _on_cuda(report)
    if minor:
        return [*minor, *cuda]
    if not report.isolation.ok:
        return [_isolation(report), door.measure(report, BEFORE)]
    baseline = [_baseline(report, door)] if few else []
    edits = [*_lever(report), *_edits(report, door)]
    return [*baseline, *edits, *cuda, *_proof(report, door, few=few)]


def _proof(report: Report, door: Door, *, few: bool) -> list[Step]:
    """After an edit: against this report, or where it has too few samples against the one made before it."""
    return [door.measure(report, AFTER), door.compare(BEFORE if few else report.report_id)]


def _of_rehearsal(report: Report, door: Door) -> list[Step]:
    """After a rehearsal of a program that does not run without CUDA."""
    told = shown(report)
    outcomes = {sample.outcome for sample in told.samples}
    if "completed" not in outcomes and "failed" not in outcomes:
        return _after_failure(told, outcomes, door) if outcomes else [_to_the_end(report, door)]
    if "completed" not in outcomes:
        nothing = not told.roots and not fired(told.findings)
        return [Step(REHEARSAL_FAILED), *([Step(_largest(told))] if told.modules and nothing else [])]
    if not touches_warp(told):
        return [Step("Measure a command that launches kernels; this was:", _by_itself(report))]
    few = any(warning.code == "few_samples" for warning in told.warnings)
    step = door.measure(report, BEFORE)
    how = "" if step.command else f" {step.words.removeprefix('Measure again: ')}"
    first = Step(
        f"To prove an effect later, rehearse this state three times before you edit:{how}", step.command
    )
    baseline = [first] if few else []
    return [*baseline, *_edits(told, door), *_proof(report, door, few=few)]


def _on_cuda(report: Report) -> list[Step]:
    """What the rehearsal beside ordinary samples points to first, if anything."""
    if report.rehearsal is None:
        return []
    told = as_report(report, report.rehearsal)
    if not reached_cuda(report.rehearsal):
        return [Step(one.next) for one in told.warnings if one.code == "nothing_for_cuda"]
    if told.roots:
        return [Step(f"For CUDA, as rehearsed: {remedy(told.roots[0], report.cwd)}")]
    first = _dearest(told)
    return [Step(f"For CUDA, as rehearsed, try first: {fix_words(first, report.cwd)}")] if first else []


def _baseline(report: Report, door: Door) -> Step:
    """A report of fewer samples shows what to edit, but no comparison can rest on it."""
    step = door.measure(report, BEFORE)
    return Step(
        "To prove an effect later, measure this state with three samples before you edit:", step.command
    )


def _to_the_end(report: Report, door: Door) -> Step:
    """Of a measurement that was cut short nothing was edited yet: the same one once more."""
    step = door.measure(report, report.label or BEFORE)
    return Step(f"{step.words.removesuffix(':')}, to the end:" if step.command else step.words, step.command)


def _isolation(report: Report) -> Step:
    """What makes the next measurement a cold one: nothing can be compared with this one."""
    first = next(iter(report.isolation.violations), "the program left the isolated cache")
    return Step(
        f"Change this first, at least while measuring: {relative(first, report.cwd).rstrip('.')}. With empty "
        "caches the next report can tell what to edit, and be compared."
    )


def _by_itself(report: Report) -> tuple[str, ...]:
    return ("cd", quote(report.cwd), "&&", *map(quote, report.command))


def _after_failure(report: Report, outcomes: set[str], door: Door) -> list[Step]:
    if "timed_out" in outcomes and report.stop != "none":
        return [Step(warning.next) for warning in report.warnings if warning.code == "timed_out"]
    if "timed_out" in outcomes:
        return [
            Step(f"Say when the program has started: {door.stops}."),
            Step("The first of them is best: it stops at the same point in every run."),
            Step(f"Or give each run more time: {door.timeout}."),
        ]
    lost = [Step(warning.next) for warning in report.warnings if warning.code == "recorder_not_attached"]
    if "not_attached" in outcomes and lost:
        return lost
    if "not_attached" in outcomes:
        return [Step("Name the interpreter that has Warp as the command's first word: `/path/to/python …`")]
    if "cancelled" in outcomes:
        return [_to_the_end(report, door)]
    alone_first = Step("Make the program run by itself first:", _by_itself(report))
    if report.rehearsal is None and _misses_cuda(report):
        return [Step(f"If it needs CUDA, which is not here, rehearse it: {door.rehearse}."), alone_first]
    return [alone_first]


def _misses_cuda(report: Report) -> bool:
    """Whether a program that failed on a machine without a GPU spoke of CUDA as it ended."""
    failed = (sample.stderr_tail.strip() for sample in report.samples if sample.outcome == "failed")
    # The last line alone: Warp says above it in every run that there is no driver.
    last = [tail.splitlines()[-1].lower() for tail in failed if tail]
    return report.environment.gpu is None and any("cuda" in line for line in last)


def _best(report: Report) -> LeverResult | None:
    """The lever that buys most, if one buys anything."""
    return next((lever for lever in report.levers if lever.verdict == "improved"), None)


def _lever(report: Report) -> list[Step]:
    """How to take the best lever, after what has to be asked first. It was measured, so it comes first."""
    lever = _best(report)
    if lever is None:
        return []
    asked = [Step(f"Ask first whether this may be lost: {sentence}") for sentence in losses(lever)]
    how = "; ".join(take_words(lever))
    return [*asked, Step(f"Take `{lever.lever}`, with which it was {bought_words(lever)}: {how}.")]


def _edits(report: Report, door: Door) -> list[Step]:
    """What to change, by what it costs: the lines behind the rebuilds, and the dearest other finding.

    A line behind rebuilds comes first where it costs as much: that is measured, and has one place.
    """
    words = [remedy(root, report.cwd) for root in report.roots[:_MOST_ROOTS]]
    if rest := more_roots(report.roots[_MOST_ROOTS:]):
        words[-1] += f" Then {rest}, listed above."
    roots = [Step(one) for one in words]
    finding = None if _best(report) else _dearest(report)
    if finding is None:
        return roots if roots or _best(report) else [Step(_largest(report))]
    cost = finding.cost_ms or 0.0
    before = sum(root.cost_ms >= cost for root in report.roots[:_MOST_ROOTS])
    if before and before == len(roots):
        return roots
    return [*roots[:before], *_steps_of(finding, report, door), *roots[before:]]


def _dearest(report: Report) -> Finding | None:
    """The dearest finding that has a fix; beside roots none on the rebuilds themselves, which roots tell."""
    told = OF_REBUILDS if report.roots else ()
    findings = [one for one in fired(report.findings) if one.fix and one.mechanism not in told]
    first = next(iter(findings), None)
    if first is None or first.mechanism != LINKS:
        return first
    return next((one for one in findings if one.mechanism == BACKWARD), first)


def _steps_of(first: Finding, report: Report, door: Door) -> list[Step]:
    steps = [Step(f"Ask first: {relative(question, report.cwd)}") for question in first.questions[:1]]
    place_words = place(first.where, report.cwd) if first.where and first.where not in first.fix else ""
    steps.append(Step(f"Try first{place_words}: {fix_words(first, report.cwd)}"))
    if door.explain is not None:
        steps.append(door.explain(first.mechanism, report))
    return steps


def _largest(report: Report) -> str:
    """What is left to look at when no module was built twice and no finding fired."""
    built = [module for module in report.modules if module.builds]
    if not built:
        return "Nothing was built in this run, so there is nothing to edit: look at what the rest of it does."
    most = max(built, key=lambda module: module.ms)
    return (
        f"No module was built twice, and no finding fired. The largest build is `{most.name}`, "
        f"{duration(most.ms)}: look at what it holds that this command does not use, and change one thing."
    )
