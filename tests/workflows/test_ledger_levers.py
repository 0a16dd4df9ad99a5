"""A lever that was priced and not taken is recorded with the reason alone; the rest is in its report."""

from pathlib import Path
from typing import Any

import pytest

from tests.lever_made import GONE, a_lever, priced, with_options
from warp_mcp import storage
from warp_mcp.errors import ProbeError, UsageError
from warp_mcp.models.ledger import LedgerEntry, MeasuredEffect
from warp_mcp.workflows import ledger
from warp_mcp.workflows.ledger_levers import append_lever, append_levers

LATER = "r-20261201-101545-ab13"
WHY = "A notebook differentiates it"


def kept(*levers: dict[str, Any], **changes: Any) -> str:
    """The id of a kept report with these levers."""
    report = priced(*levers, **changes)
    storage.save_report(report)
    return report.report_id


def recorded(lever: str = "enable_backward=false", **changes: Any) -> LedgerEntry:
    return append_lever("before", lever, why=WHY, **changes).entry


def test_all_but_the_reason_is_worked_out_from_the_report() -> None:
    kept()

    entry = recorded()

    assert entry.what == "Set `enable_backward=false` for the process"
    assert "entry point" in entry.where
    assert entry.scope == "The whole process; 1 of 1 modules were built otherwise: fluid.module_1."
    assert (entry.status, entry.why) == ("declined", WHY)
    assert entry.how_to_take == "`wp.config.enable_backward = False`"
    assert entry.how_to_undo == "Remove that line again."
    assert entry.verify[0] == GONE
    assert [one.split(":")[0] for one in entry.verify[1:3]] == ["Outputs", "Steady state"]


def test_the_effect_is_that_of_the_lever_against_the_unchanged_runs() -> None:
    report_id = kept()

    effect = recorded().effect

    assert isinstance(effect, MeasuredEffect)
    assert (effect.baseline.report_id, effect.candidate.report_id) == (report_id, report_id)
    assert (effect.baseline.lever, effect.candidate.lever) == (None, "enable_backward=false")
    assert (effect.baseline.median_ms, effect.candidate.median_ms) == (4000.0, 2000.0)
    assert (effect.baseline.count, effect.candidate.count) == (3, 3)
    assert (effect.delta_ms, effect.delta_percent, effect.verdict) == (-2000.0, -50.0, "improved")


def test_what_is_not_known_of_a_side_stays_unknown() -> None:
    kept(a_lever(metrics={}, delta=None, delta_percent=None, verdict="unverified", reasons=[]))

    effect = recorded().effect

    assert isinstance(effect, MeasuredEffect)
    assert (effect.candidate.median_ms, effect.candidate.count, effect.delta_ms) == (None, 0, None)


@pytest.mark.parametrize(
    ("lever", "where", "take"),
    [
        ("max_unroll=4", "entry point", "`wp.config.max_unroll = 4`"),
        ("fast_math=true", "each file that defines kernels: sim.py", '({"fast_math": True})'),
        ("fluid.module_1:max_unroll=4", "sim.py, before its first kernel", '({"max_unroll": 4})'),
        ("made:max_unroll=4", "where the module `made` is made", 'wp.get_module("made").options'),
        ("mode=debug", "entry point", '`wp.config.mode = "debug"`'),
        ("optimization_level=none", "entry point", "= None`"),
        ("preload=4", "before the first launch", "wp.force_load(max_workers=4)"),
    ],
)
def test_where_it_goes_and_how_depends_on_the_option(lever: str, where: str, take: str) -> None:
    kept(a_lever(lever))

    entry = recorded(lever)

    assert where in entry.where and take in entry.how_to_take


def test_several_options_are_several_lines_to_take_and_to_undo() -> None:
    kept(a_lever("enable_backward=false,max_unroll=4"))

    entry = recorded("enable_backward=false, max_unroll=4")

    assert len(entry.how_to_take.splitlines()) == 2
    assert entry.how_to_undo == "Remove those lines again."
    assert "`enable_backward=false` for the process and `max_unroll=4` for the process" in entry.what


def test_what_the_runs_with_it_showed_need_not_be_verified_again() -> None:
    shown = {"outputs": "identical", "steady_state": "same"}
    kept(a_lever(**shown), a_lever("max_unroll=4", slower_kernels=["step"], workload="changed"))

    assert [one.split(":")[0] for one in recorded().verify] == [
        "Gradients",
        "Other commands, devices and programs that import the same modules",
    ]
    left = recorded("max_unroll=4").verify
    assert "Launches: they changed." in left and "these kernels ran slower: step." in " ".join(left)


def test_what_a_lever_takes_nothing_from_need_not_be_verified() -> None:
    kept(a_lever("preload=2", takes_away=["Nothing of what the program computes."]))

    assert not any("Nothing of what" in one for one in recorded("preload=2").verify)


def test_each_text_can_be_given_in_place_of_what_is_worked_out() -> None:
    kept()

    entry = recorded(where="app.py:1", status="deferred", verify=["ask the users"], key="mine")

    assert (entry.where, entry.status, entry.verify, entry.key) == (
        "app.py:1",
        "deferred",
        ["ask the users"],
        "mine",
    )
    assert entry.what.startswith("Set `enable_backward=false`")


def test_recording_it_again_adds_nothing_and_with_another_reason_is_refused() -> None:
    kept()
    first = append_lever("before", "enable_backward=false", why=WHY)
    again = append_lever("latest", "Enable_Backward = false", why=WHY)

    assert (first.created, again.created) == (True, False)
    assert again.entry == first.entry
    with pytest.raises(ProbeError, match="differs in: why"):
        append_lever("before", "enable_backward=false", why="Nobody asked")


