"""What a user sees of a rehearsal of CUDA: on a page, in Markdown, and in the answer to an agent."""

from typing import Any

import pytest

from tests.factories import a_finding, a_metric, a_rebuild, a_report, a_root, a_sample
from tests.presentation.test_compile_trace import ARTICULATION, LINKED
from tests.rehearsal_made import (
    a_cuda_module,
    a_rehearsal,
    another_arch,
    failed_in_rehearsal,
    only_rehearsed,
)
from warp_mcp.models.compile_trace import CompileTrace
from warp_mcp.models.report import Report
from warp_mcp.presentation import measure_summary, measure_summary_text, report_text
from warp_mcp.presentation.report_markdown import report_markdown

MARK = (
    "the builds are real and were made here; imports, GPU run time and the driver's own compile cache are "
    "not in it"
)
OTHERS = [another_arch("sm_120")]
WORKERS = [
    {
        "workers": count,
        "wait_ms": 6000.0 / count,
        "work_ms": 6000.0,
        "builds": 2 + count,
        "duplicates": count,
        "peak_builds": count,
    }
    for count in (1, 2)
]


def one_line(text: str) -> str:
    return " ".join(text.split())


def pages(report: Report) -> list[str]:
    """The three ways in which a report is told."""
    plain = (report_text(report), report_markdown(report), measure_summary_text(measure_summary(report)))
    return [one_line(page).replace("\\_", "_") for page in plain]


@pytest.mark.parametrize("page", range(3))
def test_what_one_kernel_would_save_is_told_wherever_a_rehearsal_is(page: int) -> None:
    inside = CompileTrace(modules=[ARTICULATION, LINKED]).model_dump(mode="json")
    for report in (
        only_rehearsed(a_rehearsal(compile_trace=inside)),
        a_report(rehearsal=a_rehearsal(compile_trace=inside)),
    ):
        told = pages(report)[page]
        assert "Switching backward off for `eval_fk` saves about 19.0 s." in told.replace("\\", "")
        if page < 2:
            assert "nside the largest CUDA modules" in told
    assert "nside the largest" not in pages(only_rehearsed())[page]


@pytest.mark.parametrize("page", range(3))
def test_a_program_that_only_ran_in_the_rehearsal_is_told_by_what_a_gpu_machine_builds(page: int) -> None:
    told = pages(only_rehearsed())[page]

    assert "A start on a GPU (sm_90) builds 2 CUDA binaries of 2 modules: 6.00 s ± 0.01 (3) of work" in told
    assert "75 % in NVRTC and 22 % in LTO" in told
    assert MARK in told
    assert "No sample completed" not in told
    assert "does not run without CUDA" in told
    assert "fluid.module_1" in told and "×128" in told
    assert "1 CUDA module spent 0.9 s on MathDx links" in told


@pytest.mark.parametrize("page", range(3))
def test_the_first_lines_name_the_modules_that_dominate_and_what_is_in_them(page: int) -> None:
    large = a_cuda_module(1, ms=6000.0, kernel_count=12, source_bytes=2_000_000, adjoint_bytes=1_000_000)
    others = [a_cuda_module(number, ms=400.0, launches=1) for number in range(2, 12)]
    first = pages(only_rehearsed(a_rehearsal(modules=[large, *others])))[page]
    spread = [a_cuda_module(number, ms=400.0) for number in range(2, 22)]
    none = pages(only_rehearsed(a_rehearsal(modules=spread)))[page]
    alone = pages(only_rehearsed(a_rehearsal(modules=[large])))[page]

    what = "12 kernels, 2.0 MB of generated source, 50 % of that backward code"
    assert f"`fluid.module_1` is 60 % of it, 6.00 s: {what}." in first
    assert "No module is more than 10 % of it." in none
    assert f"`fluid.module_1` is all of it: {what}." in alone
    assert first.index("is 60 % of it") < first.index("GPU run time")


def test_variants_of_one_module_count_together_and_links_and_missing_backward_code_are_told() -> None:
    variants = [a_cuda_module(1, block_dim=size, adjoint_bytes=0, source_bytes=1000) for size in (64, 256)]
    report = only_rehearsed(a_rehearsal(modules=[*variants, a_cuda_module(2, ms=2000.0)]))

    told = one_line(report_text(report))
    assert "`fluid.module_1` is 80 % of it, 8.00 s: 2 variants," in told
    assert "no backward code, 1.80 s in LTO; `fluid.module_2` is 20 %, 2.00 s." in told


