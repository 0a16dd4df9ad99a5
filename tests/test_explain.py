"""Explaining a mechanism: what the user may call it, and what a report adds to the reference."""

import json
from pathlib import Path

import pytest

from tests.factories import a_finding, a_metric, a_report
from tests.reference_made import use_made_reference
from warp_mcp import storage, workflows
from warp_mcp.errors import ProbeError, UnreadableReport
from warp_mcp.models.finding import MECHANISMS, Finding
from warp_mcp.models.mechanism import CATALOGUE
from warp_mcp.models.report import Report
from warp_mcp.storage import references
from warp_mcp.workflows.experiments import NEEDED, RECEIPTS, ceiling, next_experiment
from warp_mcp.workflows.explaining import UnknownMechanism
from warp_mcp.workflows.mechanism_words import SYMPTOMS

LATE = {
    "title": "Module `fluid.app` was rebuilt once because an option was changed after it had loaded",
    "cost_ms": 812.0,
    "cost_kind": "measured",
    "where": "/home/me/fluid/app.py:41",
    "owner": "application",
    "fix": "Set the option before the first launch.",
    "evidence": {"modules": ["fluid.app"], "where": ["/home/me/fluid/app.py:41"]},
}


@pytest.fixture(autouse=True)
def made_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    use_made_reference(monkeypatch)


def with_finding(label: str, status: str, **changes: object) -> Report:
    findings = [
        a_finding(one, status, **changes) if one == label else a_finding(one, "ruled_out")
        for one in MECHANISMS
    ]
    return a_report(findings=findings)


def finding(status: str = "fired", label: str = "CS-3", **changes: object) -> Finding:
    return Finding.model_validate(a_finding(label, status, **{**LATE, **changes}))


# --- What it may be called ---


@pytest.mark.parametrize("asked", ["CS-5", "cs5", "Cs_5", " cs-05 ", "5", "several-block-dims"])
def test_a_label_in_any_spelling_and_a_slug_lead_to_the_mechanism(asked: str) -> None:
    assert workflows.explain(asked, None).mechanism == "CS-5"


@pytest.mark.parametrize("one", CATALOGUE, ids=lambda one: one.label)
def test_every_mechanism_answers_to_its_label_number_slug_and_name(one: object) -> None:
    label, slug, name = one  # type: ignore[misc]

    for asked in (label, label.removeprefix("CS-"), slug, name, name.upper()):
        assert workflows.explain(asked, None).mechanism == label


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("rebuilt after option change", "CS-3"),
        ("tape nobody uses", "CS-10"),
        ("many small modules", "CS-4"),
        ("slow second run", "CS-2"),
        ("optons after lod", "CS-3"),
        ("unroll", "CS-11"),
    ],
)
def test_words_of_a_user_and_misspelt_ones_lead_to_the_mechanism(words: str, label: str) -> None:
    assert workflows.explain(words, None).mechanism == label


def test_a_topic_is_a_section_without_a_mechanism_or_a_finding() -> None:
    storage.save_report(a_report())

    topic = workflows.explain("the-model", "latest")

    assert (topic.mechanism, topic.slug, topic.name) == (None, "the-model", "The model")
    assert (topic.status, topic.ceiling_ms, topic.next_experiment) == (None, None, "")
    assert topic.report_id == "r-20261201-101530-ab12"


@pytest.mark.parametrize("asked", ["CS-14", "0", "banana", "", "module", "the of and"])
def test_what_is_unknown_or_could_be_several_is_answered_with_the_nearest_three(asked: str) -> None:
    with pytest.raises(UnknownMechanism) as raised:
        workflows.explain(asked, None)

    assert (raised.value.code, raised.value.exit_code) == ("unknown_mechanism", 2)
    assert len(raised.value.message.split("The nearest: ")[1].split("; ")) == 3


