"""One program for each mechanism of CUDA and its repaired twin, rehearsed: findings, builds and comparisons.

    pytest tests/tier2/rehearsal_proof.py

Each program is measured once. Nothing asks for a time; a verdict is asked for where three rehearsals on a
quiet machine carry one.
"""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.situations.measuring import Probe, marked
from tests.tier2.rehearsed_programs import (
    BY_NAME,
    FOLDER,
    LIMIT_S,
    PAIRS,
    PROGRAMS,
    REHEARSALS_FOR_A_VERDICT,
    Build,
    Program,
    ProofPair,
    rehearsal_of,
    report_of,
)
from warp_mcp.models.finding import MECHANISMS

pytestmark = [
    pytest.mark.skipif(shutil.which("nvidia-smi") is not None, reason="a GPU would be measured"),
    pytest.mark.timeout(LIMIT_S),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.name)
def test_what_is_said_and_what_is_built_is_what_a_gpu_machine_would_show(
    program: Program, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rehearsal = rehearsal_of(report_of(tmp_path_factory, program.name))

    assert {(run["outcome"], run["exit_code"]) for run in rehearsal["runs"]} == {("completed", 0)}
    assert rehearsal["not_rehearsed"] == []
    _check_findings(program, rehearsal)
    _check_builds(program, rehearsal)
    _check_links(program, rehearsal)


def _check_findings(program: Program, rehearsal: dict[str, Any]) -> None:
    """Fired, ruled out and not reached, of all thirteen mechanisms."""
    findings = {one["mechanism"]: one for one in rehearsal["findings"]}

    told = {name: findings[name]["status"] for name in MECHANISMS}
    wrong = {name: findings[name] for name in MECHANISMS if told[name] != program.expected[name]}
    assert not wrong, f"{wrong}\nmetrics {rehearsal['metrics']}"
    for name, evidence in program.evidence.items():
        assert {key: findings[name]["evidence"].get(key) for key in evidence} == evidence, findings[name]
    for name, marker in program.lines.items():
        line = marked(f"{FOLDER}/{program.name}", marker).split(":")[1]
        assert findings[name]["where"].endswith(f"program.py:{line}"), findings[name]
    assert "loaded for the CPU" in findings["CS-8"]["evidence"]["reason"]
    assert "in NVRTC's time" in findings["CS-12"]["evidence"]["reason"]


def _check_builds(program: Program, rehearsal: dict[str, Any]) -> None:
    """The binaries, and why one was built again."""
    modules = rehearsal["modules"]

    built = [
        Build(_name(one), one["block_dim"], one["kernel_count"], one["launches"])
        for one in modules
        for _ in range(one["builds"])
    ]
    assert sorted(built) == sorted(program.builds)
    assert {one["device"] for one in modules} == {"cuda:0"}
    assert len({one["hash"] for one in modules}) == len(modules) == len(program.builds)
    assert all(one["source_bytes"] > 0 and one["phases"]["native_compile_ms"]["ms"] > 0 for one in modules)
    causes = [cause["kind"] for rebuild in rehearsal["rebuilds"] for cause in rebuild["causes"]]
    assert tuple(causes) == program.causes


def _name(module: dict[str, Any]) -> str:
    """A unique module's name holds a hash."""
    return "unique" if module["made"] == "unique" else module["name"]


def _check_links(program: Program, rehearsal: dict[str, Any]) -> None:
    """MathDx objects tell apart what was switched off."""
    findings = {one["mechanism"]: one for one in rehearsal["findings"]}
    (links,) = findings["CS-7"]["evidence"].get("links", [{}])

    assert tuple(links.get(side, {}).get("count", 0) for side in ("forward", "adjoint")) == program.links
    assert rehearsal["structure"]["lto_artifacts"] == sum(program.links)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda one: f"{one.repaired} for {one.fault}")
def test_the_comparison_credits_what_was_repaired(
    pair: ProofPair, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    reports = [report_of(tmp_path_factory, name) for name in (pair.fault, pair.repaired)]
    before, after = map(rehearsal_of, reports)

    comparison, code = _compared(tmp_path, reports)

    assert comparison["workload"]["status"] == "preserved", comparison["workload"]
    assert comparison["rehearsal"]["alone"] and comparison["rehearsal"]["arch"] == "sm_90"
    fixed = [] if pair.by_time and not comparison["causes"] else sorted(pair.fixed)
    mechanisms = {name: sorted(found) for name, found in comparison["mechanisms"].items()}
    assert mechanisms == {
        "fixed": fixed,
        "remaining": sorted(pair.remaining),
        "new": sorted(pair.new),
    }
    figures = {one["name"]: one["candidate"] - one["baseline"] for one in comparison["structure"]}
    assert {name for name, change in figures.items() if change < 0} == set(pair.falls), figures
    assert {name for name, change in figures.items() if change > 0} == set(pair.rises), figures
    if pair.by_time:
        assert comparison["judged_on"] == "build_wait_ms", comparison["reasons"]
    if pair.same_last:
        assert {one["hash"] for one in after["modules"]} <= {one["hash"] for one in before["modules"]}
    _check_verdict(pair, comparison, code, [before, after])


def _compared(directory: Path, reports: list[Path]) -> tuple[dict[str, Any], int]:
    target = directory / "comparison.json"
    process = Probe(directory).run("compare", *map(str, reports), "--json", str(target))
    assert target.exists(), process.stderr
    return json.loads(target.read_text(encoding="utf-8")), process.returncode


def _check_verdict(
    pair: ProofPair, comparison: dict[str, Any], code: int, sides: list[dict[str, Any]]
) -> None:
    """Unverified with one rehearsal on a side; with three a quiet machine credits it, and none blames it."""
    verdict, reasons = comparison["verdict"], comparison["reasons"]
    if {BY_NAME[name].rehearsals for name in (pair.fault, pair.repaired)} != {REHEARSALS_FOR_A_VERDICT}:
        assert (verdict, code) == ("unverified", 4), reasons
        assert any("completed rehearsal" in reason for reason in reasons), reasons
        return
    assert comparison["causes"] and comparison["judged_on"] == "cold_module_ms", comparison
    busy = any(one["code"] == "machine_busy" for side in sides for one in side["warnings"])
    assert verdict == "improved" or (busy and verdict == "inconclusive"), reasons
    assert code == 0
