from typing import Any

import pytest

from tests.analysis.factories import config, kernel, load, option, process
from warp_mcp.analysis.causes import find_causes
from warp_mcp.models.recording import KernelRecord, ProcessRecord
from warp_mcp.models.report import Cause


def causes(before: list[KernelRecord], after: list[KernelRecord], **changes: Any) -> list[Cause]:
    """Causes between two identities that consist of these kernels."""
    options = changes.pop("later_options", None)
    kernels = {one.id: one for one in [*before, *after]}
    record: ProcessRecord = process(kernels=list(kernels.values()), **changes)
    earlier = load("aa", 1000, kernels=[one.id for one in before])
    later = load("bb", 2000, kernels=[one.id for one in after], where="app.py:70")
    if options is not None:
        later = later.model_copy(update={"options": options})
    return find_causes(record, earlier, later)


def test_a_kernel_that_came_beside_the_others_was_added():
    first, second = kernel(0), kernel(1, "scale", defined_at="app.py:33")
    [cause] = causes([first], [first, second])
    assert (cause.kind, cause.where) == ("kernel_added", "app.py:33")
    assert "scale" in cause.detail


def test_a_closure_beside_a_living_one_of_the_same_key_was_added():
    first, second = kernel(0, constants={"power": "1"}), kernel(1, constants={"power": "2"})
    assert [cause.kind for cause in causes([first], [first, second])] == ["kernel_added"]


def test_a_kernel_whose_earlier_object_is_dead_was_redefined():
    first, second = kernel(0, constants={"power": "1"}), kernel(1, constants={"power": "2"})
    [cause] = causes([first], [second])
    assert cause.kind == "kernel_redefined"
    assert "power: 1 → 2" in cause.detail


def test_two_dead_closures_of_one_key_are_replaced_one_by_one():
    old = [kernel(i, constants={"power": str(i)}) for i in range(2)]
    new = [kernel(i, constants={"power": str(i)}) for i in range(2, 5)]
    kinds = sorted(cause.kind for cause in causes(old, new))
    assert kinds == ["kernel_added", "kernel_redefined", "kernel_redefined"]


def test_a_new_instance_of_a_generic_kernel_is_an_added_overload_at_the_line_that_needed_it():
    single = kernel(0, generic=True, signature="f4")
    double = kernel(1, generic=True, signature="f8", arg_types=["array1d[float64]"])
    [cause] = causes([single], [single, double])
    assert (cause.kind, cause.where) == ("overload_added", "app.py:70")
    assert "array1d[float64]" in cause.detail


def test_instances_of_one_generic_kernel_that_share_an_object_are_told_apart():
    single = kernel(0, object=5, generic=True, signature="f4")
    double = kernel(1, object=5, generic=True, signature="f8", arg_types=["array1d[float64]"])
    assert [cause.kind for cause in causes([single], [single, double])] == ["overload_added"]


def test_a_changed_constant_of_the_same_kernel_object_is_named_with_both_values():
    first, second = kernel(0, constants={"N": "3"}), kernel(1, object=0, constants={"N": "4"})
    [cause] = causes([first], [second])
    assert cause.kind == "constant_changed"
    assert "N: 3 → 4" in cause.detail


def test_a_changed_function_of_the_same_kernel_object_is_a_changed_dependency():
    first, second = kernel(0, uses={"lib.square": "1"}), kernel(1, object=0, uses={"lib.square": "2"})
    [cause] = causes([first], [second])
    assert cause.kind == "dependency_changed"
    assert "square" in cause.detail


def test_a_function_that_many_kernels_use_is_told_once():
    before = [kernel(i, f"k{i}", uses={"square": "1"}) for i in range(3)]
    after = [kernel(3 + i, f"k{i}", object=i, uses={"square": "2"}) for i in range(3)]
    assert [cause.kind for cause in causes(before, after)] == ["dependency_changed"]


def test_an_option_is_told_with_old_and_new_value_and_the_line_that_set_it():
    [cause] = causes(
        [kernel()],
        [kernel()],
        later_options={"fast_math": "True", "enable_backward": "True"},
        options=[
            option("fast_math", "False", "True", 1500.0),
            option("fast_math", "True", "False", 2500.0, "app.py:99"),
        ],
    )
    assert (cause.kind, cause.detail, cause.where) == (
        "option_changed",
        "fast_math: False → True",
        "app.py:41",
    )


def test_an_option_that_came_from_the_global_configuration_has_the_line_of_that_assignment():
    [cause] = causes(
        [kernel()],
        [kernel()],
        later_options={"fast_math": "False", "enable_backward": "True", "verify_fp": "True"},
        config=[config("verify_fp", "False", "True", 1500.0, "main.py:3")],
    )
    assert (cause.kind, cause.where) == ("option_changed", "main.py:3")


def test_an_option_of_another_module_is_not_taken_for_the_line():
    [cause] = causes(
        [kernel()],
        [kernel()],
        later_options={"fast_math": "True", "enable_backward": "True"},
        options=[option("fast_math", "False", "True", 1500.0, module=7)],
    )
    assert cause.where is None


def test_several_differences_are_all_told():
    first, second = kernel(0), kernel(1, "scale")
    found = causes([first], [first, second], later_options={"fast_math": "True", "enable_backward": "True"})
    assert [cause.kind for cause in found] == ["kernel_added", "option_changed"]


def test_a_second_copy_of_a_known_kernel_is_no_cause():
    first, copy, other = kernel(0), kernel(1), kernel(2, "scale")
    assert [cause.detail.split()[1] for cause in causes([first], [first, copy, other])] == ["scale"]


def test_a_dropped_kernel_is_told_when_nothing_else_differs():
    first, second = kernel(0), kernel(1, "scale")
    [cause] = causes([first, second], [first])
    assert cause.kind == "unknown"
    assert "scale was dropped (garbage collected)" in cause.detail


def test_a_difference_that_was_not_recorded_is_said_to_be_unknown():
    [cause] = causes([kernel()], [kernel()])
    assert cause.kind == "unknown"
    assert "nothing that was recorded" in cause.detail


@pytest.mark.parametrize("count", [20, 21, 300])
def test_however_many_kernels_came_the_list_of_causes_stays_short_and_counts_all(count: int):
    first = kernel(0)
    found = causes([first], [first, *[kernel(i, f"k{i}") for i in range(1, count + 1)]])
    assert len(found) == 20
    left_out = count - 20
    assert found[-1].detail.endswith(f"and {left_out} more differences") == bool(left_out)
