"""For each rebuild: which kernel, option, overload, dependency or block_dim differs, and at which line."""

import pytest

from tests.situations.measuring import Measured, Probe, marked, python
from tests.situations.situation import Because, Situation, holds


def _fired(*mechanisms: str):
    """CS-1, CS-3 and CS-6 fire exactly when named."""

    def check(measured: Measured) -> None:
        statuses = {name: measured.finding(name)["status"] for name in ("CS-1", "CS-3", "CS-6")}
        assert statuses == {name: "fired" if name in mechanisms else "ruled_out" for name in statuses}

    return check


def rebuilt(
    says: str, name: str, *because: Because, launches: int, fired: tuple[str, ...] = (), **more
) -> Situation:
    return Situation(
        says,
        python(name),
        builds=len(because) + 1,
        launches=launches,
        rebuilds=because,
        marks=name,
        also=_fired(*fired),
        **more,
    )


TABLE = [
    rebuilt(
        "kernels were made after their module was loaded",
        "adds_kernel_after_load",
        Because("kernel_added", ("halve",), "halve"),
        Because("kernel_added", ("negate",), "negate"),
        launches=4,
        fired=("CS-1",),
    ),
    rebuilt(
        "a kernel was redefined and the earlier one is dead",
        "redefines_kernel_after_load",
        Because("kernel_redefined", ("scale",), "scale"),
        launches=2,
        fired=("CS-1",),
    ),
    rebuilt(
        "an option was set after the load",
        "sets_option_after_load",
        Because("option_changed", ("fast_math", "False", "True"), "option"),
        launches=2,
        fired=("CS-3",),
    ),
    rebuilt(
        "a generic kernel met another type",
        "adds_overload_after_load",
        Because("overload_added", ("scale", "float64")),
        launches=3,
        fired=("CS-6",),
    ),
    rebuilt(
        "a function was redefined",
        "redefines_function_after_load",
        Because("dependency_changed", ("weight",), "weight"),
        launches=2,
    ),
    rebuilt(
        "a constant changed",
        "changes_constant_after_load",
        Because("constant_changed", ("GRAVITY", "9.81", "1.62")),
        launches=2,
    ),
    rebuilt(
        "another block_dim was launched",
        "uses_several_block_dims",
        Because("block_dim", ("1", "32"), "block32"),
        Because("block_dim", ("64",)),
        launches=4,
    ),
    rebuilt(
        "the faults are those of the demo",
        "builds_in_a_loop_or_once",
        *[Because("kernel_added", ("stage_kernel",))] * 5,
        launches=7,
        fired=("CS-1",),
    ),
]


@pytest.mark.parametrize("situation", TABLE, ids=lambda situation: situation.says)
def test_the_cause_is_named_when(situation: Situation, probe: Probe) -> None:
    holds(situation, probe)


def test_an_option_set_by_a_library_is_shown_where_it_was_set_and_where_it_was_asked_for(
    probe: Probe,
) -> None:
    measured = probe.measure(*python("library_and_application/application"))

    details = {cause["detail"]: cause["where"] for cause in measured.causes()}
    assert {cause["kind"] for cause in measured.causes()} == {"option_changed"}
    assert any("fast_math" in detail for detail in details) and any(
        "max_unroll" in detail for detail in details
    )
    assert all(
        where.endswith(marked("library_and_application/library", "option")) for where in details.values()
    )
    assert measured.finding("CS-3")["status"] == "fired"


FLIPS = [
    Situation(
        "an option is set back and forth",
        python("flips_an_option"),
        builds=2,
        launches=6,
        warns=("identity_flips",),
        rebuilds=(Because("option_changed", ("fast_math", "False", "True"), "option"),),
        marks="flips_an_option",
    ),
    Situation(
        "short-lived kernels of one name take turns",
        python("alternates_kernels_of_one_name"),
        builds=2,
        launches=6,
        warns=("identity_flips",),
        rebuilds=(Because("kernel_redefined", ("scale",), "scale"),),
        marks="alternates_kernels_of_one_name",
    ),
]


@pytest.mark.parametrize("situation", FLIPS, ids=lambda situation: situation.says)
def test_going_back_to_an_earlier_identity_is_a_flip_and_no_rebuild_when(
    situation: Situation, probe: Probe
) -> None:
    holds(situation, probe)
