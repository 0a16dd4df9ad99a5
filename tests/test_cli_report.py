"""`warp-mcp report` as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factories import a_metric, a_report, a_sample
from tests.lever_made import priced
from warp_mcp import storage
from warp_mcp.cli import main

Run = Callable[..., tuple[int, str, str]]
AFTER = "r-20261201-101545-ab13"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: exit code, stdout, stderr. Two reports are kept."""
    storage.save_report(priced())
    storage.save_report(a_report(report_id=AFTER, label="after"))

    def run_here(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(["report", *arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run_here


def test_the_page_is_on_standard_output_and_nothing_else(run: Run) -> None:
    code, out, err = run("before", "after", "--complaint", "8 s", "--note", "one", "--note", "two")

    assert (code, err) == (0, "") and out.startswith("# Cold start of `python app.py`: inconclusive\n")
    assert "The complaint: “8 s”." in out and "- “one”\n- “two”\n" in out
    assert "`enable_backward=false`, priced before the change" in out


def test_the_page_can_be_a_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "report.md"

    code, out, _ = run("before", "after", "--output", str(target), "--json", str(tmp_path / "c.json"))

    assert code == 0 and out == f"Written to {target}: inconclusive.\n"
    assert target.read_text(encoding="utf-8").startswith("# Cold start")
    value = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    assert value["schema"] == "warp-mcp/comparison/1"


def test_the_comparison_is_kept_and_its_resource_is_the_same_page(run: Run) -> None:
    from warp_mcp.workflows import sharing

    _, out, _ = run("before", "after")

    assert sharing.comparison_page("latest") == out


def test_with_json_on_standard_output_the_page_goes_to_the_other(run: Run) -> None:
    code, out, err = run("before", "after", "--json", "-")

    assert code == 0 and json.loads(out)["verdict"] == "inconclusive" and err.startswith("# Cold start")


def test_reports_may_be_files(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    mine = a_report(report_id="r-of-elsewhere", label="mine", metrics={"cold_wall_ms": a_metric(7.0)})
    storage.write_named(path, storage.to_json(mine))

    assert "`mine` (`r-of-elsewhere`), `python app.py`; 3 samples" in run("before", str(path))[1]


@pytest.mark.parametrize(
    ("changes", "code", "verdict"),
    [
        ({"cwd": "/x", "command": ["python", "b.py"]}, 3, "invalid"),
        ({"samples": [a_sample()]}, 4, "unverified"),
    ],
)
def test_the_exit_code_is_that_of_the_verdict(
    run: Run, changes: dict[str, object], code: int, verdict: str
) -> None:
    storage.save_report(a_report(report_id=AFTER, label="after", **changes))

    found, out, _ = run("before", "after")

    assert (found, out.splitlines()[0].rsplit(": ", 1)[1]) == (code, verdict)


@pytest.mark.parametrize("name", ["", "before.json", "c.json"])
def test_a_file_that_cannot_be_meant_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    storage.write_named(tmp_path / "before.json", storage.to_json(a_report()))

    code, out, err = run("./before.json", "after", "--json", "c.json", "--output", name)

    assert (code, out) == (2, "") and "Next: " in err
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["before.json"]


def test_what_cannot_be_written_is_shown_all_the_same(run: Run, tmp_path: Path) -> None:
    code, out, err = run("before", "after", "--output", str(tmp_path / "no" / "such.md"))

    assert code == 74 and out.startswith("# Cold start") and "Next: " in err


def test_a_report_that_is_not_there_is_named(run: Run) -> None:
    code, out, err = run("before", "nothing")

    assert (code, out) == (2, "") and "“nothing”" in err


def test_the_help_teaches_by_example(run: Run) -> None:
    code, out, _ = run("--help")

    assert code == 0 and '--complaint "8 s before the first frame"' in out and "Exit codes:" in out
    assert max(map(len, out.splitlines())) <= 100
