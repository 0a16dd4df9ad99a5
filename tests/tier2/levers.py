"""Levers tell the truth: programs that are really edited build what the lever built.

    pytest tests/tier2/levers.py

The same hashes, the same source, the same outputs: so the same work. How near the times of both come to each
other is a figure: `tests/benchmarks/levers_and_edits.py` measures them in turn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.tier2.arms import PROGRAMS, Edit, Measurement, copy_of, identities, measure
from warp_mcp.analysis import compare_reports
from warp_mcp.analysis.thresholds import LEAST_SAMPLES
from warp_mcp.models.comparison import Comparison
from warp_mcp.models.report import Report

pytestmark = pytest.mark.timeout(2400)
"""Each waits for dozens of builds; where others keep the machine busy they take several times as long."""

ROPE, FILTER, BEND = "swings_a_rope.py", "filters_in_one_kernel.py", "bends_in_one_file.py"
ROPE_FILES = {"rope.advance", "rope.drag", "rope.limit", "rope.pull"}
BACKWARD, HEADERS = "enable_backward=false", "use_precompiled_headers=false"
BOTH = f"{BACKWARD},{HEADERS}"
SAMPLES_OF = {ROPE: 1, FILTER: 3}
"""Three where a verdict is looked at, of the program on which levers and edits do the most."""


@dataclass(frozen=True)
class Case:
    """A lever, the edit that it stands for, and the modules that it reaches."""

    program: str
    lever: str
    edit: Edit
    moved: frozenset[str]


def at_the_top(program: str, lever: str, *lines: str) -> Case:
    """A lever for the process."""
    moved = frozenset(ROPE_FILES if program == ROPE else {"__main__"})
    return Case(program, lever, Edit(program, "; ".join(f"wp.config.{line}" for line in lines)), moved)


CASES = [
    at_the_top(ROPE, BACKWARD, "enable_backward = False"),
    at_the_top(ROPE, HEADERS, "use_precompiled_headers = False"),
    at_the_top(ROPE, BOTH, "enable_backward = False", "use_precompiled_headers = False"),
    Case(
        ROPE,
        f"rope.pull:{BACKWARD}",
        Edit("rope/pull.py", 'wp.set_module_options({"enable_backward": False})'),
        frozenset({"rope.pull"}),
    ),
    at_the_top(FILTER, BACKWARD, "enable_backward = False"),
    at_the_top(FILTER, f"{BACKWARD},max_unroll=2", "enable_backward = False", "max_unroll = 2"),
]


@pytest.fixture(scope="module")
def unedited(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Measurement]:
    """A program with all its levers, measured once."""

    @cache
    def measured(program: str) -> Measurement:
        levers = [case.lever for case in CASES if case.program == program]
        place = tmp_path_factory.mktemp("program")
        return measure(place, copy_of(place, program), levers, samples=SAMPLES_OF[program])

    return measured


def compared(baseline: Report, candidate: Report) -> Comparison:
    return compare_reports(baseline, candidate, comparison_id="", created_at="")


@pytest.mark.parametrize("case", CASES, ids=[f"{case.program[:-3]}-{case.lever}" for case in CASES])
def test_an_edit_shows_what_its_lever_showed(
    case: Case,
    unedited: Callable[[str], Measurement],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    whole = unedited(case.program)
    unchanged, lever, arm = whole.report, whole.lever(case.lever), whole.arms[case.lever]

    place = tmp_path_factory.mktemp("program")
    program = copy_of(place, case.program, case.edit)
    edit = measure(place, program, samples=SAMPLES_OF[case.program]).report
    assert len(program.parts[-3]) == len(Path(unchanged.command[1]).parts[-3]), "equally long paths"

    assert identities(edit) == identities(arm) != identities(unchanged)
    assert edit.structure.generated_source_bytes == lever.source_bytes
    after = compared(unchanged, edit)
    moved = {change.name for change in after.modules if change.hash_moved}
    assert moved == set(lever.modules_moved) == case.moved
    assert set(lever.modules_unmoved) == {one.name for one in unchanged.modules} - case.moved
    assert (lever.problems, lever.workload, lever.outputs) == ([], "preserved", "identical")
    assert (after.workload.status, after.outputs.status) == ("preserved", "identical")
    between = compared(arm, edit)
    assert between.outputs.status == "identical" and between.outputs.compared > 0
    if SAMPLES_OF[case.program] >= LEAST_SAMPLES:
        assert between.verdict == "inconclusive", between.reasons
        assert {lever.verdict, after.verdict} <= {"improved", "inconclusive"}, (lever.reasons, after.reasons)


def test_auto_tries_what_the_findings_point_to_and_sorts_it(tmp_path: Path) -> None:
    whole = measure(tmp_path, PROGRAMS / BEND, ["auto"])

    fired = {one.mechanism for one in whole.report.findings if one.status == "fired"}
    assert fired == {"CS-10", "CS-12"}
    assert {frozenset(one.lever.split(",")) for one in whole.report.levers} == {
        frozenset({BACKWARD}),
        frozenset({HEADERS}),
        frozenset({BACKWARD, HEADERS}),
    }
    for lever in whole.report.levers:
        assert lever.modules_moved == ["__main__"] and lever.outputs == "identical"
        assert ((lever.source_bytes or 0) < lever.source_bytes_unchanged) == (BACKWARD in lever.lever)
    verdicts = [one.verdict for one in whole.report.levers]
    assert verdicts == sorted(verdicts, key=["improved", "inconclusive", "unverified", "regressed"].index)
    bought = [one.delta or 0.0 for one in whole.report.levers if one.verdict == "improved"]
    assert bought == sorted(bought)


def test_preloading_builds_the_same_modules_side_by_side(tmp_path: Path) -> None:
    whole = measure(tmp_path, PROGRAMS / ROPE, ["preload=2"], samples=1)

    (lever,) = whole.report.levers
    assert identities(whole.arms["preload=2"]) == identities(whole.report)
    assert (lever.modules_moved, set(lever.modules_unmoved)) == ([], ROPE_FILES)
    assert lever.source_bytes == lever.source_bytes_unchanged
    assert whole.report.metrics["peak_builds"].median <= 1 < lever.metrics["peak_builds"].median
    assert (lever.judged_on, lever.problems, lever.outputs) == ("compile_elapsed_ms", [], "identical")
    assert lever.reasons[-1] == "identities, hashes and generated source are the same as without it"
