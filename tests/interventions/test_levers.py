"""Options set from outside on real Warp programs: what was built is the witness."""

import re
from pathlib import Path

import pytest

from tests.interventions.injected import Ran, run, settings
from warp_mcp.models.recording import LoadRecord
from warp_mcp.reading.levers import read_lever_changes, read_lever_problems
from warp_mcp.running.environment import INTERVENTION, INTERVENTIONS, RECORDER

HEAD = """
import os, subprocess, sys
import warp as wp
"""

KERNELS = """
def make(offset):
    @wp.kernel(module="unique")
    def shifted(a: wp.array(dtype=float)):
        a[0] = a[0] + offset
    return shifted

@wp.kernel(module="fluid.pack")
def packed(a: wp.array(dtype=float)):
    a[0] = a[0] * 2.0

@wp.kernel
def plain(a: wp.array(dtype=float)):
    a[0] = a[0] + 1.0

def launch():
    a = wp.zeros(1, device="cpu")
    for kernel in (plain, packed, make(3.0)):
        wp.launch(kernel, 1, inputs=[a], device="cpu")
    return a.numpy()[0]
"""

PROGRAM = HEAD + KERNELS + "print('value', launch())\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One kernel cache: most tests only look at hashes."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Ran:
    return run(tmp_path_factory.mktemp("unchanged"), PROGRAM, cache=cache)


def by_kernel(ran: Ran) -> dict[str, LoadRecord]:
    """The loads by a name that options do not change: a unique module is named by its hash."""
    assert ran.code == 0, ran.errors
    return {re.sub("_[0-9a-f]{8}$", "", load.name): load for load in ran.loads()}


def hashes(ran: Ran) -> dict[str, str]:
    return {name: load.hash for name, load in by_kernel(ran).items()}


def moved(ran: Ran, unchanged: Ran) -> set[str]:
    before, after = hashes(unchanged), hashes(ran)
    assert before.keys() == after.keys()
    return {name for name in before if before[name] != after[name]}


SHIFTED = "make__locals__shifted"
ALL = {"__main__", "fluid.pack", SHIFTED}


def test_an_option_for_the_process_reaches_every_module(tmp_path: Path, unchanged: Ran) -> None:
    ran = run(tmp_path, PROGRAM, settings(("enable_backward", False)))
    assert moved(ran, unchanged) == ALL
    assert [load.adjoint_bytes for load in ran.loads()] == [0, 0, 0]
    assert all(load.adjoint_bytes > 0 for load in unchanged.loads())
    assert "value 5.0" in ran.output and "value 5.0" in unchanged.output
    assert read_lever_problems(str(ran.records)) == []


def test_the_recorder_takes_it_for_nobodys_assignment(tmp_path: Path, cache: Path) -> None:
    ran = run(tmp_path, PROGRAM, settings(("max_unroll", 4), ("fast_math", True)), cache=cache)
    (process,) = ran.recording.processes
    assert (process.config, process.options, process.problems) == ([], [], [])
    born = {module.options["fast_math"] for module in process.modules}
    assert born == {"True"}, "as if modules were made with it"


def test_a_run_tells_whether_an_option_had_another_value_before(tmp_path: Path, cache: Path) -> None:
    ran = run(tmp_path, PROGRAM, settings(("cache_kernels", False), ("verify_fp", False)), cache=cache)
    assert ran.code == 0, ran.errors
    assert read_lever_changes(str(ran.records)) == ["cache_kernels"]


def test_an_option_for_one_module_reaches_no_other(tmp_path: Path, unchanged: Ran, cache: Path) -> None:
    told = settings(("enable_backward", False, "fluid.pack"))
    ran = run(tmp_path, PROGRAM, told, cache=cache)
    assert moved(ran, unchanged) == {"fluid.pack"}
    assert by_kernel(ran)["fluid.pack"].options["enable_backward"] == "False"
    (reached,) = [line["reached"] for line in ran.lines("levers") if "reached" in line]
    assert reached["modules"] == ["fluid.pack"]


def test_a_unique_module_is_found_by_the_name_it_had_without_the_option(
    tmp_path: Path, unchanged: Ran, cache: Path
) -> None:
    name = by_kernel(unchanged)[SHIFTED].name
    ran = run(tmp_path, PROGRAM, settings(("enable_backward", False, name)), cache=cache)
    assert moved(ran, unchanged) == {SHIFTED}
    assert by_kernel(ran)[SHIFTED].options["enable_backward"] == "False"


def test_a_module_of_warp_itself_can_be_meant(tmp_path: Path, cache: Path) -> None:
    ran = run(tmp_path, PROGRAM, settings(("enable_backward", False, "warp.utils")), cache=cache)
    (reached,) = [line["reached"] for line in ran.lines("levers") if "reached" in line]
    assert reached["modules"] == ["warp.utils"]
    assert read_lever_problems(str(ran.records)) == []