def test_the_cpu_time_stands_beside_the_work_where_the_machine_was_busy() -> None:
    busy = {"code": "machine_busy", "message": "Busy.", "next": "Wait."}
    metrics = {"cold_module_ms": a_metric(6000.0), "cold_module_cpu_ms": a_metric(4000.0)}

    told = report_text(only_rehearsed(a_rehearsal(metrics=metrics, warnings=[busy])))
    assert "(4.00 s of CPU time: it was busy)" in one_line(told)
    assert "CPU time:" not in report_text(only_rehearsed(a_rehearsal(metrics=metrics)))


def test_the_status_of_a_rehearsal_that_completed_is_completed() -> None:
    summary = measure_summary(only_rehearsed())

    assert summary.status == "completed"
    assert [line.device for line in summary.modules] == ["cuda:0 ×256", "cuda:0 ×128"]
    assert [line.mechanism for line in summary.fired] == ["CS-7"]
    assert summary.samples == ["rehearsal completed"] * 3
    assert summary.cold_wall is None and summary.module_work is not None


def test_a_page_of_a_rehearsal_alone_asks_for_another_one_to_compare_with() -> None:
    told = report_text(only_rehearsed())
    steps = " ".join(measure_summary(only_rehearsed()).next)

    assert "--rehearse-cuda sm_90 --rehearsals 3" in one_line(told)
    assert "`rehearsals` 3" in steps and "--" not in steps
    assert "Make the program run by itself" not in told


def test_one_rehearsal_is_to_be_made_three_times_before_an_edit() -> None:
    few = {"code": "few_samples", "message": "1 completed rehearsal.", "next": "Measure with --rehearsals 3."}
    report = only_rehearsed(a_rehearsal(warnings=[few]))

    assert "rehearse this state three times before you edit" in one_line(report_text(report))
    first, *_, last = measure_summary(report).next
    assert "rehearse this state three times" in first and "label `before`" in first
    assert last == "Compare: `compare` with baseline `before`, candidate `after`"
    assert "Compare: warp-mcp compare before latest" in one_line(report_text(report))
    assert "Measure with rehearsals 3." in measure_summary_text(measure_summary(report))


@pytest.mark.parametrize("page", range(3))
def test_a_program_that_fails_in_the_rehearsal_shows_its_own_error_and_what_was_built(page: int) -> None:
    samples = [a_sample(outcome="failed", exit_code=3, stderr_tail="no device", warm=None)]
    told = pages(only_rehearsed(failed_in_rehearsal(), samples=samples, warnings=[]))[page]

    assert "The program failed with exit code 1 in the rehearsal for sm_90." in told
    assert "RuntimeError: broken" in told
    assert "Until then the rehearsal for sm_90 had built 2 CUDA binaries of 2 modules" in told
    assert "As it is, without CUDA, it failed with exit code 3." in told
    assert "The program stopped in the rehearsal" in told


def test_the_status_of_a_rehearsal_that_failed_is_that_nothing_completed() -> None:
    assert measure_summary(only_rehearsed(failed_in_rehearsal())).status == "no_sample_completed"


@pytest.mark.parametrize("page", range(3))
def test_a_rehearsal_beside_ordinary_samples_is_set_apart_and_marked(page: int) -> None:
    told = pages(a_report(rehearsal=a_rehearsal()))[page]

    assert "You wait 5.11 s" in told
    assert "A start on a GPU (sm_90) builds 2 CUDA binaries" in told
    assert MARK in told
    assert told.index("You wait") < told.index("A start on a GPU")
    assert "For CUDA, as rehearsed, try first: Leave backward code out of the module." in told


def test_the_modules_of_an_ordinary_report_stay_its_own() -> None:
    summary = measure_summary(a_report(rehearsal=a_rehearsal()))

    assert [line.device for line in summary.modules] == ["cpu"]
    assert any("fluid.module_2` at block_dim 128, 2.00 s, 3 launches" in line for line in summary.rehearsal)


def test_a_failed_rehearsal_beside_ordinary_samples_keeps_them_and_shows_its_error() -> None:
    told = pages(a_report(rehearsal=failed_in_rehearsal()))

    assert all("You wait 5.11 s" in page for page in told)
    assert all("The program failed with exit code 1 in the rehearsal for sm_90." in page for page in told)
    assert "RuntimeError: broken" in told[0] and "RuntimeError: broken" in told[1]
    assert measure_summary(a_report(rehearsal=failed_in_rehearsal())).status == "completed"


