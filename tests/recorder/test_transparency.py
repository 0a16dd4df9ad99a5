"""The recorder changes nothing the program can see: output, tracebacks, warnings, files, exit code."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.recorder.conftest import RECORDER
from warp_mcp.models.recording import ProcessRecord
from warp_mcp.reading import read_recording

KERNEL = """
import warp as wp
wp.config.log_level = wp.LOG_ERROR

@wp.kernel
def add(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + 1.0

x = wp.zeros(8, dtype=float, device="cpu")
wp.launch(add, dim=8, inputs=[x], device="cpu")
"""


class Target:
    """Runs a program with and without the recorder, on one kernel cache."""

    def __init__(self, directory: Path, cache: Path) -> None:
        self.directory = directory
        self.records = directory / "records"
        self.records.mkdir()
        # A killed program leaves its header folder in the temp directory: in one of the test's own.
        self.environment = {**os.environ, "WARP_CACHE_PATH": str(cache), "TMPDIR": str(directory)}

    def program(self, text: str) -> Path:
        path = self.directory / "program.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def bare(self, path: Path) -> subprocess.CompletedProcess[str]:
        return self._run(path, self.environment)

    def recorded(self, path: Path) -> subprocess.CompletedProcess[str]:
        extra = {"WARP_MCP_RECORD_DIR": str(self.records), "PYTHONPATH": str(RECORDER / "attach")}
        return self._run(path, {**self.environment, **extra})

    def _run(self, path: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, str(path)],
            env=environment,
            cwd=self.directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def processes(self) -> list[ProcessRecord]:
        return read_recording(str(self.records), str(self.directory)).processes


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def target(tmp_path: Path, cache: Path) -> Target:
    return Target(tmp_path, cache)


SAME = {
    "a launch refused by Warp": KERNEL + "wp.launch(add, dim=8, inputs=[], device='cpu')\n",
    "a kernel that does not compile": KERNEL.replace("x[i] + 1.0", "wp.no_such_function(x[i])"),
    "an import that fails": "import warp\nimport no_such_module_anywhere\n",
    "an import that raises": "import warp\nopen('raising.py', 'w').write('1 / 0')\nimport raising\n",
    "an option of the wrong type": "import warp\nwarp.config.deterministic = 3\n",
    "a warning that names its line": KERNEL
    + "import warnings\n"
    + "def old():\n    warnings.warn('old', DeprecationWarning, stacklevel=2)\n"
    + "warnings.simplefilter('always')\nold()\nwp.capture_begin(device='cpu')\n"
    + "wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
    + "wp.capture_launch(wp.capture_end(device='cpu'))\nold()\n",
    "what the interpreter looks like": "import sys, warp\n"
    "print(sys.argv, [p for p in sys.path], sorted(m for m in sys.modules if 'warp_mcp' not in m)[:5])\n"
    "print(type(warp.config).__name__, warp.config.__class__.__module__, warp.launch.__module__)\n",
    "a fork": KERNEL + "import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\n",
    "an exit code": "import sys, warp\nsys.exit(3)\n",
}


@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_output_and_exit_code_are_those_of_the_bare_program(target: Target, text: str) -> None:
    if sys.version_info < (3, 11) and "no_such_function" in text:
        pytest.skip("before Python 3.11 the wrapper's frame shows in a traceback")
    path = target.program(text)
    target.bare(path)  # fills the cache, so that neither run below builds
    bare, recorded = target.bare(path), target.recorded(path)
    assert recorded.stdout == bare.stdout
    assert recorded.stderr == bare.stderr
    assert recorded.returncode == bare.returncode
    assert all(process.warp_version is not None for process in target.processes())
    assert [process.forked for process in target.processes()].count(False) == 1


ENDS = {
    "os._exit": ("os._exit(0)", 0),
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
    "a crash in native code": ("ctypes.string_at(0)", -signal.SIGSEGV),
}


@pytest.mark.parametrize(("end", "code"), ENDS.values(), ids=ENDS.keys())
def test_launches_are_exact_however_the_program_ends(target: Target, end: str, code: int) -> None:
    loop = "import ctypes, os, signal\nfor _ in range(12344):\n"
    loop += "    wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
    result = target.recorded(target.program(KERNEL + loop + end + "\n"))
    assert result.returncode == code
    assert [process.launches for process in target.processes()] == [12345]


def test_a_program_that_closes_every_descriptor_keeps_its_files_to_itself(target: Target) -> None:
    text = KERNEL + (
        "import os\nos.closerange(3, 4096)\n"
        "files = [open(f'own-{n}.txt', 'w') for n in range(20)]\n"
        "for n in range(9000):\n"
        "    wp.launch(add, dim=n % 700 + 1, inputs=[x], device='cpu') if n % 3 else None\n"
        "wp.set_module_options({'fast_math': True})\n"
        "[f.write('mine') for f in files]\n[f.close() for f in files]\n"
    )
    text = text.replace("x = wp.zeros(8", "x = wp.zeros(800")
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    assert {path.read_text("utf-8") for path in target.directory.glob("own-*.txt")} == {"mine"}
    (process,) = target.processes()
    assert process.launches == 6001
    assert [change.option for change in process.options] == ["fast_math"]


def test_a_forked_child_begins_with_no_launches_of_its_parent(target: Target) -> None:
    text = KERNEL + (
        "import os\nwp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "child = os.fork()\n"
        "for _ in range(2 if child == 0 else 5):\n    wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "if child == 0:\n    os._exit(0)\n"
        "os.waitpid(child, 0)\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    parent, child = sorted(target.processes(), key=lambda process: process.forked)
    assert (parent.launches, child.launches) == (7, 2)
    assert child.parent == parent.pid
    assert child.signatures[0].hash == parent.signatures[0].hash


def test_more_threads_than_are_kept_apart_still_lose_no_launch(target: Target) -> None:
    text = KERNEL + (
        "import threading, sys\n"
        "threads = sys.modules.get('_warp_mcp_recorder.threads')\n"
        "if threads: threads.MAX_THREADS = 8\n"
        "def one():\n    for _ in range(2):\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "for _ in range(40):\n    t = threading.Thread(target=one)\n    t.start()\n    t.join()\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    (process,) = target.processes()
    assert process.launches == 81
    assert sum(signature.count for signature in process.signatures) == 81
    assert len(process.streams) <= 9


def test_a_record_directory_that_is_gone_does_not_disturb_the_program(target: Target) -> None:
    path = target.program(KERNEL + "print(x.numpy()[0])\n")
    target.records.rmdir()
    result = target.recorded(path)
    assert (result.returncode, result.stdout) == (0, "1.0\n")


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


def test_a_warp_that_a_pth_file_imported_before_the_recorder_is_recorded(
    target: Target, tmp_path_factory: pytest.TempPathFactory
) -> None:
    site = tmp_path_factory.mktemp("early")
    (site / "early.pth").write_text("import warp\n", encoding="utf-8")
    # What `site` does with a directory of packages and its `.pth` files, before sitecustomize.
    early = f"import site; site.addsitedir({str(site)!r})\n"
    text = early + "import sys\nassert 'warp' in sys.modules\n" + KERNEL + "print(x.numpy()[0])\n"
    path = target.program(text)
    start = f"{early}import sys; sys.path.insert(0, {str(RECORDER / 'attach')!r}); import sitecustomize\n"
    path.write_text(start + text, encoding="utf-8")
    environment = {**target.environment, "WARP_MCP_RECORD_DIR": str(target.records)}
    result = target._run(path, environment)
    assert (result.returncode, result.stdout) == (0, "1.0\n"), result.stderr
    (process,) = target.processes()
    assert (process.launches, [load.name for load in process.loads]) == (1, ["__main__"])


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


def test_launches_from_a_signal_handler_neither_hang_nor_get_lost(target: Target) -> None:
    text = KERNEL + (
        "import signal\nran = [1]\n"
        "def once(*_):\n"
        "    wp.launch(add, dim=ran[0] % 97 + 1, inputs=[y], device='cpu')\n    ran[0] += 1\n"
        "y = wp.zeros(100, dtype=float, device='cpu')\n"
        "signal.signal(signal.SIGALRM, once)\nsignal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)\n"
        "for n in range(60000):\n    wp.launch(add, dim=n % 700 + 1, inputs=[x], device='cpu')\n"
        "signal.setitimer(signal.ITIMER_REAL, 0)\nprint(ran[0] + 60000)\n"
    )
    text = text.replace("x = wp.zeros(8", "x = wp.zeros(800")
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert process.launches == int(result.stdout)


def test_launches_from_the_garbage_collector_do_not_hang(target: Target) -> None:
    text = KERNEL + (
        "import gc\nran = [1]\nbusy = []\n"
        "def once(phase, info):\n"
        "    if phase == 'start' and not busy:\n"
        "        busy.append(1)\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "        ran[0] += 1\n        busy.pop()\n"
        "gc.callbacks.append(once)\ngc.set_threshold(1)\n"
        "for n in range(3000):\n"
        "    wp.launch(add, dim=n % 8 + 1, inputs=[x], device='cpu')\n    ran[0] += 1\n"
        "gc.callbacks.clear()\nprint(ran[0])\n"
    )
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    assert process.launches == int(result.stdout)


def test_a_fork_leaves_the_launches_of_the_parents_threads_alone(target: Target) -> None:
    text = KERNEL + (
        "import os, threading\n"
        "go, done = threading.Event(), threading.Event()\n"
        "def other():\n"
        "    wp.launch(add, dim=8, inputs=[x], device='cpu')\n    done.set()\n    go.wait()\n"
        "    for _ in range(50):\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n"
        "thread = threading.Thread(target=other)\nthread.start()\ndone.wait()\n"
        "child = os.fork()\n"
        "if child == 0:\n    wp.launch(add, dim=8, inputs=[x], device='cpu')\n    os._exit(0)\n"
        "os.waitpid(child, 0)\ngo.set()\nthread.join()\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    parent, child = sorted(target.processes(), key=lambda process: process.forked)
    assert (parent.launches, child.launches) == (52, 1)


def test_a_recorded_command_without_threads_does_not_run(target: Target) -> None:
    text = KERNEL + (
        "command = wp.launch(add, dim=8, inputs=[x], device='cpu', record_cmd=True)\n"
        "command.launch()\ncommand.set_dim(0)\ncommand.launch()\n"
    )
    assert target.recorded(target.program(text)).returncode == 0
    assert [process.launches for process in target.processes()] == [2]


def test_counters_that_find_no_file_are_kept_in_memory_and_said(target: Target) -> None:
    # No room, or no descriptors, for the map of the thread's launches.
    text = KERNEL.replace(
        "x = wp", "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000))\nx = wp"
    )
    text += (
        "for _ in range(9999):\n    wp.launch(add, dim=8, inputs=[x], device='cpu')\nprint(x.numpy()[0])\n"
    )
    path = target.program(text)
    target.bare(target.program(KERNEL))
    result = target.recorded(target.program(text))
    assert (result.returncode, result.stdout) == (0, "10000.0\n"), (path, result.stderr)
    (process,) = target.processes()
    assert process.launches == 10000
    assert [problem.code for problem in process.problems] == ["hook_failed"]


def test_launches_at_the_recursion_limit_are_counted_or_said_to_be_missing(target: Target) -> None:
    text = KERNEL + (
        "import sys\nran = [1]\n"
        "def deeper():\n"
        "    try:\n        wp.launch(add, dim=8, inputs=[x], device='cpu')\n        ran[0] += 1\n"
        "    except RecursionError:\n        return\n"
        "    deeper()\n"
        "try:\n    deeper()\nexcept RecursionError:\n    pass\nprint(int(x.numpy()[0]))\n"
    )
    result = target.recorded(target.program(text))
    assert result.returncode == 0, result.stderr
    (process,) = target.processes()
    missing = int(result.stdout) - process.launches
    assert 0 <= missing < 20
    assert (missing > 0) == any(problem.code == "uncounted_launches" for problem in process.problems)


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
