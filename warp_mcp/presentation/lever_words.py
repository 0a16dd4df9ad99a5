"""Words for levers that both pages and summaries use: what each bought, its receipts, how to take it."""

from collections.abc import Iterator

from warp_mcp.models.lever import LeverResult
from warp_mcp.models.lever_options import OPTIONS
from warp_mcp.models.report import Report
from warp_mcp.presentation.numbers import joined, metric, plural, signed, size
from warp_mcp.presentation.words import METRIC_NAMES

COLUMNS = ("change", "in %", "verdict", "moved", "source", "launches", "outputs")
"""Of a table of levers, after the lever itself."""
FIGURES = (1, 2, 4, 5)
"""Columns of figures, the lever's own counted."""
_MOST_REASONS = 3

LAUNCHES = {"preserved": "same", "changed": "changed", "unverified": "unknown"}
OUTPUTS = {
    "identical": "identical",
    "within_tolerance": "close",
    "incomplete": "in part",
    "different": "differ",
    "not_recorded": "unknown",
    "not_deterministic": "vary",
}
"""Outputs in one word. `close`: equal within the tolerance; `in part`: a kernel that
changed was not compared; `vary`: the program differs from itself."""
_JUDGED = {"cold_module_ms": "building modules", "compile_elapsed_ms": "the compile wait"}

_LITERALS = {"true": "True", "false": "False", "none": "None", "null": "None"}


def tried(report: Report) -> str:
    """How the levers were tried, and what they are to be compared with."""
    named = dict.fromkeys(lever.judged_on for lever in report.levers if lever.judged_on in report.metrics)
    figures = [f"{judged_words(name)} {metric(report.metrics[name])}" for name in named]
    source = f"{size(report.structure.generated_source_bytes)} of generated source"
    return (
        "The same command with each option applied from outside, in turn with unchanged runs. Unchanged: "
        f"{joined([*figures, source])}."
    )


def judged_words(name: str) -> str:
    """What a verdict rests on, as a part of a sentence."""
    return _JUDGED.get(name) or METRIC_NAMES.get(name, name)


def figures(lever: LeverResult) -> tuple[str, ...]:
    """The cells of `COLUMNS`."""
    if not lever.samples:
        return "unknown", "", lever.verdict, "unknown", "unknown", "unknown", "unknown"
    return (
        *_change(lever),
        lever.verdict,
        moved_words(lever),
        "unknown" if lever.source_bytes is None else size(lever.source_bytes),
        LAUNCHES[lever.workload],
        OUTPUTS[lever.outputs],
    )


def _change(lever: LeverResult) -> tuple[str, str]:
    """The change and the same in percent: of a lever that was not what ran, there is none."""
    if lever.applied is False:
        return "not applied", ""
    return (
        "unknown" if lever.delta is None else signed(lever.delta),
        "" if lever.delta_percent is None else signed_percent(lever.delta_percent),
    )


def signed_percent(value: float) -> str:
    """`−50 %`; one decimal below ten."""
    decimals = 0 if abs(value) >= 10 else 1
    return f"{'−' if value < 0 else '+'}{abs(value):.{decimals}f} %"


def moved_words(lever: LeverResult) -> str:
    """`3 of 4`: modules with other hashes, of all."""
    return f"{len(lever.modules_moved)} of {len(lever.modules_moved) + len(lever.modules_unmoved)}"


def lever_lines(lever: LeverResult) -> Iterator[str]:
    """Why its verdict is what it is, what it takes away, and what more there is to know of it."""
    reasons = lever.reasons[:_MOST_REASONS]
    if reasons:
        yield f"{_sentence(reasons[0])}"
    yield from (_sentence(reason) for reason in reasons[1:])
    yield from (f"Takes away: {sentence}" for sentence in lever.takes_away)
    if lever.slower_kernels:
        yield f"Kernels that ran slower with it: {joined(lever.slower_kernels)}."
    if lever.modules_moved and lever.modules_unmoved:
        yield f"Did not move: {joined(lever.modules_unmoved)}{_unmoved_because(lever)}."
    if lever.sampling:
        yield f"Stopped after {plural(lever.samples, 'sample')}: {lever.sampling}."


def _unmoved_because(lever: LeverResult) -> str:
    """Where a lever for the process moves nothing; one for a module is not meant for others."""
    names = [part.partition("=")[0].strip() for part in lever.lever.split(",")]
    if any(":" in name or name == "preload" for name in names):
        return ""
    return ": they have it already, the program sets it there, or it does not concern them"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def bought_words(lever: LeverResult) -> str:
    """`2.00 s less (−50 %) of building modules`."""
    if lever.delta is None or not lever.samples or lever.applied is False:
        return ""
    if abs(lever.delta) < 0.5:
        return f"no difference in {judged_words(lever.judged_on)}"
    more = "less" if lever.delta < 0 else "more"
    share = "" if lever.delta_percent is None else f" ({signed_percent(lever.delta_percent)})"
    return f"{signed(abs(lever.delta))[1:]} {more}{share} of {judged_words(lever.judged_on)}"


def lever_line(lever: LeverResult) -> str:
    """Everything in one line, for a reader with little room."""
    bought = "not applied" if lever.applied is False else bought_words(lever)
    seen = [
        f"{moved_words(lever)} modules moved",
        f"launches {LAUNCHES[lever.workload]}",
        f"outputs {OUTPUTS[lever.outputs]}",
    ]
    parts = [
        f"{lever.verdict}{f', {bought}' if bought else ''}",
        *(seen if lever.samples else ["no run with it completed"]),
        f"slower kernels: {joined(lever.slower_kernels, 3)}" if lever.slower_kernels else "",
        f"takes away: {' '.join(lever.takes_away)}" if lever.takes_away else "",
    ]
    if lever.verdict not in ("improved", "regressed") and lever.reasons:
        parts.insert(1, lever.reasons[0])
    return f"{lever.lever}: {'; '.join(part for part in parts if part)}"


def losses(lever: LeverResult) -> list[str]:
    """What it takes away, without the sentences that say that nothing is lost."""
    return [one for one in lever.takes_away if not one.startswith("Nothing") and ": nothing" not in one]


def take_words(lever: LeverResult) -> list[str]:
    """How to put a lever into the program, one sentence for each of its options."""
    return [_take(part.strip()) for part in lever.lever.split(",") if "=" in part]


def _take(part: str) -> str:
    name, _, value = part.partition("=")
    module, _, option = name.rpartition(":")
    if option == "preload":
        return (
            f"build the modules ahead with `wp.force_load(device, modules=[…], max_workers={value})` at the "
            "entry point, with the device and block_dim that the launches use"
        )
    value = _literal(value.strip())
    call = f'`wp.set_module_options({{"{option}": {value}}})`'
    if module:
        return f"put {call} on module `{module}` before its first launch"
    known = OPTIONS.get(option)
    if known is not None and known.place == "module":
        return f"put {call} at the top of each file with kernels"
    return f"put `wp.config.{option} = {value}` at the entry point, before any file with kernels is imported"


def _literal(value: str) -> str:
    """A value as Python writes it."""
    if value.lower() in _LITERALS:
        return _LITERALS[value.lower()]
    return value if value.lstrip("-").isdigit() else f'"{value}"'
