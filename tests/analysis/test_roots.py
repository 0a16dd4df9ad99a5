"""Each rebuild under exactly one root: which line that is, and that nothing is counted twice or lost."""

from typing import Any

import pytest

from tests.analysis.factories import kernel, process, recording
from warp_mcp.analysis.roots import find_roots
from warp_mcp.models.recording import Recording
from warp_mcp.models.report import Cause, Rebuild
from warp_mcp.models.root import Root

EMPTY = recording()


def added(line: str | None, name: str = "step", **changes: Any) -> Cause:
    detail = f"kernel {name} was defined after the module had loaded"
    return Cause(kind="kernel_added", detail=detail, where=line, subject=name, **changes)


def redefined(line: str, name: str = "step", **changes: Any) -> Cause:
    detail = f"kernel {name} was defined again"
    return Cause(kind="kernel_redefined", detail=detail, where=line, subject=name, **changes)


def option(line: str | None, name: str = "fast_math", value: str = "True", *, forces: bool = False) -> Cause:
    return Cause(
        kind="option_changed",
        detail=f"{name}: False → {value}",
        where=line,
        subject=name,
        value=value,
        forces=forces,
    )


def constant(name: str = "SCALE", value: str = "2.0", line: str | None = None, **changes: Any) -> Cause:
    return Cause(
        kind="constant_changed",
        detail=f"{name}: 1.0 → {value} (used by kernel step)",
        where=line or "user.py:3",
        subject=name,
        value=value,
        exact=line is not None,
        **changes,
    )


def dependency(name: str, line: str | None) -> Cause:
    return Cause(
        kind="dependency_changed",
        detail=f"{name} changed (used by kernel step)",
        where=line or "user.py:3",
        subject=name,
        exact=line is not None,
    )


def rebuild(module: str, *causes: Cause, ms: float = 100.0) -> Rebuild:
    return Rebuild(
        module=module,
        from_hash="a",
        to_hash="b",
        device="cpu",
        causes=list(causes),
        cost_ms=ms,
        pid=10,
    )


def roots(*rebuilds: Rebuild, of: Recording = EMPTY) -> list[Root]:
    """The roots, held against what is true of any of them."""
    found = find_roots(of, rebuilds)
    victims = sorted((victim.module, victim.ms) for root in found for victim in root.victims)
    assert victims == sorted((one.module, one.cost_ms) for one in rebuilds)
    assert all(root.cost_ms == sum(victim.ms for victim in root.victims) for root in found)
    return found


def modules(root: Root) -> list[str]:
    return [victim.module for victim in root.victims]


def test_without_rebuilds_there_is_no_root():
    assert roots() == []


def test_the_victims_of_one_line_are_together_and_the_dearest_root_is_first():
    found = roots(
        rebuild("a", option("app.py:1"), ms=10.0),
        rebuild("b", option("app.py:2"), ms=300.0),
        rebuild("c", option("app.py:1"), ms=20.0),
    )
    assert [(root.where, modules(root), root.cost_ms) for root in found] == [
        ("app.py:2", ["b"], 300.0),
        ("app.py:1", ["a", "c"], 30.0),
    ]


def test_two_kinds_at_one_line_are_two_roots():
    other = Cause(kind="block_dim", detail="block_dim: 1 → 64", where="app.py:1", subject="block_dim")
    assert [root.kind for root in roots(rebuild("a", option("app.py:1")), rebuild("b", other))] == [
        "option_changed",
        "block_dim",
    ]


def test_kernels_that_one_def_makes_are_one_root_whether_the_earlier_ones_live_or_not():
    [root] = roots(rebuild("a", added("lib.py:5")), rebuild("a", redefined("lib.py:5")))
    assert (root.kind, root.where, len(root.victims)) == ("kernel_added", "lib.py:5", 2)


def test_two_options_set_by_one_line_are_one_root_and_leave_no_other_cause():
    [root] = roots(rebuild("a", option("app.py:1", "fast_math"), option("app.py:1", "max_unroll", "4")))
    assert root.detail == "fast_math: False → True; max_unroll: False → 4"
    assert root.victims[0].other_causes == 0


def test_a_rebuild_with_several_causes_goes_to_the_line_that_explains_most():
    own = option("app.py:1", forces=True)
    found = roots(
        rebuild("a", added("a.py:9"), own),
        rebuild("b", added("b.py:9"), own),
        rebuild("c", added("c.py:9"), own, dependency("f", "lib.py:4")),
    )
    assert [(root.where, modules(root)) for root in found] == [("app.py:1", ["a", "b", "c"])]
    assert [victim.other_causes for victim in found[0].victims] == [1, 1, 2]


def test_what_only_rides_along_takes_no_rebuild_from_what_forced_it():
    """A global option or a constant that was changed builds nothing by itself: Warp keeps the old hash."""
    found = roots(
        rebuild("a", option("app.py:1"), added("a.py:9")),
        rebuild("b", option("app.py:1"), constant("shared.SCALE"), option("app.py:7", "mode", forces=True)),
        rebuild("c", option("app.py:1")),
    )
    assert {root.where: modules(root) for root in found} == {
        "a.py:9": ["a"],
        "app.py:7": ["b"],
        "app.py:1": ["c"],
    }


def test_globals_of_two_files_with_one_name_and_value_took_two_assignments():
    one, other = (constant().model_copy(update={"where": f"{file}.py:3"}) for file in "uv")
    assert len(roots(rebuild("u", one), rebuild("v", other))) == 2


