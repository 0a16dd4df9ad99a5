"""Older and newer releases of Warp give the right answers on a core set of the samples.

    pytest tests/tier2/releases.py

The probe stays in its own interpreter; each release has an environment, in which the recorder works.

What differs per release, and what the report says where a release cannot tell:

| release | differs |
|---|---|
| 1.10.1 | `Module.compile` instead of `_compile`; the hash leaves block_dim out |
| 1.10.1 | `warp._src.config` instead of `warp.config`; no `optimization_level` |
| 1.12.1 | the hash leaves block_dim out; no header is built |
| 1.17.0 and older | `load_module` on the CPU takes block_dim 256, so that the launch builds once more |
| 1.15.0 and older | a failed native build raises once, later launches do nothing in silence |
| 1.17.0 | no blocks on the CPU |
| 1.19.0 | blocks on the CPU, LTO results under the kernel cache |
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.interventions.injected import Ran, run, settings
from tests.situations.measuring import Measured, Probe, marked, sample
from tests.situations.situation import Because, Situation, holds
from tests.tier2.environments import directory, interpreter
from warp_mcp.reading.levers import read_lever_problems

OLDER = ("1.10.1", "1.12.1", "1.15.0", "1.17.0")
"""The first tier runs the core set, and much more, on the newest."""
RELEASES = (*OLDER, "1.19.0")


@dataclass(frozen=True)
class Core:
    """A sample of the core set, and where a release gives another right answer."""

    name: str
    situation: Situation
    arguments: tuple[str, ...] = ()
    differs: Mapping[str, dict[str, object]] = field(default_factory=dict[str, dict[str, object]])


def core(
    name: str,
    *,
    differs: Mapping[str, dict[str, object]] | None = None,
    arguments: tuple[str, ...] = (),
    **expected: object,
) -> Core:
    situation = Situation(name, (), marks=name, **expected)  # pyright: ignore[reportArgumentType]
    return Core(name, situation, arguments, differs or {})


def _failed_and_fell_back(measured: Measured) -> None:
    assert "error" in {entry["status"] for entry in measured.modules(None)}
    assert {entry["kernel"] for entry in measured.launches["by_signature"]} == {"simple"}


def _late(measured: Measured) -> None:
    assert marked("sets_global_option_too_late", "assignment") in str(
        measured.warnings()["option_arrived_too_late"]
    )


CORE = [
    core("launches_once", launches=3, distinct=1),
    core("takes_launch_by_name", launches=2, distinct=1),
    core("launches_in_every_style", launches=14, distinct=5),
    core("launches_tiled", launches=4, distinct=1),
    core("replays_recorded_launches", launches=5, distinct=2),
    core("runs_backward", launches=8, distinct=4),
    core("launches_from_threads", launches=40, distinct=2),
    core("leaves_by_os_exit", launches=10),
    core("crashes_in_native_code", launches=10, exit=5, outcome="failed", exit_code=-11),
    core("forces_load", launches=1),
    core(
        "adds_kernel_after_load",
        launches=4,
        builds=3,
        rebuilds=(
            Because("kernel_added", ("halve",), "halve"),
            Because("kernel_added", ("negate",), "negate"),
        ),
    ),
    core(
        "redefines_kernel_after_load",
        launches=2,
        builds=2,
        rebuilds=(Because("kernel_redefined", ("scale",), "scale"),),
    ),
    core(
        "sets_option_after_load",
        launches=2,
        builds=2,
        rebuilds=(Because("option_changed", ("fast_math", "False", "True"), "option"),),
    ),
    core(
        "adds_overload_after_load",
        launches=3,
        builds=2,
        rebuilds=(Because("overload_added", ("scale", "float64")),),
    ),
    core(
        "redefines_function_after_load",
        launches=2,
        builds=2,
        rebuilds=(Because("dependency_changed", ("weight",), "weight"),),
    ),
    core(
        "changes_constant_after_load",
        launches=2,
        builds=2,
        rebuilds=(Because("constant_changed", ("GRAVITY",)),),
    ),
    core(
        "flips_an_option",
        launches=6,
        builds=2,
        warns=("identity_flips",),
        rebuilds=(Because("option_changed", ("fast_math",), "option"),),
    ),
    core(
        "falls_back_after_failed_build",
        launches=3,
        builds=1,
        warns=("build_failed",),
        also=_failed_and_fell_back,
    ),
    core("sets_global_option_too_late", launches=1, warns=("option_arrived_too_late",), also=_late),
    core("clears_its_cache", launches=1),
]


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return directory(tmp_path_factory)


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    return Probe(tmp_path)


@pytest.mark.parametrize("case", CORE, ids=lambda case: case.name)
@pytest.mark.parametrize("release", OLDER)
def test_a_release_gives_the_right_answers(release: str, case: Core, roots: Path, probe: Probe) -> None:
    python = interpreter(roots, f"warp-{release}", f"warp-lang=={release}", "numpy")
    command = (python, sample(case.name), *case.arguments)
    changes = case.differs.get(release, {})

    measured = holds(replace(case.situation, command=command, **changes), probe)  # pyright: ignore[reportArgumentType]

    assert measured.report["environment"]["warp"] == release
    assert measured.report["environment"]["executable"] == python


@pytest.mark.parametrize("release", RELEASES)
def test_a_cache_directory_set_in_code_is_seen(
    release: str, roots: Path, probe: Probe, tmp_path: Path
) -> None:
    python = interpreter(roots, f"warp-{release}", f"warp-lang=={release}", "numpy")

    measured = probe.measure(python, sample("sets_cache_dir_in_code"), str(tmp_path / "pinned"))

    assert measured.report["isolation"]["ok"] is False
    assert marked("sets_cache_dir_in_code", "directory") in " ".join(
        measured.report["isolation"]["violations"]
    )


@pytest.mark.parametrize("release", RELEASES)
def test_loading_a_module_on_the_cpu_builds_once_more_up_to_1_17(
    release: str, roots: Path, probe: Probe
) -> None:
    python = interpreter(roots, f"warp-{release}", f"warp-lang=={release}", "numpy")

    measured = probe.measure(python, sample("loads_module"))

    once_more = tuple(int(part) for part in release.split(".")) < (1, 18)
    assert measured.launches["total"] == 1
    assert measured.builds() == (2 if once_more else 1), measured.report["modules"]
    assert {cause["kind"] for cause in measured.causes()} == ({"block_dim"} if once_more else set())


LEVERS = """
import warp as wp

