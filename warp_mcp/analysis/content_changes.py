"""What differs between two kernels of one name: constants, functions, structs, options, source."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from warp_mcp.analysis.thresholds import MOST_CHANGES
from warp_mcp.models.recording import KernelRecord
from warp_mcp.models.report import Cause

IN_A_FUNCTION = "__locals__"
"""Warp puts it into the key of what is defined within a function."""


@dataclass(frozen=True)
class Change:
    """One thing that differs in the content of two kernels."""

    sort: Literal["constant", "callee", "option", "source"]
    detail: str
    subject: str
    value: str
    where: str | None
    exact: bool
    """False where `where` only stands in for the line that made the change."""
    own: bool
    """It may be an argument of the factory that makes the kernel, and then nothing else has changed."""


def content_changes(former: KernelRecord, kernel: KernelRecord) -> Iterator[Change]:
    """Everything in which the later of two kernels differs."""
    for name in sorted({*former.constants, *kernel.constants}):
        if former.constants.get(name) != kernel.constants.get(name):
            yield _constant(name, former, kernel)
    for name in sorted({*former.uses, *kernel.uses}):
        if former.uses.get(name) != kernel.uses.get(name):
            yield _callee(name, kernel)
    for name in sorted({*former.options, *kernel.options}):
        old, new = former.options.get(name), kernel.options.get(name)
        if old != new:
            detail = f"{name}: {shown(old)} → {shown(new)}"
            yield Change("option", detail, name, shown(new), kernel.defined_at, exact=True, own=True)
    if former.digest != kernel.digest:
        detail = "its source changed"
        yield Change("source", detail, kernel.name, "", kernel.defined_at, exact=True, own=True)


def _constant(name: str, former: KernelRecord, kernel: KernelRecord) -> Change:
    old, new = former.constants.get(name), kernel.constants.get(name)
    words = f"{shown(old)} → {shown(new)}" if shown(old) != shown(new) else "its value changed"
    function = name.rpartition(".")[0]
    line, home = kernel.constants_at.get(name), kernel.uses_at.get(function)
    # What a function of a factory closes over changes only when that factory makes the function again.
    made = home if IN_A_FUNCTION in function else None
    return Change(
        "constant",
        f"{name}: {words}",
        name,
        shown(new),
        line or home or kernel.defined_at,
        exact=bool(line or made),
        own=not line and not made and _may_be_closed_over(name, kernel),
    )


def _may_be_closed_over(name: str, kernel: KernelRecord) -> bool:
    """Whether a factory can have handed this constant to the kernel, or to a function it calls."""
    if name.startswith("static("):
        return IN_A_FUNCTION in kernel.key
    owner, _, _ = name.rpartition(".")
    if not owner:
        return IN_A_FUNCTION in kernel.key
    return IN_A_FUNCTION in owner or owner.partition(".")[0] in ("self", "cls")


def _callee(name: str, kernel: KernelRecord) -> Change:
    place = kernel.uses_at.get(name)
    detail = f"{name.rsplit('.', 1)[-1]} changed"
    return Change("callee", detail, name, "", place or kernel.defined_at, exact=place is not None, own=False)


def change_as_cause(change: Change, kernel: KernelRecord) -> Cause:
    """The cause that a change of something a kernel refers to is."""
    return Cause(
        kind="constant_changed" if change.sort == "constant" else "dependency_changed",
        detail=f"{change.detail} (used by kernel {kernel.name})",
        where=change.where,
        subject=change.subject,
        value=change.value,
        exact=change.exact,
    )


def with_changes(cause: Cause, former: KernelRecord, kernel: KernelRecord, changes: list[Change]) -> Cause:
    """The cause that a kernel was defined, with those changes in it that other kernels may share."""
    shared = [change for change in changes if not change.own]
    same_otherwise = bool(changes) and len(shared) == len(changes) and former.arg_types == kernel.arg_types
    told = [change_as_cause(change, kernel) for change in shared[:MOST_CHANGES]]
    return cause.model_copy(update={"changes": told, "same_otherwise": same_otherwise})


def shown(value: str | None, most: int = 80) -> str:
    """The text of a value, cut; `absent` where there is none."""
    if value is None:
        return "absent"
    return value if len(value) <= most else value[: most - 1] + "…"
