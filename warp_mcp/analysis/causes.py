"""Why two identities of one module differ: kernels, options, block_dim. Not which loads to compare."""

from collections.abc import Iterator
from dataclasses import dataclass

from warp_mcp.analysis.content_changes import change_as_cause, content_changes, shown, with_changes
from warp_mcp.analysis.contents import kernel_content
from warp_mcp.analysis.thresholds import MOST_CAUSES
from warp_mcp.models.recording import KernelRecord, LoadRecord, ProcessRecord
from warp_mcp.models.report import Cause

_Place = tuple[int, str]
"""A kernel object and the overload of it: what stays when a constant of it changes."""


@dataclass(frozen=True)
class Difference:
    """Two loads of one module in one process, and the kernels each identity consisted of."""

    process: ProcessRecord
    earlier: LoadRecord
    later: LoadRecord
    before: dict[_Place, KernelRecord]
    after: dict[_Place, KernelRecord]


def find_causes(process: ProcessRecord, earlier: LoadRecord, later: LoadRecord) -> list[Cause]:
    """What differs between the two identities; at least one cause."""
    if earlier.block_dim != later.block_dim:
        return [_block_dim(earlier, later)]
    difference = Difference(process, earlier, later, _kernels(process, earlier), _kernels(process, later))
    causes = [*_new_kernels(difference), *_changed_kernels(difference), *_options(difference)]
    return _bounded(causes) or [_dropped(difference) or _unknown(later)]


def _kernels(process: ProcessRecord, load: LoadRecord) -> dict[_Place, KernelRecord]:
    wanted = set(load.kernels)
    return {(kernel.object, kernel.signature): kernel for kernel in process.kernels if kernel.id in wanted}


def _block_dim(earlier: LoadRecord, later: LoadRecord) -> Cause:
    detail = f"block_dim: {earlier.block_dim} → {later.block_dim}"
    return Cause(
        kind="block_dim",
        detail=detail,
        where=later.where,
        subject="block_dim",
        value=str(later.block_dim),
    )


def _new_kernels(difference: Difference) -> Iterator[Cause]:
    """Kernels that the earlier identity did not have."""
    dead = [kernel for place, kernel in difference.before.items() if place not in difference.after]
    known = {_code(kernel) for kernel in difference.before.values()}
    for place, kernel in difference.after.items():
        # Warp builds equal kernels once: another copy of a known one makes no new identity.
        if place in difference.before or _code(kernel) in known:
            continue
        former = next(
            (old for old in dead if (old.key, old.signature) == (kernel.key, kernel.signature)), None
        )
        if former is not None:
            dead.remove(former)
            yield _redefined(former, kernel)
        elif kernel.generic:
            yield _overload(kernel, difference.later)
        else:
            yield _added(_living(difference, kernel), kernel)


def _code(kernel: KernelRecord) -> tuple[str, str, str, tuple[tuple[str, str], ...]]:
    return kernel.key, kernel.signature, kernel_content(kernel), tuple(sorted(kernel.options.items()))


def _living(difference: Difference, kernel: KernelRecord) -> KernelRecord | None:
    """The kernel of the earlier identity that this one has come beside under the same key."""
    return next((old for old in reversed(difference.before.values()) if old.key == kernel.key), None)


def _added(sibling: KernelRecord | None, kernel: KernelRecord) -> Cause:
    detail = f"kernel {kernel.name} was defined after the module had loaded"
    cause = Cause(kind="kernel_added", detail=detail, where=kernel.defined_at, subject=kernel.name)
    return with_changes(cause, sibling, kernel, list(content_changes(sibling, kernel))) if sibling else cause


def _redefined(former: KernelRecord, kernel: KernelRecord) -> Cause:
    changes = list(content_changes(former, kernel))
    detail = f"kernel {kernel.name} was defined again after the module had loaded"
    if changes:
        detail += f" ({'; '.join(change.detail for change in changes)})"
    cause = Cause(kind="kernel_redefined", detail=detail, where=kernel.defined_at, subject=kernel.name)
    return with_changes(cause, former, kernel, changes)


