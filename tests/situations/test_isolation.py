"""A program that leaves the isolated cache is reported with the line, and no verdict rests on its samples."""

import json
from pathlib import Path

from tests.situations.measuring import Measured, Probe, marked, python, sample


def escaped(measured: Measured) -> str:
    assert measured.report["isolation"]["ok"] is False
    assert "isolation_escaped" in measured.warnings()
    return " ".join(measured.report["isolation"]["violations"])


def test_a_cache_directory_set_in_code_is_reported_with_its_line_and_carries_no_verdict(
    probe: Probe, tmp_path: Path
) -> None:
    measured = probe.measure(*python("sets_cache_dir_in_code", str(tmp_path / "pinned")), samples=3)

    assert marked("sets_cache_dir_in_code", "directory") in escaped(measured)
    assert str(tmp_path / "pinned") in escaped(measured)
    assert (tmp_path / "pinned").exists(), "what the program keeps is the program's"
    report = str(tmp_path / "report.json")
    compared = probe.run("compare", report, report, "--json", str(tmp_path / "comparison.json"))
    comparison = json.loads((tmp_path / "comparison.json").read_text(encoding="utf-8"))
    assert (compared.returncode, comparison["verdict"]) == (4, "unverified")
    assert any("isolat" in reason for reason in comparison["reasons"]), comparison["reasons"]


def test_a_cache_path_set_inside_the_program_is_reported(probe: Probe, tmp_path: Path) -> None:
    measured = probe.measure(*python("sets_cache_path_before_import", str(tmp_path / "pinned")))

    assert str(tmp_path / "pinned") in escaped(measured)
    assert measured.builds() == 1


def test_a_cache_path_set_by_the_command_is_reported(probe: Probe, tmp_path: Path) -> None:
    measured = probe.measure("env", f"WARP_CACHE_PATH={tmp_path / 'pinned'}", *python("launches_once"))

    assert str(tmp_path / "pinned") in escaped(measured)
    assert measured.builds() == 1


def test_the_users_own_cache_is_neither_used_nor_cleared(probe: Probe, tmp_path: Path) -> None:
    own = tmp_path / "own-cache"
    own.mkdir()
    (own / "precious").write_text("kept", encoding="utf-8")

    measured = probe.measure(*python("clears_its_cache"), env={"WARP_CACHE_PATH": str(own)})

    assert measured.report["isolation"]["ok"] is True
    assert measured.builds() == 1
    assert [path.name for path in own.iterdir()] == ["precious"]


def test_nothing_is_written_beside_the_program(probe: Probe, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "app.py").write_text(
        Path(sample("launches_once")).read_text(encoding="utf-8"), encoding="utf-8"
    )

    measured = probe.measure("python3", "app.py", cwd=project, env={"PATH": python_path()})

    assert measured.builds() == 1
    assert [path.name for path in project.iterdir()] == ["app.py"]


def python_path() -> str:
    import os
    import sys

    return f"{Path(sys.executable).parent}:{os.environ['PATH']}"
