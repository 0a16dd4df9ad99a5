"""`warp-mcp ledger` as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.factories import a_report
from tests.ledger_made import CONTENT, three
from warp_mcp import storage
from warp_mcp.cli import main

Result = tuple[int, str, str]
Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: exit code, stdout, stderr."""

    def run_here(*arguments: str) -> Result:
        with pytest.raises(SystemExit) as left:
            main(["ledger", *arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run_here


def options(**changes: Any) -> list[str]:
    """The options of an append."""
    words: list[str] = []
    for name, value in {**CONTENT, **changes}.items():
        for one in value if isinstance(value, list) else [value]:
            words += [f"--{name.replace('_', '-')}", one]
    return words


def test_what_was_appended_is_listed_and_its_chain_holds(run: Run) -> None:
    code, out, err = run("append", *options(verify=["gradients", "outputs"], estimate="2 s"))
    assert (code, err) == (0, "") and out.startswith("Recorded as entry 1.")

    code, out, _ = run("list")
    assert code == 0 and "Estimate, not measured: 2 s" in out
    assert "gradients" in out and "outputs" in out

    code, out, _ = run("verify")
    assert code == 0 and out.startswith("Intact: 1 entry")


def test_numbers_come_from_two_reports(run: Run) -> None:
    storage.save_report(a_report())
    storage.save_report(a_report(report_id="r-20261201-101545-ab13", label="after"))

    code, out, _ = run("append", *options(baseline="before", candidate="after"), "--json")

    value = json.loads(out)
    assert code == 0 and value["schema"] == "warp-mcp/ledger-appended/1" and value["created"]
    assert value["entry"]["effect"]["baseline"]["median_ms"] == 4000.0
    assert value["entry"]["effect"]["verdict"] == "inconclusive"


def test_the_same_again_adds_nothing_and_something_else_under_its_key_is_refused(run: Run) -> None:
    run("append", *options(key="k"))

    code, out, _ = run("append", *options(key="k"))
    assert code == 0 and out.startswith("Entry 1 says this already; nothing was added.")

    code, out, err = run("append", *options(key="k", why="Another reason"))
    assert (code, out) == (2, "") and "differs in: why" in err and "Next: " in err


def test_all_that_is_missing_is_named_at_once(run: Run) -> None:
    code, _, err = run("append", "--what", "x", "--status", "declined")

    assert code == 2 and "missing: where, scope, why, how_to_take, how_to_undo" in " ".join(err.split())


def test_a_project_and_a_file_can_be_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fluid").mkdir()
    team = str(tmp_path / "team.jsonl")
    assert run("append", *options(project=str(tmp_path / "fluid")))[0] == 0
    assert run("append", *options(path=team))[0] == 0

    code, out, _ = run("list", "--project", str(tmp_path / "fluid"), "--json")
    value = json.loads(out)
    assert (code, value["schema"]) == (0, "warp-mcp/ledger-list/1")
    assert value["project"].startswith("fluid-") and len(value["entries"]) == 1
    assert team in run("list", "--path", team)[1]


def test_a_list_can_be_markdown(run: Run) -> None:
    run("append", *options())

    assert run("list", "--markdown")[1].startswith("# Ledger of ")


def test_before_anything_is_recorded_a_list_is_empty_and_there_is_nothing_to_verify(run: Run) -> None:
    code, out, _ = run("list")
    assert code == 0 and "Nothing is recorded yet" in out

    code, _, err = run("verify")
    assert code == 2 and "There is no ledger" in err


@pytest.mark.parametrize("damage", ["edited", "removed", "cut"])
def test_a_ledger_that_is_not_as_it_was_written_leaves_with_one(
    run: Run, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "team.jsonl"
    written = three(path)
    if damage == "edited":
        written[1] = written[1].replace(b"A notebook", b"No notebook")
    elif damage == "removed":
        del written[1]
    else:
        written[2] = written[2][:50]
    path.write_bytes(b"".join(written))

    code, out, _ = run("verify", "--path", str(path))
    assert code == 1 and not out.startswith("Intact")

    code, out, _ = run("verify", "--path", str(path), "--json")
    value = json.loads(out)
    assert (code, value["schema"], value["intact"]) == (1, "warp-mcp/ledger-check/1", False)
    assert value["cannot_show"]


def test_a_file_that_is_no_ledger_is_an_error_of_use(run: Run, tmp_path: Path) -> None:
    (tmp_path / "data.jsonl").write_text('{"secret": 1}\n', encoding="utf-8")

    for command in (["append", *options()], ["list"], ["verify"]):
        code, out, err = run(*command, "--path", str(tmp_path / "data.jsonl"))
        assert (code, out) == (2, "") and "is not a ledger" in " ".join(err.split()) and "secret" not in err


@pytest.mark.parametrize("command", [[], ["append"], ["list"], ["verify"]])
def test_each_command_teaches_by_example(run: Run, command: list[str]) -> None:
    code, out, _ = run(*command, "--help")

    assert code == 0 and "Usage: warp-mcp ledger" in out
    assert "Exit codes:" in out or not command
    assert max(map(len, out.splitlines())) <= 100


def test_without_a_command_it_shows_its_help_and_leaves_as_the_whole_program_does(run: Run) -> None:
    code, out, err = run()

    assert (code, out) == (2, "")
    assert err.startswith("Usage: warp-mcp ledger") and "append" in err
    assert "Error" not in err and "Next:" not in err


def test_words_with_line_ends_and_other_marks_are_shown_in_one_line_and_their_chain_holds(
    run: Run, tmp_path: Path
) -> None:
    path = str(tmp_path / "team.jsonl")
    mark = "one\n\ntwo\tthree\u2028four\u202efive"
    short = {name: f"{name} {mark}" for name in ("what", "where", "scope", "layer")}
    given = options(**short, status="applied_unverified", verify=[f"verify {mark}"], path=path)
    assert run("append", *given)[0] == 0

    shown = run("list", "--path", path)[1]
    markdown = run("list", "--path", path, "--markdown")[1]

    for text in (shown, markdown):
        whole = " ".join(text.split())
        for name in (*short, "verify"):
            assert f"{name} one two three four five" in (text if text is markdown else whole)
        assert "\u2028" not in text and "\u202e" not in text and "\t" not in text
    assert not any(line.startswith(("two", "three")) for line in (shown + markdown).splitlines())
    assert run("verify", "--path", path)[1].startswith("Intact: 1 entry")


@pytest.mark.parametrize("mark", ["\r", "\x00", "\x1b[2J", "\x07", "\x85", "\x7f"])
def test_control_characters_are_refused(run: Run, mark: str) -> None:
    code, _, err = run("append", *options(what=f"one{mark}two"))

    assert code == 2 and "what holds" in err


def test_text_that_is_no_unicode_is_refused(run: Run) -> None:
    code, _, err = run("append", *options(why="caf\udce9"))

    assert code == 2 and "why holds" in err