def _overload(kernel: KernelRecord, load: LoadRecord) -> Cause:
    types = ", ".join(kernel.arg_types) or kernel.signature
    detail = (
        f"kernel {kernel.name} was first needed for the argument types {types} after the module had loaded"
    )
    return Cause(
        kind="overload_added",
        detail=detail,
        where=load.where or kernel.defined_at,
        subject=kernel.name,
        value=types,
        exact=load.where is not None,
    )


def _changed_kernels(difference: Difference) -> Iterator[Cause]:
    """Kernel objects of both identities that refer to something that has changed; each change once."""
    told: dict[str, Cause] = {}
    for place, kernel in difference.after.items():
        former = difference.before.get(place)
        if former is None or kernel_content(former) == kernel_content(kernel):
            continue
        for change in content_changes(former, kernel):
            known = told.get(change.detail)
            # Of several kernels that saw a constant change, one may know the line that changed it.
            if known is None or (change.exact and not known.exact):
                told[change.detail] = change_as_cause(change, kernel)
    yield from told.values()


def _options(difference: Difference) -> Iterator[Cause]:
    """Options that differ, with the assignment between the two loads that did it."""
    earlier, later = difference.earlier.options, difference.later.options
    found: list[tuple[float, Cause]] = []
    for option in sorted({*earlier, *later}):
        old, new = earlier.get(option), later.get(option)
        if old != new and option != "block_dim":
            t_ms, place, own = _set_at(difference, option)
            found.append((t_ms, _option(option, shown(old), shown(new), place, own)))
    # In the order in which they were set: the first one is told first.
    yield from (cause for _, cause in sorted(found, key=lambda one: one[0]))


def _option(option: str, old: str, new: str, place: str | None, own: bool) -> Cause:
    detail = f"{option}: {old} → {new}"
    return Cause(kind="option_changed", detail=detail, where=place, subject=option, value=new, forces=own)


def _set_at(difference: Difference, option: str) -> tuple[float, str | None, bool]:
    """When and at which line an option got its new value between two loads, and whether the module's own did.

    The last call on the module, else the last assignment in `warp.config`. No line where neither was seen: a
    direct write to a module's options leaves no trace.
    """
    since, until = difference.earlier.begin_ms, difference.later.begin_ms
    value = difference.later.options.get(option)
    modules = {difference.earlier.module, difference.later.module}
    for change in reversed(difference.process.options):
        set_here = change.option == option and change.module in modules and change.new == value
        if set_here and since <= change.t_ms <= until:
            return change.t_ms, change.where or change.via, True
    for change in reversed(difference.process.config):
        if change.name == option and change.new == value and since <= change.t_ms <= until:
            return change.t_ms, change.where or change.via, False
    return until, None, False


def _dropped(difference: Difference) -> Cause | None:
    names = [kernel.name for place, kernel in difference.before.items() if place not in difference.after]
    if not names:
        return None
    detail = f"kernel {names[0]} was dropped (garbage collected) after the module had loaded"
    if len(names) > 1:
        detail = f"{len(names)} kernels, the first of them {names[0]}, were dropped (garbage collected)"
    return Cause(kind="unknown", detail=detail, where=difference.later.where, subject=names[0], exact=False)


def _unknown(later: LoadRecord) -> Cause:
    detail = "what differs from the earlier identity is in nothing that was recorded"
    return Cause(kind="unknown", detail=detail, where=later.where, exact=False)


def _bounded(causes: list[Cause]) -> list[Cause]:
    if len(causes) <= MOST_CAUSES:
        return causes
    rest, last = len(causes) - MOST_CAUSES + 1, causes[MOST_CAUSES - 1]
    more = last.model_copy(update={"detail": f"{last.detail}, and {rest - 1} more differences"})
    return [*causes[: MOST_CAUSES - 1], more]
