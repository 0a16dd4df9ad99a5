"""From the passes that recorded outputs to what a report holds of them; `outputs_comparison.py` compares."""

from collections.abc import Iterator, Sequence

from warp_mcp.analysis.outputs_comparison import compare_outputs
from warp_mcp.analysis.outputs_pairing import array_pairs, place
from warp_mcp.models.outputs import OutputRecord, Outputs, OutputsSeen, Unstable
from warp_mcp.models.run import PassRecording

__all__ = ["collect_outputs", "compare_outputs"]

MOST_WRITTEN = 2_000
"""Summaries of written arrays in a report, at about 1 kB each."""
MOST_ARRAYS = 4 * MOST_WRITTEN
"""The same with arrays that were only read, at about 0.2 kB each."""
MOST_PROBLEMS = 20


def collect_outputs(passes: list[PassRecording], budget_bytes: int) -> Outputs | None:
    """What the first completed pass recorded, and where others differ from it; null without a pass."""
    made = [(one.run.outcome == "completed", one.outputs) for one in passes if one.kind == "outputs"]
    seen = [(completed, outputs) for completed, outputs in made if outputs is not None]
    if not seen:
        return None
    whole = [outputs for completed, outputs in seen if completed]
    first, *others = whole or [seen[0][1]]
    kept = _kept(first.records)
    problems = [problem for _, outputs in seen for problem in outputs.problems]
    if len(whole) < len(made):
        problems.insert(0, f"{len(made) - len(whole)} of {len(made)} passes did not complete")
    return Outputs(
        passes=len(whole),
        budget_bytes=budget_bytes,
        hashed_bytes=max(outputs.hashed_bytes for _, outputs in seen),
        records=kept,
        left_out=first.left_out + len(first.records) - len(kept),
        unstable=list(_unstable(first, others))[:MOST_WRITTEN],
        problems=list(dict.fromkeys(problems))[:MOST_PROBLEMS],
    )


def _kept(records: Sequence[OutputRecord]) -> list[OutputRecord]:
    """What a report has room for: of each signature its first launch, then its last, then the rarest."""
    last: dict[tuple[int, str, str, str], int] = {}
    for record in records:
        key = record.process, record.kind, record.kernel, record.signature
        last[key] = max(record.occurrence, last.get(key, 0))

    def rank(record: OutputRecord) -> tuple[int, int]:
        final = last[record.process, record.kind, record.kernel, record.signature] == record.occurrence
        return (0 if record.occurrence == 1 else 1 if final else 2), record.occurrence

    kept: list[OutputRecord] = []
    written = arrays = 0
    for record in sorted(sorted(records, key=place), key=rank):
        wrote = sum(array.wrote for array in record.arrays)
        if written + wrote <= MOST_WRITTEN and arrays + len(record.arrays) <= MOST_ARRAYS:
            written, arrays = written + wrote, arrays + len(record.arrays)
            kept.append(record)
    return sorted(kept, key=place)


def _unstable(first: OutputsSeen, others: Sequence[OutputsSeen]) -> Iterator[Unstable]:
    """Arrays whose digest differs between passes over the same program, each once, in order."""
    told: set[Unstable] = set()
    found = [one for other in others for one in _differing(first, other)]
    for one in sorted(found, key=lambda one: (one.kernel == "", one.process, one.thread, one.number)):
        if one not in told:
            told.add(one)
            yield one


def _differing(first: OutputsSeen, other: OutputsSeen) -> Iterator[Unstable]:
    there = {place(record): record for record in other.records}
    everything = not first.left_out and not other.left_out
    for record in first.records:
        partner = there.get(place(record))
        if partner is None or (partner.kernel, partner.signature) != (record.kernel, record.signature):
            if partner is not None or everything:
                yield _at(record, "")
            continue
        for old, new in array_pairs(record, partner):
            one = old or new
            wrote = (old is not None and old.wrote) or (new is not None and new.wrote)
            if one is not None and wrote and (old is None or new is None or old.digest != new.digest):
                yield _at(record, one.name)


def _at(record: OutputRecord, array: str) -> Unstable:
    """`array` empty: in this place the other pass ran something else."""
    return Unstable(
        number=record.number, kernel=record.kernel, array=array, process=record.process, thread=record.thread
    )
