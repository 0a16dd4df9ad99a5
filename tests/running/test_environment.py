"""What the target's environment looks like."""

import os
from pathlib import Path

import pytest

from tests.running.conftest import Program, cold
from warp_mcp.models.command import StopCondition
from warp_mcp.running.environment import INTERVENTIONS, RECORDER, target_environment


def environment(user: dict[str, str], stop: StopCondition | None = None) -> dict[str, str]:
    return target_environment(
        user, stop or StopCondition(), caches={"WARP_CACHE_PATH": "/c"}, record_dir="/r", run_id="ab"
    )


def test_the_recorder_comes_first_and_the_users_path_stays() -> None:
    seen = environment({"PYTHONPATH": "src:/lib", "HOME": "/h", "WARP_CACHE_PATH": "/mine"})
    assert seen == {
        "PYTHONPATH": f"{RECORDER}:src:/lib",
        "HOME": "/h",
        "WARP_CACHE_PATH": "/c",
        "WARP_MCP_RECORD_DIR": "/r",
        "WARP_MCP_RUN_ID": "ab",
    }


def test_an_empty_path_adds_no_entry() -> None:
    assert environment({"PYTHONPATH": ""})["PYTHONPATH"] == RECORDER


@pytest.mark.parametrize(
    ("stop", "module"),
    [
        (StopCondition(after_launches=3), "stop_after_launches"),
        (StopCondition(until_output="x"), "line_buffering"),
    ],
)
def test_an_intervention_is_added_only_where_the_request_names_it(stop: StopCondition, module: str) -> None:
    seen = environment({"PYTHONPATH": "src"}, stop)
    assert seen["PYTHONPATH"] == f"{RECORDER}:{INTERVENTIONS}:src"
    assert seen["WARP_MCP_INTERVENTION"] == module
    assert "WARP_MCP_INTERVENTION" not in environment({}, StopCondition(when_quiet_s=1.0))


def test_what_is_put_on_the_path_exists() -> None:
    for directory in (RECORDER, INTERVENTIONS):
        assert os.listdir(directory) != []
        assert os.path.isfile(os.path.join(directory, "sitecustomize.py"))


def test_the_program_sees_the_users_environment_and_the_request_wins(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FROM_USER", "kept")
    monkeypatch.setenv("BOTH", "user")
    monkeypatch.setenv("ODD", os.fsdecode(b"\xff"))
    names = "('FROM_USER', 'BOTH', 'ODD', 'TMPDIR')"
    body = f"import os; print(ascii([os.environ[name] for name in {names}]))"
    shown = cold(program(body), tmp_path, env={"BOTH": "request"}).stdout_tail
    assert shown.strip() == ascii(["kept", "request", "\udcff", os.environ["TMPDIR"]])
