"""When no further sample could change a verdict, and what stopping there does to false verdicts."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest

from tests.analysis.factories import launched, load, process, report, run, sample, signature
from warp_mcp.analysis import compare_reports
from warp_mcp.analysis.sequential import settled
from warp_mcp.analysis.statistics import summarise
from warp_mcp.analysis.thresholds import LEAST_SAMPLES, MOST_SAMPLES
from warp_mcp.models.report import Report


def program(times: list[float], *, source: int = 100_000, launches: int = 3) -> Report:
    """One build in each sample, of so much source, taking these times."""
    samples = [
        sample(
            process(
                loads=[load("aa", 1000.0, ms, source_bytes=source)],
                signatures=[signature(0, count=launches)],
                streams=launched(*[0] * launches),
            ),
            cold=run(2000.0 + ms),
        )
        for ms in times
    ]
    return report(*samples)


SEEN = [1000.0, 1004.0, 1008.0]


def test_a_clear_difference_with_a_cause_is_settled_after_three_samples():
    why = settled(program(SEEN), program([500.0, 502.0, 504.0], source=50_000))
    assert why == "improved, and no 6 further samples like those seen could change that"


def test_a_regression_is_settled_like_an_improvement():
    assert settled(program(SEEN), program([2000.0, 2002.0, 2004.0], source=200_000)).startswith("regressed")


def test_a_difference_near_the_least_that_counts_needs_more_samples():
    assert settled(program(SEEN), program([953.0, 955.0, 957.0], source=50_000)) == ""


def test_equal_times_with_little_spread_are_settled_as_inconclusive():
    assert settled(program(SEEN), program(SEEN, source=50_000)).startswith("inconclusive, and no 6")


def test_a_wide_spread_needs_more_samples_even_where_the_medians_are_far_apart():
    assert settled(program(SEEN), program([400.0, 600.0, 990.0], source=50_000)) == ""


def test_a_difference_that_the_baseline_itself_hides_asks_for_another_baseline():
    candidate = program([900.0 + number for number in range(7)], source=50_000)
    why = settled(program([900.0, 1200.0, 1600.0]), candidate)
    assert why.startswith("inconclusive whatever further samples take: the spread of the baseline itself")


def test_without_a_recorded_cause_no_times_whatever_need_another_sample():
    why = settled(program(SEEN), program([400.0, 600.0, 990.0]))
    assert why == "nothing was recorded that could explain a difference, whatever further samples take"


def test_changed_launches_are_settled_whatever_the_times():
    why = settled(program(SEEN), program([400.0, 600.0, 990.0], source=50_000, launches=4))
    assert why.startswith("invalid whatever further samples take: the launches changed")


def test_fewer_than_three_samples_are_never_settled():
    assert settled(program(SEEN), program([500.0, 502.0], source=50_000)) == ""


def test_too_few_samples_of_the_other_side_cannot_be_mended_here():
    why = settled(program(SEEN[:2]), program([900.0, 902.0, 960.0]))
    assert why.startswith("unverified whatever further samples take: the baseline has 2")


def test_after_the_most_samples_there_is_nothing_left_to_settle():
    assert settled(program(SEEN), program([500.0] * MOST_SAMPLES, source=50_000)) == ""


def test_sides_that_grow_together_are_settled_only_where_neither_could_change_the_verdict():
    shaky = program([800.0, 1000.0, 1010.0])
    fast = program([700.0, 702.0, 704.0], source=50_000)
    assert settled(shaky, fast, interleaved=False).startswith("improved")
    assert settled(shaky, fast, interleaved=True) == ""


def test_sides_measured_in_turn_are_held_to_one_percent():
    quiet = program([1000.0, 1000.1, 1000.2])
    nearly = program([970.0, 970.1, 970.2], source=50_000)
    assert settled(quiet, nearly).startswith("inconclusive")
    assert settled(quiet, nearly, interleaved=True) == ""
    far = program([940.0, 940.1, 940.2], source=50_000)
    assert settled(quiet, far, interleaved=True).startswith("improved")


def test_samples_that_do_not_tell_the_wait_count_for_no_verdict_on_it():
    """Two of three warm runs failed: one more that does not could still give a verdict."""
    candidate = program([500.0, 502.0, 504.0], source=50_000)
    metrics = {**candidate.metrics, "cold_module_ms": summarise([500.0, 502.0])}
    assert settled(program(SEEN), candidate.model_copy(update={"metrics": metrics})) == ""


@dataclass(frozen=True)
class Machine:
    """Noise of builds as it was seen: a few percent, heavy tails upwards, and drift between sessions."""

    spread: float
    drift: float
    tail: float

    def times(self, rng: random.Random, centre: float, count: int) -> list[float]:
        session = centre * (1 + rng.gauss(0, self.drift))
        slope = rng.gauss(0, self.drift) / MOST_SAMPLES
        return [
            session * (1 + slope * number + abs(rng.gauss(0, self.spread)) + self._spike(rng))
            for number in range(count)
        ]

    def _spike(self, rng: random.Random) -> float:
        return rng.expovariate(1 / 0.2) if rng.random() < self.tail else 0.0


MACHINES = (Machine(0.01, 0.005, 0.05), Machine(0.03, 0.02, 0.1), Machine(0.08, 0.04, 0.2))


def taking(template: Report, times: list[float]) -> Report:
    """The report with these times of its samples, in wall and in CPU time."""
    figures = summarise(times)
    metrics = {**template.metrics, "cold_module_ms": figures, "cold_module_cpu_ms": figures}
    structure = {
        name: summarise([metric.values[0]] * len(times))
        for name, metric in template.metrics.items()
        if not name.endswith("_ms")
    }
    samples = [template.samples[0]] * len(times)
    return template.model_copy(update={"metrics": {**metrics, **structure}, "samples": samples})


def verdict(baseline: Report, candidate: Report) -> str:
    return compare_reports(baseline, candidate, comparison_id="", created_at="").verdict


@dataclass
class Tally:
    fixed: Counter[str]
    sequential: Counter[str]
    samples: list[int]


def simulated(factor: float, pairs: int, seed: int) -> Tally:
    """Pairs whose source differs by a tenth, so that there is a cause, and whose times by `factor`."""
    rng = random.Random(seed)
    before, after = program(SEEN), program(SEEN, source=90_000 if factor <= 1 else 110_000)
    tally = Tally(Counter(), Counter(), [])
    for number in range(pairs):
        machine = MACHINES[number % len(MACHINES)]
        baseline = taking(before, machine.times(rng, 1000.0, LEAST_SAMPLES))
        times = machine.times(rng, 1000.0 * factor, MOST_SAMPLES)
        tally.fixed[verdict(baseline, taking(after, times[:LEAST_SAMPLES]))] += 1
        count = LEAST_SAMPLES
        while count < MOST_SAMPLES and not settled(baseline, taking(after, times[:count])):
            count += 1
        tally.sequential[verdict(baseline, taking(after, times[:count]))] += 1
        tally.samples.append(count)
    return tally


def test_nothing_changed_is_called_a_change_no_more_often_than_with_three_samples():
    tally = simulated(1.0, 240, seed=1)
    assert (
        tally.sequential["improved"] + tally.sequential["regressed"]
        <= tally.fixed["improved"] + tally.fixed["regressed"]
    )
    assert sum(tally.samples) / len(tally.samples) < MOST_SAMPLES


@pytest.mark.parametrize("factor", [0.85, 0.6])
def test_a_real_effect_is_never_called_the_opposite_and_hardly_ever_missed_for_it(factor: float):
    tally = simulated(factor, 90, seed=2)
    assert tally.sequential["regressed"] == 0
    assert tally.sequential["improved"] >= 0.95 * tally.fixed["improved"]
    assert sum(tally.samples) / len(tally.samples) < MOST_SAMPLES
