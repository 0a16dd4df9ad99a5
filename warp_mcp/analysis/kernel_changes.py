"""Which kernels compute something else on the two sides, and which only have another name."""

from collections import defaultdict
from dataclasses import dataclass, replace

from warp_mcp.analysis.matching import Numbering, Side, Token, part
from warp_mcp.analysis.thresholds import MOST_CONTENTS
from warp_mcp.models.report import Launches, Report, Sequence, Work


@dataclass(frozen=True)
class KernelChanges:
    """How the kernels that were launched on two sides relate."""

    changed: list[str]
    """Names whose content differs, or descriptions of kernels that took another one's place."""
    renamed: dict[str, str]
    """New name to old name, of kernels with the same content."""
    unknown: list[str]
    """Names whose content is not known on a side: compared by name."""


def compare_kernels(baseline: Report, candidate: Report) -> KernelChanges:
    """Compare by content; a kernel that merely no longer runs, or runs more often, is not a changed one."""
    before, after = _digests(baseline), _digests(candidate)
    unknown = sorted(
        {work.kernel for work in [*baseline.launches.work, *candidate.launches.work] if not work.digest}
    )
    changed = [name for name in sorted(set(before) & set(after)) if _differs(name, before, after)]
    changed = [name for name in changed if name not in unknown]
    found = KernelChanges(changed, _renames(before, after), unknown)
    if baseline.launches.sequence_sha256 == candidate.launches.sequence_sha256:
        return replace(found, changed=changed + _replaced(baseline.launches, candidate.launches, found))
    return found


def content_token(changes: KernelChanges) -> Token:
    """Units are equal when signature and content are; for changed or unknown kernels, the names."""
    by_name = {*changes.changed, *changes.unknown}

    def token(work: Work) -> str:
        name = changes.renamed.get(work.kernel, work.kernel)
        told = f"by name {name}" if name in by_name or work.kernel in by_name else work.digest
        return f"{work.signature}\n{told}"

    return token


_Digests = dict[str, set[str]]
"""Kernel name to the contents launched under it: closures of one factory share a name."""


def _digests(report: Report) -> _Digests:
    found: _Digests = defaultdict(set)
    for kernel in report.kernels:
        found[kernel.name].add(kernel.digest)
    return dict(found)


def _differs(name: str, before: _Digests, after: _Digests) -> bool:
    """Whether each side has a content under this name that the other side launches under no name."""
    if _full(before) or _full(after):
        return False
    everything_before = set[str]().union(*before.values())
    everything_after = set[str]().union(*after.values())
    return bool(before[name] - everything_after) and bool(after[name] - everything_before)


def _full(digests: _Digests) -> bool:
    """Whether the list of kernels may have been cut, so that an absence in it proves nothing."""
    return sum(len(found) for found in digests.values()) >= MOST_CONTENTS


def _renames(before: _Digests, after: _Digests) -> dict[str, str]:
    old, new = _names(before), _names(after)
    renamed: dict[str, str] = {}
    for digest in sorted(set(old) & set(new)):
        gone, come = sorted(old[digest] - new[digest]), sorted(new[digest] - old[digest])
        renamed.update(zip(come, gone, strict=False))
    return renamed


def _names(digests: _Digests) -> dict[str, set[str]]:
    names: dict[str, set[str]] = defaultdict(set)
    for name, found in digests.items():
        for digest in found:
            names[digest].add(name)
    return names


def _replaced(left: Launches, right: Launches, changes: KernelChanges) -> list[str]:
    """Kernels that took another one's place in launches of the same signature."""
    token = content_token(changes)
    found: list[str] = []
    for one, other in _same_signatures(left, right):
        numbering = Numbering(token)
        ours, theirs = numbering.side(one, left.work), numbering.side(other, right.work)
        text = _replacement(ours, theirs, left.work, right.work)
        if text is None and not changes.changed and ours.known < one.length and _unlike(one, other):
            text = f"a kernel beyond the first {ours.known} launches, which are all that is kept"
        if text is not None and text not in found:
            found.append(text)
    return found


def _unlike(one: Sequence, other: Sequence) -> bool:
    return bool(one.content_digest and other.content_digest) and one.content_digest != other.content_digest


def _same_signatures(left: Launches, right: Launches) -> list[tuple[Sequence, Sequence]]:
    """Pairs of sequences with equal signatures whose contents are not known to be equal."""
    same = _contents(left) & _contents(right)
    ours = [sequence for sequence in left.sequences if (sequence.digest, sequence.content_digest) not in same]
    theirs = [
        sequence for sequence in right.sequences if (sequence.digest, sequence.content_digest) not in same
    ]
    pairs = [(one, _partner(one, theirs) or _partner(one, right.sequences)) for one in ours]
    pairs += [(_partner(other, ours) or _partner(other, left.sequences), other) for other in theirs]
    return list({(id(a), id(b)): (a, b) for a, b in pairs if a is not None and b is not None}.values())


def _contents(launches: Launches) -> set[tuple[str, str]]:
    return {(one.digest, one.content_digest) for one in launches.sequences if one.content_digest}


def _partner(one: Sequence, others: list[Sequence]) -> Sequence | None:
    return next((other for other in others if other.digest == one.digest), None)


def _replacement(left: Side, right: Side, ours: list[Work], theirs: list[Work]) -> str | None:
    differs = part(left, right).differs_at
    if differs is None:
        return None
    old, new = work_at(left.sequence, ours, differs), work_at(right.sequence, theirs, differs)
    if old is None or new is None:
        return None
    return old.kernel if old.kernel == new.kernel else f"{new.kernel} in place of {old.kernel}"


def work_at(sequence: Sequence, work: list[Work], position: int) -> Work | None:
    """The unit of work at a position counted from 0; `None` beyond what is kept."""
    for segment in sequence.segments:
        if position < segment.length:
            return work[segment.pattern[position % len(segment.pattern)]]
        position -= segment.length
    return None
