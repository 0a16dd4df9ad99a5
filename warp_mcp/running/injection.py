"""What is changed on purpose in one run: which packages are injected, and what they are told.

What belongs here: putting together the file `pass.json` that `interventions/` reads. An ordinary run of the
unchanged program has an empty injection.
"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.lever import Lever
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import PassKind

BACKWARD = "|backward"
"""Key of the backward passes among the counts of launches."""

FILE = "pass.json"
"""In the directory of the run's records."""


@dataclass(frozen=True)
class Injection:
    """Names of interventions, each with what it is told."""

    parts: dict[str, Any] = field(default_factory=dict[str, Any])

    def with_pass(self, kind: PassKind, cold: Recording, budget_bytes: int) -> "Injection":
        """The same with what a pass observes. `cold`: the cold run on whose cache the pass runs."""
        told: dict[str, Any] = {}
        if kind == "outputs":
            told = {"budget_bytes": budget_bytes, "counts": launch_counts(cold)}
        return Injection({**self.parts, kind: told})

    def rehearsing(self, arch: int, shared: str) -> "Injection":
        """The same with a CUDA device of an architecture that is not there.

        `shared`: a directory that outlives the run; what is built for the CPU beside is kept in it.
        """
        told = {"arch": arch, "cpu_cache": os.path.join(shared, "rehearsed-on-cpu")}
        return Injection({"rehearsal": told, **self.parts})

    def tracing(self, targets: Sequence[TraceTarget]) -> "Injection":
        """The same with these builds, which are not in the cache of the run, made with a trace."""
        told = [{"source": one.source, "arch": one.arch} for one in targets]
        return Injection({**self.parts, "compile_trace": {"builds": told}})

    def write(self, record_dir: str) -> None:
        """Put it where the injected code looks for it."""
        if self.parts:
            with open(os.path.join(record_dir, FILE), "w", encoding="utf-8") as file:
                json.dump(self.parts, file)


def preload_lever(workers: int) -> Lever:
    """The lever that builds ahead with so many threads; one is the serial case."""
    return Lever(text=f"preload={workers}", preload=workers)


def injection_for(lever: Lever | None, unchanged: Recording | None, *, cuda_only: bool = False) -> Injection:
    """What makes a lever work. `unchanged`: the first cold run without it, which a preload follows.

    `cuda_only`: a preload leaves variants for the CPU alone.
    """
    if lever is None:
        return Injection()
    settings = [one.model_dump() for one in lever.settings]
    preload = None
    if lever.preload is not None and unchanged is not None:
        preload = {"workers": lever.preload, "variants": built_variants(unchanged, cuda_only)}
    return Injection({"levers": {"settings": settings, "preload": preload}})


def launch_counts(recording: Recording) -> dict[str, int]:
    """How often each kernel ran with each signature, so that its last launch is known beforehand.

    Of several processes the most in one of them counts. Backward passes have a key without a kernel.
    """
    counts: dict[str, int] = {}
    for process in recording.processes:
        own: Counter[str] = Counter()
        for signature in process.signatures:
            own[f"{signature.kernel}|{signature.equivalence}"] += signature.count
        own[BACKWARD] = process.backward_passes
        counts |= {key: max(count, counts.get(key, 0)) for key, count in own.items() if count}
    return counts


def built_variants(recording: Recording, cuda_only: bool = False) -> list[dict[str, Any]]:
    """The module variants that a run built, in the order of their first build, each with the hash it had."""
    variants = {
        (load.name, load.device, load.block_dim, load.hash): None
        for process in recording.processes
        for load in process.loads
        if load.status == "compiled" and not load.aot and (load.device != "cpu" or not cuda_only)
    }
    return [
        {"module": name, "device": device, "block_dim": block_dim, "hash": module_hash}
        for name, device, block_dim, module_hash in variants
    ]
