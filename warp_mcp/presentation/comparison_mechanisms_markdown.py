"""Of a comparison as Markdown: the mechanisms in their groups, and the trade-offs."""

from collections.abc import Iterator, Sequence

from warp_mcp.models.comparison import Comparison, Delta
from warp_mcp.models.finding import Finding
from warp_mcp.models.ledger import LedgerEntry, LedgerListing, MeasuredEffect
from warp_mcp.models.report import Report
from warp_mcp.presentation import ledger_words
from warp_mcp.presentation import setting_markdown as setting
from warp_mcp.presentation.markdown import bounded, bullets, code, words
from warp_mcp.presentation.numbers import number
from warp_mcp.presentation.words import METRIC_NAMES, relative

MOST_LINES = 20
NOT_TOLD = "The report after the change is not kept here, so this cannot be told."
LOWER_IS_BETTER = ("identities", "modules", "builds", "rebuilds", "generated_source_bytes", "lto_artifacts")
"""Figures of structure whose growth somebody pays for; `warm_builds` is told apart."""


def mechanisms(
    comparison: Comparison, baseline: Report | None, candidate: Report | None, ledger: LedgerListing | None
) -> list[str]:
    """Fixed, still there, new, ruled out, measured and declined, not reached."""
    before, after = _by_label(baseline), _by_label(candidate)
    cwd = candidate.cwd if candidate else ""
    changes = comparison.mechanisms
    groups = (
        ("Fixed", [_fixed(label, before, after, cwd) for label in changes.fixed], "None."),
        (
            "Still there",
            [_now(label, after, cwd) for label in changes.remaining],
            "None of those that fired before.",
        ),
        ("New", [_now(label, after, cwd) for label in changes.new], "None."),
        ("Fired before, and cannot be told any more", _lost(before, after), ""),
        (
            "Ruled out, by what the record shows",
            _ruled_out(candidate, changes.fixed),
            NOT_TOLD if not candidate else "None.",
        ),
        ("Measured and declined", _declined(ledger), "Nothing is on record in the project's ledger."),
        (
            "Not reached: cannot be told from this command, or does not arise in it",
            _not_reached(candidate),
            "",
        ),
    )
    lines: list[str] = []
    for title, found, none in groups:
        if found or none:
            lines += [f"**{title}**", "", *(bullets(bounded(found, MOST_LINES, "the report")) or [none, ""])]
    return lines


def _by_label(report: Report | None) -> dict[str, Finding]:
    return {finding.mechanism: finding for finding in report.findings} if report else {}


def _fixed(label: str, before: dict[str, Finding], after: dict[str, Finding], cwd: str) -> str:
    told = [
        f"{when}: {relative(side[label].title.rstrip('.'), cwd)}"
        for when, side in (("before", before), ("after", after))
        if label in side
    ]
    return words(f"{setting.mechanism(label)}: {'; '.join(told)}".rstrip(": ") + ".")


def _now(label: str, after: dict[str, Finding], cwd: str) -> str:
    return setting.finding_line(after[label], cwd) if label in after else words(setting.mechanism(label))


def _lost(before: dict[str, Finding], after: dict[str, Finding]) -> list[str]:
    """What is in no group of the comparison: it fired, and the candidate's run cannot tell."""
    return [
        words(f"{setting.mechanism(label)}: {after[label].title.rstrip('.')}.")
        for label, finding in before.items()
        if finding.status == "fired" and label in after and after[label].status == "not_reached"
    ]


def _ruled_out(candidate: Report | None, fixed: Sequence[str]) -> list[str]:
    return setting.ruled_out_lines(candidate.findings, candidate.cwd, leave=fixed) if candidate else []


def _not_reached(candidate: Report | None) -> list[str]:
    return setting.not_reached_lines(candidate.findings) if candidate else []


def _declined(ledger: LedgerListing | None) -> list[str]:
    listed = ledger.entries if ledger else []
    found = [entry for entry in reversed(listed) if entry.status != "applied_unverified"]
    return [_entry(entry) for entry in found if isinstance(entry.effect, MeasuredEffect)]


def _entry(entry: LedgerEntry) -> str:
    status, effect = words(ledger_words.status_words(entry)), words(ledger_words.effect_words(entry))
    return f"{words(entry.what)} ({status}, ledger entry {entry.number}). {effect}"


def trade_offs(comparison: Comparison, baseline: Report | None) -> list[str]:
    """What got slower or larger, what was switched, and what has to be asked; from the record alone."""
    told = list(_grown(comparison)) + list(_options(comparison))
    asked = list(_questions(comparison, baseline))
    lines = bullets(bounded(told, MOST_LINES, "the comparison"))
    if not told:
        lines = ["No figure that was recorded got worse outside the noise, and no option differs.", ""]
    if asked:
        lines += [
            "To be answered by whoever knows the program, before this is relied on:",
            "",
            *bullets(asked),
        ]
    return [
        *lines,
        "What the record cannot show: what became harder to edit, which capability is gone, how fast the "
        "program runs after its start.",
        "",
    ]


def _grown(comparison: Comparison) -> Iterator[str]:
    for delta in comparison.timing:
        if delta.metric in METRIC_NAMES and delta.outside_noise and (delta.delta or 0.0) > 0:
            yield f"Slower: {METRIC_NAMES[delta.metric]}, {_share(delta)}, outside the noise."
    for line in comparison.structure:
        if line.candidate > line.baseline and line.name in LOWER_IS_BETTER:
            name = line.name.replace("_", " ")
            yield f"More {name}: {number(line.baseline)} → {number(line.candidate)}."
        if line.candidate > line.baseline and line.name == "warm_builds":
            yield f"The warm start builds more: {number(line.baseline)} → {number(line.candidate)}."


def _share(delta: Delta) -> str:
    return "more" if delta.delta_percent is None else f"{delta.delta_percent:+.0f} %"


def _options(comparison: Comparison) -> Iterator[str]:
    by_option: dict[str, list[str]] = {}
    for module in comparison.modules:
        for option in module.options:
            by_option.setdefault(option, []).append(module.name)
    for option, names in by_option.items():
        shown = ", ".join(bounded([code(name) for name in names], 4, "the comparison"))
        yield f"Switched: {code(option)} in {shown}."


def _questions(comparison: Comparison, baseline: Report | None) -> list[str]:
    before = _by_label(baseline)
    asked = [
        question
        for label in comparison.mechanisms.fixed
        if label in before
        for question in before[label].questions
    ]
    cwd = baseline.cwd if baseline else ""
    return [words(relative(question, cwd)) for question in dict.fromkeys(asked)][:MOST_LINES]
