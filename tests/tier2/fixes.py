"""Real fixes of nine mechanisms, measured with outputs on both sides: credited, and nothing else changed.

    pytest tests/tier2/fixes.py

About six minutes on two idle cores. The programs are pairs of `samples/mechanisms` made smaller: without the
ordinary modules beside the fault, what the fix saves is most of the start.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.situations.editing import Edit, compared, edited, measured, text_of
from tests.situations.measuring import SAMPLES, Measured, Probe
from tests.situations.pages import page

ALONE = {"\nimport ordinary_modules\n": "\n", "ordinary_modules.launch_all()\n": ""}
"""Without the modules that stand beside the fault."""
LEAN = {
    **ALONE,
    "import warp as wp\n": "import warp as wp\n\nwp.config.use_precompiled_headers = False\n",
}
"""Also without the header, which a single module does not repay."""
BESIDE_OTHERS: Mapping[str, str] = {}
"""As it stands: what backward code and unrolled loops cost shows only beside ordinary builds."""
ORDINARY = [
    f"ordinary_modules/{path.name}" for path in sorted((SAMPLES / "mechanisms/ordinary_modules").glob("*.py"))
]
HEADER = ("CS-12",)
"""The one module that is left does not repay the header any more."""
LARGE = 0.30
"""Share of what is judged that a fix takes away, as measured on an idle machine, from which on the verdict
itself is asked for: less can be lost in the spread of three samples."""


@dataclass(frozen=True)
class Fix:
    """A fault and its repair, and what shows the repair apart from times."""

    mechanism: str
    fault: str
    repair: str
    structure: str
    """The figure that must fall."""
    share: float
    """Of the judged metric, on an idle machine."""
    smaller: Mapping[str, str] = field(default_factory=lambda: LEAN)
    judged_on: str = "cold_module_ms"
    outputs: tuple[str, ...] = ("identical",)
    """An option for speed that now holds from the first launch on may round that launch otherwise."""
    brings: tuple[str, ...] = ()
    """Mechanisms that the repaired program may show instead."""


FIXES = (
    Fix("CS-1", "makes_kernels_between_launches", "makes_kernels_before_launches", "rebuilds", 0.6),
    Fix("CS-2", "clears_the_cache_at_start", "keeps_the_cache", "warm_builds", 0.9, LEAN, "warm_module_ms"),
    Fix(
        "CS-3",
        "sets_options_between_launches",
        "sets_options_before_launches",
        "rebuilds",
        0.5,
        outputs=("identical", "within_tolerance"),
    ),
    Fix(
        "CS-4",
        "names_a_module_for_each_stage",
        "names_one_module_for_all_stages",
        "builds",
        0.3,
        ALONE,
        brings=HEADER,
    ),
    Fix("CS-6", "meets_types_one_by_one", "declares_types_first", "rebuilds", 0.6),
    Fix(
        "CS-9",
        "gives_stable_kernels_unique_modules",
        "gives_stable_kernels_their_file",
        "builds",
        0.3,
        ALONE,
        brings=HEADER,
    ),
    Fix(
        "CS-10",
        "builds_backward_for_a_forward_program",
        "builds_forward_code_alone",
        "generated_source_bytes",
        0.18,
        BESIDE_OTHERS,
    ),
    Fix(
        "CS-11",
        "unrolls_nested_loops",
        "keeps_nested_loops_rolled",
        "generated_source_bytes",
        0.33,
        BESIDE_OTHERS,
    ),
    Fix(
        "CS-12",
        "builds_a_header_for_one_module",
        "builds_one_module_without_a_header",
        "header_builds",
        0.4,
        {},
    ),
)


def side(directory: Path, fix: Fix, program: str) -> Measured:
    """Measure one side, three samples, in a directory of its own."""
    directory.mkdir()
    text = text_of(f"mechanisms/{program}")
    pieces = {old: new for old, new in fix.smaller.items() if old in text}
    files = {name: text_of(f"mechanisms/{name.removesuffix('.py')}") for name in ORDINARY}
    return measured(directory, edited(text, Edit(program, pieces)), "--outputs", samples=3, files=files)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("fix", FIXES, ids=lambda fix: f"{fix.mechanism} {fix.repair}")
def test_a_real_fix_is_credited_and_changes_nothing_else(fix: Fix, tmp_path: Path) -> None:
    before = side(tmp_path / "before", fix, fix.fault)
    after = side(tmp_path / "after", fix, fix.repair)

    comparison, code = compared(tmp_path, tmp_path / "before", tmp_path / "after")

    assert before.finding(fix.mechanism)["status"] == "fired"
    mechanisms = comparison["mechanisms"]
    assert after.finding(fix.mechanism)["status"] != "fired"
    if comparison["causes"]:  # what goes by its cost is credited with a difference that the record explains
        assert fix.mechanism in mechanisms["fixed"], mechanisms
    assert set(mechanisms["new"]) <= set(fix.brings), mechanisms
    assert comparison["workload"]["status"] == "preserved", comparison["workload"]
    assert comparison["workload"]["kernels_changed"] == []
    assert comparison["outputs"]["status"] in fix.outputs, comparison["outputs"]
    assert comparison["outputs"]["compared"] > 0 and comparison["outputs"]["left_out"] == 0
    assert comparison["judged_on"] == fix.judged_on, comparison["reasons"]
    figure = next(one for one in comparison["structure"] if one["name"] == fix.structure)
    assert figure["candidate"] < figure["baseline"], figure

    quiet = not {"machine_busy"} & {*before.warnings(), *after.warnings()}
    if fix.share >= LARGE and quiet:
        assert comparison["verdict"] == "improved", comparison["reasons"]
        assert comparison["causes"], comparison
    assert comparison["verdict"] in ("improved", "inconclusive") and code == 0, comparison["reasons"]
    reports = tmp_path / "before/report.json", tmp_path / "after/report.json"
    assert page(Probe(tmp_path), str(reports[0]), str(reports[1]), comparison["verdict"], code) == []