def test_between_equals_the_first_cause_counts():
    [root] = roots(rebuild("a", added("a.py:9"), option("app.py:1"), option("app.py:1", "max_unroll")))
    assert (root.where, root.victims[0].other_causes) == ("a.py:9", 2)


def test_what_a_root_has_explained_no_longer_counts_for_another():
    shared = option("app.py:1")
    found = roots(
        *[rebuild(f"m{number}", dependency("f", "lib.py:4"), shared) for number in range(3)],
        *[rebuild(f"n{number}", shared) for number in range(3)],
        rebuild("late", dependency("f", "lib.py:4")),
    )
    assert {root.where: len(root.victims) for root in found} == {"app.py:1": 6, "lib.py:4": 1}


@pytest.mark.parametrize("names", [("SCALE", "SCALE", "SCALE"), ("SCALE", "weight.SCALE", "shared.SCALE")])
def test_a_constant_without_a_line_unites_its_victims_directly_and_through_functions(
    names: tuple[str, ...],
):
    [root] = roots(*[rebuild(f"m{number}", constant(name)) for number, name in enumerate(names)])
    assert (root.kind, root.where, root.near) == ("constant_changed", None, "user.py:3")
    assert len(root.victims) == 3
    assert root.detail == f"{names[0]}: 1.0 → 2.0 (used by kernel step)"


def test_constants_of_other_names_or_values_are_other_roots():
    found = roots(
        rebuild("a", constant()), rebuild("b", constant("OTHER")), rebuild("c", constant(value="3.0"))
    )
    assert len(found) == 3


def test_a_constant_that_one_module_met_under_another_earlier_value_is_still_the_same_assignment():
    late = constant().model_copy(update={"detail": "SCALE: 0.5 → 2.0 (used by kernel late)"})
    assert len(roots(rebuild("a", constant()), rebuild("b", late))) == 1


def test_the_line_that_one_kernel_knows_holds_for_all_that_saw_the_same_constant_change():
    knows = kernel(constants={"SCALE": "2.0"}, constants_at={"SCALE": "config.py:7"})
    found = roots(
        rebuild("a", constant(line="config.py:7")),
        rebuild("b", constant("weight.SCALE")),
        of=recording(process(kernels=[knows])),
    )
    assert [(root.where, root.near, modules(root)) for root in found] == [("config.py:7", None, ["a", "b"])]


def test_a_constant_that_two_lines_may_have_set_has_none_of_them():
    kernels = [
        kernel(number, constants={"SCALE": "2.0"}, constants_at={"SCALE": f"config.py:{number}"})
        for number in (7, 8)
    ]
    [root] = roots(rebuild("a", constant()), of=recording(process(kernels=kernels)))
    assert root.where is None


def test_a_function_defined_again_unites_by_its_new_definition_and_a_struct_by_its_name():
    found = roots(
        rebuild("a", dependency("weight", "lib.py:4")),
        rebuild("b", dependency("weight", "lib.py:4")),
        rebuild("c", dependency("Params", None)),
        rebuild("d", dependency("Params", None)),
    )
    assert [(root.where, modules(root)) for root in found] == [("lib.py:4", ["a", "b"]), (None, ["c", "d"])]


def test_kernels_declared_again_because_of_a_constant_belong_to_the_constant():
    found = roots(
        *[
            rebuild(
                name,
                redefined(f"{name}.py:5", changes=[constant("shared.SCALE")], same_otherwise=True),
                redefined(f"{name}.py:9", changes=[constant("shared.SCALE")], same_otherwise=True),
            )
            for name in ("a", "b")
        ]
    )
    assert [(root.kind, modules(root)) for root in found] == [("constant_changed", ["a", "b"])]
    assert [victim.other_causes for victim in found[0].victims] == [0, 0]


def test_a_factory_that_also_reads_a_changed_constant_stays_the_root_of_what_it_makes():
    changes = [[constant("shared.STEP", str(number))] for number in range(3)]
    [root] = roots(*[rebuild("a", added("lib.py:5", changes=some)) for some in changes])
    assert (root.kind, root.where) == ("kernel_added", "lib.py:5")


def test_a_root_in_an_installed_library_carries_its_name():
    place = "/opt/venv/lib/python3.11/site-packages/newton/solver.py:3"
    mine, theirs = roots(rebuild("a", option("/home/me/app.py:3")), rebuild("b", option(place)))
    assert (mine.owner, theirs.owner) == ("application", "newton")


def test_rebuilds_without_any_line_are_kept_apart_by_what_differs_and_unknown_ones_by_module():
    unknown = Cause(kind="unknown", detail="nothing that was recorded", where=None, exact=False)
    found = roots(
        rebuild("a", option(None)),
        rebuild("b", option(None)),
        rebuild("c", option(None, "mode", "debug")),
        rebuild("d", unknown),
        rebuild("e", unknown),
    )
    assert [modules(root) for root in found] == [["a", "b"], ["c"], ["d"], ["e"]]
    assert all(root.where is None for root in found)


def test_thousands_of_rebuilds_with_a_line_each_are_sorted_out():
    many = [
        rebuild(f"m{number}", *(added(f"gen_{number}.py:{line}") for line in range(20)))
        for number in range(3000)
    ]
    assert len(roots(*many)) == 3000