def test_lines_behind_rebuilds_of_a_rehearsal_are_named() -> None:
    rebuild = a_rebuild()
    report = only_rehearsed(a_rehearsal(rebuilds=[rebuild], roots=[a_root(rebuild)]))

    assert all("app.py:11" in page for page in pages(report))


def test_several_architectures_have_a_line_each() -> None:
    several = only_rehearsed(a_rehearsal(others=OTHERS, archs=["sm_90", "sm_120"]))

    for page in pages(several):
        assert "sm_120" in page
        assert page.count("6.00 s ± 0.01 (3)") >= 2
    assert "By architecture" not in report_text(only_rehearsed())


def test_waits_with_workers_stand_against_the_largest_module_and_duplicates_are_counted() -> None:
    report = only_rehearsed(a_rehearsal(workers=WORKERS))
    text, markdown, answer = pages(report)

    for page in (text, markdown):
        assert "2 workers" in page and "The largest build took 4.00 s" in page
        assert "less wait than that the machine was faster" in page
        assert "Duplicates are variants that no launch used" in page
    assert "1 worker 6.00 s with 1 duplicate and 2 workers 3.00 s with 2 duplicates" in answer


def test_what_could_not_be_rehearsed_is_told_with_its_reason() -> None:
    missing = [{"what": "launch of k", "why": "it holds native CUDA code", "count": 3}]
    report = only_rehearsed(a_rehearsal(not_rehearsed=missing))

    assert all("launch of k, 3 times: it holds native CUDA code." in page for page in pages(report))
    assert all("Not rehearsed: launch of k." in page for page in pages(report))


def test_a_rehearsal_in_which_nothing_was_built_says_so() -> None:
    report = only_rehearsed(a_rehearsal(modules=[], metrics={}))

    assert "In the rehearsal for sm_90 nothing was built for CUDA." in one_line(report_text(report))


@pytest.mark.parametrize("page", range(3))
def test_beside_samples_a_rehearsal_that_stayed_on_the_cpu_has_no_findings_of_its_own(page: int) -> None:
    other = {"code": "nothing_for_cuda", "message": "Nothing for CUDA.", "next": "Name the device."}
    on_cpu = a_cuda_module(1, device="cpu", block_dim=1, phases={})
    told = pages(a_report(rehearsal=a_rehearsal(modules=[on_cpu], warnings=[other])))[page]

    assert "In the rehearsal for sm_90 nothing was built for CUDA." in told
    assert "MathDx links" not in told and "For CUDA, as rehearsed" not in told
    assert "Name the device." in told


def test_a_rehearsal_that_failed_is_not_said_to_be_without_findings_when_some_fired() -> None:
    told = report_text(only_rehearsed(failed_in_rehearsal()))

    assert "1 CUDA module spent 0.9 s on MathDx links" in one_line(told)
    assert "no finding fired" not in one_line(told)


def test_every_line_of_the_page_fits() -> None:
    long = [{"what": "w " * 80, "why": "y " * 80, "count": 2}]
    report = only_rehearsed(a_rehearsal(workers=WORKERS, others=OTHERS, not_rehearsed=long))

    assert max(map(len, report_text(report).splitlines())) <= 100


def crowded(label: str) -> dict[str, Any]:
    sentence = "a sentence that says what happened in a module with a long name, " * 4
    return a_finding(label, "fired", title=sentence, fix=sentence, questions=[sentence], cost_ms=9.0)


@pytest.mark.parametrize("alone", [True, False])
def test_an_answer_on_a_huge_rehearsal_stays_one_that_a_model_can_afford(alone: bool) -> None:
    modules = [a_cuda_module(number + 1, name=f"a.long.name.of.module_{number}" * 4) for number in range(300)]
    missing = [{"what": "w" * 900, "why": "y" * 900, "count": 1}] * 50
    rehearsal = a_rehearsal(
        modules=modules,
        findings=[crowded(f"CS-{number}") for number in range(1, 14)],
        not_rehearsed=missing,
        others=[another_arch(f"sm_{number}") for number in range(60, 100)],
        workers=WORKERS * 4,
    )
    report = only_rehearsed(rehearsal) if alone else a_report(rehearsal=rehearsal)

    summary = measure_summary(report)

    assert len(summary.model_dump_json()) / 4 < 1500
    assert summary.left_out
