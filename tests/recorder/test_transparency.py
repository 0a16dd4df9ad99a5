"""The recorder changes nothing the program can see: output, tracebacks, warnings, files, exit code."""

import sys

import pytest

from tests.recorder.target import KERNEL, Target

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


def test_a_record_directory_that_is_gone_does_not_disturb_the_program(target: Target) -> None:
    path = target.program(KERNEL + "print(x.numpy()[0])\n")
    target.records.rmdir()
    result = target.recorded(path)
    assert (result.returncode, result.stdout) == (0, "1.0\n")
