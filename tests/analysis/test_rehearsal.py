"""A rehearsal of CUDA in a report: the shape of a measurement on a GPU, without its wall times."""

from pathlib import Path
from typing import Any

import pytest

from tests.analysis import factories
from tests.analysis.factories import load, process, report, request, run, sample, signature
from tests.recordings import making
from tests.situations.mechanism_table import RECORDED
from warp_mcp.models.lever import Lever
from warp_mcp.models.recording import ProcessRecord
from warp_mcp.models.rehearsed import alone, as_report, rehearsal_completed, shown
from warp_mcp.models.report import Report
from warp_mcp.models.run import ArmRecording, Extras, SampleRecording
from warp_mcp.reading import read_recording

RECORDINGS = Path(making.__file__).parent
NEEDS = run(outcome="failed", exit_code=1, stderr_tail="no CUDA device")
REFUSED = SampleRecording(cold=NEEDS, cold_recording=factories.recording(), warm=None, warm_recording=None)
CUDA = {"device": "cuda:0", "block_dim": 256}


def arm(*samples: SampleRecording, arch: int = 90, **changes: Any) -> ArmRecording:
    return ArmRecording(**{"lever": None, "samples": list(samples), "arch": arch, **changes})


def built(*loads: Any, **changes: Any) -> ProcessRecord:
    ran = signature(0, device="cuda:0", block_dim=256)
    fields: dict[str, Any] = {"loads": list(loads), "signatures": [ran], "streams": factories.launched(0)}
    return process(**{**fields, **changes})


def rehearsed(*arms: ArmRecording, samples: tuple[SampleRecording, ...] = (REFUSED,), **asked: Any) -> Report:
    return report(*samples, extras=Extras(rehearsals=list(arms)), rehearse_archs=[90], **asked)


def broken(*loads: Any) -> SampleRecording:
    cold = run(outcome="failed", exit_code=1, stderr_tail="RuntimeError: broken")
    return sample(built(*loads), cold=cold, warm=None, warm_recording=None)


def codes(warnings: Any) -> set[str]:
    return {warning.code for warning in warnings}


def recorded(name: str, tmp_path: Path) -> SampleRecording:
    """A run on a GPU that is at hand as a recording."""
    (record,) = read_recording(str(RECORDINGS / name), str(tmp_path)).processes
    assert record.exited_ms is not None
    cold = run(record.exited_ms - record.started_ms, processes=[factories.seen(record.pid)])
    return sample(record, cold=cold)


@pytest.mark.parametrize("name", RECORDED)
def test_a_rehearsal_and_a_measurement_on_a_gpu_have_the_same_parts(name: str, tmp_path: Path) -> None:
    one = recorded(name, tmp_path)
    measured = report(one, one, one)
    found = rehearsed(arm(one, one, one)).rehearsal
    assert found is not None

    same = ("structure", "modules", "rebuilds", "roots", "launches", "kernels")
    assert [getattr(found, part) for part in same] == [getattr(measured, part) for part in same]
    wall = {"cold_wall_ms", "warm_wall_ms", "compile_elapsed_ms"}
    told = {name: metric for name, metric in measured.metrics.items() if name not in wall}
    of_builds = {name: metric for name, metric in found.metrics.items() if name != "build_wait_ms"}
    assert of_builds == told
    assert ("build_wait_ms" in found.metrics) == ("overlap_factor" in told)


@pytest.mark.parametrize("name", RECORDED)
def test_a_rehearsal_has_the_findings_of_a_measurement_on_a_gpu(name: str, tmp_path: Path) -> None:
    one = recorded(name, tmp_path)
    found = rehearsed(arm(one, one, one)).rehearsal
    assert found is not None

    assert {one.mechanism: one.status for one in found.findings} == RECORDED[name].expected
    measured = {one.mechanism: one for one in report(one, one, one).findings}
    for finding in found.findings:
        assert (finding.cost_ms, finding.where, finding.fix) == (
            measured[finding.mechanism].cost_ms,
            measured[finding.mechanism].where,
            measured[finding.mechanism].fix,
        )
        assert "this run" not in finding.title + finding.how + str(finding.evidence.get("reason"))


