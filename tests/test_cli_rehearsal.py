"""The exit codes of rehearsals, and what the rest of the command line does with a report that holds one."""

from typing import Any

import pytest

from tests.factories import a_finding, a_report, a_sample
from tests.rehearsal_made import a_rehearsal, another_arch, failed_in_rehearsal, only_rehearsed
from warp_mcp import storage, workflows
from warp_mcp.cli.measuring import measure_exit
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report
from warp_mcp.presentation import explain_summary
from warp_mcp.presentation.explanation_text import explanation_text
from warp_mcp.workflows.explaining import explain

FAILED = a_sample(outcome="failed", exit_code=1, warm=None)
NOTHING: dict[str, Any] = {"modules": [], "launches": {**a_rehearsal()["launches"], "total": 0}}


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (only_rehearsed(), 0),
        (only_rehearsed(failed_in_rehearsal()), 5),
        (only_rehearsed(failed_in_rehearsal(), samples=[FAILED]), 5),
        (a_report(rehearsal=failed_in_rehearsal()), 0),
        (only_rehearsed(failed_in_rehearsal(others=[another_arch("sm_120")])), 0),
        (only_rehearsed(a_rehearsal(**NOTHING), **NOTHING), 6),
    ],
    ids=[
        "it alone completed",
        "it failed",
        "both failed",
        "it failed beside samples that completed",
        "one architecture of two completed",
        "nothing of Warp ran in it",
    ],
)
def test_a_rehearsal_that_completed_is_a_measurement_that_did(report: Report, code: int) -> None:
    if report.rehearsal and not report.rehearsal.modules:
        report = report.model_copy(update={"processes": []})
    assert measure_exit(report) == code


def test_a_mechanism_is_explained_with_the_rehearsal_where_there_is_nothing_else() -> None:
    storage.save_report(only_rehearsed())

    told = explain("CS-7", "latest")

    assert (told.status, told.rehearsed_for, told.cost_ms) == ("fired", "sm_90", 900.0)
    assert "rehearsed for sm_90" in explanation_text(told)
    assert "rehearsed for sm_90" in explain_summary(told).answer


def test_beside_samples_the_rehearsal_is_asked_where_they_tell_nothing() -> None:
    findings = [a_finding(label, "ruled_out" if label == "CS-1" else "not_reached") for label in MECHANISMS]
    storage.save_report(a_report(rehearsal=a_rehearsal(), findings=findings))

    asked = {label: explain(label, "latest").rehearsed_for for label in ("CS-1", "CS-7", "CS-13")}

    assert asked == {"CS-1": None, "CS-7": "sm_90", "CS-13": None}


def test_the_list_of_mechanisms_has_the_statuses_of_the_rehearsal() -> None:
    storage.save_report(only_rehearsed())

    entries = {entry.mechanism: entry.status for entry in workflows.explainable("latest").entries}

    assert entries["CS-7"] == "fired"
