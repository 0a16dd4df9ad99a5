"""Verdicts of the whole command line on one program in several variants.

Each is measured with three samples where a verdict rests on times; one shows other launches or kernels.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.situations.measuring import Probe, python
from tests.situations.pages import page

Comparison = dict[str, Any]
SAMPLES = {
    "before": 3,
    "repaired": 3,
    "dropped": 1,
    "double": 1,
    "reshaped": 1,
    "kernel": 1,
    "lineinfo": 3,
    "renamed": 3,
}
"""How many of each variant."""


@dataclass(frozen=True)
class Expected:
    """What comparing two variants must say."""

    baseline: str
    candidate: str
    verdict: str
    exit: int
    holds: Callable[[Comparison], bool] = lambda comparison: True


def _preserved(comparison: Comparison) -> bool:
    return comparison["workload"]["status"] == "preserved" and not comparison["workload"]["kernels_changed"]


def _diverges_at(launch: int, *words: str) -> Callable[[Comparison], bool]:
    def holds(comparison: Comparison) -> bool:
        divergence = comparison["workload"]["first_divergence"]
        return divergence["launch"] == launch and all(word in json.dumps(divergence) for word in words)

    return holds


def _names_the_kernel(comparison: Comparison) -> bool:
    return "stage_kernel" in json.dumps(comparison["workload"]["kernels_changed"])


def _shows_the_receipt(comparison: Comparison) -> bool:
    (module,) = comparison["modules"]
    return module["hash_moved"] and "lineinfo" in json.dumps(module["options"])


def _advises_of_renames(comparison: Comparison) -> bool:
    return _preserved(comparison) and "step_kernel" in json.dumps(comparison["workload"]["renames"])


TABLE = [
    Expected("before", "repaired", "improved", 0, _preserved),
    Expected("repaired", "before", "regressed", 1, _preserved),
    Expected("repaired", "repaired", "inconclusive", 0, _preserved),
    Expected("before", "dropped", "invalid", 3, _diverges_at(4)),
    Expected("repaired", "double", "invalid", 3, _diverges_at(7, "float64")),
    Expected("repaired", "reshaped", "invalid", 3, _diverges_at(2, "[4]", "[8]")),
    Expected("repaired", "kernel", "unverified", 4, _names_the_kernel),
    Expected("repaired", "lineinfo", "inconclusive", 0, _shows_the_receipt),
    Expected("repaired", "renamed", "inconclusive", 0, _advises_of_renames),
]


@pytest.mark.timeout(900)
def test_each_change_of_a_program_gets_the_verdict_it_deserves(probe: Probe) -> None:
    for variant, samples in SAMPLES.items():
        environment = {"SAMPLE_VARIANT": variant}
        probe.measure(*python("builds_in_a_loop_or_once"), samples=samples, env=environment, name=variant)

    short: list[str] = []
    for expected in TABLE:
        written = probe.root / "comparison.json"
        reports = [str(probe.root / f"{name}.json") for name in (expected.baseline, expected.candidate)]
        process = probe.run("compare", *reports, "--json", str(written))
        comparison = json.loads(written.read_text(encoding="utf-8"))
        seen = (comparison["verdict"], process.returncode)
        if seen != (expected.verdict, expected.exit) or not expected.holds(comparison):
            short.append(
                f"{expected.baseline} → {expected.candidate}: {seen} {json.dumps(comparison)[:2000]}"
            )
        short += page(probe, reports[0], reports[1], expected.verdict, expected.exit)

    assert short == []


def test_a_program_that_never_does_the_same_twice_is_unverified_and_not_invalid(probe: Probe) -> None:
    command = python("launches_a_random_number_of_times")
    first, second = (probe.measure(*command, samples=3, name=name) for name in ("first", "second"))

    assert "samples_disagree" in first.warnings()
    assert (first.launches["stable"], second.launches["stable"]) == (False, False)
    compared = probe.run("compare", str(probe.root / "first.json"), str(probe.root / "second.json"))
    assert compared.returncode == 4, "what differs within each side is no fault of the change"
