"""Rehearsals of CUDA over MCP: the options of `measure`, and the answers on reports that hold one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.rehearsal_made import a_rehearsal, only_rehearsed
from tests.server.clients import call, text_of, told
from warp_mcp import storage, workflows
from warp_mcp.models.command import MeasureRequest
from warp_mcp.server.measure_tool import MeasureOptions


def asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, **options: Any) -> MeasureRequest:
    """The request that the tool makes of its options."""
    found: list[MeasureRequest] = []

    def measure(request: MeasureRequest, *_: Any, **__: Any) -> Any:
        found.append(request)
        return only_rehearsed()

    monkeypatch.setattr(workflows, "measure", measure)
    call("measure", {"command": ["python", "app.py"], "cwd": str(tmp_path), "options": options})
    (request,) = found
    return request


def test_the_options_reach_the_request(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    request = asked(
        monkeypatch,
        tmp_path,
        rehearse_cuda=["sm_80,sm_90", "sm_120"],
        rehearsals=3,
        rehearse_workers=2,
        rehearse_force=True,
    )

    assert request.rehearse_archs == [80, 90, 120]
    assert (request.rehearsals, request.rehearse_workers, request.rehearse_force) == (3, 2, True)


def test_without_them_nothing_is_rehearsed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    request = asked(monkeypatch, tmp_path)

    assert (request.rehearse_archs, request.rehearse_force) == ([], False)
    assert MeasureOptions().rehearsals == request.rehearsals


def test_what_is_no_architecture_is_refused_in_words_of_the_tool(tmp_path: Path) -> None:
    result = call(
        "measure",
        {"command": ["python", "app.py"], "cwd": str(tmp_path), "options": {"rehearse_cuda": ["hopper"]}},
    )

    assert result.is_error and told(result)["code"] == "bad_arch"
    assert told(result)["next"] == 'Give names, as in ["sm_80", "sm_90"].'


def test_an_agent_is_told_what_a_gpu_would_build_and_that_it_was_rehearsed() -> None:
    storage.save_report(only_rehearsed())

    result = call("measure", {"run_id": "r-20261201-101530-ab12"})

    assert told(result)["status"] == "completed"
    assert told(result)["answer"].startswith("A start on a GPU (sm_90) builds 2 CUDA binaries")
    assert "Rehearsed on a machine without a GPU" in text_of(result).splitlines()[0]
    assert not any("--" in step for step in told(result)["next"])


def test_a_comparison_with_one_rehearsal_on_each_side_proves_nothing() -> None:
    few = a_rehearsal(runs=a_rehearsal()["runs"][:1])
    storage.save_report(only_rehearsed(few))

    result = call("compare", {"baseline": "latest", "candidate": "latest"})

    assert told(result)["verdict"] == "unverified"
    assert "1 completed rehearsal; a verdict needs 3" in told(result)["reasons"][0]
    assert len(json.dumps(told(result))) / 4 < 1500
