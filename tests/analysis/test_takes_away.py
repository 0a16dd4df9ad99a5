"""What an option takes from a program, and what is told of whether the run used it."""

from typing import Any

import pytest

from tests.factories import a_comparison, a_module, a_report
from warp_mcp.analysis.options import EFFECTS
from warp_mcp.analysis.takes_away import takes_away
from warp_mcp.models.lever import Lever, Setting


def told(option: str, value: Any, module: str | None = None, **changes: Any) -> str:
    lever = Lever(text="", settings=[Setting(option=option, value=value, module=module)])
    compared = a_comparison(
        **{key: changes.pop(key) for key in ("outputs", "steady_state") if key in changes}
    )
    return " ".join(takes_away(lever, a_report(**changes), compared))


LOSS = [a_module(1, name="fluid.loss", adjoint_launches=4), a_module(2, name="fluid.shapes")]


def test_backward_off_names_the_modules_whose_gradients_it_takes():
    said = told("enable_backward", False, modules=LOSS)
    assert said == ("Gradients. This run launched 4 adjoint kernels, of fluid.loss: lost without an error.")


def test_backward_off_in_a_run_without_gradients_says_that_others_may_use_them():
    said = told("enable_backward", False)
    assert "this run used none" in said
    assert "Programs that import these modules may" in said


def test_backward_off_in_one_module_asks_for_the_gradients_of_that_module_only():
    assert "this run used none" in told("enable_backward", False, module="fluid.shapes", modules=LOSS)
    assert "4 adjoint kernels" in told("enable_backward", False, module="fluid.loss", modules=LOSS)


def test_launches_that_were_not_all_recorded_do_not_rule_gradients_out():
    launches = {**a_report().launches.model_dump(), "complete": False}
    said = told("enable_backward", False, launches=launches)
    assert "whether this run used any is not known" in said


def test_backward_on_takes_nothing_away():
    assert told("enable_backward", True).startswith("Nothing;")


@pytest.mark.parametrize("option", ["fast_math", "fuse_fp"])
def test_inexact_arithmetic_says_whether_outputs_were_compared(option: str):
    assert "Outputs were not compared" in told(option, True)
    assert "identical" in told(option, True, outputs={"status": "identical"})
    assert "as far as recorded" in told(option, True, outputs={"status": "incomplete"})
    assert "Speed" in told(option, False)


@pytest.mark.parametrize(
    ("option", "value"),
    [("max_unroll", 1), ("optimization_level", 0), ("mode", "debug"), ("mode", "release")],
)
def test_what_may_cost_speed_says_whether_launches_were_timed(option: str, value: Any):
    assert "Launches were not timed." in told(option, value)
    assert "some are slower" in told(option, value, steady_state={"status": "slower"})
    hidden = {"hidden": "differences up to 40 % are hidden by the noise"}
    said = told(option, value, steady_state={"status": "within_noise", **hidden})
    assert f"none stands out, but {hidden['hidden']}." in said
    said = told(option, value, steady_state={"status": "faster", **hidden})
    assert f"some are faster; {hidden['hidden']}." in said


def test_release_mode_takes_the_checks_of_debug_mode():
    assert "Bounds checks" in told("mode", "release")
    assert "Bounds checks" not in told("mode", "debug")


def test_mathdx_off_says_both():
    said = told("enable_mathdx_gemm", False)
    assert "Launches were not timed." in said
    assert "Outputs were not compared." in said


def test_the_header_is_for_entry_points_only():
    assert "for an entry point only" in told("use_precompiled_headers", False)
    assert "Nothing of what the program computes" in told("use_precompiled_headers", True)


def test_line_numbers_checks_and_repeatable_results_are_named():
    assert "in profilers and debuggers" in told("lineinfo", False)
    assert "The checks it makes" in told("verify_fp", False)
    assert "Speed" in told("verify_fp", True)
    assert "the same to the bit" in told("deterministic", False)


def test_an_option_without_an_entry_is_said_to_be_unknown():
    assert "is not known here" in told("cpu_compiler_flags", "-O1")


def test_a_preload_takes_work_and_memory():
    lever = Lever(text="preload=4", preload=4)
    (said,) = takes_away(lever, a_report(), a_comparison())
    assert "more work in all and more memory" in said
    assert "Here only what the unchanged run builds was built ahead" in said


@pytest.mark.parametrize("option", sorted(EFFECTS))
@pytest.mark.parametrize("value", [True, False])
def test_each_of_several_settings_has_a_sentence_that_begins_with_it(option: str, value: bool):
    settings = [Setting(option=option, value=value), Setting(option="mode", value="debug", module="fluid.a")]
    said = takes_away(Lever(text="", settings=settings), a_report(), a_comparison())
    assert said[0].startswith(f"{option}={str(value).lower()}: ")
    assert said[1].startswith("fluid.a:mode=debug: speed of the launches.")
