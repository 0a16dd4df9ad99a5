"""Which timed kernel of a report is which of another: by name, by content, or by what it is launched with."""

from collections import defaultdict
from collections.abc import Callable, Hashable

from warp_mcp.models.report import Report
from warp_mcp.models.steady_state import KernelTime

Key = tuple[str, str, str]
"""Kernel, module, signature."""
Pair = tuple[KernelTime, KernelTime]


def pair_kernels(baseline: Report, candidate: Report) -> tuple[list[Pair], list[str]]:
    """Pairs of kernels with the same signature, and the names of those that only one side timed.

    The same name first, the same module before another one: a kernel may have moved. Of the kernels whose
    name the other side has not, those with the same content; then, where each side has as many left with
    one signature, in order, the dearest first.
    """
    old = list(baseline.steady_state.kernels) if baseline.steady_state else []
    new = list(candidate.steady_state.kernels) if candidate.steady_state else []
    pairs: list[Pair] = []
    for key in (_whole, _named):
        old, new = _take(pairs, old, new, key, key)
    left, right = _gone(old, candidate), _gone(new, baseline)
    first, second = _contents(baseline), _contents(candidate)
    left, right = _take(
        pairs, left, right, lambda one: _content(one, first), lambda one: _content(one, second)
    )
    _take_in_order(pairs, left, right)
    paired = {id(one) for pair in pairs for one in pair}
    alone = [one.kernel for one in [*old, *new] if id(one) not in paired]
    return pairs, list(dict.fromkeys(alone))


def _whole(one: KernelTime) -> Key:
    return one.kernel, one.module, one.signature


def _named(one: KernelTime) -> tuple[str, str]:
    return one.kernel, one.signature


def _contents(report: Report) -> dict[str, str]:
    """Content by name, of names that stand for one content."""
    found: dict[str, set[str]] = defaultdict(set)
    for kernel in report.kernels:
        found[kernel.name].add(kernel.digest)
    return {name: next(iter(digests)) for name, digests in found.items() if len(digests) == 1}


def _content(one: KernelTime, contents: dict[str, str]) -> tuple[str, str] | None:
    digest = contents.get(one.kernel)
    return (digest, one.signature) if digest else None


def _gone(kernels: list[KernelTime], other: Report) -> list[KernelTime]:
    """Kernels whose name the other side did not launch: they may have another name there."""
    names = {kernel.name for kernel in other.kernels}
    names |= {row.kernel for row in other.launches.by_signature}
    return [one for one in kernels if one.kernel not in names]


def _take(
    pairs: list[Pair],
    old: list[KernelTime],
    new: list[KernelTime],
    key: Callable[[KernelTime], Hashable | None],
    other_key: Callable[[KernelTime], Hashable | None],
) -> tuple[list[KernelTime], list[KernelTime]]:
    """Pair those with equal keys, in order; hands back what is left of both."""
    waiting: dict[Hashable | None, list[KernelTime]] = defaultdict(list)
    for one in new:
        found = other_key(one)
        if found is not None:
            waiting[found].append(one)
    left: list[KernelTime] = []
    taken: set[int] = set()
    for one in old:
        same = waiting.get(key(one))
        if same:
            partner = same.pop(0)
            taken.add(id(partner))
            pairs.append((one, partner))
        else:
            left.append(one)
    return left, [one for one in new if id(one) not in taken]


def _take_in_order(pairs: list[Pair], old: list[KernelTime], new: list[KernelTime]) -> None:
    """Pair what is left with the same signature, where each side has as many of it."""
    before, after = _by_signature(old), _by_signature(new)
    for signature, kernels in before.items():
        others = after.get(signature, [])
        if len(others) == len(kernels):
            pairs += zip(kernels, others, strict=True)


def _by_signature(kernels: list[KernelTime]) -> dict[str, list[KernelTime]]:
    found: dict[str, list[KernelTime]] = defaultdict(list)
    for one in kernels:
        found[one.signature].append(one)
    return found
