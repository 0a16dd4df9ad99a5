"""Whether more samples could change a verdict: when a measurement that is judged while it runs may stop.

Curtailed sampling: stop as soon as nothing that may still come could change the decision (compare Lan, Simon
and Halperin, "Stochastically curtailed tests in long-term clinical trials", 1982). What may still come is a
supposition, as it has to be for times: values like those seen, that is within the range of those seen,
widened by the noise band at both ends. What does not depend on load (builds, bytes, builds at once,
launches) stays as seen.

A verdict rests on medians and MADs of at most nine values. A median moves furthest with values at one end of
the range; a MAD grows most with values at both ends and shrinks most with values in the middle. So every way
to add values at the lower end, at the median and at the upper end is tried, for every number of samples that
may come, with the functions that judge. No verdict gets easier by that: it is given by the same rule on the
samples there are.
"""

from collections.abc import Iterator
from itertools import product

from warp_mcp.analysis.module_changes import Match, match_modules
from warp_mcp.analysis.outputs import compare_outputs
from warp_mcp.analysis.statistics import noise_band, stands_out, summarise
from warp_mcp.analysis.texts import counted
from warp_mcp.analysis.thresholds import BAND_MADS, LEAST_SAMPLES, MOST_SAMPLES
from warp_mcp.analysis.verdict import CPU_OF, Judgement, Terms, choose_metric, judge
from warp_mcp.analysis.workload import compare_workloads
from warp_mcp.models.comparison import Workload
from warp_mcp.models.metric import Metric
from warp_mcp.models.report import Report

Pair = tuple[Metric, Metric]
"""One metric on both sides."""


def settled(
    baseline: Report,
    candidate: Report,
    *,
    interleaved: bool = False,
    on_wait: bool = False,
    most: int = MOST_SAMPLES,
) -> str:
    """Why no more samples of the candidate are needed; empty while more could change the verdict.

    `most`: completed samples of the candidate after which there are no more in any case. `interleaved`: both
    sides get them in turn, as levers do. `on_wait`: as in `compare_reports`.
    """
    made = sum(sample.outcome == "completed" for sample in candidate.samples)
    if not LEAST_SAMPLES <= made < most:
        return ""
    return _Case(baseline, candidate, Terms(interleaved=interleaved, wait=on_wait)).why(most - made)


class _Case:
    """Two reports, with what of their comparison no further sample changes."""

    def __init__(self, baseline: Report, candidate: Report, terms: Terms) -> None:
        self._baseline, self._candidate, self._terms = baseline, candidate, terms
        self._workload: Workload = compare_workloads(baseline, candidate)
        self._outputs = compare_outputs(baseline, candidate, self._workload)
        self._matches: list[Match] = match_modules(baseline, candidate)
        metric, self._grounds = choose_metric(baseline, candidate, self._matches, wait=terms.wait)
        self._metrics = [name for name in (metric, CPU_OF.get(metric)) if name and self._known(name)]

    def _known(self, name: str) -> bool:
        return name in self._baseline.metrics and name in self._candidate.metrics

    def why(self, more: int) -> str:
        now = self._judge({})
        verdicts = {self._judge(further).verdict for further in self._reachable(more)}
        if verdicts - {now.verdict}:
            return ""
        if now.verdict in ("invalid", "unverified"):
            return f"{now.verdict} whatever further samples take: {now.reasons[0]}"
        if now.verdict == "inconclusive" and not self._grounds:
            return "nothing was recorded that could explain a difference, whatever further samples take"
        if now.verdict == "inconclusive" and self._hidden(now.judged_on):
            return (
                "inconclusive whatever further samples take: the spread of the baseline itself hides the "
                "difference, so measure the baseline again"
            )
        like = counted(more, "further sample like those seen", "further samples like those seen")
        return (
            f"{now.verdict}, and no {like} could change that"
            if more > 1
            else f"{now.verdict} with {like} too"
        )

    def _hidden(self, name: str) -> bool:
        """Whether the difference lies within the band that the baseline's own spread makes, which stays."""
        if self._terms.interleaved or not self._known(name):
            return False
        old, new = self._baseline.metrics[name], self._candidate.metrics[name]
        spread = BAND_MADS * old.mad
        wide = spread > abs(old.median) * self._terms.least_percent / 100
        return wide and abs(new.median - old.median) <= spread

    def _reachable(self, more: int) -> Iterator[dict[str, Pair]]:
        """Metrics that are all there is to be told apart among those that further samples can lead to.

        Wall and CPU time are taken as independent: more can happen so than if they went together.
        """
        pairs = [self._outcomes(name, more) for name in self._metrics]
        for chosen in product(*pairs):
            yield dict(zip(self._metrics, chosen, strict=True))

    def _outcomes(self, name: str, more: int) -> list[Pair]:
        """One pair for each thing that a metric can come to say: less, more, or nothing that stands out.

        The number of values counts too, as long as it is too small for a verdict.
        """
        old, new = self._baseline.metrics[name], self._candidate.metrics[name]
        band = noise_band(old, new)
        found: dict[tuple[int, bool], Pair] = {}
        for count in range(1, more + 1):
            before = _extended(old, band, count) if self._terms.interleaved else [old]
            for pair in product(before, _extended(new, band, count)):
                found.setdefault(self._says(*pair), pair)
        return list(found.values())

    def _says(self, old: Metric, new: Metric) -> tuple[int, bool]:
        enough = min(len(old.values), len(new.values)) >= LEAST_SAMPLES
        if not stands_out(old, new, self._terms.least_percent):
            return 0, enough
        return (1 if new.median > old.median else -1), enough

    def _judge(self, further: dict[str, Pair]) -> Judgement:
        """The verdict with these metrics in place of those seen."""
        before = {name: pair[0] for name, pair in further.items()}
        after = {name: pair[1] for name, pair in further.items()}
        return judge(
            _with(self._baseline, before),
            _with(self._candidate, after),
            self._workload,
            self._matches,
            self._terms,
            self._outputs,
        )


def _extended(metric: Metric, band: float, count: int) -> list[Metric]:
    """The metric with `count` more values, at the ends of the range and at the median, in every mixture."""
    low, high = min(metric.values) - band, max(metric.values) + band
    return [
        summarise(
            [*metric.values, *[low] * lows, *[metric.median] * middles, *[high] * (count - lows - middles)]
        )
        for lows in range(count + 1)
        for middles in range(count + 1 - lows)
    ]


def _with(report: Report, metrics: dict[str, Metric]) -> Report:
    return report.model_copy(update={"metrics": {**report.metrics, **metrics}}) if metrics else report
