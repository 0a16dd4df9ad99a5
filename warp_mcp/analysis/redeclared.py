"""Modules whose kernels are declared again and again."""

from dataclasses import dataclass

from warp_mcp.analysis.contents import kernel_content
from warp_mcp.analysis.thresholds import REDECLARED
from warp_mcp.models.recording import ProcessRecord, Recording


@dataclass(frozen=True)
class Redeclared:
    """One module of one process."""

    module: str
    declared: int
    distinct: int
    hash_ms: float
    where: str | None


def redeclared_modules(recording: Recording) -> list[Redeclared]:
    """Modules with `REDECLARED` declarations and hashes beyond their distinct kernels, the dearest first."""
    found = [one for process in recording.processes for one in _of_process(process)]
    return sorted(found, key=lambda one: -one.hash_ms)


def _of_process(process: ProcessRecord) -> list[Redeclared]:
    names = {module.id: module.name for module in process.modules}
    distinct: dict[int, dict[tuple[str, str], str | None]] = {}
    for kernel in process.kernels:
        distinct.setdefault(kernel.module, {})[kernel.key, kernel_content(kernel)] = kernel.defined_at
    found: list[Redeclared] = []
    for hashing in process.hashing:
        kernels = distinct.get(hashing.module, {})
        # Generic kernels that no launch needed are declared and never hashed: only hashes make a loop.
        loops = min(hashing.declared - len(kernels), hashing.count)
        if kernels and loops >= REDECLARED:
            place = next((where for where in kernels.values() if where), None)
            name = names.get(hashing.module, "?")
            found.append(Redeclared(name, hashing.declared, len(kernels), hashing.ms, place))
    return found
