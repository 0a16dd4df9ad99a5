"""Commands that cannot be run are refused before anything is made."""

import errno
from pathlib import Path

import pytest

from tests.running.conftest import cold
from warp_mcp.errors import UsageError
from warp_mcp.running.command import cannot_start, check_command, resolved


def script(path: Path, text: str = "#!/bin/sh\necho here\n", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def refused(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> UsageError:
    with pytest.raises(UsageError) as caught:
        cold(command, cwd, env=env)
    assert caught.value.exit_code == 2
    assert caught.value.next_step.endswith(".")
    return caught.value


def test_an_unknown_command_is_named_with_the_path_that_was_searched(tmp_path: Path, temp: Path) -> None:
    error = refused(["no-such-program"], tmp_path, {"PATH": f"{tmp_path}:/nowhere"})
    assert error.code == "command_not_found"
    assert "no-such-program" in error.message and f"{tmp_path}:/nowhere" in error.message
    assert list(temp.iterdir()) == []


def test_a_script_in_the_working_directory_gets_the_hint_how_to_call_it(tmp_path: Path) -> None:
    script(tmp_path / "sim.py")
    assert "`python sim.py`" in refused(["sim.py"], tmp_path).next_step


def test_a_path_that_does_not_exist_is_named_with_the_directory(tmp_path: Path) -> None:
    error = refused(["./bin/sim"], tmp_path)
    assert error.code == "command_not_found" and str(tmp_path) in error.message


def test_a_file_without_execute_permission_is_refused(tmp_path: Path) -> None:
    script(tmp_path / "sim.py", mode=0o644)
    error = refused(["./sim.py"], tmp_path)
    assert error.code == "not_executable" and "python ./sim.py" in error.next_step


def test_a_directory_is_no_command(tmp_path: Path) -> None:
    assert refused(["./"], tmp_path).code == "not_executable"


def test_a_script_without_an_interpreter_line_is_refused_when_it_is_started(
    tmp_path: Path, temp: Path
) -> None:
    script(tmp_path / "sim", "echo here\n")
    assert refused(["./sim"], tmp_path).code == "not_executable"
    assert list(temp.iterdir()) == []


def test_a_script_with_a_missing_interpreter_is_refused_when_it_is_started(tmp_path: Path) -> None:
    script(tmp_path / "sim", "#!/no/such/python\n")
    error = refused(["./sim"], tmp_path)
    assert error.code == "command_not_found" and "first line" in error.message


def test_a_missing_working_directory_is_named(tmp_path: Path) -> None:
    error = refused(["true"], tmp_path / "gone")
    assert error.code == "directory_not_found" and str(tmp_path / "gone") in error.message


@pytest.mark.parametrize("env", [{"A=B": "x"}, {"": "x"}, {"A": "\0"}])
def test_variables_that_no_process_can_have_are_refused(tmp_path: Path, env: dict[str, str]) -> None:
    assert refused(["true"], tmp_path, env).code == "bad_environment"


def test_the_path_of_the_request_decides_as_it_would_in_a_shell(tmp_path: Path) -> None:
    script(tmp_path / "first" / "tool", mode=0o644)
    script(tmp_path / "second" / "tool", "#!/bin/sh\necho second\n")
    path = f"{tmp_path / 'first'}:{tmp_path / 'second'}:/usr/bin:/bin"
    assert cold(["tool"], tmp_path, env={"PATH": path}).stdout_tail == "second\n"
    assert check_command(["tool"], str(tmp_path), {"PATH": path}) == str(tmp_path / "second" / "tool")


def test_a_relative_entry_of_the_path_is_meant_from_the_working_directory(tmp_path: Path) -> None:
    script(tmp_path / "tools" / "tool")
    assert cold(["tool"], tmp_path, env={"PATH": "tools:/usr/bin:/bin"}).stdout_tail == "here\n"


def test_secrets_do_not_appear_in_errors() -> None:
    assert "X" not in cannot_start(["TOKEN=X"], errno.ENOEXEC).message


def test_a_name_is_resolved_through_the_runs_own_path_and_a_path_from_its_directory(tmp_path: Path) -> None:
    tool = script(tmp_path / "bin" / "tool")

    assert resolved(["tool"], str(tmp_path), {"PATH": "/nowhere:bin"}) == str(tool)
    assert resolved(["./bin/tool"], str(tmp_path), {}) == str(tool)
    assert resolved(["tool"], str(tmp_path), {"PATH": "/nowhere"}) is None
