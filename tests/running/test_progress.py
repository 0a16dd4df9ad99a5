"""Estimates of the time left."""

from warp_mcp.models.progress import Progress
from warp_mcp.running.progress import Ticker


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_estimate_rests_on_the_runs_finished_so_far() -> None:
    clock, said = Clock(), list[Progress]()
    ticker = Ticker(2, said.append, clock)
    with ticker.step("cold", 1) as tick:
        clock.now = 10.0
        tick()
    assert [one.remaining_s for one in said] == [None, None, 30.0], (
        "one cold run, two warm ones that are no longer"
    )
    with ticker.step("warm", 1) as tick:
        clock.now = 12.0
        tick()
    assert [one.remaining_s for one in said[3:]] == [30.0, 28.0, 12.0]
    with ticker.step("cold", 2) as tick:
        clock.now = 40.0
        tick()
    assert said[-2].remaining_s == 2.0, "a run that takes longer than usual leaves only what comes after it"


def test_signs_of_life_come_once_a_second() -> None:
    clock, said = Clock(), list[Progress]()
    with Ticker(1, said.append, clock).step("cold", 1) as tick:
        for hundredth in range(301):
            clock.now = hundredth / 100
            tick()
    assert [one.elapsed_s for one in said] == [0.0, 1.0, 2.0, 3.0, 3.0]


def test_of_a_first_rehearsal_that_outlasts_the_runs_before_it_no_end_is_foretold() -> None:
    clock, said = Clock(), list[Progress]()
    ticker = Ticker(3, said.append, clock)
    with ticker.step("cold", 1):
        clock.now = 5.0
    with ticker.step("cold", 1, "CUDA sm_90 rehearsed", of=1) as tick:
        clock.now = 8.0
        tick()
        clock.now = 90.0
        tick()
    assert [one.remaining_s is None for one in said[2:]] == [False, False, True, False]
    assert {(one.sample, one.samples) for one in said[2:]} == {(1, 1)}
