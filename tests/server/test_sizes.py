"""No answer costs more than a model can afford, whatever the program did; what is cut has a link."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import CallToolResult

from tests.factories import a_finding, a_module, a_rebuild, a_report
from tests.server.clients import call, over_stdio, text_of, told
from warp_mcp import storage
from warp_mcp.models.finding import MECHANISMS
from warp_mcp.models.report import Report
from warp_mcp.workflows import explainable

USUAL = 1500
MOST = 4000


def tokens(result: CallToolResult) -> tuple[float, float]:
    """What each channel costs, at four characters a token."""
    compact = json.dumps(told(result), separators=(",", ":"), ensure_ascii=False)
    return len(compact) / 4, len(text_of(result)) / 4


def fired(label: str) -> dict[str, Any]:
    long = "a sentence that says what happened in a module with a long name, " * 4
    return {
        **a_finding(label),
        "status": "fired",
        "title": long,
        "cost_ms": 1234.5,
        "cost_kind": "estimate",
        "how": long,
        "where": "/home/me/a/very/long/path/to/the/application/module.py:1234",
        "owner": "application",
        "fix": long,
        "scope": long,
        "questions": [long, long],
        "evidence": {"modules": [f"package.module_{i}" for i in range(10)], "where": [long] * 10},
    }


def huge() -> Report:
    """Five hundred modules, each built again, and every mechanism fired."""
    names = [f"a.long.package.name.with.many.parts.module_number_{i}" for i in range(500)]
    return a_report(
        modules=[{**a_module(), "name": name} for name in names],
        rebuilds=[{**a_rebuild(), "module": name} for name in names],
        findings=[fired(label) for label in MECHANISMS],
        warnings=[{"code": f"warning_{i}", "message": "m" * 500, "next": "n" * 500} for i in range(30)],
    )


def test_a_report_of_five_hundred_modules_in_which_everything_fired() -> None:
    storage.save_report(huge())

    result = call("measure", {"run_id": "r-20261201-101530-ab12"})

    assert max(tokens(result)) < USUAL, tokens(result)
    assert told(result)["left_out"]
    assert told(result)["resource"] == "warp-compile://reports/r-20261201-101530-ab12"
    assert "warp-compile://reports/r-20261201-101530-ab12" in text_of(result)
    assert told(result)["next"]
    assert text_of(result).splitlines()[0] == told(result)["answer"]


def test_a_comparison_of_such_reports() -> None:
    storage.save_report(huge())

    result = call("compare", {"baseline": "latest", "candidate": "latest"})

    assert max(tokens(result)) < USUAL, tokens(result)
    assert "warp-compile://comparisons/" in text_of(result)
    assert told(result)["next"]


EXPLAINED = list(dict.fromkeys(one.mechanism or one.slug for one in explainable(None).entries))
"""Every mechanism, every other section, and both documents as wholes."""


@pytest.mark.parametrize("asked", EXPLAINED)
def test_every_explanation(asked: str) -> None:
    result = call("explain_mechanism", {"mechanism": asked})

    assert not result.is_error, text_of(result)
    assert max(tokens(result)) < USUAL, tokens(result)
    assert told(result)["parts"] and told(result)["next"]
    assert told(result)["resource"].startswith("warp-compile://references/")


def test_an_explanation_with_the_evidence_of_such_a_report() -> None:
    storage.save_report(huge())

    result = call("explain_mechanism", {"mechanism": "CS-10", "report": "latest"})

    assert max(tokens(result)) < USUAL, tokens(result)
    assert told(result)["status"] == "fired"


@pytest.mark.parametrize("asked", EXPLAINED)
def test_every_part_that_is_asked_for_by_name(asked: str) -> None:
    parts = told(call("explain_mechanism", {"mechanism": asked}))
    names = [part["heading"] for part in parts["parts"]] + parts["other_parts"]

    assert len([name for name in names if name]) >= (9 if asked.startswith("CS-") else 0)
    for name in filter(None, names):
        result = call("explain_mechanism", {"mechanism": asked, "part": name})
        assert not result.is_error, text_of(result)
        assert max(tokens(result)) < MOST, (name, tokens(result))
        assert [part["heading"] for part in told(result)["parts"]] == [name]


def test_twenty_megabytes_of_error_output(tmp_path: Path) -> None:
    program = "import sys; sys.stderr.write('\\x1b[31mred\\x00 ' * 2_500_000); sys.exit(3)"

    async def session() -> CallToolResult:
        async with over_stdio() as client:
            arguments = {"command": [sys.executable, "-c", program], "cwd": str(tmp_path), "samples": 1}
            return await client.call_tool("measure", {**arguments, "wait_s": 120.0})

    result = anyio.run(session)

    assert told(result)["status"] == "no_sample_completed"
    assert max(tokens(result)) < USUAL, tokens(result)
    assert "\x1b" not in text_of(result) and "\x00" not in text_of(result)
