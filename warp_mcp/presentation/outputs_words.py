"""The words for what launches computed: of one report, and of a comparison."""

from collections.abc import Iterator

from warp_mcp.models.comparison import OutputComparison
from warp_mcp.models.outputs import Outputs
from warp_mcp.presentation.numbers import joined, plural, size

HEADING = "Does it compute the same?"
REPORT_HEADING = "What the launches computed"
MOST_DIFFERENCES = 6
MOST_NOTES = 4
SCOPE = (
    "Compared were the first, the last and the power-of-two launches of each kernel and signature: arrays "
    "among their arguments."
)


def outputs_sentence(outputs: OutputComparison) -> str:
    """The status as a sentence; empty where neither side recorded outputs."""
    compared = plural(outputs.compared, "array")
    if outputs.status == "identical":
        return f"Identical: {compared} that launches wrote have the same bits on both sides."
    if outputs.status == "within_tolerance":
        return (
            f"Equal within the tolerance: {compared} compared. A difference may be "
            f"{outputs.tolerance or 0.0:g} of what is usual in an array, less for finer types."
        )
    if outputs.status == "incomplete":
        return f"{_as_recorded(outputs)}: {compared} compared; {uncovered_words(outputs)}."
    if outputs.status == "different":
        first = outputs.first_difference
        return f"Different: {first.what}." if first else "Different."
    if outputs.status == "not_deterministic":
        return "Cannot be told: the program does not compute the same twice."
    return f"Cannot be told: {outputs.notes[0]}." if outputs.notes else ""


def _as_recorded(outputs: OutputComparison) -> str:
    equal = "Equal within the tolerance" if outputs.differing else "Identical"
    return f"{equal} as far as recorded"


def uncovered_words(outputs: OutputComparison) -> str:
    """``large`, which changed, did not fit into the budget`, for each reason."""
    by_reason: dict[str, list[str]] = {}
    for name in outputs.uncovered:
        by_reason.setdefault(outputs.uncovered_why.get(name, "was not compared"), []).append(f"`{name}`")
    return "; ".join(f"{joined(names, MOST_NOTES)}, which changed, {why}" for why, names in by_reason.items())


def further(outputs: OutputComparison) -> Iterator[str]:
    """Sentences that go with it: further differences, and notes."""
    rest = outputs.differences[1:]
    yield from (f"{one.what}." for one in rest[:MOST_DIFFERENCES])
    if len(rest) > MOST_DIFFERENCES:
        yield f"… and {len(rest) - MOST_DIFFERENCES} more, in the comparison file."
    notes = outputs.notes[1:] if outputs.status == "not_recorded" else outputs.notes
    yield from (f"{note[:1].upper()}{note[1:]}." for note in notes[:MOST_NOTES])
    if outputs.compared:
        yield SCOPE


def recorded_sentences(outputs: Outputs | None) -> Iterator[str]:
    """What a report holds of outputs; nothing where they were not asked for."""
    if outputs is None:
        return
    launches = plural(len(outputs.records), "launch or backward pass", "launches and backward passes")
    arrays = sum(array.wrote for record in outputs.records for array in record.arrays)
    passes = plural(outputs.passes, "pass", "passes")
    yield f"Recorded: {plural(arrays, 'written array')} of {launches}, in {passes} outside the timed runs."
    if outputs.left_out:
        most = size(outputs.budget_bytes)
        yield f"Left out: {plural(outputs.left_out, 'launch', 'launches')}; the budget is {most} a pass."
    if outputs.unstable:
        one = outputs.unstable[0]
        after = f"launch {one.number} of {one.kernel}" if one.kernel else f"backward pass {one.number}"
        arrays = plural(len(outputs.unstable), "array differs", "arrays differ")
        yield (
            f"The program does not agree with itself: {arrays} from pass to pass, first "
            f"{one.array or 'what ran'} after {after}."
        )
    yield from (f"{problem[:1].upper()}{problem[1:]}." for problem in outputs.problems[:MOST_NOTES])
