"""Programs with planted causes: one root for each of them, with exactly its victims."""

import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.situations.measuring import Measured, Probe, marked, python


@dataclass(frozen=True)
class Planted:
    """One cause: what it is, the sample and marker of its line (null: not to be known), whom it hits."""

    kind: str
    line: tuple[str, str] | None
    victims: tuple[str, ...]
    others: tuple[int, ...] = ()
    """Further causes of each victim; none where left out."""


WEIGHT = Planted("dependency_changed", ("roots/shared", "weight"), ("decay", "drift"))
GAIN = Planted("constant_changed", ("roots/shared", "gain"), ("sway", "swing"))

PROGRAMS = {
    "roots/one_cause": (GAIN,),
    "roots/three_causes": (
        WEIGHT,
        Planted("kernel_redefined", ("roots/factory", "stage"), ("left", "left", "right", "right")),
        Planted("option_changed", ("roots/three_causes", "setting"), ("rope", "spring")),
    ),
    "roots/five_causes": (
        WEIGHT,
        GAIN,
        Planted("option_changed", ("roots/five_causes", "options"), ("rope", "spring")),
        Planted("kernel_redefined", ("roots/factory", "stage"), ("left", "right")),
        Planted("overload_added", ("roots/running", "launch"), ("squeeze", "stretch")),
    ),
    "roots/passengers": (
        Planted("kernel_added", ("roots/passengers", "first"), ("drift",), others=(1,)),
        Planted("kernel_added", ("roots/passengers", "second"), ("spring",), others=(1,)),
        Planted("option_changed", ("roots/passengers", "own"), ("rope",), others=(1,)),
    ),
    "roots/reloads": (
        Planted("constant_changed", None, ("sway", "swing")),
        Planted("dependency_changed", None, ("pull", "push")),
    ),
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda name: name.rpartition("/")[2])
def test_as_many_roots_as_causes_were_planted_each_with_exactly_its_victims(
    program: str, probe: Probe
) -> None:
    measured = probe.measure(*python(program))

    assert measured.sample["exit_code"] == 0, measured.sample["stderr_tail"]
    found = {_seen(root) for root in measured.report["roots"]}
    assert found == {_expected(planted) for planted in PROGRAMS[program]}, measured.report["roots"]
    adds_up(measured)


def _seen(root: dict[str, Any]) -> tuple[Any, ...]:
    victims = sorted((victim["module"], victim["other_causes"]) for victim in root["victims"])
    line = Path(root["where"]).name if root["where"] else None
    return root["kind"], line, root["owner"], tuple(victims)


def _expected(planted: Planted) -> tuple[Any, ...]:
    others = planted.others or (0,) * len(planted.victims)
    line = marked(*planted.line) if planted.line else None
    return planted.kind, line, "application", tuple(zip(planted.victims, others, strict=True))


def adds_up(measured: Measured) -> None:
    """Every rebuild under exactly one root, and no time twice or lost."""
    report = measured.report
    victims = [victim for root in report["roots"] for victim in root["victims"]]
    told = sorted(
        (one["module"], one["from_hash"], one["to_hash"], one["cost_ms"]) for one in report["rebuilds"]
    )
    assert sorted((one["module"], one["from_hash"], one["to_hash"], one["ms"]) for one in victims) == told
    assert all(
        root["cost_ms"] == pytest.approx(sum(victim["ms"] for victim in root["victims"]))
        for root in report["roots"]
    )
    costs = [root["cost_ms"] for root in report["roots"]]
    assert costs == sorted(costs, reverse=True)


LIBRARY = """
    import warp as wp

    @wp.kernel
    def settle(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] * 0.5

    def be_fast():
        import sys
        wp.set_module_options({"fast_math": True}, module=sys.modules[__name__])
"""

APPLICATION = """
    import sandpile
    import warp as wp

    @wp.kernel
    def pour(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = x[i] + 1.0

    x = wp.ones(8, dtype=float, device="cpu")
    for _ in range(2):
        wp.launch(sandpile.settle, dim=8, inputs=[x], device="cpu")
        wp.launch(pour, dim=8, inputs=[x], device="cpu")
        sandpile.be_fast()
        wp.set_module_options({"max_unroll": 4})
    wp.launch(sandpile.settle, dim=8, inputs=[x], device="cpu")
"""


def test_a_line_in_an_installed_library_is_told_as_the_librarys(probe: Probe, tmp_path: Path) -> None:
    installed = tmp_path / "lib" / "python3" / "site-packages"
    (installed / "sandpile").mkdir(parents=True)
    (installed / "sandpile" / "__init__.py").write_text(textwrap.dedent(LIBRARY), encoding="utf-8")
    (tmp_path / "pour.py").write_text(textwrap.dedent(APPLICATION), encoding="utf-8")

    measured = probe.measure(sys.executable, "pour.py", env={"PYTHONPATH": str(installed)})

    owners = {
        root["owner"]: [victim["module"] for victim in root["victims"]] for root in measured.report["roots"]
    }
    assert owners == {"sandpile": ["sandpile"], "application": ["__main__"]}
    assert "2 lines cause 2 of 4 builds" in measured.text
    assert "is yours" in measured.text and "is in sandpile" in measured.text
    adds_up(measured)


def test_a_program_that_builds_every_module_once_has_no_root_and_is_told_what_that_does_not_mean(
    probe: Probe,
) -> None:
    measured = probe.measure(*python("launches_once"))

    assert measured.report["roots"] == []
    assert "No structural churn" in measured.text
