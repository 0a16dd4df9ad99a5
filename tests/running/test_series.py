"""Rounds of the unchanged program and its levers, with a runner that only says how each run would end."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.running.fake_runner import FakeRunner
from tests.running.test_tracing import a_target
from warp_mcp.models.compile_trace import TraceTarget
from warp_mcp.models.lever import Lever, Setting
from warp_mcp.models.progress import Progress
from warp_mcp.models.recording import Recording
from warp_mcp.models.run import ArmRecording, PassKind, RunOutcome, RunResult, SampleRecording
from warp_mcp.running.plan import Readers
from warp_mcp.running.progress import Ticker
from warp_mcp.running.series import SamplesCutShort, Series, share
from warp_mcp.running.tracing import ELSEWHERE

OFF = Lever(text="enable_backward=false", settings=[Setting(option="enable_backward", value=False)])
PLAIN = Lever(
    text="use_precompiled_headers=false", settings=[Setting(option="use_precompiled_headers", value=False)]
)


@dataclass
class Plan:
    """A plan whose answers are given: after how many samples an arm is settled, by its text."""

    least: int
    most: int
    tried: list[Lever] = field(default_factory=list[Lever])
    settles: dict[str, int] = field(default_factory=dict[str, int])
    passes: Sequence[PassKind] = ()
    outputs_budget_bytes: int = 7
    archs: Sequence[int] = ()
    rehearsals: int = 1
    rehearse_workers: int = 0
    traced: Sequence[TraceTarget] = ()

    @property
    def asked(self) -> int:
        return len(self.tried)

    def levers(self, unchanged: SampleRecording) -> list[Lever]:
        return self.tried

    def to_trace(self, rehearsed: Recording, arch: int) -> list[TraceTarget]:
        return list(self.traced)

    def settled(self, unchanged: ArmRecording, arm: ArmRecording) -> str:
        enough = self.settles.get(arm.lever.text if arm.lever else "", 99)
        return f"settled after {enough}" if len(arm.samples) >= enough else ""


def go(
    runner: FakeRunner,
    plan: Plan,
    cancel: threading.Event | None = None,
    said: list[Progress] | None = None,
    read: Callable[[RunResult], Recording] | None = None,
) -> dict[str, ArmRecording]:
    ticker = Ticker(plan.least, (said if said is not None else []).append)
    series = Series(runner, plan, Readers(read or runner.read), ticker, cancel or threading.Event()).run()
    return {name_of(arm): arm for arm in series}


def name_of(arm: ArmRecording) -> str:
    words = [f"sm_{arm.arch}"] if arm.arch else []
    return " ".join(words + ([arm.lever.text] if arm.lever else []))


def levers_of(runner: FakeRunner) -> list[str]:
    """Which lever each cold run had, in order."""
    runs = [step for step in runner.log if step not in ("made", "read", "removed")]
    told: list[str] = []
    for step, parts in zip(runs, runner.injected, strict=True):
        if step == "cold":
            levers = parts.get("levers")
            told.append(levers["settings"][0]["option"] if isinstance(levers, dict) else "")  # pyright: ignore
    return told


def test_every_lever_has_a_turn_in_every_round_after_the_unchanged_program() -> None:
    runner = FakeRunner()
    arms = go(runner, Plan(2, 2, [OFF, PLAIN]))
    assert levers_of(runner) == ["", "enable_backward", "use_precompiled_headers"] * 2
    assert [len(arm.samples) for arm in arms.values()] == [2, 2, 2]


def test_nothing_is_injected_into_the_unchanged_program() -> None:
    runner = FakeRunner()
    go(runner, Plan(2, 2))
    assert runner.injected == [{}, {}, {}, {}]


def test_a_lever_that_is_settled_has_no_further_turn_and_the_others_go_on() -> None:
    arms = go(FakeRunner(), Plan(3, 9, [OFF, PLAIN], {OFF.text: 3, PLAIN.text: 5}))
    assert {text: len(arm.samples) for text, arm in arms.items()} == {"": 5, OFF.text: 3, PLAIN.text: 5}
    assert arms[OFF.text].settled == "settled after 3"


def test_no_more_rounds_are_made_than_the_most() -> None:
    arms = go(FakeRunner(), Plan(3, 9, [OFF]))
    assert [len(arm.samples) for arm in arms.values()] == [9, 9]
    assert arms[OFF.text].settled == ""


def test_without_levers_the_unchanged_program_itself_is_settled() -> None:
    assert len(go(FakeRunner(), Plan(3, 9, settles={"": 4}))[""].samples) == 4


def test_a_lever_that_runs_into_its_time_out_is_not_tried_again() -> None:
    # unchanged cold and warm, then the lever's cold run
    outcomes: list[RunOutcome] = ["completed", "completed", "timed_out"]
    arms = go(FakeRunner(*outcomes), Plan(3, 3, [OFF]))
    assert [len(arm.samples) for arm in arms.values()] == [3, 1]


def test_a_time_out_of_the_unchanged_program_ends_the_levers_too() -> None:
    arms = go(FakeRunner("timed_out"), Plan(3, 3, [OFF]))
    assert [len(arm.samples) for arm in arms.values()] == [1]


def test_a_lever_whose_runs_fail_is_tried_in_every_round_since_a_failure_costs_little() -> None:
    outcomes: list[RunOutcome] = ["completed", "completed", "failed"]
    arms = go(FakeRunner(*outcomes), Plan(2, 2, [OFF]))
    assert [sample.cold.outcome for sample in arms[OFF.text].samples] == ["failed", "completed"]


def test_passes_run_on_the_cache_of_the_sample_of_their_round() -> None:
    runner = FakeRunner()
    arms = go(runner, Plan(3, 3, passes=("outputs", "steady_state")))
    first, second, third = "".join(f"{step} " for step in runner.log).split("removed ")[:3]
    assert first == "made cold read warm read outputs-1 steady_state-1 "
    assert second == first
    assert third == "made cold read warm read steady_state-1 "
    assert [one.kind for one in arms[""].passes].count("outputs") == 2
    assert [one.kind for one in arms[""].passes].count("steady_state") == 3


def test_a_single_sample_carries_all_passes() -> None:
    arms = go(FakeRunner(), Plan(1, 1, [OFF], passes=("outputs", "steady_state")))
    for arm in arms.values():
        assert [one.kind for one in arm.passes] == ["outputs"] * 2 + ["steady_state"] * 3


@pytest.mark.parametrize(
    ("passes", "rounds", "shares"), [(2, 3, [1, 1, 0]), (3, 3, [1, 1, 1]), (3, 2, [2, 1, 0]), (2, 1, [2, 0])]
)
def test_passes_are_spread_over_the_first_rounds(passes: int, rounds: int, shares: list[int]) -> None:
    assert [share(passes, rounds, number + 1) for number in range(len(shares))] == shares


def test_a_pass_keeps_its_lever_and_is_told_its_budget() -> None:
    runner = FakeRunner()
    go(runner, Plan(1, 1, [OFF], passes=("outputs",)))
    last = runner.injected[-1]
    assert set(last) == {"levers", "outputs"}
    assert last["outputs"] == {"budget_bytes": 7, "counts": {}}


def test_a_sample_whose_warm_run_failed_has_no_passes() -> None:
    runner = FakeRunner("completed", "failed")
    assert go(runner, Plan(1, 1, passes=("outputs",)))[""].passes == []


def test_a_cancel_between_two_turns_leaves_what_was_measured() -> None:
    cancel = threading.Event()
    runner = FakeRunner()

    def read(result: RunResult) -> Recording:
        cancel.set()
        return runner.read(result)

    arms = go(runner, Plan(3, 3, [OFF]), cancel, read=read)
    assert len(arms[""].samples) == 1
    assert OFF.text not in arms


def test_a_disk_that_fills_up_at_a_lever_loses_nothing() -> None:
    with pytest.raises(SamplesCutShort) as caught:
        go(FakeRunner(room_for=3), Plan(3, 3, [OFF]))
    assert [len(arm.samples) for arm in caught.value.series] == [2, 1]


def test_progress_counts_the_runs_of_levers_and_passes_and_names_the_lever() -> None:
    said: list[Progress] = []
    go(FakeRunner(), Plan(2, 2, [OFF], passes=("outputs",)), said=said)
    assert said[-1].done == said[-1].total == 12, "two arms, two rounds, cold, warm and outputs"
    assert {one.lever for one in said} == {"", OFF.text}
    assert all(one.done <= one.total for one in said)
    assert {one.total for one in said} == {12}, "known from the beginning where levers are named"


def test_each_architecture_is_rehearsed_after_the_rounds_with_a_cache_for_the_cpu_in_common() -> None:
    runner = FakeRunner()
    arms = go(runner, Plan(2, 2, [OFF], archs=(80, 90)))
    assert {name: len(arm.samples) for name, arm in arms.items()} == {
        "": 2,
        OFF.text: 2,
        "sm_80": 1,
        "sm_90": 1,
    }
    told = [parts["rehearsal"] for parts in runner.injected if "rehearsal" in parts]
    assert [one["arch"] for one in told] == [80, 80, 90, 90], "cold and warm"  # pyright: ignore
    assert len({one["cpu_cache"] for one in told}) == 1  # pyright: ignore


def test_a_rehearsal_is_made_as_often_as_asked_for_and_has_no_passes() -> None:
    arms = go(FakeRunner(), Plan(1, 1, archs=(90,), rehearsals=3, passes=("outputs",)))
    assert (len(arms["sm_90"].samples), arms["sm_90"].passes) == (3, [])


def test_the_largest_modules_of_a_rehearsal_are_built_once_more_in_one_run_of_its_own(tmp_path: Path) -> None:
    cached = tmp_path / "kernels" / "wp_app_0123456"
    cached.mkdir(parents=True)
    runner = FakeRunner(root=str(tmp_path))
    plan = Plan(1, 1, archs=(90, 120), rehearsals=2, rehearse_workers=1, traced=(a_target(),))
    arms = go(runner, plan)

    steps = [step for step in runner.log if step not in ("made", "removed", "read")]
    assert steps[:5] == ["cold", "warm", "cold", "warm", "compile_trace"]
    assert steps.count("compile_trace") == 1
    assert not cached.exists()
    assert [parts for parts in runner.injected if "compile_trace" in parts] == [
        {
            "rehearsal": runner.injected[2]["rehearsal"],
            "compile_trace": {"builds": [{"source": "wp_app_0123456.cu", "arch": 90}]},
        }
    ]
    assert arms["sm_90"].targets == [a_target()]
    assert [one.kind for one in arms["sm_90"].passes] == ["compile_trace"]
    assert [arm.targets for name, arm in arms.items() if name != "sm_90"] == [[], [], []]


def test_without_a_module_that_can_be_built_again_no_further_run_is_made(tmp_path: Path) -> None:
    runner = FakeRunner(root=str(tmp_path))
    arms = go(runner, Plan(1, 1, archs=(90,), traced=(a_target(),)))

    assert "compile_trace" not in runner.log
    assert [one.not_traced for one in arms["sm_90"].targets] == [ELSEWHERE]


def test_what_a_rehearsal_could_not_do_is_counted_as_in_one_run(tmp_path: Path) -> None:
    (tmp_path / "kernels" / "wp_app_0123456").mkdir(parents=True)
    runner = FakeRunner(root=str(tmp_path))
    readers = Readers(runner.read, not_rehearsed=lambda run: [("an event", "no device")])
    plan = Plan(1, 1, archs=(90,), traced=(a_target(),))
    series = Series(runner, plan, readers, Ticker(1, lambda said: None), threading.Event()).run()

    assert runner.log.count("compile_trace") == 1
    assert series[1].not_rehearsed == [("an event", "no device")]


def test_a_rehearsal_that_does_not_complete_is_not_looked_into() -> None:
    runner = FakeRunner("completed", "completed", "failed")
    go(runner, Plan(1, 1, archs=(90,), traced=(a_target(),)))

    assert "compile_trace" not in runner.log


def test_a_program_that_fails_as_it_is_is_not_tried_again_before_its_rehearsal() -> None:
    runner = FakeRunner("failed")
    arms = go(runner, Plan(3, 9, [OFF], archs=(90,)))
    assert {name: [one.cold.outcome for one in arm.samples] for name, arm in arms.items()} == {
        "": ["failed"],
        "sm_90": ["completed"],
    }


def test_without_a_rehearsal_a_program_that_fails_is_tried_again() -> None:
    assert len(go(FakeRunner("failed"), Plan(3, 3))[""].samples) == 3


def test_variants_are_built_ahead_by_one_to_as_many_workers_as_asked_for() -> None:
    runner = FakeRunner()
    arms = go(runner, Plan(1, 1, archs=(90, 120), rehearse_workers=2))
    assert list(arms) == ["", "sm_90", "sm_90 preload=1", "sm_90 preload=2", "sm_120"]
    last = [parts for parts in runner.injected if "levers" in parts][-1]
    assert set(last) == {"rehearsal", "levers"}
    assert last["levers"]["preload"]["workers"] == 2  # pyright: ignore


def test_a_run_that_was_cancelled_tells_nothing_of_its_lever() -> None:
    runner = FakeRunner("completed", "completed", "cancelled")
    readers = Readers(runner.read, problems=lambda run: ["not made"], changed=lambda run: ["mode"])
    series = Series(runner, Plan(1, 1, [OFF]), readers, Ticker(1, lambda said: None), threading.Event())
    (_, arm) = series.run()
    assert (arm.samples[0].cold.outcome, arm.problems, arm.changed) == ("cancelled", [], [])


def test_what_a_lever_changed_is_kept_once() -> None:
    runner = FakeRunner()
    readers = Readers(runner.read, changed=lambda run: ["mode"])
    series = Series(runner, Plan(1, 1, [OFF]), readers, Ticker(1, lambda said: None), threading.Event())
    assert [arm.changed for arm in series.run()] == [[], ["mode"]]
