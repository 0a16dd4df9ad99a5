"""`warp-mcp doctor` as a user meets it: what it finds, what it says to do, its exit codes."""

import json
import os
import re
import shlex
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from warp_mcp.cli import main
from warp_mcp.storage import references

Result = tuple[int, str, str]
CHECKS = [
    "interpreter",
    "warp",
    "warp-start",
    "gpu",
    "temp",
    "state",
    "lock",
    "variables",
    "references",
]
UNSET = ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH")


@pytest.fixture(autouse=True)
def nothing_unusual(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation with both documents, and none of the variables that clients leave out."""
    documents = tmp_path / "references"
    documents.mkdir()
    for name in references.DOCUMENTS:
        (documents / name).write_text(f"## Topic of {name}\n\nText.\n", encoding="utf-8")
    monkeypatch.setattr(references, "references_dir", lambda: documents)
    for name in list(os.environ):
        if name in UNSET or name.startswith(("CUDA_", "WARP_", "NVIDIA_")) and "WARP_MCP" not in name:
            monkeypatch.delenv(name)
    return documents


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """The command in this process: exit code, stdout, stderr."""

    def run_here(*arguments: str, python: str = sys.executable) -> Result:
        with pytest.raises(SystemExit) as left:
            main(["doctor", "--python", python, *arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run_here


@pytest.fixture
def check(run: Callable[..., Result]) -> Callable[..., dict[str, str]]:
    """One check of a check-up, by its name."""

    def check_here(name: str, **arguments: str) -> dict[str, str]:
        _, out, _ = run("--json", **arguments)
        return {one["name"]: one for one in json.loads(out)["checks"]}[name]

    return check_here


def words(text: str) -> str:
    return " ".join(text.split())


def bare_environment(directory: Path) -> Path:
    """An environment without packages; returns its interpreter."""
    venv.create(directory, with_pip=False)
    return directory / "bin" / "python"


def script(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


# --- The answer ---


def test_a_healthy_installation_is_exit_code_zero_with_the_answer_first(run: Callable[..., Result]) -> None:
    code, out, _ = run("--client", "cursor")

    assert code == 0
    assert out.startswith("No problem")
    assert out.count("✓") >= len(CHECKS) - 2 and "✗" not in out
    assert "measure -- python your_program.py" in out.splitlines()[-1]


def test_a_problem_is_exit_code_one_with_what_to_do(
    run: Callable[..., Result], nothing_unusual: Path
) -> None:
    (nothing_unusual / "mechanisms.md").unlink()

    code, out, _ = run("--client", "cursor")

    assert code == 1
    assert out.startswith("1 problem")
    assert "✗ References: Not installed: mechanisms.md." in out
    assert "→ Install warp-mcp again" in out


def test_as_json_standard_output_holds_every_check_and_the_configurations(run: Callable[..., Result]) -> None:
    code, out, _ = run("--json")
    value = json.loads(out)

    assert code == 0
    assert value["schema"] == "warp-mcp/diagnosis/1"
    assert [one["name"] for one in value["checks"]] == CHECKS
    assert all(one["message"] and (one["status"] == "ok") == (not one["next"]) for one in value["checks"])
    assert {one["client"] for one in value["configurations"]} == {
        "claude-code",
        "claude-desktop",
        "codex",
        "vscode",
        "cursor",
        "python",
    }
    assert all(os.path.isabs(value["command"][0]) for one in value["configurations"])


def test_one_client_is_shown_alone(run: Callable[..., Result]) -> None:
    _, out, _ = run("--client", "codex")

    assert "[mcp_servers.warp-mcp]" in out
    assert "mcpServers" not in out and "claude" not in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(("--client", "emacs"), "'emacs' is not one of"), (("--no-such-option",), "No such option")],
)
def test_bad_input_gets_one_sentence_and_exit_code_two(
    run: Callable[..., Result], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert sentence in words(err) and "Traceback" not in err


def test_help_names_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["doctor", "--help"])
    out = capsys.readouterr().out

    assert "warp-mcp doctor --python .venv/bin/python" in out
    assert "Exit codes: 0 nothing is a problem" in out and "1 something is" in out
    assert max(map(len, out.splitlines())) <= 100


def test_the_check_up_imports_neither_warp_nor_numpy() -> None:
    program = (
        "import sys\nfrom warp_mcp.cli import main\n"
        "try:\n    main(['doctor', '--json', '--python', sys.executable])\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('warp', 'numpy') if name in sys.modules], file=sys.stderr)\n"
    )

    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert result.stderr.splitlines()[-1] == "[]"
    assert json.loads(result.stdout)["checks"]


# --- Interpreters and Warp ---


def test_warp_is_started_in_the_interpreter_that_was_named(check: Callable[..., dict[str, str]]) -> None:
    import importlib.metadata

    version = importlib.metadata.version("warp-lang")

    assert f"{sys.executable} (Python" in check("warp")["message"]
    assert check("warp-start")["message"] == f"Warp {version} was imported and initialised."


def test_an_interpreter_without_warp_is_a_problem_with_the_command_that_installs_it(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    python = bare_environment(tmp_path / "bare")

    code, out, _ = run("--client", "cursor", python=str(python))

    assert code == 1
    pasted = words(out.replace("\\\n", ""))
    assert f"→ Install it there with: {python} -m pip install warp-lang" in pasted
    assert "Not tried" in out


def test_what_is_no_interpreter_is_a_problem(check: Callable[..., dict[str, str]], tmp_path: Path) -> None:
    for path, sentence in (
        (str(tmp_path / "none"), "It cannot be started: No such file"),
        (script(tmp_path / "false", "#!/bin/sh\nexit 7\n"), "It ended with exit code 7."),
        (script(tmp_path / "talks", "#!/bin/sh\necho hello\n"), "It gave no answer that can be read."),
    ):
        found = check("warp", python=path)

        assert found["status"] == "problem"
        assert sentence in found["message"] and "--python INTERPRETER" in found["next"]


def test_another_package_called_warp_is_a_problem(
    check: Callable[..., dict[str, str]], tmp_path: Path
) -> None:
    python = bare_environment(tmp_path / "other")
    (site,) = (tmp_path / "other" / "lib").glob("python*/site-packages")
    (site / "warp.py").write_text("speed = 9\n", encoding="utf-8")

    started = check("warp-start", python=str(python))

    assert started["status"] == "problem"
    assert "AttributeError" in started["message"] and "NVIDIA Warp" in started["next"]


def test_a_name_without_a_directory_is_looked_up(
    check: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = bare_environment(tmp_path / "bare")
    monkeypatch.setenv("PATH", str(python.parent), prepend=os.pathsep)

    assert str(python) in check("warp", python="python")["message"]


def test_without_a_name_those_near_the_directory_are_found_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import warp

    python = bare_environment(tmp_path / ".venv")
    (site,) = (tmp_path / ".venv" / "lib").glob("python*/site-packages")
    (site / "packages.pth").write_text(str(Path(warp.__file__).parent.parent) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(SystemExit):
        main(["doctor", "--json"])
    checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["checks"]}

    assert checks["warp"]["message"].startswith(f"{python} (Python")
    assert sys.executable in checks["warp"]["message"]
    assert checks["warp"]["message"].endswith("The first is looked at closer.")


def test_the_users_own_kernel_cache_is_not_made(
    check: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, temp = tmp_path / "home", tmp_path / "temp"
    home.mkdir()
    temp.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))
    monkeypatch.setenv("TMPDIR", str(temp))

    assert check("warp-start")["status"] == "ok"
    assert list(home.rglob("*")) == []
    assert [path for path in temp.rglob("*") if path.is_file()] == []


# --- What warp-mcp needs ---


def test_the_state_directory_is_told_and_not_made(
    check: Callable[..., dict[str, str]], own_state_dir: Path
) -> None:
    found = check("state")

    assert found["status"] == "ok" and str(own_state_dir) in found["message"]
    assert not own_state_dir.exists()


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_state_directory_that_cannot_be_used_is_a_problem(
    check: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, below: str
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARP_MCP_STATE_DIR", f"{tmp_path}/file{below}")

    found = check("state")

    assert found["status"] == "problem"
    assert "cannot be used" in found["message"] and "WARP_MCP_STATE_DIR=" in found["next"]


def test_a_measurement_that_runs_is_a_warning_with_its_process(check: Callable[..., dict[str, str]]) -> None:
    program = (
        "import sys, threading\nfrom warp_mcp import storage\n"
        "with storage.measurement_lock(lambda message: None, threading.Event()):\n"
        "    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None and holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        found = check("lock")
        holder.stdin.close()

    assert found["status"] == "warning"
    assert f"process {holder.pid}" in found["message"]
    assert check("lock")["status"] == "ok"


def test_a_temp_directory_that_cannot_be_used_is_a_problem(
    check: Callable[..., dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", "/no/such/place")

    assert check("temp")["status"] == "problem"
    assert "TMPDIR" in check("temp")["next"]


@pytest.mark.parametrize(
    ("free", "status"), [(2_000_000_000, "ok"), (500_000_000, "warning"), (1_000_000, "problem")]
)
def test_temp_space_is_judged_by_what_is_free(
    check: Callable[..., dict[str, str]], monkeypatch: pytest.MonkeyPatch, free: int, status: str
) -> None:
    import shutil
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(free, 0, free))

    assert check("temp")["status"] == status


# --- Variables ---


def test_variables_that_clients_leave_out_are_a_warning_that_says_where_to_pass_them(
    check: Callable[..., dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("VIRTUAL_ENV", "/somewhere/.venv")
    monkeypatch.setenv("WARP_CACHE_TOKEN", "hunter2")
    monkeypatch.setenv("WARP_MCP_DEBUG", "0")

    found = check("variables")

    assert found["status"] == "warning"
    assert "CUDA_VISIBLE_DEVICES=1" in found["message"] and "VIRTUAL_ENV=/somewhere/.venv" in found["message"]
    assert "hunter2" not in found["message"] and "WARP_MCP_DEBUG" not in found["message"]
    assert "The configurations below carry them." in found["next"]
    assert "Or pass CUDA_VISIBLE_DEVICES, WARP_CACHE_TOKEN in `env` of measure." in found["next"]
    assert "full path of the environment's python" in found["next"]


def test_what_is_set_here_and_matters_is_in_the_configuration_of_every_client(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    passed = {"WARP_MCP_WAIT_S": "120", "TMPDIR": str(tmp_path), "CUDA_VISIBLE_DEVICES": "1"}
    for name, value in {**passed, "WARP_CACHE_TOKEN": "hunter2", "WARP_MCP_DEBUG": "1"}.items():
        monkeypatch.setenv(name, value)

    value = json.loads(run("--json")[1])

    message = {one["name"]: one for one in value["checks"]}["variables"]["message"]
    assert all(f"{name}={text}" in message for name, text in passed.items())
    assert len(value["configurations"]) > 5
    for one in value["configurations"]:
        assert all(name in one["text"] and text in one["text"] for name, text in passed.items()), one["title"]
        assert "WARP_MCP_STATE_DIR" in one["text"]
        assert "hunter2" not in one["text"] and "WARP_MCP_DEBUG" not in one["text"]


def test_no_line_is_longer_than_a_hundred_columns_but_for_long_words(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", ",".join(map(str, range(16))))
    _, out, _ = run()

    long = [line for line in out.splitlines() if len(line) > 100]
    assert [line for line in long if max(map(len, line.split())) < 60] == []
    command = re.search(r"^claude mcp add.*?[^\\]$", out, re.MULTILINE | re.DOTALL)
    assert command is not None and "\\\n" in command[0]
    words = shlex.split(command[0].replace("\\\n", ""))
    assert f"TMPDIR={tmp_path}" in words and words[-1] == "serve"


def test_without_such_variables_nothing_is_said_to_be_missed(
    check: Callable[..., dict[str, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("WARP_MCP_STATE_DIR", "TMPDIR", "TEMP", "TMP", "WARP_MCP_WAIT_S"):
        monkeypatch.delenv(name, raising=False)
    assert check("variables")["status"] == "ok"


def test_the_place_of_the_reports_is_passed_on_to_the_server(
    run: Callable[..., Result], own_state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out, _ = run("--client", "vscode")
    assert f'"WARP_MCP_STATE_DIR": "{own_state_dir}"' in out

    monkeypatch.delenv("WARP_MCP_STATE_DIR")
    assert "WARP_MCP_STATE_DIR" not in run("--client", "vscode")[1]


# --- The GPU ---


def test_a_gpu_that_warp_does_not_see_is_a_warning(
    check: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "nvidia-smi", "#!/bin/sh\necho NVIDIA X100, 999.1\n")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")

    found = check("gpu")

    assert found["status"] == "warning"
    assert "The driver (999.1) names NVIDIA X100, and Warp sees no GPU." in found["message"]
    assert found["next"].startswith("CUDA_VISIBLE_DEVICES= may hide it.")


def test_an_nvidia_smi_that_fails_is_a_warning(
    check: Callable[..., dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "nvidia-smi", "#!/bin/sh\nexit 9\n")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")

    assert check("gpu")["status"] == "warning"


# --- Patience ---


def test_a_check_up_that_takes_long_says_what_it_is_at(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from warp_mcp.running import asking_warp

    monkeypatch.setattr(asking_warp, "INSTALLED_LIMIT_S", 2.0)
    slow = script(tmp_path / "python", "#!/bin/sh\nexec sleep 600\n")

    code, out, err = run("--client", "cursor", python=slow)

    assert code == 1
    assert err.startswith("Checking interpreters with Warp …\nChecking whether Warp starts …\n")
    assert "It gave no answer within 2 s." in words(out)
    assert not [child for child in psutil.Process().children() if "sleep" in child.name()]
