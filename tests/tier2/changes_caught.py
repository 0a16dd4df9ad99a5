"""A change that does less, computes something else, breaks a gradient or slows a kernel is caught.

Each by the part of the comparison that should catch it; and the same kind of edit where it is harmless is not
called. One sample of each is enough: the launches and what they compute are not a matter of noise.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.once import once
from tests.situations.changes import (
    GRADIENTS_CHANGED,
    HARMLESS,
    LAUNCHES_CHANGED,
    LOOP,
    OUTPUTS_CHANGED,
    REWRITTEN,
    SIMULATION,
    SLOWER,
    Found,
)
from tests.situations.editing import Edit, compared, edited, measured, text_of

Comparison = dict[str, Any]
OUTPUTS = "--outputs"
INVALID = ("invalid", 3)


def name(case: Found | Edit) -> str:
    return case.says if isinstance(case, Edit) else case.edit.says


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the report on the simulation as it stands."""
    return once(
        tmp_path_factory, "simulation", lambda directory: _measured(directory, text_of(SIMULATION), OUTPUTS)
    )


@pytest.fixture(scope="module")
def unslowed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the report on the loop as it stands, with launch times."""
    return once(
        tmp_path_factory,
        "loop",
        lambda directory: _measured(directory, text_of(LOOP), OUTPUTS, "--steady-state", samples=3),
    )


def _measured(directory: Path, text: str, *options: str, samples: int = 1) -> None:
    measured(directory, text, *options, samples=samples)


def after(unchanged: Path, edit: Edit, root: Path) -> tuple[Comparison, int]:
    """What comparing says once the simulation has been edited, and the exit code."""
    measured(root, edited(text_of(SIMULATION), edit), OUTPUTS, files=edit.files)
    return compared(root, unchanged, root)


@pytest.mark.parametrize("case", LAUNCHES_CHANGED, ids=name)
def test_other_launches_are_invalid_and_the_first_one_is_named(
    case: Found, unchanged: Path, tmp_path: Path
) -> None:
    comparison, code = after(unchanged, case.edit, tmp_path)

    assert (comparison["verdict"], code) == INVALID, comparison["reasons"]
    assert "launches changed" in comparison["reasons"][0]
    workload = comparison["workload"]
    assert workload["status"] == "changed"
    assert workload["first_divergence"]["launch"] == case.launch, workload
    assert all(word in str(workload["first_divergence"]) for word in case.words), workload


@pytest.mark.parametrize("case", OUTPUTS_CHANGED, ids=name)
def test_other_outputs_are_invalid_and_the_first_array_is_named(
    case: Found, unchanged: Path, tmp_path: Path
) -> None:
    comparison, code = after(unchanged, case.edit, tmp_path)

    assert (comparison["verdict"], code) == INVALID, comparison["reasons"]
    assert "outputs differ" in comparison["reasons"][0]
    assert comparison["workload"]["first_divergence"] is None, comparison["workload"]
    assert comparison["outputs"]["status"] == "different"
    first = comparison["outputs"]["first_difference"]
    assert first["launch"] == case.launch, first
    assert all(word in first["what"] for word in case.words), first
    assert first["kernel"] in comparison["workload"]["kernels_changed"]


@pytest.mark.parametrize("edit", GRADIENTS_CHANGED, ids=name)
def test_a_broken_gradient_is_invalid_and_no_forward_launch_is_blamed(
    edit: Edit, unchanged: Path, tmp_path: Path
) -> None:
    comparison, code = after(unchanged, edit, tmp_path)

    assert (comparison["verdict"], code) == INVALID, comparison["reasons"]
    assert comparison["outputs"]["status"] == "different"
    told = [one["what"] for one in comparison["outputs"]["differences"]]
    assert told and all("grad" in what for what in told), told
    assert any("the outputs differ" in reason and "grad" in reason for reason in comparison["reasons"])


@pytest.mark.parametrize("edit", [*HARMLESS, REWRITTEN], ids=name)
def test_an_edit_that_changes_nothing_of_it_is_not_called(
    edit: Edit, unchanged: Path, tmp_path: Path
) -> None:
    comparison, _ = after(unchanged, edit, tmp_path)

    assert comparison["verdict"] != "invalid", comparison["reasons"]
    assert comparison["workload"]["status"] == ("unverified" if edit is REWRITTEN else "preserved")
    assert comparison["outputs"]["status"] in ("identical", "within_tolerance"), comparison["outputs"]
    assert comparison["outputs"]["gradients"] > 0
    assert comparison["workload"]["kernels_changed"] == (["weigh"] if edit is REWRITTEN else [])
    assert comparison["outputs"]["uncovered"] == []
    doubts = [reason for reason in comparison["reasons"] if "1 completed sample" not in reason]
    assert len(doubts) == 1 and "_ms" in doubts[0], doubts
    asked = [check for check in comparison["next_checks"] if check.startswith(("Outputs", "Gradients"))]
    assert asked == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kernel", SLOWER)
def test_slower_kernels_are_told_beside_any_verdict(kernel: str, unslowed: Path, tmp_path: Path) -> None:
    text = edited(text_of(LOOP), SLOWER[kernel])
    measured(tmp_path, text, OUTPUTS, "--steady-state", samples=3)
    comparison, _ = compared(tmp_path, unslowed, tmp_path)

    assert comparison["steady_state"]["status"] in ("slower", "mixed"), comparison["steady_state"]
    assert "kernels run slower" in comparison["warnings"][0] and kernel in comparison["warnings"][0]
    assert comparison["workload"]["first_divergence"] is None
    assert comparison["outputs"]["status"] == "identical", comparison["outputs"]
    assert comparison["verdict"] != "invalid", comparison["reasons"]
    asked = [check for check in comparison["next_checks"] if check.startswith("Steady state")]
    assert all("with the machine at rest" in check for check in asked), asked
