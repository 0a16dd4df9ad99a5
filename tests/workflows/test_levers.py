"""What people type as levers, and what is refused before anything runs."""

import pytest

from warp_mcp.analysis.options import EFFECTS
from warp_mcp.errors import UsageError
from warp_mcp.models.lever import Setting
from warp_mcp.models.lever_options import NO_LEVERS, OPTIONS
from warp_mcp.workflows.levers import parse_lever


def only(text: str) -> Setting:
    (setting,) = parse_lever(text).settings
    return setting


def refused(text: str) -> tuple[str, str]:
    with pytest.raises(UsageError) as caught:
        parse_lever(text)
    assert caught.value.code == "bad_lever"
    return caught.value.message, caught.value.next_step


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("enable_backward=false", False),
        ("enable_backward=TRUE", True),
        ("fast_math=True", True),
        ("max_unroll=4", 4),
        ("max_unroll=0", 0),
        ("optimization_level=3", 3),
        ("optimization_level=none", None),
        ("enable_tiles_in_stack_memory=null", None),
        ("load_module_max_workers=None", None),
        ("mode=debug", "debug"),
        ("deterministic=RUN_TO_RUN", "run_to_run"),
        ("cuda_output=ptx", "ptx"),
        ("cpu_compiler_flags=-march=native -mllvm=-slp-recursion-max-depth=4",
         "-march=native -mllvm=-slp-recursion-max-depth=4"),
        ("cpu_compiler_flags=", ""),
        ("cpu_compiler_flags=none", None),
    ],
)  # fmt: skip
def test_a_value_has_the_type_of_its_option(text: str, value: object) -> None:
    setting = only(text)
    assert (setting.option, setting.module) == (text.partition("=")[0], None)
    assert setting.value == value and type(setting.value) is type(value)


def test_a_lever_keeps_its_text_and_joins_several() -> None:
    text = "enable_backward=false, max_unroll=4,preload=3"
    lever = parse_lever(text)
    assert lever.text == text and lever.preload == 3
    assert [(one.option, one.value) for one in lever.settings] == [
        ("enable_backward", False),
        ("max_unroll", 4),
    ]


def test_a_module_holds_for_the_setting_it_stands_before() -> None:
    lever = parse_lever("pkg.solver:fast_math=true,max_unroll=4,make__locals__step_1a2b3c4d:mode=debug")
    assert [one.module for one in lever.settings] == ["pkg.solver", None, "make__locals__step_1a2b3c4d"]


def test_one_option_may_differ_between_the_process_and_a_module() -> None:
    lever = parse_lever("enable_backward=false,pkg:enable_backward=true")
    assert [one.value for one in lever.settings] == [False, True]


def test_a_misspelt_option_is_refused_with_the_nearest_names() -> None:
    message, next_step = refused("enable_backwards=false")
    assert message == "Warp has no option `enable_backwards` that a build reads."
    assert next_step.startswith("Did you mean `enable_backward`")
    assert "`fast_math`" in refused("fast_mth=true")[1]
    assert "`preload`" in refused("prelaod=2")[1]


def test_an_option_unlike_all_others_is_refused_with_all_of_them() -> None:
    assert "use_precompiled_headers" in refused("zzz=1")[1]


def test_an_option_that_no_build_reads_is_refused_and_says_so() -> None:
    assert refused("print_launches=true")[0] == "`print_launches` is no lever: no build reads it."
    assert "each launch decides" in refused("block_dim=64")[0]
    assert "cache of its own" in refused("kernel_cache_dir=/tmp")[0]


@pytest.mark.parametrize(
    ("text", "takes"),
    [
        ("enable_backward=0", "It takes `true` or `false`."),
        ("enable_backward=none", "It takes `true` or `false`."),
        ("enable_backward=", "It takes `true` or `false`."),
        ("max_unroll=four", "It takes a whole number from 0 to 2147483647."),
        ("max_unroll=99999999999999999999", "It takes a whole number from 0 to 2147483647."),
        (f"max_unroll={'9' * 5000}", "It takes a whole number from 0 to 2147483647."),
        ("max_unroll=2147483648", "It takes a whole number from 0 to 2147483647."),
        ("max_unroll=-1", "It takes a whole number from 0 to 2147483647."),
        ("max_unroll=4.5", "It takes a whole number from 0 to 2147483647."),
        ("max_unroll=true", "It takes a whole number from 0 to 2147483647."),
        ("optimization_level=4", "It takes a whole number from 0 to 3 or `none`."),
        ("mode=fast", "It takes `release` or `debug`."),
        ("mode=none", "It takes `release` or `debug`."),
        ("cuda_output=sass", "It takes `ptx`, `cubin` or `none`."),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_with_those_that_are_right(text: str, takes: str) -> None:
    message, next_step = refused(text)
    assert text.partition("=")[0] in message and next_step == takes


@pytest.mark.parametrize(
    "text", ["", " ", ",", "enable_backward", "=false", ":fast_math=true", "max_unroll=4,,mode=debug"]
)
def test_what_is_no_option_with_a_value_is_refused_with_the_form(text: str) -> None:
    assert "option=value" in refused(text)[1]


def test_the_same_option_twice_is_refused() -> None:
    assert "twice" in refused("max_unroll=4,max_unroll=8")[0]
    assert "twice for the module `pkg`" in refused("pkg:max_unroll=4,pkg:max_unroll=8")[0]
    assert "twice" in refused("preload=2,preload=3")[0]


def test_an_option_of_the_process_is_refused_for_a_module() -> None:
    message, next_step = refused("pkg.solver:use_precompiled_headers=false")
    assert "whole process only" in message and "`pkg.solver`" in message
    assert "`use_precompiled_headers=false`" in next_step


@pytest.mark.parametrize("number", ["1", "0", "-2", "many", "", "65", "99999999", "9" * 5000])
def test_fewer_than_two_workers_and_more_than_can_help_are_refused(number: str) -> None:
    message, next_step = refused(f"preload={number}")
    assert len(message) < 200 and next_step == "Give a whole number from 2 to 64."


def test_preloading_one_module_is_refused() -> None:
    assert "`pkg`" in refused("pkg:preload=2")[0]


def test_every_option_that_is_known_to_affect_building_can_be_a_lever() -> None:
    of_objects = {name for name in EFFECTS if name.startswith("extra_")}
    derived = {"output_arch"}
    assert set(EFFECTS) - of_objects - derived <= set(OPTIONS)
    assert not set(OPTIONS) & set(NO_LEVERS)