def test_the_nearest_to_words_that_are_not_enough_is_named_first() -> None:
    with pytest.raises(UnknownMechanism, match="The nearest: CS-11 .unroll budget.; "):
        workflows.explain("unroll colourless green ideas sleep furiously", None)


# --- What a report adds ---


def test_without_a_report_there_is_only_the_section() -> None:
    explanation = workflows.explain("CS-3", None)

    assert [part.heading for part in explanation.parts] == ["What it is", "The fix"]
    assert (explanation.report_id, explanation.status, explanation.ceiling_words) == (None, None, "")


@pytest.mark.parametrize("reference", ["latest", "before", "r-2026", "r-20261201-101530-ab12"])
def test_a_report_is_found_by_whatever_it_is_called_and_its_finding_comes_along(reference: str) -> None:
    storage.save_report(with_finding("CS-3", "fired", **LATE))

    explanation = workflows.explain("CS-3", reference)

    assert (explanation.status, explanation.cost_ms, explanation.owner) == ("fired", 812.0, "application")
    assert explanation.evidence == LATE["evidence"]
    assert (explanation.cwd, explanation.report_label) == ("/home/me/fluid", "before")


def test_a_report_is_found_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(storage.to_json(with_finding("CS-3", "fired", **LATE)), encoding="utf-8")

    assert workflows.explain("CS-3", str(path)).status == "fired"


def test_a_report_that_is_not_there_is_said_for_a_topic_too() -> None:
    for asked in ("CS-3", "the-model"):
        with pytest.raises(UnreadableReport):
            workflows.explain(asked, "latest")


def test_a_report_that_lacks_a_finding_is_not_taken_for_one_that_rules_it_out() -> None:
    storage.save_report(a_report(findings=[]))

    assert workflows.explain("CS-3", "latest").status == "not_reached"


# --- The ceiling ---


def test_the_ceiling_is_what_was_measured() -> None:
    most, words = ceiling(finding(), a_report())

    assert most == 812.0
    assert words == "At most 812 ms of a compile wait of 4.21 s: measured in this run."


def test_an_estimate_is_called_one_with_how_it_was_made() -> None:
    most, words = ceiling(finding(cost_kind="estimate", how="by share of source."), a_report())

    assert most == 812.0
    assert words.endswith("an estimate (by share of source).")


def test_no_fix_saves_more_than_the_wait() -> None:
    most, words = ceiling(finding(cost_ms=9000.0), a_report())

    assert most == 4210.0
    assert "the whole compile wait" in words and "9.00 s" in words


def test_without_a_usable_warm_run_the_work_is_the_limit() -> None:
    report = a_report(metrics={"cold_module_ms": a_metric(500.0)})

    assert ceiling(finding(), report)[0] == 500.0
    assert "building time" in ceiling(finding(), report)[1]


def test_a_wait_that_is_unknown_is_said() -> None:
    assert ceiling(finding(), a_report(metrics={})) == (
        812.0,
        "At most 812 ms, measured in this run; the wait is unknown.",
    )


def test_a_warm_run_that_was_slower_leaves_nothing_to_save() -> None:
    assert ceiling(finding(), a_report(metrics={"compile_elapsed_ms": a_metric(-50.0)}))[0] == 0.0


@pytest.mark.parametrize("status", ["ruled_out", "not_reached"])
def test_what_did_not_fire_has_no_ceiling(status: str) -> None:
    assert ceiling(finding(status), a_report()) == (None, "")


def test_a_cost_that_is_unknown_is_no_ceiling_of_nothing() -> None:
    most, words = ceiling(finding(cost_ms=None, cost_kind=None), a_report())

    assert most is None and "unknown" in words


# --- The next experiment ---


def test_what_fired_is_changed_at_its_line_measured_again_and_compared() -> None:
    sentence = next_experiment(finding(), a_report())

    assert "Set the option before the first launch; it is about `app.py:41`." in sentence
    assert "measure the same command again" in sentence
    assert "compare the new report with r-20261201-101530-ab12" in sentence
    assert RECEIPTS["CS-3"] in sentence