@wp.kernel(module="unique")
def alone(a: wp.array(dtype=float)):
    a[0] = a[0] + 1.0

@wp.kernel(module="pkg.pack")
def packed(a: wp.array(dtype=float)):
    a[0] = a[0] * 2.0

a = wp.zeros(1, device="cpu")
for kernel in (alone, packed):
    wp.launch(kernel, 1, inputs=[a], device="cpu")
"""


@pytest.mark.parametrize("release", RELEASES)
def test_levers_reach_what_they_name_and_say_what_is_missing(
    release: str, roots: Path, tmp_path: Path
) -> None:
    python = interpreter(roots, f"warp-{release}", f"warp-lang=={release}", "numpy")
    unchanged = run(tmp_path, LEVERS, python=python)
    (unique,) = [load.name for load in unchanged.loads() if load.name != "pkg.pack"]

    assert _moved(unchanged, run(tmp_path, LEVERS, settings(("max_unroll", 3)), python=python)) == 2
    alone = run(tmp_path, LEVERS, settings(("enable_backward", False, unique)), python=python)
    assert _moved(unchanged, alone) == 1
    assert sorted(load.adjoint_bytes > 0 for load in alone.loads()) == [False, True]
    late = run(tmp_path, LEVERS, settings(("optimization_level", 0), ("fast_math", True)), python=python)
    assert _moved(unchanged, late) == 2, "by fast_math alone where the hash knows no level"
    lacking = ["Warp 1.10.1 has no option `optimization_level`."] if release == "1.10.1" else []
    assert read_lever_problems(str(late.records)) == lacking


def _moved(unchanged: Ran, ran: Ran) -> int:
    """Hashes that are new, in a run that recorded no assignment and no problem of its own."""
    assert ran.code == 0, ran.errors
    (process,) = ran.recording.processes
    assert (process.config, process.options, process.problems) == ([], [], [])
    return len({load.hash for load in ran.loads()} - {load.hash for load in unchanged.loads()})


def _identities(ran: Ran) -> list[tuple[str, str, int]]:
    return sorted((load.name, load.hash, load.block_dim) for load in ran.loads())


@pytest.mark.parametrize("release", RELEASES)
def test_modules_are_built_ahead_on_the_cpu_only_where_that_is_safe(
    release: str, roots: Path, tmp_path: Path
) -> None:
    python = interpreter(roots, f"warp-{release}", f"warp-lang=={release}", "numpy")
    unchanged = run(tmp_path, LEVERS, python=python)
    variants = [
        {"module": load.name, "device": load.device, "block_dim": load.block_dim, "hash": load.hash}
        for load in unchanged.loads()
    ]
    told = {"levers": {"settings": [], "preload": {"workers": 2, "variants": variants}}}

    ran = run(tmp_path, LEVERS, told, python=python)

    assert ran.code == 0, ran.errors
    assert len(_identities(ran)) == 2 and _identities(ran) == _identities(unchanged)
    safe = tuple(int(part) for part in release.split(".")) >= (1, 17)
    assert {load.forced for load in ran.loads()} == {safe}
    refused = ["On the CPU nothing was built ahead: before Warp 1.17.0 threads may not load modules at once."]
    assert read_lever_problems(str(ran.records)) == ([] if safe else refused)
