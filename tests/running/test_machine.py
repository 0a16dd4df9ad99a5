"""What is said about the machine."""

from pathlib import Path

import psutil
import pytest

from warp_mcp.models.command import MeasureRequest
from warp_mcp.running import describe_machine, machine


def request(tmp_path: Path, **env: str) -> MeasureRequest:
    return MeasureRequest(command=["true"], cwd=str(tmp_path), env=env)


def helper(directory: Path, name: str, text: str) -> None:
    directory.mkdir(exist_ok=True)
    (directory / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (directory / name).chmod(0o755)


def test_processor_and_memory_are_told(tmp_path: Path) -> None:
    told = describe_machine(request(tmp_path))
    assert told.cpu and told.platform
    assert told.cores >= 1
    assert told.memory_bytes == psutil.virtual_memory().total


def test_cards_and_driver_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    helper(tmp_path / "bin", "nvidia-smi", "echo 'NVIDIA H200, 570.1'; echo 'NVIDIA H200, 570.1'")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    told = describe_machine(request(tmp_path))
    assert (told.gpu, told.driver) == ("2 x NVIDIA H200", "570.1")


@pytest.mark.parametrize("text", ["echo 'No devices were found'; exit 6", "sleep 60", "echo nonsense"])
def test_a_driver_that_fails_or_hangs_is_no_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    helper(tmp_path / "bin", "nvidia-smi", text)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr(machine, "ASK_LIMIT_S", 0.5)
    told = describe_machine(request(tmp_path))
    assert (told.gpu, told.driver) == (None, None)


def test_the_toolkit_is_the_one_the_environment_names(tmp_path: Path) -> None:
    (tmp_path / "version.json").write_text('{"cuda": {"version": "12.9.1"}}', encoding="utf-8")
    assert describe_machine(request(tmp_path, CUDA_HOME=str(tmp_path))).cuda_toolkit == "12.9.1"


def test_a_digest_stands_for_the_value_of_a_variable_that_is_not_on_the_list(tmp_path: Path) -> None:
    told = describe_machine(request(tmp_path, WARP_CUSTOMER="hunter2", CUDA_HOME="/opt/cuda")).variables
    other = describe_machine(request(tmp_path, WARP_CUSTOMER="hunter3")).variables

    assert told["CUDA_HOME"] == "/opt/cuda"
    assert told["WARP_CUSTOMER"].startswith("sha256:") and "hunter2" not in told["WARP_CUSTOMER"]
    assert told["WARP_CUSTOMER"] != other["WARP_CUSTOMER"]


def test_variables_are_the_users_and_not_the_probes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WARP_CACHE_PATH", "CUDA_VISIBLE_DEVICES", "WARP_MCP_STATE_DIR"):
        monkeypatch.setenv(name, "user")
    told = describe_machine(request(tmp_path, CUDA_VISIBLE_DEVICES="1", WARP_API_TOKEN="X")).variables
    assert {name: told[name] for name in told if name != "CUDA_HOME"} == {
        "CUDA_VISIBLE_DEVICES": "1",
        "WARP_API_TOKEN": "***",
        "WARP_CACHE_PATH": "user",
    }