def test_what_the_program_sets_itself_wins(tmp_path: Path, cache: Path) -> None:
    own = HEAD + "wp.config.enable_backward = True\n" + KERNELS.replace(
        "@wp.kernel\ndef plain", "wp.set_module_options({'fast_math': False})\n@wp.kernel\ndef plain"
    )  # fmt: skip
    program = own + "launch()\n"
    bare = run(tmp_path, program, cache=cache)
    told = settings(("enable_backward", False), ("fast_math", True, "__main__"))
    ran = run(tmp_path, program, told, cache=cache)
    assert moved(ran, bare) == set()
    (process,) = ran.recording.processes
    (change,) = process.config
    line = program.splitlines().index("wp.config.enable_backward = True") + 1
    assert change.where == f"{tmp_path / 'program.py'}:{line}"
    assert (change.old, change.new) == ("False", "True")


def test_options_of_modules_alone_are_set_on_each_module(tmp_path: Path, unchanged: Ran, cache: Path) -> None:
    ran = run(tmp_path, PROGRAM, settings(("fuse_fp", False)), cache=cache)
    assert moved(ran, unchanged) == ALL
    assert {load.options["fuse_fp"] for load in ran.loads()} == {"False"}


def test_several_options_and_texts_that_name_members(tmp_path: Path, cache: Path) -> None:
    given = {"deterministic": "run_to_run", "optimization_level": 0, "verify_fp": True, "mode": "debug"}
    ran = run(tmp_path, PROGRAM, settings(*given.items()), cache=cache)
    load = by_kernel(ran)["fluid.pack"]
    assert {name: load.options[name] for name in given} == {
        "deterministic": "1",
        "optimization_level": "0",
        "verify_fp": "True",
        "mode": "debug",
    }
    assert read_lever_problems(str(ran.records)) == []


def test_a_module_that_does_not_exist_and_an_option_this_warp_lacks_are_told(
    tmp_path: Path, unchanged: Ran, cache: Path
) -> None:
    told = settings(("enable_backward", False, "fluid.solver"), ("speed", 3), ("speed", 3, "fluid.pack"))
    ran = run(tmp_path, PROGRAM, told, cache=cache)
    assert moved(ran, unchanged) == set()
    version = ran.recording.processes[0].warp_version
    names = sorted(load.name for load in ran.loads())
    assert sorted(read_lever_problems(str(ran.records))) == [
        "No module named `fluid.solver` was made, so `enable_backward` was set on none; made were "
        f"{', '.join(f'`{name}`' for name in sorted(names, key=lambda name: name != 'fluid.pack'))}.",
        f"Warp {version} has no module option `speed`.",
        f"Warp {version} has no option `speed`.",
    ]


CHILDREN = (
    HEAD
    + KERNELS
    + """
def child():
    launch()

if __name__ == "__main__":
    import multiprocessing
    for method in ("fork", "spawn"):
        process = multiprocessing.get_context(method).Process(target=child)
        process.start()
        process.join()
    subprocess.run([sys.executable, "again.py"], check=True)
"""
)


def test_children_of_every_kind_get_it(tmp_path: Path, unchanged: Ran, cache: Path) -> None:
    (tmp_path / "again.py").write_text(PROGRAM, encoding="utf-8")
    ran = run(tmp_path, CHILDREN, settings(("enable_backward", False)), cache=cache)
    assert ran.code == 0, ran.errors
    built = [process.loads for process in ran.recording.processes if process.loads]
    assert [len(loads) for loads in built] == [3, 3, 3]
    assert {load.options["enable_backward"] for loads in built for load in loads} == {"False"}
    assert not {load.hash for loads in built for load in loads} & set(hashes(unchanged).values())


@pytest.mark.parametrize("command", [["-m", "program"], ["-m", "pytest", "-q", "test_it.py"]])
def test_programs_that_are_run_as_modules_and_tests_get_it(
    tmp_path: Path, cache: Path, command: list[str]
) -> None:
    body = PROGRAM.replace("print('value', launch())", "def test_it():\n    launch()\n\ntest_it()")
    (tmp_path / "test_it.py").write_text(body, encoding="utf-8")
    ran = run(tmp_path, body, settings(("enable_backward", False)), cache=cache, command=command)
    assert ran.code == 0, ran.output + ran.errors
    assert {load.options["enable_backward"] for load in ran.loads()} == {"False"}


def test_a_broken_intervention_keeps_no_other_from_starting(
    tmp_path: Path, unchanged: Ran, cache: Path
) -> None:
    parts = {"no_such_thing": {}, "line_buffering": {}, **settings(("enable_backward", False))}
    ran = run(tmp_path, PROGRAM + "print(sys.stdout.line_buffering)", parts, cache=cache)
    assert moved(ran, unchanged) == ALL
    assert ran.output.endswith("True\n")


def test_without_the_variable_nothing_happens(tmp_path: Path, unchanged: Ran, cache: Path) -> None:
    path = {"PYTHONPATH": f"{RECORDER}:{INTERVENTIONS}", INTERVENTION: ""}
    ran = run(tmp_path, PROGRAM, settings(("enable_backward", False)), cache=cache, env=path)
    assert moved(ran, unchanged) == set()
    assert ran.lines("levers") == []


def test_parameters_that_cannot_be_read_are_a_problem(tmp_path: Path, unchanged: Ran, cache: Path) -> None:
    ran = run(tmp_path, PROGRAM, {"levers": None}, cache=cache)
    assert moved(ran, unchanged) == set()
    assert [line["problem"] for line in ran.lines("levers")] == [
        "What the levers are could not be read, so none was applied."
    ]
