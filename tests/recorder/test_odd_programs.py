"""Programs that do unusual things are recorded as well, within bounds."""

import os
import textwrap
from pathlib import Path

import pytest

from tests.recorder.conftest import RECORDER
from tests.recorder.target import KERNEL, Target

ODD_WAYS_IN = {
    "a finder in front of all others, with a loader of its own": """
        import sys, importlib.machinery as machinery
        class Loader(machinery.SourceFileLoader):
            pass
        class Finder:
            def find_spec(self, name, path=None, target=None):
                spec = machinery.PathFinder.find_spec(name, path, target)
                if spec is not None and isinstance(spec.loader, machinery.SourceFileLoader):
                    spec.loader = Loader(spec.loader.name, spec.loader.path)
                return spec
        sys.meta_path.insert(0, Finder())
        """,
    "an __import__ of its own": """
        import builtins
        original = builtins.__import__
        builtins.__import__ = lambda *args, **kwargs: original(*args, **kwargs)
        """,
}


@pytest.mark.parametrize("before", ODD_WAYS_IN.values(), ids=ODD_WAYS_IN.keys())
def test_warp_is_recorded_whichever_way_it_is_imported(target: Target, before: str) -> None:
    result = target.recorded(target.program(textwrap.dedent(before) + KERNEL))
    assert result.returncode == 0, result.stderr
    assert [process.launches for process in target.processes()] == [1]


def test_a_warp_that_a_pth_file_imported_before_the_recorder_is_recorded(
    target: Target, tmp_path_factory: pytest.TempPathFactory
) -> None:
    site = tmp_path_factory.mktemp("early")
    (site / "early.pth").write_text("import warp\n", encoding="utf-8")
    # What `site` does with a directory of packages and its `.pth` files, before sitecustomize.
    early = f"import site; site.addsitedir({str(site)!r})\n"
    text = early + "import sys\nassert 'warp' in sys.modules\n" + KERNEL + "print(x.numpy()[0])\n"
    path = target.program(text)
    # A system may have a sitecustomize of its own, which is then imported already.
    start = f"{early}import sys; sys.path.insert(0, {str(RECORDER / 'attach')!r})\n"
    start += "sys.modules.pop('sitecustomize', None); import sitecustomize\n"
    path.write_text(start + text, encoding="utf-8")
    environment = {**target.environment, "WARP_MCP_RECORD_DIR": str(target.records)}
    result = target._run(path, environment)
    assert (result.returncode, result.stdout) == (0, "1.0\n"), result.stderr
    (process,) = target.processes()
    assert (process.launches, [load.name for load in process.loads]) == (1, ["__main__"])


def test_an_option_set_through_the_standard_library_has_the_users_line(target: Target) -> None:
    text = "import warp as wp\nfrom unittest import mock\n\n"
    text += "with mock.patch.object(wp.config, 'verify_fp', True):\n    pass\n"
    assert target.recorded(target.program(text)).returncode == 0
    (process,) = target.processes()
    changes = [change for change in process.config if change.name == "verify_fp"]
    assert [(change.new, change.where) for change in changes] == [
        ("True", f"{target.directory / 'program.py'}:4"),
        ("False", f"{target.directory / 'program.py'}:4"),
    ]


def test_an_option_set_through_pytest_has_the_tests_line(target: Target) -> None:
    text = "import warp as wp\n\ndef test_it(monkeypatch):\n"
    text += "    monkeypatch.setattr(wp.config, 'verify_fp', True)\n"
    (target.directory / "test_program.py").write_text(text, encoding="utf-8")
    run = "import sys, pytest\nsys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'test_program.py']))\n"
    result = target.recorded(target.program(run))
    assert result.returncode == 0, result.stdout
    (process,) = target.processes()
    first, *_ = [change for change in process.config if change.name == "verify_fp"]
    assert first.where == f"{target.directory / 'test_program.py'}:4"


def test_names_that_are_not_utf8_are_told_as_well_as_they_can_be(target: Target) -> None:
    path = target.program(KERNEL)
    odd = os.fsdecode(os.fsencode(target.directory) + b"/\xff.py")
    os.rename(path, odd)
    assert target.recorded(Path(odd)).returncode == 0
    (process,) = target.processes()
    process.model_dump_json()
    assert process.launches == 1


REPLACED = {
    "frozen time": "import time\nfor name in dir(time):\n"
    "    if name.endswith(('_ns', 'time', 'monotonic')):\n        setattr(time, name, lambda: 1)\n",
    "a json of its own": "import json, functools\njson.dumps = functools.partial(json.dumps, indent=1)\n",
}


