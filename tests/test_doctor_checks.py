"""What each check says of what it is given, where a real machine of that kind is not at hand."""

import os
import sys
import threading
from pathlib import Path

import pytest

from warp_mcp.cli.doctoring import Patience
from warp_mcp.models.diagnosis import InstalledWarp, StartedWarp
from warp_mcp.models.run import Machine
from warp_mcp.workflows import doctoring, own_checks, program_checks


def a_machine(gpu: str | None, driver: str | None) -> Machine:
    return Machine(
        cpu="CPU",
        cores=8,
        memory_bytes=1,
        gpu=gpu,
        driver=driver,
        cuda_toolkit=None,
        platform="Linux",
        variables={},
    )


GPU = a_machine("NVIDIA X100", "570.1")
NO_GPU = a_machine(None, None)
SEES = StartedWarp(warp="1.19.0", gpus=["cuda:0 NVIDIA X100 (sm_90)"], driver="12.9")
SEES_NONE = StartedWarp(warp="1.19.0")


@pytest.mark.parametrize(
    ("machine", "started", "status", "sentence"),
    [
        (GPU, SEES, "ok", "NVIDIA X100, driver 570.1 for CUDA 12.9 and older."),
        (GPU, None, "ok", "NVIDIA X100, driver 570.1."),
        (GPU, StartedWarp(error="ImportError"), "ok", "NVIDIA X100, driver 570.1."),
        (GPU, SEES_NONE, "warning", "Warp sees no GPU"),
        (NO_GPU, SEES, "warning", "nvidia-smi names none"),
        (NO_GPU, SEES_NONE, "ok", "measured on the CPU, and for CUDA by --rehearse-cuda"),
    ],
)
def test_driver_and_warp_are_compared(
    machine: Machine,
    started: StartedWarp | None,
    status: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", "")

    check = program_checks.gpu_check(machine, started)

    assert check.status == status and sentence in check.message
    assert bool(check.next) == (status != "ok")


@pytest.mark.parametrize(
    ("versions", "status"),
    [
        (["1.9.1"], "problem"),
        (["1.10.0"], "ok"),
        (["2.0.0.dev1"], "ok"),
        ([None], "ok"),
        (["1.9", "1.12.1"], "ok"),
    ],
)
def test_only_releases_that_the_recorder_knows_can_be_measured(
    versions: list[str | None], status: str
) -> None:
    found = [
        InstalledWarp(path=f"/env{n}/bin/python", python="3.11.7", found=True, warp=version)
        for n, version in enumerate(versions)
    ]

    check = program_checks.interpreters_check(found)

    assert check.status == status
    assert all(one.path in check.message for one in found)
    assert ("pip install --upgrade warp-lang" in check.next) == (status == "problem")


def test_no_interpreter_at_all_is_a_problem_that_asks_for_one() -> None:
    check = program_checks.interpreters_check([])

    assert check.status == "problem" and "--python INTERPRETER" in check.next
    assert program_checks.start_warp([]) is None


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/.cache/uv/archive-v0/AbC123/bin/python",
        "/home/me/.local/share/pipx/.cache/0a1b/bin/python",
        "/home/me/.local/pipx/.cache/0a1b/bin/python",
    ],
)
def test_an_environment_made_for_one_run_is_a_warning(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", path)

    check = own_checks.interpreter_check()

    assert check.status == "warning" and "uv tool install warp-mcp" in check.next


def test_an_installation_without_its_recorder_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_checks, "RECORDER", str(tmp_path))

    assert own_checks.interpreter_check().status == "problem"


# --- How this installation is started ---


def executable(path: Path) -> str:
    path.parent.mkdir(exist_ok=True)
    path.touch()
    path.chmod(0o755)
    return str(path)


def test_the_script_beside_the_interpreter_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    elsewhere = executable(tmp_path / "local" / "warp-mcp")

    assert doctoring.own_command(elsewhere) == [elsewhere]
    beside = executable(tmp_path / "bin" / "warp-mcp")
    assert doctoring.own_command(elsewhere) == [beside]


def test_without_a_script_the_interpreter_runs_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    module = executable(tmp_path / "warp_mcp" / "__main__.py")

    assert doctoring.own_command(module) == [str(tmp_path / "python"), "-m", "warp_mcp"]


def test_a_relative_name_becomes_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = executable(tmp_path / "here" / "warp-mcp")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.chdir(tmp_path)

    (word,) = doctoring.own_command(os.path.join("here", "warp-mcp"))

    assert os.path.isabs(word) and os.path.samefile(word, script)


# --- Patience ---


def test_a_quick_check_up_says_nothing_on_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    with Patience(silence_s=1000) as patience:
        patience.step("one thing")
        patience.step("another")

    assert capsys.readouterr().err == ""


def test_once_it_takes_long_each_step_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = threading.Event()

    class Telling(Patience):
        def _begin(self) -> None:
            super()._begin()
            told.set()

    with Telling(silence_s=0.05) as patience:
        patience.step("one thing")
        assert told.wait(60)
        patience.step("another")

    assert capsys.readouterr().err == "Checking one thing …\nChecking another …\n"
