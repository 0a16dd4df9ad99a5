"""Interpreters that have Warp are found where users keep them, and only those."""

import os
import sys
import venv
from pathlib import Path

from warp_mcp.models.command import MeasureRequest
from warp_mcp.running import interpreters_with_warp


def environment(directory: Path, *, packages: str | None) -> Path:
    """An environment, with the packages of this one or with none; returns its interpreter."""
    venv.create(directory, with_pip=False)
    (site,) = (directory / "lib").glob("python*/site-packages")
    if packages:
        (site / "packages.pth").write_text(packages + "\n", encoding="utf-8")
    return directory / "bin" / "python"


def packages_of_this_one() -> str:
    import warp

    return str(Path(warp.__file__).parent.parent)


def found(cwd: Path, **env: str) -> list[str]:
    empty = {"PATH": "", "VIRTUAL_ENV": "", "CONDA_PREFIX": ""}
    paths = interpreters_with_warp(MeasureRequest(command=["python"], cwd=str(cwd), env={**empty, **env}))
    # Our own, which has Warp as one of its packages, is the last resort.
    assert paths.pop() == sys.executable
    return paths


def test_the_environment_beside_the_program_comes_first(tmp_path: Path) -> None:
    near = environment(tmp_path / ".venv", packages=packages_of_this_one())
    other = environment(tmp_path / "other", packages=packages_of_this_one())
    assert found(tmp_path, PATH=str(other.parent)) == [str(near), str(other)]


def test_one_without_warp_is_not_named(tmp_path: Path) -> None:
    bare = environment(tmp_path / ".venv", packages=None)
    assert found(tmp_path, PATH=str(bare.parent)) == []


def test_a_folder_named_warp_is_not_the_package(tmp_path: Path) -> None:
    environment(tmp_path / ".venv", packages=None)
    (tmp_path / "warp").mkdir()
    (tmp_path / "warp" / "__init__.py").touch()
    assert found(tmp_path) == []


def test_what_is_no_interpreter_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "python").write_text("#!/bin/sh\nexit 7\n", encoding="utf-8")
    os.chmod(folder / "python", 0o755)
    assert found(tmp_path, PATH=str(folder)) == []
