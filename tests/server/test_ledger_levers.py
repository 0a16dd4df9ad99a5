"""The tool `ledger_append` with a lever in the place of everything but the reason."""

from pathlib import Path
from typing import Any

import pytest

from tests.lever_made import priced
from tests.server.clients import call, told
from warp_mcp import storage


@pytest.fixture
def lever(tmp_path: Path) -> dict[str, Any]:
    """The arguments that record the one lever of a kept report."""
    storage.save_report(priced())
    return {
        "project": str(tmp_path),
        "why": "A notebook differentiates it",
        "report": "before",
        "lever": "enable_backward=false",
    }


def test_a_lever_is_recorded_with_one_call_and_once(lever: dict[str, Any]) -> None:
    first, again = call("ledger_append", lever), call("ledger_append", lever)

    assert told(first)["created"] and told(first)["effect"]["verdict"] == "improved"
    assert told(first)["effect"]["candidate"]["lever"] == "enable_backward=false"
    assert (told(again)["created"], told(again)["number"]) == (False, 1)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"lever": None}, "missing"),
        ({"report": None}, "missing"),
        ({"estimate": "2 s"}, "two_effects"),
        ({"lever": "max_unroll=4"}, "no_such_lever"),
        ({"status": "rejected"}, "bad_status"),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(
    lever: dict[str, Any], changes: dict[str, Any], code: str
) -> None:
    result = call("ledger_append", {**lever, **changes})

    assert result.is_error and told(result)["code"] == code and told(result)["next"]


def test_without_a_lever_everything_is_asked_for_as_before(lever: dict[str, Any]) -> None:
    result = call("ledger_append", {"project": lever["project"], "why": "x"})

    assert result.is_error and "missing: what, where, scope, status" in told(result)["message"]
