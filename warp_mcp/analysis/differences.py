"""Sentences on how the launches of two sides differ. Whether they do is decided elsewhere."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from warp_mcp.models.report import Launches, SignatureCount, Work


@dataclass(frozen=True)
class Shape:
    """A launch as a reader names it."""

    kernel: str
    dim: tuple[int, ...]
    device: str
    block_dim: int
    types: tuple[str, ...]
    adjoint: bool

    def __str__(self) -> str:
        way = " (adjoint)" if self.adjoint else ""
        return f"{self.kernel} [{'x'.join(map(str, self.dim))}]{way}"


def launch_differences(before: Launches, after: Launches, renamed: dict[str, str]) -> list[str]:
    """What was launched more or less often, or otherwise, where both reports list every signature."""
    found: list[str] = []
    if before.total != after.total:
        found.append(f"{after.total} launches in place of {before.total}")
    if before.other_signatures or after.other_signatures:
        return found
    old, new = _counts(before, {}), _counts(after, renamed)
    fewer, more = old - new, new - old
    if not fewer and not more:
        return found or ["the same launches in another order, or on other threads"]
    found += _replaced(fewer, more)
    found += [f"{_launches(count)} fewer of {shape}" for shape, count in fewer.items() if count]
    found += [f"{_launches(count)} more of {shape}" for shape, count in more.items() if count]
    return found


def _launches(count: int) -> str:
    return "1 launch" if count == 1 else f"{count} launches"


def _counts(launches: Launches, renamed: dict[str, str]) -> Counter[Shape]:
    counts: Counter[Shape] = Counter()
    for row in launches.by_signature:
        counts[_shape(row, renamed)] += row.count
    return counts


def _shape(row: SignatureCount, renamed: dict[str, str]) -> Shape:
    kernel = renamed.get(row.kernel, row.kernel)
    return Shape(kernel, tuple(row.dim), row.device, row.block_dim, tuple(row.types), row.adjoint)


def _replaced(fewer: Counter[Shape], more: Counter[Shape]) -> Iterator[str]:
    """Launches that differ in one aspect only; they are taken out of both counts."""
    for same_kernel in (True, False):
        for old in list(fewer):
            for new in list(more):
                count = min(fewer[old], more[new])
                if not count or (old.kernel == new.kernel) != same_kernel:
                    continue
                aspects = list(_aspects(old, new))
                if len(aspects) == 1:
                    fewer[old] -= count
                    more[new] -= count
                    who = str(old) if same_kernel else f"{new} in place of {old}"
                    yield f"{who}: {aspects[0]} ({_launches(count)})"


def _aspects(old: Shape, new: Shape) -> Iterator[str]:
    """What differs between two launches, kernels' names apart."""
    if old.dim != new.dim:
        yield f"dim {list(new.dim)} in place of {list(old.dim)}"
    if old.types != new.types:
        yield _types(old.types, new.types)
    if old.block_dim != new.block_dim:
        yield f"block_dim {new.block_dim} in place of {old.block_dim}"
    if old.device != new.device:
        yield f"device {new.device} in place of {old.device}"
    if old.adjoint != new.adjoint:
        yield "adjoint in place of forward" if new.adjoint else "forward in place of adjoint"


def _types(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    if len(old) != len(new):
        return f"{len(new)} arguments in place of {len(old)}"
    pairs = [
        f"argument {number}: {other} in place of {one}"
        for number, (one, other) in enumerate(zip(old, new, strict=True), start=1)
        if one != other
    ]
    return ", ".join(pairs)


def unit_difference(old: Work, new: Work, launch: int) -> str | None:
    """What differs at the first launch that does."""
    if old.signature != new.signature:
        old_text, new_text = f"{old.kernel} {old.signature}", f"{new.kernel} {new.signature}"
        return f"launch {launch} of its thread is {new_text} in place of {old_text}"
    if old.digest != new.digest:
        return f"from launch {launch} of its thread on, other kernels are launched with the same signatures"
    return None
