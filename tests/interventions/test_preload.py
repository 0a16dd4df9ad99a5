"""Building modules side by side before the first launch, on real Warp programs and on stand-ins."""

import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest

import warp_mcp
from tests.interventions.injected import Ran, run
from warp_mcp.reading.levers import read_lever_problems

sys.path.insert(0, str(Path(warp_mcp.__file__).parent / "interventions"))

from _warp_mcp_interventions import preload  # pyright: ignore[reportMissingImports]  # noqa: E402

PROGRAM = """
import sys, threading
import warp as wp

def make(name):
    @wp.kernel(module=name)
    def add(a: wp.array(dtype=float)):
        a[0] = a[0] + 1.0
    return add

kernels = [make(name) for name in ("one", "two", "three", "four")]
a = wp.zeros(1, device="cpu")

def launch(kernels):
    for kernel in kernels:
        wp.launch(kernel, 1, inputs=[a], device="cpu")
"""


def told(variants: list[dict[str, Any]], workers: int = 4) -> dict[str, Any]:
    return {"levers": {"settings": [], "preload": {"workers": workers, "variants": variants}}}


def variants(*names: str, **more: Any) -> list[dict[str, Any]]:
    return [{"module": name, "device": "cpu", "block_dim": 1, **more} for name in names]


def peak(ran: Ran) -> int:
    """Builds that were under way at once."""
    loads = ran.loads()
    return max(sum(one.begin_ms <= at.begin_ms < one.end_ms for one in loads) for at in loads)


def identities(ran: Ran) -> set[tuple[str, str, int, int, str]]:
    return {(one.name, one.hash, one.block_dim, one.source_bytes, one.status) for one in ran.loads()}


