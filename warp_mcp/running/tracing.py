"""Taking builds out of the cache of a sample, so that its next run makes them once more.

Nothing outside the sample's own kernel cache is touched: a program that chose another place keeps what it
has there.
"""

import os
import shutil
from collections.abc import Sequence

from warp_mcp.models.compile_trace import TraceTarget

ELSEWHERE = "is not in the kernel cache of its run, so that it could not be built again"


def forget_builds(kernels: str, targets: Sequence[TraceTarget]) -> list[TraceTarget]:
    """The same targets, their builds removed from a kernel cache; those not found there are marked."""
    found: dict[str, list[str]] = {}
    for directory, names, _ in os.walk(kernels):
        for name in names:
            found.setdefault(name, []).append(os.path.join(directory, name))
    return [_forget(target, found) for target in targets]


def _forget(target: TraceTarget, found: dict[str, list[str]]) -> TraceTarget:
    if target.not_traced is not None:
        return target
    paths = found.get(os.path.splitext(target.source)[0], [])
    for path in paths:
        shutil.rmtree(path, ignore_errors=True)
    return target if paths else target.model_copy(update={"not_traced": ELSEWHERE})
