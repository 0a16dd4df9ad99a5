from typing import Any

from tests.analysis.factories import kernel, load, process, report, run, sample, seen
from warp_mcp.models.finding import MECHANISMS, Finding
from warp_mcp.models.recording import Problem
from warp_mcp.models.report import Report


def findings(report: Report) -> dict[str, Finding]:
    return {finding.mechanism: finding for finding in report.findings}


def churned(*later: dict[str, Any], **changes: Any) -> Report:
    """A module built once, and again for each of `later`."""
    kernels = [kernel(i, f"k{i}") for i in range(4)]
    loads = [load("h0")] + [load(f"h{i}", 1000 + 500 * i, **one) for i, one in enumerate(later, start=1)]
    return report(sample(process(**{"kernels": kernels, "loads": loads, **changes})))


ADDED: dict[str, Any] = {"kernels": [0, 1], "ms": 100.0}
OPTION: dict[str, Any] = {"options": {"fast_math": "True", "enable_backward": "True"}, "ms": 300.0}


def test_every_mechanism_has_exactly_one_finding_whatever_was_recorded():
    for one in (report(), report(sample()), churned(ADDED)):
        assert sorted(finding.mechanism for finding in one.findings) == sorted(MECHANISMS)


def test_a_kernel_added_after_load_fires_with_what_it_cost_and_where():
    found = findings(churned(ADDED))
    assert found["CS-1"].status == "fired"
    assert (found["CS-1"].cost_ms, found["CS-1"].cost_kind, found["CS-1"].where) == (
        100.0,
        "measured",
        "app.py:11",
    )
    assert (
        found["CS-1"].title
        == "Module `app` was rebuilt once because kernels were defined after it had loaded"
    )
    assert found["CS-3"].status == found["CS-6"].status == "ruled_out"


def test_an_option_changed_after_load_fires():
    found = findings(churned(OPTION))
    assert (found["CS-3"].status, found["CS-1"].status) == ("fired", "ruled_out")
    assert found["CS-3"].evidence["causes"] == ["fast_math: False → True"]


def test_a_late_overload_fires():
    generic = [kernel(0), kernel(1, "axpy", generic=True, signature="f8")]
    found = findings(churned({"kernels": [0, 1]}, kernels=generic))
    assert (found["CS-6"].status, found["CS-1"].status) == ("fired", "ruled_out")


def test_a_rebuild_with_two_causes_counts_for_both_and_that_is_said():
    found = findings(churned({**OPTION, "kernels": [0, 1]}))
    for label in ("CS-1", "CS-3"):
        assert found[label].status == "fired"
        assert found[label].evidence["rebuilds_with_other_causes_too"] == 1


def test_what_fired_comes_first_and_the_most_expensive_of_it_before_the_rest():
    found = churned(ADDED, {**OPTION, "kernels": [0, 1]}).findings
    assert [finding.mechanism for finding in found[:3]] == ["CS-3", "CS-1", "CS-2"]
    numbers = [int(finding.mechanism[3:]) for finding in found[2:]]
    assert numbers == sorted(numbers)


def test_nothing_is_ruled_out_when_nothing_was_built():
    cached = churned(loads=[load(status="cached")])
    empty = churned(loads=[])
    for one in (report(), report(sample()), cached, empty):
        assert findings(one)["CS-1"].status == "not_reached"
        assert findings(one)["CS-1"].evidence["reason"]


def test_nothing_is_ruled_out_when_a_process_was_not_seen_or_a_record_is_cut():
    unseen = sample(process(loads=[load()]), cold=run(processes=[seen(10), seen(11)]))
    assert findings(report(unseen))["CS-1"].status == "not_reached"
    cut = churned(ADDED, problems=[Problem(code="record_cut", detail="65536 lines")])
    assert (findings(cut)["CS-1"].status, findings(cut)["CS-3"].status) == ("fired", "not_reached")


def test_a_rebuild_of_unknown_cause_rules_nothing_out():
    found = findings(churned({"kernels": [0]}))
    assert {found[label].status for label in ("CS-1", "CS-3", "CS-6")} == {"not_reached"}


def test_a_module_that_was_built_once_rules_all_three_out():
    found = findings(churned())
    assert {found[label].status for label in ("CS-1", "CS-3", "CS-6")} == {"ruled_out"}