@pytest.fixture(scope="module")
def unchanged(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run(tmp_path_factory.mktemp("unchanged"), PROGRAM + "launch(kernels); print(a.numpy()[0])")


def test_the_same_is_built_side_by_side(tmp_path: Path, unchanged: Ran) -> None:
    found = [
        {"module": one.name, "device": one.device, "block_dim": one.block_dim, "hash": one.hash}
        for one in unchanged.loads()
    ]
    ran = run(tmp_path, PROGRAM + "launch(kernels); print(a.numpy()[0])", told(found))
    assert ran.code == 0, ran.errors
    assert len(ran.loads()) == 4 and identities(ran) == identities(unchanged)
    assert peak(unchanged) == 1 and peak(ran) > 1
    assert len({one.thread for one in ran.loads()}) > 1
    assert ran.output.endswith("4.0\n") and unchanged.output.endswith("4.0\n")
    (process,) = ran.recording.processes
    assert (process.launches, process.problems, process.config) == (4, [], [])
    assert ran.lines("levers") == [{"preloaded": {"loaded": 4, "left": 0}}]
    assert read_lever_problems(str(ran.records)) == []


def test_only_what_was_built_unchanged_and_is_as_it_was_then(tmp_path: Path) -> None:
    given = [*variants("one", "two"), *variants("three", hash="00ff"), *variants("never")]
    ran = run(tmp_path, PROGRAM + "launch(kernels)", told(given))
    assert {one.name: one.forced for one in ran.loads()} == {
        "one": True,
        "two": True,
        "three": False,
        "four": False,
    }
    assert ran.lines("levers") == [{"preloaded": {"loaded": 2, "left": 2}}]


def test_with_other_options_other_hashes_are_built_ahead(tmp_path: Path) -> None:
    parts = told(variants("one", "two", hash="00ff"))
    parts["levers"]["settings"] = [{"option": "enable_backward", "value": False, "module": None}]
    ran = run(tmp_path, PROGRAM + "launch(kernels[:2])", parts)
    assert [one.forced for one in ran.loads()] == [True, True]
    assert {one.adjoint_bytes for one in ran.loads()} == {0}


def test_threads_that_launch_first_at_once_build_each_module_once(tmp_path: Path) -> None:
    body = """
threads = [threading.Thread(target=launch, args=(kernels[::step],)) for step in (1, -1)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(a.numpy()[0])
"""
    ran = run(tmp_path, PROGRAM + body, told(variants("one", "two", "three", "four")))
    assert ran.code == 0, ran.errors
    assert sorted(one.name for one in ran.loads()) == ["four", "one", "three", "two"]
    assert all(one.forced for one in ran.loads())
    assert ran.recording.processes[0].launches == 8


BROKEN = (
    PROGRAM
    + """
@wp.kernel(module="broken")
def broken(a: wp.array(dtype=float)):
    a[0] = no_such_name

launch(kernels[:1])
try:
    launch([broken])
except Exception as error:
    print(type(error).__name__, str(error).splitlines()[-1])
"""
)


def test_a_module_that_cannot_be_built_fails_at_its_launch_as_ever(tmp_path: Path) -> None:
    bare = run(tmp_path, BROKEN)
    ran = run(tmp_path, BROKEN, told(variants("one", "broken")))
    assert bare.output.splitlines()[-1] == ran.output.splitlines()[-1]
    assert "no_such_name" in ran.output
    assert (bare.code, ran.code) == (0, 0)


def test_code_that_launches_while_it_is_generated_does_not_wait_for_itself(tmp_path: Path) -> None:
    body = """
def value():
    b = wp.zeros(1, device="cpu")
    wp.launch(kernels[0], 1, inputs=[b], device="cpu")
    return float(b.numpy()[0])

@wp.kernel(module="late")
def late(a: wp.array(dtype=float)):
    for i in range(2):
        a[0] = a[0] + wp.static(value() + i)

launch([late]); print(a.numpy()[0])
"""
    ran = run(tmp_path, PROGRAM + body, told(variants("late", "two")))
    assert ran.code == 0, ran.errors
    assert ran.output.endswith("3.0\n")
    assert {one.name for one in ran.loads()} == {"late", "one", "two"}


def test_nothing_that_existed_is_told(tmp_path: Path) -> None:
    ran = run(tmp_path, PROGRAM + "launch(kernels[:1])", told(variants("other")))
    assert read_lever_problems(str(ran.records)) == [
        "Nothing was built ahead: no module of the unchanged run existed at the first launch."
    ]


class Module:
    """Loads only when another one loads at the same time."""

    together = threading.Barrier(2, timeout=20)

    def __init__(self) -> None:
        self.execs: dict[tuple[None, int], object] = {}
        self.failed_builds: set[tuple[None, int]] = set()

    def load(self, device: str, block_dim: int | None = None) -> None:
        self.together.wait()
        self.execs[None, block_dim or 0] = self
        self.failed_builds.add((None, 7))


class Context:
    """What preloading asks Warp's context for, as it was before `force_load` took `max_workers`."""

    def __init__(self, **modules: Module) -> None:
        self.user_modules = modules

    def init(self) -> None:
        pass

    def get_device(self, name: str) -> str:
        return name

    def force_load(self, device: object = None, modules: object = None, block_dim: object = None) -> None:
        raise AssertionError("loads in turn")


@pytest.fixture
def warp(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> types.ModuleType:
    package = types.ModuleType("warp")
    monkeypatch.setitem(sys.modules, "warp", package)
    monkeypatch.setenv("WARP_MCP_RECORD_DIR", str(tmp_path))
    return package


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ("1.10.1", False),
        ("1.16.1", False),
        ("1.17.0.dev20260501", False),
        ("1.17.0rc1", False),
        ("1.17.0", True),
        ("1.17.0+cu12", True),
        ("1.18.0.dev1", True),
        ("2.0", True),
        ("odd", False),
    ],
)
def test_threads_may_load_on_the_cpu_from_1_17_on(version: str, safe: bool, warp: Any) -> None:
    warp.__version__ = version
    assert preload._safe_on_cpu() is safe


def test_variants_of_one_module_and_modules_at_several_block_dims_are_loaded_together(warp: Any) -> None:
    warp.__version__ = "1.15.0"
    module = Module()
    both = [{"module": "only", "device": "cuda:0", "block_dim": size} for size in (64, 256)]

    preload.build(Context(only=module), 2, both)

    assert sorted(module.execs) == [(None, 64), (None, 256)], "each waited for the other"
    assert not module.failed_builds


def test_an_old_warp_loads_for_cuda_in_threads_and_leaves_the_cpu_alone(warp: Any, tmp_path: Path) -> None:
    warp.__version__ = "1.10.1"
    modules = {"first": Module(), "second": Module(), "third": Module()}
    cuda = [{"module": name, "device": "cuda:0", "block_dim": 256} for name in ("first", "second")]
    preload.build(Context(**modules), 2, [*cuda, *variants("third")])
    assert [sorted(one.execs) for one in modules.values()] == [[(None, 256)], [(None, 256)], []]
    assert all(not one.failed_builds for one in modules.values()), "a launch tries again"
    (file,) = tmp_path.glob("*.levers")
    text = file.read_text(encoding="utf-8")
    assert '{"loaded": 2, "left": 0}' in text and "On the CPU nothing was built ahead" in text
