"""Launch times of real programs. No time is asserted, only which is several times another one."""

from pathlib import Path
from typing import Any

import pytest

from tests.analysis.factories import report, sample
from tests.analysis.factories import run as finished
from tests.interventions.injected import Ran, run
from tests.once import once
from warp_mcp.analysis import compare_reports
from warp_mcp.models.comparison import SteadyComparison
from warp_mcp.models.report import Report
from warp_mcp.models.run import Extras, PassRecording
from warp_mcp.models.steady_state import LaunchTimes, TimesSeen
from warp_mcp.reading import read_times
from warp_mcp.running.injection import launch_counts

TIMED: dict[str, Any] = {"steady_state": {}}
PRELUDE = """
import os, sys
import warp as wp

STEPS = wp.constant(int(os.environ.get("STEPS", "20")))

@wp.kernel
def heavy(a: wp.array(dtype=float)):
    i = wp.tid()
    x = a[i]
    for k in range(STEPS):
        x = wp.sin(x) + 1.0
    a[i] = x

@wp.kernel
def light(a: wp.array(dtype=float)):
    i = wp.tid()
    a[i] = a[i] * 0.5

a = wp.zeros(2000, dtype=float, device="cpu", requires_grad=True)

def launch(times=1):
    for _ in range(times):
        wp.launch(heavy, 2000, inputs=[a], device="cpu")
        wp.launch(light, 2000, inputs=[a], device="cpu")
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kernels of the prelude, built once."""

    def make(directory: Path) -> None:
        assert run(directory, f"{PRELUDE}\nlaunch()", cache=directory / "kernels").code == 0

    return once(tmp_path_factory, "timed-kernels", make) / "kernels"


def timed(directory: Path, body: str, cache: Path, **options: Any) -> tuple[Ran, TimesSeen]:
    ran = run(directory, PRELUDE + body, TIMED, cache=cache, **options)
    return ran, read_times(str(ran.records))


def of(seen: TimesSeen, kernel: str, way: str = "forward") -> LaunchTimes:
    (found,) = [one for one in seen.launches if one.kernel == kernel and f" {way} " in one.signature]
    return found


def test_every_launch_but_the_first_of_each_kernel_is_timed_and_called_as_in_the_record(
    tmp_path: Path, cache: Path
) -> None:
    ran, seen = timed(tmp_path, "launch(30)", cache)

    assert (ran.code, seen.problems) == (0, []), ran.errors
    counts = launch_counts(ran.recording)
    assert {f"{one.kernel}|{one.signature}": one.launches + 1 for one in seen.launches} == counts
    assert of(seen, "heavy").median_us > 5 * of(seen, "light").median_us
    assert of(seen, "heavy").module == "__main__"


def test_adjoint_launches_are_told_apart_and_a_replayed_graph_is_one_unit(
    tmp_path: Path, cache: Path
) -> None:
    body = """
for _ in range(6):
    tape = wp.Tape()
    with tape:
        wp.launch(light, 2000, inputs=[a], device="cpu")
    tape.backward(grads={a: wp.ones(2000, dtype=float, device="cpu")})
with wp.ScopedCapture(device="cpu") as capture:
    launch(3)
for _ in range(5):
    wp.capture_launch(capture.graph)
"""
    _, seen = timed(tmp_path, body, cache)

    assert of(seen, "light", "adjoint").launches == of(seen, "light").launches == 5
    (graph,) = [one for one in seen.launches if one.kernel == "graph"]
    assert (graph.launches, graph.signature.startswith("[6 launches] cpu")) == (4, True)


@pytest.mark.parametrize(
    "ending",
    [
        "os._exit(0)",
        "import multiprocessing as m\nif __name__ == '__main__':\n"
        "    p = m.get_context('fork').Process(target=launch, args=(10,)); p.start(); p.join()",
    ],
)
def test_nothing_is_lost_where_a_process_ends_without_ceremony(
    tmp_path: Path, cache: Path, ending: str
) -> None:
    _, seen = timed(tmp_path, f"launch(10)\n{ending}", cache)

    processes = 2 if "fork" in ending else 1
    launches = [one.launches for one in seen.launches if one.kernel == "heavy"]
    assert launches == [9] * processes, "a forked child counts its own, from its own first launch on"


def test_a_kernel_launched_once_is_counted_and_an_error_reaches_the_program(
    tmp_path: Path, cache: Path
) -> None:
    body = """
launch()
try:
    wp.launch(light, 2000, inputs=[1.0], device="cpu")
except Exception as error:
    print("raised", type(error).__name__)
"""
    ran, seen = timed(tmp_path, body, cache)

    assert (seen.launches, seen.once) == ([], 2)
    assert "raised" in ran.output


def test_without_the_recorder_nothing_is_timed_and_that_is_said(tmp_path: Path) -> None:
    from warp_mcp.running.environment import INTERVENTIONS

    ran = run(tmp_path, "print('runs')", TIMED, env={"PYTHONPATH": INTERVENTIONS})

    assert ran.output == "runs\n"
    assert read_times(str(ran.records)).problems == ["the recorder is not there, so nothing was timed"]


def measured(directory: Path, cache: Path, steps: int) -> Report:
    """A report of one real cold run, with three real passes."""
    env = {"STEPS": str(steps)}
    body = PRELUDE + "launch(60)"
    cold = run(directory, body, cache=cache, env=env)
    passes = [run(directory, body, TIMED, cache=cache, env=env) for _ in range(3)]
    assert all(one.code == 0 for one in [cold, *passes]), [one.errors for one in passes]
    seen = [
        PassRecording(kind="steady_state", run=finished(), times=read_times(str(one.records)))
        for one in passes
    ]
    return report(*[sample(*cold.recording.processes)] * 3, extras=Extras(passes=seen))


def compared(first: Report, second: Report) -> tuple[SteadyComparison, list[str], list[str]]:
    told = compare_reports(first, second, comparison_id="c-1", created_at="")
    return told.steady_state, told.warnings, told.next_checks


def test_ten_times_the_arithmetic_is_slower_and_the_other_kernel_is_not_blamed(
    tmp_path: Path, cache: Path
) -> None:
    before, after = measured(tmp_path, cache, 20), measured(tmp_path, cache, 200)

    times, warnings, checks = compared(before, after)

    assert times.status in ("slower", "mixed")
    assert times.kernels[0].kernel == "heavy" and times.kernels[0].outside_noise
    assert any(one.startswith("kernels run slower: heavy (") for one in warnings)
    asked = "Steady state: time the launches after start-up"
    assert not any(one.startswith(asked) for one in checks), "it has been checked, whatever the noise hides"
    assert compared(after, before)[0].status in ("faster", "mixed")
