"""Global options that were assigned after modules had copied the old value, and loaded later."""

from typing import Any

from tests.analysis.factories import config, load, module, option
from tests.analysis.test_warnings import of, ordinary
from warp_mcp.models.finding import Warning

LATE = [config("enable_backward", "True", "False", 1500.0, "main.py:7")]


def late(**changes: Any) -> dict[str, Warning]:
    fields: dict[str, Any] = {
        "modules": [module(t_ms=900.0)],
        "loads": [load(begin=2000.0, ms=1900)],
        "config": LATE,
        **changes,
    }
    return of(ordinary(**fields))


def test_a_global_option_that_a_module_had_copied_before_is_told_with_its_line():
    found = late()["option_arrived_too_late"]
    assert "main.py:7" in found.message
    assert "`app` (enable_backward stayed True)" in found.message


def test_an_option_that_a_library_sets_for_everybody_is_told_with_the_library():
    place = "/venv/lib/python3.11/site-packages/fluids/__init__.py:4"
    set_there = [config("enable_backward", "True", "False", 1500.0, place)]
    assert "by fluids for every module" in late(config=set_there)["option_arrived_too_late"].message


def test_a_module_that_had_loaded_before_the_assignment_is_not_named():
    assert "option_arrived_too_late" not in late(loads=[load(begin=1000.0, ms=400)])


def test_a_module_that_was_created_after_the_assignment_is_not_named():
    assert "option_arrived_too_late" not in late(
        modules=[module(t_ms=1600.0, options={"enable_backward": "False"})]
    )


def test_a_module_that_got_the_value_or_set_its_own_is_not_named():
    got = load(begin=2000.0, ms=1900, options={"enable_backward": "False"})
    assert "option_arrived_too_late" not in late(loads=[got])
    own = [option("enable_backward", "False", "True", 950.0)]
    assert "option_arrived_too_late" not in late(options=own)


def test_an_assignment_that_was_taken_back_before_the_load_is_not_late():
    back = [*LATE, config("enable_backward", "False", "True", 1800.0)]
    assert "option_arrived_too_late" not in late(config=back)


def test_an_option_that_is_resolved_at_the_hash_is_never_late():
    assert "option_arrived_too_late" not in late(config=[config("verify_fp", "False", "True", 1500.0)])
