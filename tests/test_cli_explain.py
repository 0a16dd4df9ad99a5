"""`warp-mcp explain` as a user meets it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.factories import a_finding, a_report
from tests.reference_made import use_made_reference
from warp_mcp import storage
from warp_mcp.cli import main
from warp_mcp.models.finding import MECHANISMS

Result = tuple[int, str, str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """The command in this process: exit code, stdout, stderr."""
    use_made_reference(monkeypatch)

    def run_here(*arguments: str) -> Result:
        with pytest.raises(SystemExit) as left:
            main(["explain", *arguments])
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run_here


@pytest.fixture
def kept() -> None:
    findings = [a_finding(label) for label in MECHANISMS]
    findings[2] = a_finding("CS-3", "fired", title="Module `app` was rebuilt", cost_ms=812.0)
    storage.save_report(a_report(findings=findings))


@pytest.mark.parametrize(
    "words", [("cs3",), ("rebuilt", "after", "option", "change"), ("options-after-load",)]
)
def test_words_need_no_quotes(run: Callable[..., Result], words: tuple[str, ...]) -> None:
    code, out, err = run(*words)

    assert (code, err) == (0, "")
    assert out.startswith("CS-3: options set after first load")


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    "arguments", [("3", "--report", "before"), ("--report", "latest", "options", "late")]
)
def test_with_a_report_its_numbers_come_first(run: Callable[..., Result], arguments: tuple[str, ...]) -> None:
    code, out, _ = run(*arguments)

    assert code == 0
    assert out.index("Module `app` was rebuilt: 812 ms.") < out.index("Made text on options-after-load.")


def test_without_a_mechanism_all_are_listed(run: Callable[..., Result]) -> None:
    code, out, _ = run()

    assert code == 0
    assert all(f"{label} " in out for label in MECHANISMS)
    assert "the-model" in out


@pytest.mark.usefixtures("kept")
def test_without_a_mechanism_the_statuses_of_a_report_are_listed(run: Callable[..., Result]) -> None:
    _, out, _ = run("--report", "before")

    assert "fired" in out and "not reached" in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("banana",), "The nearest: "),
        (("CS-14",), "The nearest: "),
        (("",), "The nearest: "),
        (("CS-3", "--report", "latest"), "No report is kept yet"),
        (("--report", "nowhere.json"), "nowhere.json"),
        (("CS-3", "--json", ""), "has no name"),
        (("CS-3", "--no-such-option"), "No such option"),
    ],
)
def test_bad_input_gets_one_sentence_the_next_step_and_exit_code_two(
    run: Callable[..., Result], arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert sentence in " ".join(err.split()) and "Next: " in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "schema"),
    [(("CS-3",), "warp-mcp/explanation/1"), ((), "warp-mcp/explanation-index/1")],
)
def test_the_json_goes_where_the_user_wants_it(
    run: Callable[..., Result], tmp_path: Path, arguments: tuple[str, ...], schema: str
) -> None:
    target = tmp_path / "out.json"

    code, out, _ = run(*arguments, "--json", str(target))

    assert code == 0 and out
    assert json.loads(target.read_text(encoding="utf-8"))["schema"] == schema


def test_with_a_dash_standard_output_holds_the_json_alone(run: Callable[..., Result]) -> None:
    _, out, err = run("CS-3", "--json", "-")

    assert json.loads(out)["mechanism"] == "CS-3"
    assert err.startswith("CS-3: ")


def test_json_that_cannot_be_written_is_exit_code_74_and_the_text_is_still_shown(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    code, out, err = run("CS-3", "--json", str(tmp_path / "no" / "out.json"))

    assert code == 74
    assert out.startswith("CS-3: ") and "Next: " in err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_text_without_room_is_exit_code_74_and_the_json_is_still_written(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    command = [sys.executable, "-m", "warp_mcp", "explain", "the-verdict", "--json", str(target)]

    with open("/dev/full", "w", encoding="utf-8") as full:
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert result.returncode == 74 and "No space left" in " ".join(result.stderr.split())
    assert json.loads(target.read_text(encoding="utf-8"))["slug"] == "the-verdict"


def test_a_report_is_never_replaced_by_its_explanation(run: Callable[..., Result], tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    text = storage.to_json(a_report())
    path.write_text(text, encoding="utf-8")

    code, _, _ = run("CS-3", "--report", str(path), "--json", str(path))

    assert code == 2
    assert path.read_text(encoding="utf-8") == text


def test_help_teaches_by_examples_and_names_the_exit_codes(run: Callable[..., Result]) -> None:
    code, out, _ = run("--help")

    assert code == 0
    assert "warp-mcp explain CS-5 --report latest" in out and "Exit codes: 0 explained" in out
    assert max(map(len, out.splitlines())) <= 100
