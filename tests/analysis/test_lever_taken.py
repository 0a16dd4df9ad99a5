"""Whether a later report shows that a lever was taken."""

import pytest

from tests.factories import a_module
from tests.lever_made import a_lever, priced, with_options
from warp_mcp.analysis.lever_taken import asked_of, taken
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.report import Report

BOTH = ["fluid.module_1", "fluid.module_2"]


def lever(text: str, moved: list[str] | None = None) -> LeverResult:
    return LeverResult.model_validate(a_lever(text, modules_moved=moved or ["fluid.module_1"]))


def second(**options: str) -> dict[str, object]:
    return {**with_options(**options), "name": "fluid.module_2"}


def after(*modules: dict[str, object]) -> Report:
    return priced(modules=list(modules))


def test_a_lever_is_read_option_by_option_each_with_its_own_module() -> None:
    assert [tuple(one) for one in asked_of("a.b:max_unroll=4, mode=debug")] == [
        ("max_unroll", "4", "a.b"),
        ("mode", "debug", None),
    ]
    assert asked_of("preload=4") == asked_of("") == asked_of("nonsense") == []


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("enable_backward=false", {"enable_backward": "False"}, "all"),
        ("enable_backward=FALSE", {"enable_backward": "False"}, "all"),
        ("enable_backward=false", {}, "none"),
        ("fluid.module_1:max_unroll=4", {"max_unroll": "4"}, "all"),
        ("other:max_unroll=4", {"max_unroll": "4"}, "none"),
        ("enable_backward=false,max_unroll=4", {"max_unroll": "4"}, "some"),
        ("enable_backward=true", {}, "none"),
        ("preload=2", {}, "none"),
    ],
)
def test_an_option_shows_in_the_modules_that_it_moved(
    text: str, options: dict[str, str], expected: str
) -> None:
    assert taken(lever(text), priced(), after(with_options(**options))) == expected


def test_an_option_set_on_part_of_the_modules_is_taken_in_part() -> None:
    before = priced(modules=[with_options(), second()])
    part = after(with_options(enable_backward="False"), second())

    assert taken(lever("enable_backward=false", BOTH), before, part) == "some"
    assert taken(lever("enable_backward=false"), before, part) == "all"


def test_where_no_module_tells_its_options_nothing_is_taken() -> None:
    assert taken(lever("enable_backward=false"), priced(), after(a_module())) == "none"
