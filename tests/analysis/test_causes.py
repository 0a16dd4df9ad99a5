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


def test_a_constant_has_the_line_that_assigned_it_where_the_record_knows_it():
    first = kernel(0, constants={"N": "3"})
    second = kernel(1, object=0, constants={"N": "4"}, constants_at={"N": "config.py:8"})
    [cause] = causes([first], [second])
    assert (cause.where, cause.exact) == ("config.py:8", True)
    assert (cause.subject, cause.value) == ("N", "4")


def test_a_constant_without_a_known_line_is_shown_where_it_is_used():
    first, second = kernel(0, constants={"N": "3"}), kernel(1, object=0, constants={"N": "4"})
    [direct] = causes([first], [second])
    assert (direct.where, direct.exact) == (second.defined_at, False)

    fields = {"object": 5, "uses": {"f": "1"}, "uses_at": {"f": "lib.py:2"}}
    [through] = causes(
        [kernel(0, constants={"f.N": "3"}, **fields)], [kernel(1, constants={"f.N": "4"}, **fields)]
    )
    assert (through.where, through.exact) == ("lib.py:2", False)


def test_what_a_function_of_a_factory_closes_over_changes_at_the_line_that_makes_the_function():
    fields = {"object": 5, "uses": {"make__locals__f": "1"}, "uses_at": {"make__locals__f": "lib.py:2"}}
    [cause] = causes(
        [kernel(0, constants={"make__locals__f.n": "3"}, **fields)],
        [kernel(1, constants={"make__locals__f.n": "4"}, **fields)],
    )
    assert (cause.where, cause.exact) == ("lib.py:2", True)


def test_of_several_kernels_that_saw_a_constant_change_the_one_that_knows_the_line_tells_it():
    before = [kernel(i, f"k{i}", constants={"N": "3"}) for i in range(2)]
    after = [
        kernel(2, "k0", object=0, constants={"N": "4"}),
        kernel(3, "k1", object=1, constants={"N": "4"}, constants_at={"N": "config.py:8"}),
    ]
    [cause] = causes(before, after)
    assert cause.where == "config.py:8"


def test_a_struct_has_no_line_and_a_function_that_of_its_new_definition():
    old = kernel(0, uses={"Body": "1", "f": "1"})
    new = kernel(1, object=0, uses={"Body": "2", "f": "2"}, uses_at={"f": "lib.py:2"})
    told = {cause.subject: (cause.where, cause.exact) for cause in causes([old], [new])}
    assert told == {"Body": (new.defined_at, False), "f": ("lib.py:2", True)}


def test_a_kernel_declared_again_only_because_of_what_it_shares_says_so():
    first = kernel(0, constants={"shared.GAIN": "1"}, uses={"f": "1"})
    second = kernel(1, constants={"shared.GAIN": "2"}, uses={"f": "2"}, uses_at={"f": "lib.py:2"})
    [cause] = causes([first], [second])
    assert cause.kind == "kernel_redefined" and cause.same_otherwise
    assert [(one.kind, one.subject) for one in cause.changes] == [
        ("constant_changed", "shared.GAIN"),
        ("dependency_changed", "f"),
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"digest": "other source", "uses": {"f": "2"}},
        {"arg_types": ["array1d[float64]"], "uses": {"f": "2"}},
        {"options": {"enable_backward": "False"}, "uses": {"f": "2"}},
    ],
)
def test_a_kernel_that_also_differs_by_itself_is_not_the_same_otherwise(changes: dict[str, Any]):
    [cause] = causes([kernel(0, uses={"f": "1"})], [kernel(1, **changes)])
    assert [one.subject for one in cause.changes] == ["f"]
    assert not cause.same_otherwise


@pytest.mark.parametrize("name", ["power", "static(power)", "self.power", "make__locals__g.power"])
def test_what_a_factory_may_have_handed_to_its_kernel_is_no_change_of_something_shared(name: str):
    key = "app__make__locals__stage"
    [cause] = causes([kernel(0, key=key, constants={name: "1"})], [kernel(1, key=key, constants={name: "2"})])
    assert (cause.changes, cause.same_otherwise) == ([], False)


def test_a_kernel_beside_a_living_one_of_its_key_tells_what_shared_thing_differs():
    key = "app__make__locals__stage"
    first, second = (kernel(i, key=key, constants={"shared.GAIN": str(i)}) for i in range(2))
    [cause] = causes([first], [first, second])
    assert cause.kind == "kernel_added" and cause.same_otherwise
    assert [one.subject for one in cause.changes] == ["shared.GAIN"]