def test_a_program_that_needs_cuda_is_reported_by_its_rehearsal_alone() -> None:
    found = rehearsed(arm(sample(built(load(**CUDA)))))

    assert found.samples == [] and alone(found) is not None and rehearsal_completed(found)
    assert codes(found.warnings) == {"needs_cuda"}
    assert [entry.device for entry in shown(found).modules] == ["cuda:0"]
    assert found.environment.warp == "1.19.0"


def test_too_few_rehearsals_ask_for_more_rehearsals() -> None:
    found = rehearsed(arm(sample(built(load(**CUDA))))).rehearsal
    assert found is not None

    (few,) = [warning for warning in found.warnings if warning.code == "few_samples"]
    assert few.message == "1 completed rehearsal: a comparison needs 3 on each side."
    assert few.next == "Measure with --rehearsals 3 before comparing."


def test_a_program_that_fails_in_the_rehearsal_keeps_its_error_and_what_was_built() -> None:
    found = rehearsed(arm(broken(load(**CUDA))))

    assert not rehearsal_completed(found)
    assert found.rehearsal is not None and [run.outcome for run in found.rehearsal.runs] == ["failed"]
    assert found.rehearsal.runs[0].stderr_tail == "RuntimeError: broken"
    assert [entry.builds for entry in found.rehearsal.modules] == [1]
    assert [sample.outcome for sample in found.samples] == ["failed"]
    failed = [one for one in found.rehearsal.warnings if one.code == "sample_failed"]
    assert "1 of 1 rehearsals failed" in failed[0].message


def test_an_ordinary_report_with_a_rehearsal_beside_holds_both() -> None:
    ordinary = sample(process(loads=[load()]))
    found = rehearsed(arm(sample(built(load(**CUDA)))), samples=(ordinary,) * 3)

    assert alone(found) is None and shown(found) is found
    assert [entry.device for entry in found.modules] == ["cpu"]
    assert found.rehearsal is not None and [entry.device for entry in found.rehearsal.modules] == ["cuda:0"]
    assert "needs_cuda" not in codes(found.warnings)


LEVER = Lever(text="enable_backward=false")


@pytest.mark.parametrize("asked", [{"levers": [LEVER]}, {"auto_levers": True}])
def test_levers_that_no_ordinary_sample_could_carry_are_said_to_be_untried(asked: dict[str, Any]) -> None:
    cuda = arm(sample(built(load(**CUDA))))

    assert "levers_not_rehearsed" in codes(rehearsed(cuda, **asked).warnings)
    assert "levers_not_rehearsed" not in codes(rehearsed(cuda).warnings)
    ordinary = (sample(process(loads=[load()])),) * 3
    assert "levers_not_rehearsed" not in codes(rehearsed(cuda, samples=ordinary, **asked).warnings)


def test_the_header_of_cuda_builds_is_in_the_time_of_nvrtc_and_how_to_tell_it_is_said() -> None:
    options = {"use_precompiled_headers": "True", "enable_backward": "False"}
    found = rehearsed(arm(sample(built(load(options=options, **CUDA))))).rehearsal
    assert found is not None

    (header,) = [one for one in found.findings if one.mechanism == "CS-12"]
    assert header.status == "not_reached"
    assert "NVRTC" in header.evidence["reason"] and "True and False" in header.evidence["reason"]


def test_the_wait_of_a_rehearsal_is_the_work() -> None:
    """5 % of 20 s are more than the 0.6 s at stake, and of 3 s they are less."""
    small = [load(hash=f"s{i}", begin=1000.0 * i, ms=600.0, name=f"m{i}", module=i, **CUDA) for i in (1, 2)]
    huge = load(hash="h", begin=9000.0, ms=19_000.0, name="huge", module=3, **CUDA)
    for loads, status in (
        (small, "fired"),
        ([*small, huge, load("i", 40_000, 19_000.0, name="huge", **CUDA)], "ruled_out"),
    ):
        found = rehearsed(arm(sample(built(*loads)))).rehearsal
        assert found is not None and "compile_elapsed_ms" not in found.metrics
        assert next(one.status for one in found.findings if one.mechanism == "CS-13") == status


def test_a_rehearsal_as_a_report_has_its_runs_as_samples_and_no_wall() -> None:
    found = rehearsed(arm(sample(built(load(**CUDA))), broken()))
    assert found.rehearsal is not None
    view = as_report(found, found.rehearsal)

    assert [sample.outcome for sample in view.samples] == ["completed", "failed"]
    assert [sample.cold_wall_ms for sample in view.samples] == [None, None]
    assert (view.wall_parts, view.rehearsal, view.report_id) == ([], None, found.report_id)
    assert view.isolation.ok