def test_a_lever_too_long_for_a_key_has_one_all_the_same() -> None:
    lever = ",".join(f"module_{number}:max_unroll=4" for number in range(60))
    kept(a_lever(lever, modules_moved=[f"module_{number}" for number in range(600)]))

    entry = recorded(lever)

    assert entry.key.startswith("lever-")
    assert recorded(lever) == entry


@pytest.mark.parametrize(
    ("lever", "code"), [("max_unroll=4", "no_such_lever"), ("", "no_such_lever"), ("enable", "no_such_lever")]
)
def test_a_lever_that_the_report_has_not_is_refused_with_those_it_has(lever: str, code: str) -> None:
    kept()

    with pytest.raises(UsageError) as raised:
        recorded(lever)

    assert raised.value.code == code and "enable_backward=false" in raised.value.next_step


def test_a_report_without_levers_tells_how_to_price_one() -> None:
    kept(levers=[])

    with pytest.raises(UsageError) as raised:
        append_levers("before", why=WHY)

    assert raised.value.code == "no_levers" and "--lever" in raised.value.next_step


def test_without_a_reason_nothing_is_recorded() -> None:
    kept()

    with pytest.raises(UsageError, match="missing: why"):
        append_levers("before", why=" ")
    assert ledger.list_entries().entries == []


def test_all_levers_are_recorded_but_those_on_record_and_those_taken_since() -> None:
    kept(a_lever(), a_lever("max_unroll=4"), a_lever("preload=2"))
    recorded("preload=2", key="mine")
    after = with_options(enable_backward="False")
    kept(report_id=LATER, created_at="2026-12-01T10:15:45Z", label="after", levers=[], modules=[after])

    told = append_levers("before", why=WHY, status="deferred")

    effects = [one.entry.effect for one in told.appended]
    assert [isinstance(one, MeasuredEffect) and one.candidate.lever for one in effects] == ["max_unroll=4"]
    assert [one.lever for one in told.left] == ["enable_backward=false", "preload=2"]
    assert LATER in told.left[0].why and "Entry 1 has it already" in told.left[1].why
    assert append_levers("before", why=WHY).appended == []


def test_a_later_report_of_another_command_shows_nothing_of_what_was_taken() -> None:
    kept()
    other = {"command": ["python", "other.py"], "modules": [with_options(enable_backward="False")]}
    kept(report_id=LATER, created_at="2026-12-01T10:15:45Z", label="after", levers=[], **other)

    assert len(append_levers("before", why=WHY).appended) == 1


def test_a_report_file_is_used_only_where_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    storage.write_named(path, storage.to_json(priced()))
    seen: list[Path] = []

    append_lever(str(path), "enable_backward=false", why=WHY, check_path=seen.append)

    assert path.resolve() in seen


FAILED = "with this lever the program failed (exit code 1) in 3 of 3 samples: RuntimeError: no"
MISSING = "No module named `lev` was made, so `max_unroll` was set on none."
NOTHING_TOOK_IT = "no module took it: the program sets the option itself, or builds nothing that it reaches"
CRASHED = a_lever(
    samples=0, verdict="unverified", failures=[FAILED], reasons=[FAILED], metrics={}, delta=None
)
ABSENT = a_lever(
    "lev:max_unroll=4", applied=False, verdict="unverified", problems=[MISSING], reasons=[MISSING]
)
OVERRIDDEN = a_lever(
    "mode=debug", applied=False, modules_moved=[], verdict="inconclusive", reasons=[NOTHING_TOOK_IT]
)


def test_levers_that_did_nothing_are_left_out_with_the_reason() -> None:
    kept(CRASHED, ABSENT, OVERRIDDEN, a_lever("max_unroll=4", applied=True))

    told = append_levers("before", why=WHY)

    assert len(told.appended) == 1 and "max_unroll=4" in told.appended[0].entry.what
    assert [one.why for one in told.left] == [
        f"No run with it completed: {FAILED}.",
        f"It was not applied: {MISSING}",
        f"It was not applied: {NOTHING_TOOK_IT}.",
    ]


@pytest.mark.parametrize(
    ("lever", "reason"), [(ABSENT, MISSING), (OVERRIDDEN, NOTHING_TOOK_IT), (CRASHED, FAILED)]
)
def test_a_lever_that_did_nothing_has_no_measured_effect_and_says_why(
    lever: dict[str, Any], reason: str
) -> None:
    report_id = kept(lever)

    entry = recorded(lever["lever"])

    assert entry.effect is None
    assert entry.scope.startswith("Unknown. ") and reason.rstrip(".") in entry.scope
    assert reason.rstrip(".") in entry.verify[0] and report_id in entry.verify[0]
    assert not any(reason.rstrip(".") in sentence for sentence in entry.verify[1:])
    assert append_levers("before", why=WHY).left[0].why == "Entry 1 has it already."


def test_runs_that_crashed_beside_others_are_to_be_verified_first() -> None:
    once = "with this lever the program failed (exit code 1) in 1 of 3 samples"
    kept(a_lever(applied=True, samples=2, failures=[once], reasons=[once, "it took less"]))

    entry = recorded()

    assert isinstance(entry.effect, MeasuredEffect)
    assert entry.verify[0] == f"It fails: {once}."


def test_a_lever_whose_runs_were_cut_short_is_refused() -> None:
    kept(a_lever(samples=0, verdict="unverified", reasons=["no run with this lever completed"], delta=None))

    with pytest.raises(UsageError) as raised:
        recorded()

    assert raised.value.code == "lever_not_run"
    assert append_levers("before", why=WHY).left[0].why == "No run with it completed."