@pytest.mark.parametrize("before", REPLACED.values(), ids=REPLACED.keys())
def test_what_a_program_replaces_does_not_reach_the_recorder(
    target: Target, before: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    target.environment["WARP_CACHE_PATH"] = str(tmp_path_factory.mktemp("empty"))
    result = target.recorded(target.program("import warp\n" + before + KERNEL))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert [(load.status, load.ms > 10, load.cpu_ms > 10) for load in process.loads] == [
        ("compiled", True, True)
    ]


def test_a_program_that_never_stops_setting_options_does_not_fill_the_disk(target: Target) -> None:
    text = "import sys, warp\nsys.modules['_warp_mcp_recorder.wire'].MAX_LINES = 200\n"
    text += "for n in range(5000):\n    warp.config.max_unroll = n\n"
    assert target.recorded(target.program(text)).returncode == 0
    (process,) = target.processes()
    assert len(process.config) < 200
    assert [problem.code for problem in process.problems] == ["record_cut"]
    assert process.exited_ms is not None


def test_a_process_that_turns_into_another_program_says_so(target: Target) -> None:
    text = "import os, sys, warp\nos.execve(sys.executable, [sys.executable, '-c', 'pass'], {'PATH': ''})\n"
    assert target.recorded(target.program(text)).returncode == 0
    (process,) = target.processes()
    (child,) = process.spawned
    assert (child.pid, child.keeps_recorder, child.keeps_caches) == (process.pid, False, False)
    assert child.where == f"{target.directory / 'program.py'}:2"


def test_warp_imported_a_second_time_is_recorded_too(target: Target) -> None:
    text = KERNEL + "import sys\nfor name in [n for n in sys.modules if n.partition('.')[0] == 'warp']:\n"
    text += "    del sys.modules[name]\n" + KERNEL + "wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    assert [process.launches for process in target.processes()] == [3]


def test_lines_are_right_where_source_files_have_relative_names(target: Target) -> None:
    (target.directory / "part.py").write_text(KERNEL, encoding="utf-8")
    text = "import os, runpy, tempfile\ncode = compile(open('part.py').read(), 'part.py', 'exec')\n"
    text += "os.chdir(tempfile.mkdtemp())\nos.rmdir(os.getcwd())\nexec(code, {'__name__': 'part'})\n"
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    (load,) = process.loads
    assert load.where == f"{target.directory / 'part.py'}:11"


def test_a_build_within_a_build_leaves_the_outer_one_what_it_is(
    target: Target, tmp_path_factory: pytest.TempPathFactory
) -> None:
    target.environment["WARP_CACHE_PATH"] = str(tmp_path_factory.mktemp("empty"))
    text = KERNEL + (
        "calls = [0]\n"
        "def compute(i):\n"
        "    calls[0] += 1\n    c = float(calls[0])\n"
        "    @wp.kernel(module='unique')\n"
        "    def table(x: wp.array(dtype=float)):\n        x[0] = x[0] + wp.static(c)\n"
        "    wp.launch(table, dim=1, inputs=[x], device='cpu')\n    return float(i)\n"
        "@wp.kernel(module='outer')\n"
        "def outer(x: wp.array(dtype=float)):\n"
        "    for i in range(3):\n        x[i] = wp.static(compute(i))\n"
        "wp.launch(outer, dim=1, inputs=[x], device='cpu')\nprint(calls[0])\n"
    )
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert {load.status for load in process.loads} == {"compiled"}
    assert all("native_compile" in load.phases for load in process.loads)
    (outer,) = [load for load in process.loads if load.name.startswith("outer")]
    inner = [load for load in process.loads if load.within]
    assert len(process.loads) == int(result.stdout) + 2 and inner
    assert all(outer.begin_ms < load.begin_ms and load.end_ms < outer.end_ms for load in inner)
    assert outer.nested_ms == pytest.approx(sum(load.ms for load in inner), abs=2.0)
    assert sum(phase.wall_ms for phase in outer.phases.values()) <= outer.ms + 1.0


def test_a_kernel_declared_again_and_again_does_not_make_the_record_grow(target: Target) -> None:
    text = KERNEL + (
        "def make():\n    @wp.kernel\n    def again(x: wp.array(dtype=float)):\n        i = wp.tid()\n"
        "        x[i] = x[i] * 2.0\n    return again\n"
        "for _ in range(400):\n    wp.launch(make(), dim=8, inputs=[x], device='cpu')\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    (process,) = target.processes()
    assert process.launches == 401
    assert sum(path.stat().st_size for path in target.records.glob("*.jsonl")) < 40_000
    assert max(hashing.count for hashing in process.hashing) >= 400
