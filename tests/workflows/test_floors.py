"""The floor of a program: measured for real once, read afterwards, and a reason where it cannot be had."""

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.factories import load, process, sample
from tests.analysis.factories import report as report_of
from tests.analysis.test_floor import a_floor
from warp_mcp.models.command import MeasureRequest
from warp_mcp.models.finding import Warning
from warp_mcp.models.progress import Progress
from warp_mcp.models.report import Report
from warp_mcp.storage.floors import floor_path, save_floor
from warp_mcp.workflows.floors import floor_for

OPTIONS = {"enable_backward": "False", "use_precompiled_headers": "True", "fast_math": "True"}


@pytest.fixture(autouse=True)
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("state", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("WARP_MCP_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    return tmp_path


def a_report(
    executable: str = sys.executable, warnings: list[Warning] | None = None, **changes: Any
) -> Report:
    made = report_of(sample(process(loads=[load(**{"options": OPTIONS, **changes})])))
    environment = made.environment.model_copy(update={"executable": executable})
    return made.model_copy(update={"environment": environment, "warnings": warnings or []})


def ask(report: Report, world: Path, seen: list[Progress] | None = None, *, cancelled: bool = False) -> Any:
    request = MeasureRequest(command=["python", "app.py"], cwd=str(world), timeout_s=200.0)
    cancel = threading.Event()
    if cancelled:
        cancel.set()
    return floor_for(report, request, cancel, (seen if seen is not None else []).append)


def test_it_is_measured_with_the_options_of_the_program_and_never_twice(world: Path) -> None:
    steps: list[Progress] = []
    floor, warning = ask(a_report(), world, steps)

    assert warning is None and floor is not None
    assert (len(floor.first_ms.values), len(floor.further_ms.values)) == (3, 12)
    assert floor.options == {"enable_backward": "False"}, "headers are Warp's default, fast_math nothing here"
    assert floor.first_ms.median > floor.further_ms.median > 0
    assert {step.step for step in steps} == {"floor"} and steps[-1].done == 3
    assert list((world / "tmp").iterdir()) == [], "neither caches nor records are left"

    again: list[Progress] = []
    quiet = a_report(warnings=[Warning(code="machine_busy", message="", next="")])
    assert ask(quiet, world, again) == (floor, None)
    assert again == []


def test_one_that_was_kept_from_a_busy_machine_is_only_taken_while_it_is_busy(world: Path) -> None:
    busy = a_floor().model_copy(update={"foreign_load": 1.5})
    report = a_report(
        executable="/nowhere/python", warnings=[Warning(code="machine_busy", message="", next="")]
    )
    options = {"enable_backward": "False", "use_precompiled_headers": "True"}
    save_floor(floor_path(report.environment.fingerprint, "cpu", 0, options), busy)

    assert ask(report, world) == (busy, None)
    floor, warning = ask(report.model_copy(update={"warnings": []}), world)
    assert floor is None and warning.code == "floor_not_measured", (
        "it was to be measured again, and cannot be"
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"device": "cuda:0"}, "could not be built on cuda:0"),
        ({"device": "aot:sm_90"}, "built ahead of time, for sm_90"),
        ({"status": "cached"}, "nothing was built"),
        ({"executable": "/nowhere/python"}, "/nowhere/python"),
        ({"executable": "/bin/false"}, "could not be built"),
    ],
)
def test_where_it_cannot_be_had_there_is_a_reason_and_a_next_step(
    world: Path, changes: dict[str, Any], words: str
) -> None:
    floor, warning = ask(a_report(**changes), world)

    assert floor is None
    assert (warning.code, bool(warning.next)) == ("floor_not_measured", True)
    assert words in warning.message


def test_cancelled_means_no_floor(world: Path) -> None:
    floor, warning = ask(a_report(), world, cancelled=True)

    assert floor is None and "cancelled" in warning.message