def test_a_line_that_is_unknown_is_not_made_up() -> None:
    assert "at a place the record does not name" in next_experiment(finding(where=None), a_report())


def test_what_was_not_reached_is_told_what_to_measure() -> None:
    assert "on a CUDA device" in next_experiment(finding("not_reached", "CS-5"), a_report())


def test_what_was_ruled_out_leads_to_what_has_the_most_at_stake() -> None:
    assert "look at CS-3 first" in next_experiment(
        finding("ruled_out", "CS-1"), with_finding("CS-3", "fired", **LATE)
    )
    assert "no other one fired" in next_experiment(finding("ruled_out", "CS-1"), a_report())


@pytest.mark.parametrize("table", [RECEIPTS, NEEDED, SYMPTOMS])
def test_every_mechanism_has_its_words(table: dict[str, str]) -> None:
    assert tuple(table) == MECHANISMS
    assert not any(word in " ".join(table.values()) for word in ("optimal", "irreducible", "necessary"))


# --- The list ---


def test_all_thirteen_are_listed_by_number_and_then_the_topics() -> None:
    index = workflows.explainable(None)

    assert [entry.mechanism for entry in index.entries[:13]] == list(MECHANISMS)
    assert [entry.slug for entry in index.entries[13:]] == [
        "the-model",
        "when-options-are-fixed",
        "mechanisms",
    ]
    assert all(entry.status is None for entry in index.entries)


def test_with_a_report_the_list_has_its_statuses() -> None:
    storage.save_report(with_finding("CS-3", "fired", **LATE))

    entries = {entry.mechanism: entry for entry in workflows.explainable("latest").entries}

    assert (entries["CS-3"].status, entries["CS-3"].cost_ms) == ("fired", 812.0)
    assert entries["CS-1"].status == "ruled_out"


def test_the_json_names_its_schema() -> None:
    explanation = json.loads(workflows.explanation_json(workflows.explain("CS-3", None)))
    index = json.loads(workflows.explanation_json(workflows.explainable(None)))

    assert explanation["schema"] == "warp-mcp/explanation/1"
    assert index["schema"] == "warp-mcp/explanation-index/1"


# --- The reference ---


def test_headings_within_code_are_code() -> None:
    (fix,) = [part for part in workflows.explain("CS-3", None).parts if part.heading == "The fix"]

    assert "## not a heading\n### neither\n" in fix.text


def test_a_fence_is_closed_by_one_as_long_only() -> None:
    text = "## A\n\n````md\n```\n## inside\n```\n````\n\n## B\n"

    assert [section.slug for section in references.parse(text)] == ["a", "b"]


def test_text_before_the_first_part_is_a_part_without_a_heading() -> None:
    (section,) = references.parse("ignored\n\n## The model: what, and why?\n\nText.\n\n### Part\n\nMore.\n")

    assert section.slug == "the-model-what-and-why"
    assert [(part.heading, part.text) for part in section.parts] == [("", "Text."), ("Part", "More.")]


def test_a_label_is_read_whole() -> None:
    sections = references.parse(
        "## CS-13: serial\n\nText.\n\n## CS-1 — late\n\nText.\n\n## CS-99 none\n\nText.\n"
    )

    assert [section.mechanism for section in sections] == ["CS-13", "CS-1", None]


def test_a_mechanism_without_a_section_is_an_error_and_no_empty_explanation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mechanisms.md").write_text("## The model\n\nText.\n", encoding="utf-8")
    monkeypatch.setattr(references, "references_dir", lambda: tmp_path)

    with pytest.raises(ProbeError, match="no section on CS-3") as raised:
        workflows.explain("CS-3", None)

    assert raised.value.code == "no_reference"


def test_an_installation_without_the_reference_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(references, "references_dir", lambda: tmp_path)

    with pytest.raises(ProbeError, match="not whole"):
        workflows.explainable(None)
