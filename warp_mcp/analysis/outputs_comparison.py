"""Whether two reports' launches computed the same: identical, within a tolerance, or different, and where."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from warp_mcp.analysis.kernel_changes import compare_kernels
from warp_mcp.analysis.outputs_distance import distance, tolerance
from warp_mcp.analysis.outputs_pairing import array_pairs, record_pairs
from warp_mcp.analysis.texts import counted
from warp_mcp.models.comparison import OutputComparison, OutputDifference, Workload
from warp_mcp.models.outputs import ArraySummary, OutputRecord, Outputs
from warp_mcp.models.report import Report

MOST_DIFFERENCES = 20
MOST_NOTES = 10

_Side = tuple[str, Outputs]


@dataclass
class _Found:
    """What comparing array by array found."""

    compared: int = 0
    gradients: int = 0
    tolerances: list[float] = field(default_factory=list[float])
    differences: list[OutputDifference] = field(default_factory=list[OutputDifference])
    apart: list[tuple[float, str]] = field(default_factory=list[tuple[float, str]])
    """(relative distance, which array) of arrays that differ within the tolerance."""
    inherited: float = 0.0
    """The largest tolerance that an array so far made use of: what is computed from it is no nearer."""
    unstable: int = 0
    shaky: str = ""
    """The first array that differs, but where a side differs from itself too."""
    kernels: set[str] = field(default_factory=set[str])
    """Those of which an array was compared."""
    unstable_kernels: set[str] = field(default_factory=set[str])
    """Those of which an array was left out, since a side does not agree with itself."""


def compare_outputs(baseline: Report, candidate: Report, workload: Workload) -> OutputComparison:
    """Compare what both sides recorded; arrays on which a side does not agree with itself are left out."""
    before, after = baseline.outputs, candidate.outputs
    if before is None or after is None or not before.records or not after.records:
        return OutputComparison(notes=list(_missing(("baseline", before), ("candidate", after))))
    found = _compare(baseline, candidate, before, after)
    sides = (("baseline", before), ("candidate", after))
    uncovered = [name for name in workload.kernels_changed if not _covered(name, found.kernels)]
    return OutputComparison.model_validate(
        {
            "status": _status(found, uncovered),
            "tolerance": max(found.tolerances, default=None),
            "compared": found.compared,
            "gradients": found.gradients,
            "differing": len(found.apart),
            "uncovered": uncovered,
            "uncovered_why": {name: _why_uncovered(name, found, before, after) for name in uncovered},
            "left_out": before.left_out + after.left_out,
            "first_difference": found.differences[0] if found.differences else None,
            "differences": found.differences[:MOST_DIFFERENCES],
            "notes": list(_notes(found, sides))[:MOST_NOTES],
        }
    )


def _missing(*sides: tuple[str, Outputs | None]) -> Iterator[str]:
    for side, outputs in sides:
        if outputs is None:
            continue
        if not outputs.records:
            why = f": {outputs.problems[0]}" if outputs.problems else ""
            yield f"no outputs of the {side} were recorded{why}"
    recorded = [side for side, outputs in sides if outputs is not None]
    if len(recorded) == 1:
        yield f"only the outputs of the {recorded[0]} were recorded"


def _status(found: _Found, uncovered: list[str]) -> str:
    if found.differences:
        return "different"
    if found.shaky or (found.unstable and not found.compared):
        return "not_deterministic"
    if not found.compared:
        return "not_recorded"
    if uncovered:
        return "incomplete"
    return "within_tolerance" if found.apart else "identical"


def _compare(baseline: Report, candidate: Report, before: Outputs, after: Outputs) -> _Found:
    found = _Found()
    pairs, ours, theirs = record_pairs(
        before.records,
        after.records,
        same_launches=_same_launches(baseline, candidate),
        renamed=compare_kernels(baseline, candidate).renamed,
    )
    unsure = _unstable(before), _unstable(after)
    for old, new in pairs:
        _compare_records(found, old, new, unsure)
    if not before.left_out and not after.left_out:
        _compare_missing(found, ours, "candidate")
        _compare_missing(found, theirs, "baseline")
    return found


def _same_launches(baseline: Report, candidate: Report) -> bool:
    digest = baseline.launches.sequence_sha256
    return digest is not None and digest == candidate.launches.sequence_sha256


_Where = tuple[bool, int, int, int, str]


def _unstable(outputs: Outputs) -> set[_Where]:
    return {(not one.kernel, one.process, one.thread, one.number, one.array) for one in outputs.unstable}


def _is_unstable(record: OutputRecord, array: ArraySummary | None, unstable: set[_Where]) -> bool:
    where = record.kind == "gradients", record.process, record.thread, record.number
    return (*where, "") in unstable or (array is not None and (*where, array.name) in unstable)


def _compare_records(
    found: _Found, old: OutputRecord, new: OutputRecord, unsure: tuple[set[_Where], set[_Where]]
) -> None:
    for one, other in array_pairs(old, new):
        if not any(array is not None and array.wrote for array in (one, other)):
            continue
        same = one is not None and other is not None and one.digest == other.digest
        if _is_unstable(old, one, unsure[0]) or _is_unstable(new, other, unsure[1]):
            found.unstable += 1
            found.unstable_kernels.update((old.kernel, new.kernel))
            if not same and not found.shaky:
                found.shaky = _named(old, one or other)
            continue
        found.compared += 1
        found.kernels.update((old.kernel, new.kernel))
        if old.kind == "gradients" or any(array and array.name.endswith(".grad") for array in (one, other)):
            found.gradients += 1
        if one is not None and other is not None:
            found.tolerances.append(max(tolerance(one.dtype), tolerance(other.dtype)))
        what = "" if same else _difference(found, old, one, other)
        if what:
            array = (one or other or old.arrays[0]).name
            found.differences.append(
                OutputDifference(launch=old.number, kernel=old.kernel, array=array, what=what)
            )


def _difference(
    found: _Found, record: OutputRecord, old: ArraySummary | None, new: ArraySummary | None
) -> str:
    """The sentence on two arrays whose digests differ; empty where they are equal within the tolerance."""
    named = _named(record, old or new)
    if old is None or not old.wrote:
        return f"{named}: the baseline did not write it"
    if new is None or not new.wrote:
        return f"{named}: the candidate did not write it"
    if old.dtype != new.dtype:
        return f"{named}: {new.dtype} in place of {old.dtype}"
    if old.shape != new.shape:
        return f"{named}: shape {new.shape} in place of {old.shape}"
    if old.nan_count != new.nan_count:
        return f"{named}: {counted(new.nan_count, 'NaN')} in place of {old.nan_count}"
    if old.infinite_count != new.infinite_count:
        return f"{named}: {counted(new.infinite_count, 'infinite value')} in place of {old.infinite_count}"
    apart = distance(old, new)
    if apart is None:
        return f"{named}: the bytes differ"
    own = tolerance(old.dtype)
    if apart.relative <= (max(own, found.inherited) if own else 0.0):
        found.apart.append((apart.relative, named))
        found.inherited = max(found.inherited, own)
        return ""
    return f"{named}: {apart.what}"


def _compare_missing(found: _Found, records: list[OutputRecord], side: str) -> None:
    """Gradients that only one side has; a launch may be missing since another of its kernel was taken."""
    for record in records:
        if record.kind == "gradients" and record.arrays:
            array = record.arrays[0]
            what = f"backward pass {record.number}: the {side} has no gradients after it"
            found.differences.append(
                OutputDifference(launch=record.number, kernel="", array=array.name, what=what)
            )


def _named(record: OutputRecord, array: ArraySummary | None) -> str:
    name = array.name if array is not None else ""
    if record.kind == "gradients":
        return f"gradient of {name} after backward pass {record.number}"
    return f"{name} after launch {record.number} of {record.kernel}"


def _covered(changed: str, kernels: set[str]) -> bool:
    """Whether a changed kernel, "new" or "new in place of old", wrote an array that was compared."""
    return changed.partition(" in place of ")[0] in kernels


def _why_uncovered(changed: str, found: _Found, before: Outputs, after: Outputs) -> str:
    """Why nothing of a changed kernel was compared: what it did, for one name or several."""
    name, _, earlier = changed.partition(" in place of ")
    if " " in name:  # "and 3 more": no name
        return "were not looked at one by one"
    if name in found.unstable_kernels:
        return "wrote what differs from run to run of one program"
    sides = (before, _of_kernel(before, earlier or name)), (after, _of_kernel(after, name))
    for outputs, records in sides:
        if not records:
            return "did not fit into the budget" if outputs.left_out else "left no record of any array"
    wrote = [array for _, records in sides for record in records for array in record.arrays if array.wrote]
    if not wrote:
        return "wrote no array in the launches that were recorded"
    return "wrote no array in a launch that both sides recorded"


def _of_kernel(outputs: Outputs, kernel: str) -> list[OutputRecord]:
    return [record for record in outputs.records if record.kernel == kernel]


def _notes(found: _Found, sides: tuple[_Side, _Side]) -> Iterator[str]:
    if found.shaky:
        yield f"differs between the sides, but also from run to run of one program: {found.shaky}"
    for side, outputs in sides:
        if outputs.unstable:
            one = outputs.unstable[0]
            after = f"launch {one.number} of {one.kernel}" if one.kernel else f"backward pass {one.number}"
            what = one.array or "what ran"
            yield f"the {side} does not agree with itself, first in {what} after {after}"
    if found.apart and not found.differences:
        relative, named = max(found.apart, key=lambda one: one[0])
        yield f"the largest distance within the tolerance: {_percentage(relative)} of the values, {named}"
    for side, outputs in sides:
        if outputs.passes < 2:
            yield f"the outputs of the {side} were recorded once: whether it agrees with itself is not known"
        if outputs.left_out:
            launches = counted(outputs.left_out, "launch", "launches")
            yield f"{launches} of the {side} left out: more than its budget of {outputs.budget_bytes:,} bytes"
        yield from (f"{side}: {problem}" for problem in outputs.problems)


def _percentage(relative: float) -> str:
    return "more" if math.isinf(relative) else f"{100 * relative:.2g} %"
