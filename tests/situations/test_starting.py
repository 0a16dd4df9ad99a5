"""However a program is started and comes to Warp, it is recorded; where it cannot be, that is said."""

import shutil
import sys
import venv
from pathlib import Path

import numpy
import pytest
import warp

from tests.situations.measuring import SAMPLES, Probe, python, sample
from tests.situations.situation import Situation, holds

PATHLESS = f"PYTHONPATH={SAMPLES}"

TABLE = [
    Situation("it is a script", python("launches_once", "--flag"), launches=3, distinct=1),
    Situation(
        "it is a package run by name",
        (sys.executable, "-m", "run_by_name"),
        in_samples=True,
        builds=2,
        modules=2,
        launches=2,
    ),
    Situation(
        "a shell wrapper starts it",
        (sample("starts_from_a_shell.sh"),),
        env={"PYTHON": sys.executable},
        launches=3,
    ),
    Situation(
        "the command is a relative path",
        ("./starts_from_a_shell.sh",),
        env={"PYTHON": sys.executable},
        in_samples=True,
        launches=3,
    ),
    Situation(
        "a shell starts it from a line",
        ("sh", "-c", f"cd / && '{sys.executable}' '{sample('launches_once')}'"),
        launches=3,
    ),
    Situation("env sets a variable for it", ("env", "A=b", *python("launches_once")), launches=3),
    Situation("Warp is imported by name", python("imports_warp_by_name")),
    Situation("launch is taken by name", python("takes_launch_by_name"), launches=2, distinct=1),
    Situation(
        "the user has a sitecustomize",
        python("own_sitecustomize/needs_sitecustomize"),
        env={"PYTHONPATH": str(SAMPLES / "own_sitecustomize")},
    ),
    Situation(
        "it is code on the command line",
        (sys.executable, "-c", f"import runpy; runpy.run_path({sample('launches_once')!r})"),
        launches=3,
    ),
]


@pytest.mark.parametrize("situation", TABLE, ids=lambda situation: situation.says)
def test_the_report_is_right_when(situation: Situation, probe: Probe) -> None:
    holds(situation, probe)


def test_every_worker_of_xdist_is_recorded(probe: Probe, tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "captured_test.py", tmp_path)
    command = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "2", "captured_test.py")

    measured = probe.measure(*command)

    assert (measured.process.returncode, measured.sample["outcome"]) == (0, "completed"), measured.sample
    assert measured.launches["total"] == 4
    assert measured.builds() in (1, 2), "the second worker builds too unless the first had finished"
    assert [entry["attached"] for entry in measured.report["processes"]] == [True] * 3
    assert measured.report["rebuilds"] == []


def environment(directory: Path, *, with_warp: bool) -> Path:
    """Make a virtual environment, sharing our installed Warp or without any; return its interpreter."""
    venv.create(directory, with_pip=False, symlinks=True)
    if with_warp:
        packages = next((directory / "lib").glob("python*/site-packages"))
        roots = {str(Path(module.__file__ or "").parents[1]) for module in (warp, numpy)}
        (packages / "shared.pth").write_text("\n".join(sorted(roots)), encoding="utf-8")
    return directory / "bin" / "python"


def test_another_virtual_environment_keeps_its_own_interpreter(probe: Probe, tmp_path: Path) -> None:
    interpreter = environment(tmp_path / "other", with_warp=True)

    measured = holds(Situation("other", (str(interpreter), sample("launches_once")), launches=3), probe)

    assert measured.report["environment"]["executable"] == str(interpreter)
    assert measured.report["environment"]["warp"] == warp.config.version


def test_python_is_looked_up_on_the_users_path(probe: Probe, tmp_path: Path) -> None:
    interpreter = environment(tmp_path / "other", with_warp=True)
    path = f"{interpreter.parent}:{probe.environment['PATH']}"

    measured = holds(
        Situation("by name", ("python", sample("launches_once")), env={"PATH": path}, launches=3), probe
    )

    assert measured.report["environment"]["executable"] == str(interpreter)


def test_conda_run_is_followed_into_its_environment(probe: Probe, tmp_path: Path) -> None:
    interpreter = environment(tmp_path / "envs" / "physics", with_warp=True)
    conda = tmp_path / "bin" / "conda"
    conda.parent.mkdir()
    conda.write_text(
        "#!/bin/sh\n# what conda does: find the environment, set it up, run the command there as a child\n"
        '[ "$1" = run ] && [ "$2" = -n ] || exit 2\n'
        f'export CONDA_PREFIX="{tmp_path}/envs/$3" PATH="{tmp_path}/envs/$3/bin:$PATH"\n'
        'shift 3\n"$@"\n',
        encoding="utf-8",
    )
    conda.chmod(0o755)
    path = f"{conda.parent}:{probe.environment['PATH']}"
    command = ("conda", "run", "-n", "physics", "python", sample("launches_once"))

    measured = holds(Situation("conda", command, env={"PATH": path}, launches=3), probe)

    assert measured.report["environment"]["executable"] == str(interpreter)


@pytest.mark.parametrize(
    "command",
    [
        ("env", PATHLESS, *python("launches_once")),
        ("sh", "-c", f"{PATHLESS} '{sys.executable}' '{sample('launches_once')}'"),
    ],
    ids=["env", "shell"],
)
def test_a_pythonpath_inside_the_command_is_said_to_belong_before_it(
    command: tuple[str, ...], probe: Probe
) -> None:
    measured = probe.measure(*command)

    assert measured.sample["outcome"] == "not_attached"
    assert measured.process.returncode == 5
    assert "recorder_not_attached" in measured.warnings()
    assert "before warp-mcp" in measured.warnings()["recorder_not_attached"]["next"]
    assert "PYTHONPATH" in measured.text and "before warp-mcp" in measured.text
    assert [entry["attached"] for entry in measured.report["processes"]] == [False]


def test_a_pythonpath_before_the_command_is_kept(probe: Probe) -> None:
    command = (sys.executable, "-c", "import run_by_name.__main__")

    situation = Situation("path", command, env={"PYTHONPATH": str(SAMPLES)}, builds=2, modules=2, launches=2)

    holds(situation, probe)


def test_a_python_without_warp_leads_to_the_interpreters_that_have_it(probe: Probe, tmp_path: Path) -> None:
    bare = environment(tmp_path / "bare", with_warp=False)
    here = environment(tmp_path / ".venv", with_warp=True)
    path = f"{bare.parent}:{probe.environment['PATH']}"

    measured = probe.measure("python", sample("launches_once"), env={"PATH": path})

    assert measured.process.returncode == 5
    assert measured.sample["outcome"] == "failed"
    assert "No module named 'warp'" in measured.sample["stderr_tail"]
    assert str(here) in measured.text or ".venv/bin/python" in measured.text
