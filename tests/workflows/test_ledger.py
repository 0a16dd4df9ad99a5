"""What a ledger records: content that was checked, numbers that were worked out, each thing once."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.factories import a_metric, a_report
from tests.ledger_made import CONTENT, lines, record, three
from warp_mcp import storage
from warp_mcp.errors import ProbeError, UnreadableReport, UsageError
from warp_mcp.models.ledger import EstimatedEffect, MeasuredEffect
from warp_mcp.workflows import ledger

BEFORE, AFTER = "r-20261201-101530-ab12", "r-20261201-101545-ab13"


@pytest.fixture
def kept() -> None:
    """A report without the option and one with it."""
    storage.save_report(a_report(report_id=BEFORE, label="before"))
    faster = {"cold_module_ms": a_metric(1990.0, 2000.0, 2010.0)}
    storage.save_report(a_report(report_id=AFTER, label="after", metrics=faster))


def error_of(call: Callable[..., Any], **arguments: Any) -> ProbeError:
    with pytest.raises(ProbeError) as raised:
        call(**arguments)
    return raised.value


def measured(effect: Any) -> MeasuredEffect:
    assert isinstance(effect, MeasuredEffect)
    return effect


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("names", [(BEFORE, AFTER), ("before", "after"), ("r-20261201-101530", "latest")])
def test_a_measured_effect_is_worked_out_from_the_reports(names: tuple[str, str]) -> None:
    effect = measured(record(baseline=names[0], candidate=names[1]).entry.effect)

    assert (effect.baseline.report_id, effect.candidate.report_id) == (BEFORE, AFTER)
    assert (effect.judged_on, effect.delta_ms, effect.delta_percent) == ("cold_module_ms", -2000.0, -50.0)
    assert (effect.baseline.median_ms, effect.candidate.median_ms) == (4000.0, 2000.0)
    assert (effect.baseline.mad_ms, effect.baseline.count) == (10.0, 3)


@pytest.mark.usefixtures("kept")
def test_the_verdict_is_that_of_the_kept_comparison() -> None:
    effect = measured(record(baseline="before", candidate="after").entry.effect)

    assert effect.comparison_id is not None
    comparison = storage.comparison_path(effect.comparison_id).read_text(encoding="utf-8")
    assert f'"verdict":"{effect.verdict}"' in comparison
    assert effect.reason in comparison


@pytest.mark.usefixtures("kept")
def test_a_report_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    storage.write_named(path, storage.to_json(a_report(report_id="r-of-elsewhere", label=None)))

    effect = measured(record(baseline=str(path), candidate="after").entry.effect)

    assert effect.baseline.report_id == "r-of-elsewhere"


def test_an_effect_without_reports_is_an_estimate() -> None:
    assert record(estimate="about 2 s").entry.effect == EstimatedEffect(text="about 2 s")
    assert record("something else").entry.effect is None


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"baseline": "before"}, "one_report"),
        ({"candidate": "after"}, "one_report"),
        ({"baseline": "before", "candidate": "after", "estimate": "2 s"}, "two_effects"),
        ({"baseline": "before", "candidate": BEFORE}, "same_report"),
        ({"baseline": "before", "candidate": "nothing"}, "no_such_report"),
    ],
)
def test_an_effect_that_cannot_be_worked_out_is_refused(arguments: dict[str, str], code: str) -> None:
    assert error_of(record, **arguments).code == code
    assert ledger.list_entries().entries == []


@pytest.mark.usefixtures("kept")
def test_recording_the_same_again_adds_nothing_and_compares_nothing(own_state_dir: Path) -> None:
    first = record(baseline="before", candidate="after", key="no-backward")
    again = record(baseline=BEFORE, candidate=AFTER, key="no-backward")

    assert (first.created, again.created) == (True, False)
    assert again.entry == first.entry
    assert len(list((own_state_dir / "comparisons").iterdir())) == len(lines(first.path)) == 1


@pytest.mark.usefixtures("kept")
def test_recording_the_same_again_needs_no_report_that_was_pruned_since() -> None:
    first = record(baseline=BEFORE, candidate=AFTER)
    storage.remove(storage.list_reports())

    assert record(baseline=BEFORE, candidate=AFTER).entry == first.entry
    assert error_of(record, what="another", baseline=BEFORE, candidate=AFTER).code == "no_reports"


def test_without_a_key_an_entry_is_known_by_what_it_says() -> None:
    first = record()

    assert record(what="  " + CONTENT["what"] + "\n").entry == first.entry
    assert record(status="deferred").entry.number == 2
    assert record(estimate="2 s").entry.number == 3


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"why": "Nobody asked"}, "why"),
        ({"verify": []}, "verify"),
        ({"estimate": "2 s"}, "effect"),
        ({"baseline": "after", "candidate": "before"}, "effect"),
    ],
)
def test_a_key_that_says_something_else_already_is_refused(changes: dict[str, Any], field: str) -> None:
    record(key="no-backward")

    error = error_of(record, key="no-backward", **changes)

    assert (error.code, error.exit_code) == ("key_in_use", 2)
    assert error.message == f"Entry 1 has this key already and differs in: {field}."


def test_a_key_of_one_project_is_not_silently_that_of_another(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    team = str(tmp_path / "team.jsonl")
    record(key="k", path=team, project=str(tmp_path / "a"))

    error = error_of(record, key="k", path=team, project=str(tmp_path / "b"))

    assert error.message.endswith("differs in: project.")


@pytest.mark.parametrize("name", ["what", "where", "scope", "status", "why", "how_to_take", "how_to_undo"])
def test_what_an_entry_needs_is_asked_for(name: str) -> None:
    error = error_of(record, **{name: " \n"})

    assert error.code == "missing" and error.message.endswith(f"missing: {name}.")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"status": "rejected"}, "bad_status"),
        ({"status": "applied_unverified"}, "missing"),
        ({"status": "applied_unverified", "layer": "gradients", "verify": [" "]}, "missing"),
        ({"layer": "gradients"}, "layer_without_need"),
        ({"key": ""}, "bad_key"),
        ({"key": "two\nlines"}, "bad_key"),
        ({"why": "\x1b[2J"}, "not_plain_text"),
        ({"what": "half a pair \ud800"}, "not_plain_text"),
        ({"verify": ["x\0"]}, "not_plain_text"),
        ({"project": "nowhere"}, "no_such_directory"),
        ({"path": "team.json"}, "bad_ledger_name"),
    ],
)
def test_what_cannot_be_recorded_is_refused(changes: dict[str, Any], code: str) -> None:
    error = error_of(record, **changes)

    assert isinstance(error, UsageError) and error.code == code and error.next_step


@pytest.mark.parametrize(
    ("name", "limit"), [("what", 500), ("layer", 500), ("why", 4_000), ("estimate", 4_000), ("key", 100)]
)
def test_a_field_may_be_as_long_as_its_limit_and_no_longer(name: str, limit: int) -> None:
    status = {"status": "applied_unverified", "layer": "gradients"}
    record(**{**status, name: "水" * limit})

    error = error_of(record, **{**status, name: "x" * 10_000_000})

    assert error.code == "too_long"
    assert error.message == f"{name} has 10,000,000 characters; {limit:,} at most."


def test_too_many_things_to_verify_are_refused() -> None:
    assert error_of(record, verify=["x"] * 21).code == "too_long"
    assert error_of(record, verify=["x" * 501]).code == "too_long"


def test_any_text_comes_back_as_it_was_given() -> None:
    text = 'ünï “水” 👩‍🔬 \u2028 "quotes" \\ back\n\tsecond line'

    record(why=text, what="🙂", verify=[text])

    entry = ledger.list_entries().entries[0]
    assert (entry.why, entry.what, entry.verify) == (text, "🙂", [text])
    assert ledger.verify().intact


def test_line_ends_of_another_system_become_plain_ones() -> None:
    assert record(why="one\r\ntwo").entry.why == "one\ntwo"


def test_each_project_has_a_ledger_of_its_own(tmp_path: Path) -> None:
    paths: set[str] = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        paths.add(record(project=str(tmp_path / name)).path)

    assert len(paths) == 2
    assert [len(ledger.list_entries(project=str(tmp_path / name)).entries) for name in "ab"] == [1, 1]


def test_an_entry_holds_no_path_that_the_user_did_not_write(tmp_path: Path) -> None:
    appended = record(path=str(tmp_path / "team.jsonl"))

    assert str(tmp_path) not in appended.entry.model_dump_json()
    assert os.path.expanduser("~") not in appended.entry.model_dump_json()


def refuse_outside(root: Path) -> Callable[[Path], None]:
    def check(path: Path) -> None:
        if not path.is_relative_to(root):
            raise UsageError("outside", f"{path} is outside.", "Stay inside.")

    return check


@pytest.mark.usefixtures("kept")
def test_only_paths_that_are_allowed_are_used(tmp_path: Path) -> None:
    inside, outside = tmp_path / "in", tmp_path / "out"
    for directory in (inside, outside):
        directory.mkdir()
    (inside / "link.jsonl").symlink_to(outside / "team.jsonl")
    (inside / "report.json").symlink_to(outside / "report.json")
    storage.write_named(outside / "report.json", storage.to_json(a_report()))
    check = refuse_outside(Path(os.path.realpath(inside)))

    for arguments in (
        {"path": str(outside / "team.jsonl")},
        {"path": str(inside / "link.jsonl")},
        {"project": str(outside)},
        {"baseline": str(inside / "report.json"), "candidate": "after"},
        {"baseline": "before", "candidate": str(outside / "report.json")},
    ):
        assert error_of(record, check_path=check, **arguments).code == "outside"
    for call in (ledger.list_entries, ledger.verify):
        assert error_of(call, check_path=check, path=str(inside / "link.jsonl")).code == "outside"
    assert not (outside / "team.jsonl").exists()
    assert record(check_path=check, baseline="before", candidate="after").created
    assert record(check_path=check, path=str(inside / "team.jsonl"), project=str(inside)).created


@pytest.mark.usefixtures("kept")
def test_a_bare_name_is_checked_where_it_means_a_file_and_not_where_it_means_a_label(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("before", "other"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    check = refuse_outside(tmp_path / "elsewhere")

    assert record(check_path=check, baseline="before", candidate="after").created
    assert error_of(record, check_path=check, baseline="other", candidate="after").code == "outside"


def test_before_anything_is_recorded_the_list_is_empty_and_there_is_nothing_to_verify() -> None:
    listing = ledger.list_entries()

    assert (listing.exists, listing.entries, listing.problem) == (False, [], None)
    error = error_of(ledger.verify)
    assert isinstance(error, UnreadableReport) and error.code == "no_ledger"


def test_a_check_says_how_far_the_chain_holds(tmp_path: Path) -> None:
    path = tmp_path / "team.jsonl"
    written = three(path)
    whole = ledger.verify(path=str(path))
    path.write_bytes(written[0] + written[2])
    broken = ledger.verify(path=str(path))
    path.write_bytes(written[0] + written[1][:40])
    cut = ledger.verify(path=str(path))

    assert (whole.intact, whole.entries, whole.problem, whole.cut_bytes) == (True, 3, None, 0)
    assert (broken.intact, broken.entries) == (False, 1)
    assert broken.problem is not None and broken.problem.line == 2
    assert (cut.intact, cut.entries, cut.problem, cut.cut_bytes) == (False, 1, None, 40)
    assert whole.last_hash != broken.last_hash == cut.last_hash


def test_a_list_shows_also_what_stands_behind_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "team.jsonl"
    written = three(path)
    path.write_bytes(written[0] + b"conflict\n" + written[1] + written[2])

    listing = ledger.list_entries(path=str(path))

    assert listing.problem is not None and listing.problem.line == 2
    assert [entry.what for entry in listing.entries] == ["one", "two", "three"]
