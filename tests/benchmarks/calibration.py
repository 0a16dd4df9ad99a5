"""The constants behind the estimates of findings (`analysis/thresholds.py`), measured on this machine.

Run by `tests.benchmarks.mechanism_savings`. Each is a ratio of two builds of `targets/shapes.py`, so that it
can hold on more than one machine; what each means stands in `thresholds.py`. Here is only how it is measured.
By wall time, as the findings use it, and by CPU time, which other programs disturb less.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import measure
from tests.benchmarks.tables import mad, median
from warp_mcp.analysis import thresholds

TARGET = "../benchmarks/targets/shapes"
"""From the directory of the samples."""
EMPTY = ("empty_1", "empty_2", "empty_3")
SHAPED = ("waves", "turns", "matrices", "branches", "steps")
BUILDS = {
    "forward": ("cpu", "header", "forward"),
    "backward": ("cpu", "header", "backward"),
    "without": ("cpu", "no-header", "forward"),
    "cuda": ("cuda", "header", "forward"),
}
"""Arguments of the target, by the name a round has for it."""

CLEARLY = 1.25
"""How far above the floor a compile has to be: the weight is divided by what is above it, noise and all."""

Clock = str
"""`ms` or `cpu_ms`: the key of a phase in the report."""


@dataclass(frozen=True)
class Build:
    """The modules of one run of the target."""

    modules: dict[str, dict[str, Any]] = field(default_factory=dict)

    def native(self, name: str, clock: Clock) -> float:
        """Time in the compiler, without making a precompiled header."""
        return self.modules[name]["phases"]["native_compile_ms"][clock]

    def empty(self, clock: Clock) -> float:
        """Time in the compiler for a module that holds nothing."""
        return median([self.native(name, clock) for name in EMPTY])

    def header(self, clock: Clock) -> float:
        """Time to make the precompiled header, which the first module pays."""
        return self.modules["first"]["phases"]["header_ms"][clock]


Round = dict[str, Build]
"""One run of each of `BUILDS`, made right after another."""


def floor_of_header(one: Round, clock: Clock) -> Iterator[float]:
    yield one["forward"].empty(clock) / one["forward"].header(clock)


def parsing_of_header(one: Round, clock: Clock) -> Iterator[float]:
    more = one["without"].empty(clock) - one["forward"].empty(clock)
    yield more / one["forward"].header(clock)


def header_of_parsing(one: Round, clock: Clock) -> Iterator[float]:
    yield one["forward"].header(clock) / one["without"].empty(clock)


def loading_of_parsing(one: Round, clock: Clock) -> Iterator[float]:
    yield one["forward"].empty(clock) / one["without"].empty(clock)


def adjoint_weight(one: Round, clock: Clock) -> Iterator[float]:
    """Solves the estimate of CS-10 for the weight, with the saving measured: one value for each module.

    saving / (backward - floor) = w A / (w A + F), so w = (F / A) x saving / (forward - floor), where A and F
    are the adjoint and the other bytes of the source.
    """
    floor = one["forward"].empty(clock)
    for name in SHAPED:
        entry = one["backward"].modules[name]
        rest = entry["source_bytes"] - entry["adjoint_bytes"]
        forward = one["forward"].native(name, clock)
        saving = one["backward"].native(name, clock) - forward
        if forward > CLEARLY * floor:
            yield rest / entry["adjoint_bytes"] * saving / (forward - floor)


def floor_of_cuda(one: Round, clock: Clock) -> Iterator[float]:
    """One value for each module: which of them is the smallest of a program is the program's affair."""
    for name in SHAPED:
        yield one["cuda"].empty(clock) / one["cuda"].native(name, clock)


MEASURES: dict[str, Callable[[Round, Clock], Iterator[float]]] = {
    "FLOOR_OF_HEADER": floor_of_header,
    "PARSING_OF_HEADER": parsing_of_header,
    "HEADER_OF_PARSING": header_of_parsing,
    "LOADING_OF_PARSING": loading_of_parsing,
    "ADJOINT_WEIGHT": adjoint_weight,
    "FLOOR_OF_CUDA": floor_of_cuda,
}
"""How each constant of `thresholds.py` is measured, by its name there."""


def measured_round(directory: Path) -> Round:
    """One run of each program, in turn."""
    return {name: _build(directory / f"{name}.json", arguments) for name, arguments in BUILDS.items()}


def _build(path: Path, arguments: Sequence[str]) -> Build:
    report = json.loads(measure(path, TARGET, *arguments, samples=1).read_text(encoding="utf-8"))
    return Build({module["name"]: module for module in report["modules"]})


def rows(rounds: Sequence[Round]) -> list[dict[str, Any]]:
    """One row for each constant: what the code holds, and what was measured, by both clocks."""
    return [_row(name, rounds) for name in MEASURES]


def _row(name: str, rounds: Sequence[Round]) -> dict[str, Any]:
    values = {
        clock: [value for one in rounds for value in MEASURES[name](one, clock)] for clock in ("ms", "cpu_ms")
    }
    return {
        "constant": name,
        "in the code": getattr(thresholds, name),
        "by wall time": _shown(values["ms"]),
        "by CPU time": _shown(values["cpu_ms"]),
        "values": len(values["ms"]),
    }


def _shown(values: Sequence[float]) -> str:
    if len(values) < 2:
        return f"{values[0]:.3g}" if values else "not told"
    return f"{median(values):.3g} ± {mad(values):.2g} ({min(values):.3g} to {max(values):.3g})"
