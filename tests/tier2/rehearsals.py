"""Programs that need a CUDA device, run without one: what is built, and that they go their way to the end."""

from pathlib import Path

import pytest

from tests.interventions.injected import Ran, run
from tests.interventions.rehearsing import SAMPLES, completed, loads, rehearse, said, variants


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Three variants and one more; the module also for the CPU."""
    return completed(rehearse(tmp_path_factory.mktemp("three"), "builds_three_variants"))


def test_without_a_rehearsal_the_programs_do_not_start(tmp_path: Path) -> None:
    ran = run(tmp_path, (SAMPLES / "captures_graphs.py").read_text(encoding="utf-8"))
    assert ran.code == 1
    assert "This program needs a CUDA device." in ran.errors


def test_every_way_to_launch_gives_the_results_that_a_gpu_gives(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, "launches_in_every_way"))
    assert variants(ran) == [
        ("cuda:0", "__main__", 256, "compiled"),
        ("cuda:0", "__main__", 64, "compiled"),
    ]
    assert "90 232448 True" in ran.output
    assert said(ran) == []


def test_launches_are_counted_as_launches_on_the_device(three: Ran) -> None:
    counts: dict[tuple[str, int], int] = {}
    (process,) = three.recording.processes
    for one in process.signatures:
        key = (one.device, one.block_dim)
        counts[key] = counts.get(key, 0) + one.count
    assert process.problems == []
    assert counts == {("cuda:0", 256): 2, ("cuda:0", 128): 1, ("cpu", 1): 1}


def test_identities_are_those_that_warp_itself_gives_each_variant(three: Ran, tmp_path: Path) -> None:
    text = (SAMPLES / "builds_three_variants.py").read_text(encoding="utf-8")
    plain = run(tmp_path, text, command=["program.py", "hashes"])
    hashes = plain.output.splitlines()[-1].split()
    on_cuda = [(one.block_dim, one.hash[:7], one.status) for one in loads(three) if one.device == "cuda:0"]
    assert on_cuda == [
        (256, hashes[0], "compiled"),
        (128, hashes[1], "compiled"),
        (64, hashes[2], "compiled"),
        (256, hashes[3], "compiled"),
    ]
    assert len(set(hashes)) == 4


def test_the_programs_own_build_for_the_cpu_is_recorded_and_the_stand_ins_are_not(three: Ran) -> None:
    assert [one[0] for one in variants(three)].count("cpu") == 1
    assert three.output.count("load on device 'cpu'") == 1
    binaries = {path.suffix for path in three.cache.rglob("*") if path.suffix in (".cubin", ".ptx", ".o")}
    assert binaries == {".cubin", ".o"}
    assert len(list(three.cache.rglob("*.o"))) == 1


def test_another_architecture_has_builds_of_its_own_and_the_same_stand_ins(tmp_path: Path) -> None:
    first = completed(rehearse(tmp_path, "builds_three_variants"))
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "cpu").rglob("*.o")}
    assert len(before) == 2  # before and after the late option
    second = completed(rehearse(tmp_path, "builds_three_variants", 80))
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "cpu").rglob("*.o")} == before
    for ran, arch in ((first, "sm90"), (second, "sm80")):
        builds = [one for one in loads(ran) if one.device == "cuda:0"]
        assert all(one.phases["native_compile"].wall_ms > 0 and one.source_bytes > 0 for one in builds)
        assert {path.name.split(".")[-2] for path in ran.cache.rglob("*.cubin")} == {arch}


def test_with_a_driver_as_new_as_its_toolkit_warp_makes_ptx(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, "builds_three_variants", output="ptx"))
    assert {path.suffix for path in ran.cache.rglob("*.*") if "sm90" in path.name} == {".ptx"}


def test_trees_grids_and_sorting_work_on_the_device_that_is_not_there(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, "uses_what_comes_with_warp"))
    assert variants(ran) == [("cuda:0", "__main__", 256, "compiled")]
    assert said(ran) == []


def test_children_and_threads_build_for_the_device_too(tmp_path: Path) -> None:
    ran = completed(rehearse(tmp_path, "builds_in_children"))
    built = {
        (one.device, one.name, one.status)
        for process in ran.recording.processes
        for one in process.loads  # two threads may both load what is there
    }
    assert len([process for process in ran.recording.processes if process.loads]) == 3
    assert built == {
        ("cuda:0", "__mp_main__", "compiled"),  # what a spawned child calls it
        ("cuda:0", "__main__", "compiled"),
        ("cuda:0", "__main__", "cached"),
    }


def test_the_programs_own_error_is_shown_and_what_was_built_before_it_is_kept(tmp_path: Path) -> None:
    ran = rehearse(tmp_path, FAILS)
    assert ran.code == 1
    assert ran.errors.splitlines()[-1] == "ValueError: on purpose"
    assert "_warp_mcp" not in ran.errors and "NVIDIA CUDA driver" not in ran.errors
    assert variants(ran) == [("cuda:0", "__main__", 256, "compiled")]


def test_an_architecture_that_warp_cannot_compile_for_is_told_and_not_pretended(
    tmp_path: Path,
) -> None:
    ran = rehearse(tmp_path, "captures_graphs", 33)
    assert ran.code == 1 and "This program needs a CUDA device." in ran.errors
    (line,) = ran.lines("rehearsal")
    assert line["unsupported"] == 33 and 90 in line["supported"]
    ((what, why),) = said(ran)
    assert what == "compiling for sm_33" and "sm_90" in why


FAILS = """
import warp as wp

wp.set_module_options({"enable_backward": False})

@wp.kernel
def fill(x: wp.array(dtype=int)):
    x[wp.tid()] = 1

wp.launch(fill, 4, inputs=[wp.zeros(4, dtype=int, device="cuda:0")], device="cuda:0")
raise ValueError("on purpose")
"""