def test_builds_ahead_of_the_first_launch_are_told_by_workers_with_what_nobody_launched() -> None:
    plain = arm(sample(built(load(**CUDA))))
    wrong = sample(built(load(**CUDA), load("bb", 2000, device="cuda:0", block_dim=128)))
    ahead = arm(wrong, lever=Lever(text="preload=2", preload=2))

    found = rehearsed(plain, ahead).rehearsal
    assert found is not None

    (tried,) = found.workers
    assert (tried.workers, tried.builds, tried.duplicates, tried.wait_ms) == (2, 2, 1, 400.0)
    assert request().rehearse_workers == 0


@pytest.mark.parametrize(
    ("waits", "status", "cost"),
    [
        ((2100, 1200), "fired", 900.0),
        ((2100, 1000), "fired", 1050.0),
        ((2100, 2000), "ruled_out", None),
        ((900,), "fired", 1050.0),
    ],
    ids=[
        "two threads help",
        "no more than overlap can save",
        "two threads do not help",
        "one thread says nothing",
    ],
)
def test_side_by_side_building_that_was_tried_goes_by_its_wait(
    waits: tuple[int, ...], status: str, cost: float | None
) -> None:
    def two(ms: float, *, overlap: float = 0.0) -> ProcessRecord:
        each = [(1, 1000.0), (2, 1000.0 + ms / 2 - overlap)]
        return built(*(load(f"s{i}", at, ms / 2, name=f"m{i}", module=i, **CUDA) for i, at in each))

    ahead = [
        arm(sample(two(wait + n - 1, overlap=n - 1)), lever=Lever(text=f"preload={n}", preload=n))
        for n, wait in enumerate(waits, 1)
    ]
    found = rehearsed(arm(sample(two(2100))), *ahead).rehearsal
    assert found is not None

    finding = next(one for one in found.findings if one.mechanism == "CS-13")
    assert (finding.status, finding.cost_ms) == (status, cost), finding
    if len(waits) > 1:
        assert finding.evidence["bound_ms"] == 1050.0 and finding.evidence["cores"] > 0
        assert finding.evidence["wait_by_workers_ms"] == {"1": 2100.0, "2": waits[1]}
        assert f"the wait was {waits[1] / 1000:.1f} s instead of 2.1 s" in finding.title
        assert finding.cost_kind == ("measured" if cost else None)


def test_a_shorter_wait_without_builds_side_by_side_is_noise() -> None:
    each = [load(f"s{i}", 1000.0 * i, 1000.0, name=f"m{i}", module=i, **CUDA) for i in (1, 2)]
    shorter = [one.model_copy(update={"end_ms": one.begin_ms + 500}) for one in each]
    ahead = arm(sample(built(*shorter)), lever=Lever(text="preload=2", preload=2))
    found = rehearsed(arm(sample(built(*each))), ahead).rehearsal
    assert found is not None

    assert next(one.status for one in found.findings if one.mechanism == "CS-13") == "ruled_out"


@pytest.mark.parametrize("asked", [{"outputs": True}, {"steady_state": True}])
def test_outputs_and_launch_times_that_no_run_could_record_are_said_to_be_missing(
    asked: dict[str, Any],
) -> None:
    cuda = arm(sample(built(load(**CUDA))))
    ordinary = (sample(process(loads=[load()])),) * 3

    assert "recordings_not_rehearsed" in codes(rehearsed(cuda, **asked).warnings)
    assert "recordings_not_rehearsed" not in codes(rehearsed(cuda, samples=ordinary, **asked).warnings)


def test_a_program_that_went_its_way_without_cuda_is_told_so_first() -> None:
    on_cpu = sample(process(loads=[load("a1")]))
    found = rehearsed(arm(on_cpu), samples=(on_cpu,)).rehearsal
    on_cuda = rehearsed(arm(sample(built(load("a1", **CUDA))))).rehearsal
    failed = rehearsed(arm(broken())).rehearsal
    assert found is not None and on_cuda is not None and failed is not None

    assert found.warnings[0].code == "nothing_for_cuda"
    assert "cuda:0" in found.warnings[0].next
    assert "nothing_for_cuda" not in codes(on_cuda.warnings) | codes(failed.warnings)
