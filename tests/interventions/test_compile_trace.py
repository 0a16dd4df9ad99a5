"""The compiler's trace of the largest CUDA modules, made when the process ends."""

from pathlib import Path

import pytest

from tests.interventions.injected import Ran, run
from tests.once import once
from warp_mcp.analysis.compile_trace import compile_trace
from warp_mcp.reading.compile_trace import read_trace

PROGRAM = """
    import sys
    import warp as wp

    @wp.func
    def pull(x: wp.vec3):
        return wp.normalize(x) * wp.length(x + wp.vec3(1.0, 2.0, 3.0))

    @wp.kernel
    def bend(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        y[i] = pull(x[i])

    @wp.kernel(enable_backward=False)
    def move(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=wp.vec3)):
        i = wp.tid()
        y[i] = pull(x[i]) + y[i]

    wp.compile_aot_module(__name__, arch=90)
    print("done")
"""


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    def make(directory: Path) -> None:
        ran = run(directory, PROGRAM, {"compile_trace": {}})
        assert (ran.code, ran.output.splitlines()[-1]) == (0, "done"), ran.errors

    directory = once(tmp_path_factory, "compile-trace", make)
    return Ran(0, "", "", directory / "records-0", directory / "cache-0")


def test_each_kernel_has_its_time_in_the_optimiser_and_in_the_assembler(traced: Ran) -> None:
    (build,) = read_trace(str(traced.records)).builds
    kernels = {one.name: one for one in build.functions if "_cuda_kernel_" in one.name}

    sides = sorted(name[:4] + name.rpartition("_")[2] for name in kernels)
    assert sides == ["bendbackward", "bendforward", "moveforward"]
    assert all(one.optimiser_ms > 0 and one.assembler_ms > 0 for one in kernels.values())
    assert build.counted_optimiser_ms <= build.optimiser_ms
    assert build.counted_assembler_ms <= build.assembler_ms
    assert 0 < build.headers_ms < build.front_ms


def test_functions_are_known_with_what_they_call(traced: Ran) -> None:
    (build,) = read_trace(str(traced.records)).builds
    functions = {one.name: one for one in build.functions}

    assert {"pull_0", "adj_pull_0"} <= set(functions)
    (backward,) = [one for name, one in functions.items() if name.endswith("_backward")]
    assert {"pull_0", "adj_pull_0"} & set(backward.calls) >= {"adj_pull_0"}
    assert functions["adj_pull_0"].optimiser_ms > 0


def test_the_kernel_with_backward_code_has_a_price_and_the_other_has_none(traced: Ran) -> None:
    (module,) = compile_trace(read_trace(str(traced.records))).modules

    prices = {one.kernel: one.backward_ms for one in module.kernels}
    assert (module.module, module.arch, module.builds, module.assembled) == ("__main__", 90, 1, True)
    assert prices["bend"] > 0 == prices["move"]


def test_the_program_its_record_and_its_cache_know_nothing_of_it(traced: Ran) -> None:
    (load,) = [one for one in traced.loads() if one.device == "aot:sm_90"]

    assert load.options["compile_time_trace"] == "False"
    assert not [path for path in traced.cache.rglob("*") if "trace" in path.name]
    assert not [path for path in traced.records.iterdir() if path.is_dir()]


def test_only_modules_that_are_asked_for_are_built_again(temp: Path) -> None:
    others = run(temp, PROGRAM, {"compile_trace": {"modules": ["elsewhere"]}})
    other_arch = run(temp, PROGRAM, {"compile_trace": {"arch": 80}})

    assert [list(line) for line in others.lines("trace")] == [["spent_ms"]]
    assert other_arch.lines("trace") == []


def test_a_trace_that_cannot_be_made_is_said_and_hurts_nobody(temp: Path) -> None:
    broken = (
        PROGRAM
        + """
    import tempfile
    def refuse(*_, **__):
        raise OSError("the disk is full")
    tempfile.mkdtemp = refuse
"""
    )

    ran = run(temp, broken, {"compile_trace": {}})

    assert (ran.code, ran.output.splitlines()[-1]) == (0, "done")
    assert "Traceback" not in ran.errors
    seen = read_trace(str(ran.records))
    assert seen.builds == []
    assert seen.problems == ["__main__ could not be built with a trace: the disk is full"]
