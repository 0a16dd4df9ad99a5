"""The compiler's trace of CUDA builds that are made once more."""

from pathlib import Path
from typing import Any

import pytest

from tests.interventions.injected import Ran, run
from tests.once import once
from warp_mcp.analysis.compile_trace import compile_trace
from warp_mcp.analysis.trace_choice import choose_builds
from warp_mcp.reading import read_trace

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

    if "source" in sys.argv:
        wp.init()
        module = wp.get_module(__name__)
        print(module.get_module_identifier(module.options["block_dim"]) + ".cu")
        raise SystemExit
    wp.compile_aot_module(__name__, arch=90)
    print("done")
"""


def told(source: str, arch: int = 90) -> dict[str, Any]:
    return {"compile_trace": {"builds": [{"source": source, "arch": arch}]}}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Name of the program's generated source: its hash is the same in every run."""

    def make(directory: Path) -> None:
        ran = run(directory, PROGRAM, command=["program.py", "source"])
        (directory / "source").write_text(ran.output.splitlines()[-1], encoding="utf-8")

    return (once(tmp_path_factory, "trace-source", make) / "source").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory, source: str) -> Ran:
    def make(directory: Path) -> None:
        ran = run(directory, PROGRAM, told(source))
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
    (load,) = [one for one in traced.loads() if one.device == "aot:sm_90"]
    targets = choose_builds(traced.recording, 90)
    (module,) = compile_trace(targets, read_trace(str(traced.records))).modules

    prices = {one.kernel: one.backward_ms for one in module.kernels}
    assert (module.module, module.arch, module.builds, module.assembled) == ("__main__", 90, 1, True)
    assert module.compile_ms == load.phases["native_compile"].cpu_ms
    assert prices["bend"] > 0 == prices["move"]


def test_the_program_its_record_and_its_cache_know_nothing_of_it(traced: Ran) -> None:
    (load,) = [one for one in traced.loads() if one.device == "aot:sm_90"]

    assert load.options["compile_time_trace"] == "False"
    assert not [path for path in traced.cache.rglob("*") if "trace" in path.name]
    assert not [path for path in traced.records.iterdir() if path.is_dir()]


def test_only_builds_that_are_asked_for_are_traced(temp: Path, source: str) -> None:
    other = run(temp, PROGRAM, told("wp_elsewhere_0123456.cu"))
    other_arch = run(temp, PROGRAM, told(source, 80))

    assert other.lines("trace") == other_arch.lines("trace") == []
    assert [one.status for one in other.loads()] == ["compiled"]


def test_a_trace_that_cannot_be_made_is_said_and_the_build_is_made_without(temp: Path, source: str) -> None:
    broken = PROGRAM.replace(
        "wp.compile_aot_module(",
        """
    import os
    def refuse(*_, **__):
        raise OSError("the disk is full")
    os.symlink = refuse
    wp.compile_aot_module(""",
        1,
    )

    ran = run(temp, broken, told(source))

    assert (ran.code, ran.output.splitlines()[-1]) == (0, "done"), ran.errors
    assert "Traceback" not in ran.errors
    seen = read_trace(str(ran.records))
    assert seen.builds == []
    assert seen.problems == [f"{source}: the disk is full"]
    assert [one.status for one in ran.loads()] == ["compiled"]
