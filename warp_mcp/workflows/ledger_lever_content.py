"""What a ledger says of a lever that was priced: worked out from the report, option by option."""

import json
from collections.abc import Iterator, Sequence

from warp_mcp.analysis.lever_applied import not_applied
from warp_mcp.analysis.lever_taken import Asked, asked_of
from warp_mcp.models.ledger import LINE_LIMIT, VERIFY_LIMIT, LedgerSide, MeasuredEffect
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.lever_options import DETERMINISM, OPTIONS
from warp_mcp.models.report import Metric, Report
from warp_mcp.presentation.lever_words import losses

_ENTRY_POINT = "the program's entry point, behind `import warp as wp` and before any module of kernels"
_AHEAD = "the program's entry point, behind the last kernel's definition and before the first launch"


def content_of(lever: LeverResult, report: Report) -> dict[str, str | list[str]]:
    """`what`, `where`, `scope`, `how_to_take`, `how_to_undo` and `verify` of an entry."""
    asked = asked_of(lever.lever)
    takes = [_take(one, report) for one in asked]
    return {
        "what": _cut(_what(lever, asked)),
        "where": _cut("; ".join(dict.fromkeys(_where(one, report) for one in asked)) or _AHEAD),
        "scope": _cut(_scope(lever, asked)),
        "how_to_take": "\n".join(takes) or _take_ahead(lever),
        "how_to_undo": f"Remove {'those lines' if len(takes) > 1 else 'that line'} again.",
        "verify": [_cut(sentence) for sentence in _verify(lever, report)][:VERIFY_LIMIT],
    }


def effect_of(lever: LeverResult, report: Report) -> MeasuredEffect | None:
    """The unchanged runs of the report against those with the lever; null where it was not what ran."""
    if not_applied(lever):
        return None
    name = lever.judged_on
    return MeasuredEffect(
        baseline=_side(report, report.metrics.get(name), None),
        candidate=_side(report, lever.metrics.get(name), lever.lever),
        judged_on=name,
        delta_ms=lever.delta,
        delta_percent=lever.delta_percent,
        verdict=lever.verdict,
        reason=lever.reasons[0] if lever.reasons else "",
        comparison_id=None,
    )


def _side(report: Report, metric: Metric | None, lever: str | None) -> LedgerSide:
    return LedgerSide(
        report_id=report.report_id,
        label=report.label,
        median_ms=metric.median if metric else None,
        mad_ms=metric.mad if metric else None,
        count=len(metric.values) if metric else 0,
        lever=lever,
    )


def _cut(text: str) -> str:
    return text if len(text) <= LINE_LIMIT else text[: LINE_LIMIT - 1] + "…"


def _what(lever: LeverResult, asked: Sequence[Asked]) -> str:
    if not asked:
        return f"Build the modules ahead of the first launch, side by side (`{lever.lever}`)"
    parts = [
        f"`{one.option}={one.value}` {f'on the module `{one.module}`' if one.module else 'for the process'}"
        for one in asked
    ]
    return f"Set {' and '.join(parts)}"


def _where(one: Asked, report: Report) -> str:
    if one.module is None:
        return _files(report) if _of_modules(one.option) else _ENTRY_POINT
    file = _file(one.module, report)
    return f"{file}, before its first kernel" if file else f"where the module `{one.module}` is made"


def _of_modules(option: str) -> bool:
    """Whether `warp.config` has no such option."""
    known = OPTIONS.get(option)
    return known is not None and known.place == "module"


def _files(report: Report) -> str:
    files = dict.fromkeys(filter(None, (_file(module.name, report) for module in report.modules)))
    return f"the top of each file that defines kernels: {', '.join(files) or 'unknown which'}"


def _file(name: str, report: Report) -> str | None:
    """The file that a module is made of; `None` where it is not the module of a file, or not known."""
    module = next((one for one in report.modules if one.name == name), None)
    if module is None or module.made != "file" or module.defined_at is None:
        return None
    return module.defined_at.rpartition(":")[0].removeprefix(report.cwd.rstrip("/") + "/")


def _scope(lever: LeverResult, asked: Sequence[Asked]) -> str:
    if reason := not_applied(lever):
        return f"Unknown. {reason}"
    if not asked:
        return "The process: what is built does not change, only when, and how many at once."
    moved, of = lever.modules_moved, len(lever.modules_moved) + len(lever.modules_unmoved)
    within = "The module named" if all(one.module for one in asked) else "The whole process"
    return f"{within}; {len(moved)} of {of} modules were built otherwise: {', '.join(moved) or 'none'}."


def _take(one: Asked, report: Report) -> str:
    value = _literal(one.value)
    if one.module is None and not _of_modules(one.option):
        return f"`wp.config.{one.option} = {value}`"
    if one.module is None or _file(one.module, report):
        return f'`wp.set_module_options({{"{one.option}": {value}}})`'
    return f"`wp.get_module({json.dumps(one.module)}).options[{json.dumps(one.option)}] = {value}`"


def _literal(value: str) -> str:
    """A value as Python writes it."""
    if value.lower() in DETERMINISM:
        return f"wp.DeterministicMode.{value.upper()}"
    named = {"true": "True", "false": "False", "none": "None", "null": "None"}
    try:
        return named.get(value.lower()) or repr(int(value))
    except ValueError:
        return json.dumps(value)


def _take_ahead(lever: LeverResult) -> str:
    workers = lever.lever.partition("=")[2].strip()
    return (
        f"`wp.force_load(max_workers={workers})`, with the device and the block_dim that the launches use: "
        "with another block_dim everything is built twice."
    )


def _verify(lever: LeverResult, report: Report) -> Iterator[str]:
    """What the lever would take away, and what the runs with it did not show."""
    if reason := not_applied(lever):
        yield f"Effect: unknown. {reason} This rests on report {report.report_id}."
        yield from _unless_told(reason, [*lever.failures, *lever.problems])
        yield from losses(lever)
        return
    yield from (f"It fails: {failure.rstrip('.')}." for failure in lever.failures)
    yield from lever.problems
    yield from losses(lever)
    if lever.workload != "preserved":
        yield f"Launches: {'they changed' if lever.workload == 'changed' else 'not known to be the same'}."
    if lever.outputs != "identical":
        yield _OUTPUTS[lever.outputs]
    if lever.slower_kernels:
        yield f"Steady state: these kernels ran slower: {', '.join(lever.slower_kernels)}."
    elif lever.steady_state == "not_recorded":
        yield "Steady state: launch times once everything is built were not recorded with it."
    elif lever.steady_state == "within_noise":
        yield "Steady state: none of the launch times stands out, but noise may hide a lot of them."
    yield "Other commands, devices and programs that import the same modules: this run shows none of them."


def _unless_told(told: str, sentences: Sequence[str]) -> Iterator[str]:
    yield from (f"{one[0].upper()}{one[1:].rstrip('.')}." for one in sentences if one.rstrip(".") not in told)


_OUTPUTS = {
    "within_tolerance": "Outputs: equal within a tolerance, not bit for bit; whether that is enough.",
    "incomplete": "Outputs: equal as far as recorded; a kernel whose code changed is not among them.",
    "different": "Outputs: what the launches computed differs with it.",
    "not_recorded": "Outputs: not recorded with it; compare what the program computes with and without.",
    "not_deterministic": "Outputs: the program differs from itself, so they could not be compared.",
}
