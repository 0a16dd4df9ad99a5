"""Which recorded launches and arrays of two sides belong together; not whether they are equal."""

from collections.abc import Iterator, Mapping, Sequence

from warp_mcp.models.outputs import ArraySummary, OutputRecord

Place = tuple[bool, int, int, int]
Pair = tuple[OutputRecord, OutputRecord]


def place(record: OutputRecord) -> Place:
    """Where in the program a record belongs. Launches sort before gradients."""
    return record.kind == "gradients", record.process, record.thread, record.number


def record_pairs(
    before: Sequence[OutputRecord],
    after: Sequence[OutputRecord],
    *,
    same_launches: bool,
    renamed: Mapping[str, str],
) -> tuple[list[Pair], list[OutputRecord], list[OutputRecord]]:
    """(pairs in the baseline's order, those that only the baseline has, those that only the candidate has).

    By place where the launches of both sides are the same, by whatever names; else, and for what that leaves,
    by kernel, signature and occurrence. `renamed`: new name of a kernel to its old name.
    """
    pairs: list[Pair] = []
    ours, theirs = list(before), list(after)
    if same_launches:
        there = {place(record): record for record in theirs}
        for record in before:
            partner = there.get(place(record))
            if partner is not None and partner.signature == record.signature:
                pairs.append((record, partner))
        ours, theirs = _rest(ours, [old for old, _ in pairs]), _rest(theirs, [new for _, new in pairs])
    named = {_name(record, renamed): record for record in theirs}
    found = [(record, named[_name(record, {})]) for record in ours if _name(record, {}) in named]
    pairs += found
    ours, theirs = _rest(ours, [old for old, _ in found]), _rest(theirs, [new for _, new in found])
    return sorted(pairs, key=lambda pair: place(pair[0])), ours, theirs


def _rest(records: Sequence[OutputRecord], gone: Sequence[OutputRecord]) -> list[OutputRecord]:
    taken = {id(record) for record in gone}
    return [record for record in records if id(record) not in taken]


def _name(record: OutputRecord, renamed: Mapping[str, str]) -> tuple[str, int, str, str, int]:
    kernel = renamed.get(record.kernel, record.kernel)
    return record.kind, record.process, kernel, record.signature, record.occurrence


def array_pairs(
    old: OutputRecord, new: OutputRecord
) -> Iterator[tuple[ArraySummary | None, ArraySummary | None]]:
    """Arrays of two records: by position where there are equally many (names may differ), else by name."""
    if len(old.arrays) == len(new.arrays):
        yield from zip(old.arrays, new.arrays, strict=True)
        return
    there = {array.name: array for array in new.arrays}
    for array in old.arrays:
        yield array, there.pop(array.name, None)
    for array in there.values():
        yield None, array
