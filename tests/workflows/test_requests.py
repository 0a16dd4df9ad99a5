"""What is refused before anything is started: options that nothing would use, and too much of one."""

from typing import Any

import pytest

from warp_mcp import workflows
from warp_mcp.errors import UsageError


def refused(**options: Any) -> tuple[str, str]:
    """Code and message."""
    with pytest.raises(UsageError) as caught:
        workflows.check_samples(workflows.make_request(["python"], **options))
    assert caught.value.next_step
    return caught.value.code, caught.value.message


@pytest.mark.parametrize(
    ("unused", "user"),
    [
        ({"outputs_budget_mb": 5.0}, {"outputs": True}),
        ({"lever_budget_s": 60.0}, {"levers": ["auto"]}),
        ({"rehearsals": 3}, {"rehearse_cuda": ["sm_90"]}),
        ({"rehearse_workers": 2}, {"rehearse_cuda": ["sm_90"]}),
        ({"rehearse_force": True}, {"rehearse_cuda": ["sm_90"]}),
        ({"compile_trace": False}, {"rehearse_cuda": ["sm_90"]}),
    ],
)
def test_an_option_that_nothing_would_use_is_refused(unused: dict[str, Any], user: dict[str, Any]) -> None:
    assert refused(**unused)[0] == "option_without_use"
    workflows.make_request(["python"], **unused, **user)


def test_a_time_for_levers_is_of_no_use_to_levers_that_are_named() -> None:
    assert refused(lever_budget_s=60.0, levers=["max_unroll=4"])[0] == "option_without_use"


def test_more_levers_than_one_measurement_can_try_are_refused() -> None:
    levers = [f"max_unroll={number}" for number in range(21)]
    assert refused(levers=levers) == (
        "too_many_levers",
        "21 levers are asked for; 20 are the most that one measurement tries.",
    )
    assert len(workflows.make_request(["python"], levers=levers[:20]).levers) == 20


def test_against_a_report_no_more_samples_than_nine_can_be_asked_for() -> None:
    code, message = refused(samples=10)
    assert code == "bad_value" and "9 are the most; 10 are asked for" in message
    workflows.check_samples(workflows.make_request(["python"], samples=9))
