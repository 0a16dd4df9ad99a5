"""The command line as a user meets it: words, exit codes, files, signals, terminals."""

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
import pytest

from tests.command_lines import parsed
from tests.factories import a_comparison, a_report, a_sample
from tests.once import once
from warp_mcp import storage, workflows
from warp_mcp.cli import main
from warp_mcp.cli.measuring import measure, measure_exit

PROBE = [sys.executable, "-m", "warp_mcp"]
QUICK = [sys.executable, "-c", "pass"]
FOREVER = "import time; time.sleep(100)"
SAMPLES = Path(__file__).parent / "samples"
ESCAPE = "\x1b"

Result = tuple[int, str, str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """The command line in this process: exit code, stdout, stderr. For commands that start nothing."""

    def run_here(*arguments: str) -> Result:
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    return run_here


def probe(*arguments: str, env: Mapping[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    """The command line in a process of its own."""
    return subprocess.run(
        [*PROBE, *arguments], env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False
    )


def words(text: str) -> str:
    """The text on one line, so that a wrapped sentence can be found."""
    return " ".join(text.split())


# --- Bad input ---

BAD = [
    ("measure", "no command to measure"),
    ("measure --", "no command to measure"),
    ("measure --samples 0 -- python x.py", "greater than or equal to 1"),
    ("measure --samples 10000 -- python x.py", "less than or equal to 50"),
    ("measure --samples two -- python x.py", "not a valid integer"),
    ("measure --timeout 0 -- python x.py", "greater than 0"),
    ("measure --timeout nan -- python x.py", "cannot be used"),
    ("measure --cwd /no/such/place -- python x.py", "does not exist"),
    ("measure --cwd /etc/passwd -- python x.py", "/etc/passwd"),
    ("measure -- no-such-command-anywhere", "no-such-command-anywhere"),
    ("measure -- ./no_such_file", "./no_such_file"),
    ("measure --label latest -- python x.py", "cannot be a label"),
    ("measure --label '' -- python x.py", "one to eighty"),
    ("measure --stop-after-launches 0 -- python x.py", "stop condition"),
    ("measure --stop-after-launches 5 --until-output ready -- python x.py", "Only one stop condition"),
    ("measure --no-such-option -- python x.py", "No such option"),
    ("measure python x.py --samples 3", "--samples stands behind the command"),
    ("measure python x.py --json=out.json", "--json=out.json stands behind the command"),
    ("compare", "Missing argument"),
    ("compare latest", "Missing argument"),
    ("compare latest latest", "No report is kept yet"),
    ("compare no.json latest", "no.json"),
    ("compare / /", "is a directory"),
    ("compare '' ''", "empty"),
    ("prune --keep 3 --older-than 2", "exclude each other"),
    ("prune --keep -1", "not in the range"),
    ("no-such-command", "No such command"),
]


@pytest.mark.parametrize(("line", "sentence"), BAD)
def test_bad_input_gets_one_sentence_the_next_step_and_exit_code_two(
    run: Callable[..., Result], line: str, sentence: str
) -> None:
    code, out, err = run(*shlex.split(line))

    assert code == 2
    assert sentence in words(err)
    assert "Next: " in err
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"schema": "warp-mcp/report/9"}', "Module x load took 1 ms"]
)
def test_a_file_that_is_no_report_is_refused(run: Callable[..., Result], tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")

    code, _, err = run("compare", str(path), str(path))

    assert code == 2
    assert "Next: " in err and "Traceback" not in err


def test_an_internal_error_is_a_sentence_and_a_traceback_only_on_request(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(workflows, "compare", broken)

    code, _, err = run("compare", "a", "b")

    assert code == 70
    assert "RuntimeError: no idea" in err and "Traceback" not in err
    monkeypatch.setenv("WARP_MCP_DEBUG", "1")
    with pytest.raises(RuntimeError, match="no idea"):
        main(["compare", "a", "b"])


# --- Help ---


@pytest.mark.parametrize(
    ("command", "example"),
    [
        ((), "warp-mcp measure --label before -- python app.py"),
        (("measure",), "warp-mcp measure -- python app.py --frames 2"),
        (("measure",), "warp-mcp measure --lever enable_backward=false -- python app.py"),
        (("measure",), "--outputs --steady-state --against before -- python app.py"),
        (("compare",), "warp-mcp compare before after"),
        (("prune",), "warp-mcp prune --keep 10"),
        (("serve",), "claude mcp add"),
    ],
)
def test_help_teaches_by_examples(run: Callable[..., Result], command: tuple[str, ...], example: str) -> None:
    code, out, _ = run(*command, "--help")

    assert code == 0
    assert example in out
    assert max(map(len, out.splitlines())) <= 100


def test_help_of_measure_says_that_the_command_runs(run: Callable[..., Result]) -> None:
    assert "COMMAND runs for real" in run("measure", "--help")[1]


def test_help_of_measure_has_every_option_once_under_a_heading(run: Callable[..., Result]) -> None:
    options = run("measure", "--help")[1].partition("\nMeasure:\n")[2]

    named = re.findall(r"^  (?:-h, )?(--[a-z-]+)", options, re.MULTILINE)
    assert sorted(named) == sorted(
        ["--help", *(one.opts[0] for one in measure.params if one.name != "command")]
    )
    assert options.partition("\nOther:\n")[2].split() == "-h, --help Show this message and exit.".split()


def test_a_line_of_a_document_that_was_parsed_leaves_the_help_as_it_is(run: Callable[..., Result]) -> None:
    assert parsed("warp-mcp explain CS-1")
    assert "-h, --help" in run("explain", "--help")[1]


@pytest.mark.parametrize("command", [(), ("measure",), ("report",), ("ledger", "append")])
def test_help_fits_a_page(run: Callable[..., Result], command: tuple[str, ...]) -> None:
    assert max(map(len, run(*command, "--help")[1].splitlines())) <= 100


def test_without_a_command_the_help_is_shown_on_standard_error(run: Callable[..., Result]) -> None:
    code, out, err = run()

    assert (code, out) == (2, "")
    assert "warp-mcp demo" in err and "serve" in err


def test_the_version_is_told(run: Callable[..., Result]) -> None:
    assert re.search(r"\d+\.\d+\.\d+", run("--version")[1])


# --- Compare, list, prune ---


@pytest.mark.parametrize(
    ("verdict", "code"),
    [("improved", 0), ("inconclusive", 0), ("regressed", 1), ("invalid", 3), ("unverified", 4)],
)
def test_each_verdict_has_its_exit_code(
    run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, verdict: str, code: int
) -> None:
    monkeypatch.setattr(workflows, "compare", lambda *_: a_comparison(verdict=verdict))

    assert run("compare", "a", "b")[0] == code


def test_a_comparison_is_shown_and_written_where_the_user_wants_it(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    storage.save_report(a_report())
    target = tmp_path / "out.json"

    code, out, _ = run("compare", "before", "latest", "--json", str(target))

    assert code == 0
    assert out.startswith("Inconclusive: ")
    assert json.loads(target.read_text(encoding="utf-8"))["verdict"] == "inconclusive"


def test_with_a_dash_standard_output_holds_the_json_alone(run: Callable[..., Result]) -> None:
    storage.save_report(a_report())

    _, out, err = run("compare", "before", "latest", "--json", "-")

    assert json.loads(out)["schema"] == "warp-mcp/comparison/1"
    assert err.startswith("Inconclusive: ")


def test_a_json_file_that_cannot_be_written_is_exit_code_74_and_the_result_is_shown_and_kept(
    run: Callable[..., Result], tmp_path: Path
) -> None:
    storage.save_report(a_report())

    code, out, err = run("compare", "before", "latest", "--json", str(tmp_path / "no" / "out.json"))

    assert code == 74
    assert out.startswith("Inconclusive: ")
    kept = re.search(r"The result is kept in (\S+\.json)", words(err))
    assert kept and Path(kept[1]).is_file()


def test_the_list_is_newest_first_with_label_date_and_command(run: Callable[..., Result]) -> None:
    storage.save_report(a_report())
    storage.save_report(a_report(report_id="r-20270101-000000-ab12", label="after"))

    _, out, _ = run("list")

    head, first, second = out.splitlines()
    assert "label" in head
    assert first.split() == ["r-20270101-000000-ab12", "2026-12-01", "10:15:30", "after", "python", "app.py"]
    assert "before" in second


def test_the_list_as_json_names_the_files(run: Callable[..., Result]) -> None:
    path = storage.save_report(a_report())

    (entry,) = json.loads(run("list", "--json")[1])

    assert entry["path"] == str(path)
    assert entry["command"] == ["python", "app.py"]


def test_an_empty_list_says_how_to_fill_it(run: Callable[..., Result]) -> None:
    assert "warp-mcp measure" in run("list")[1]


def test_pruning_says_which_reports_went(run: Callable[..., Result]) -> None:
    storage.save_report(a_report())

    assert "Would remove 1 report:" in run("prune", "--keep", "0", "--dry-run")[1]
    assert "r-20261201-101530-ab12" in run("prune", "--keep", "0")[1]
    assert run("prune")[1] == "Nothing to remove.\n"


UNATTACHED = {"pid": 8, "parent": 7, "argv": ["python"], "attached": False, "exit_code": 0}
NOTHING: dict[str, object] = {"modules": [], "rebuilds": []}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, 0),
        ({"samples": [a_sample(), a_sample(outcome="failed", exit_code=1)]}, 0),
        ({"samples": [a_sample(outcome="failed", exit_code=1)]}, 5),
        ({"samples": [a_sample(outcome="not_attached")], **NOTHING}, 5),
        (NOTHING, 6),
        ({**NOTHING, "processes": [UNATTACHED]}, 0),
    ],
)
def test_that_no_sample_completed_is_decided_before_nothing_of_warp(
    changes: dict[str, object], code: int
) -> None:
    report = a_report(**changes)
    launches = report.launches.model_copy(update={"total": 7 if report.modules else 0})

    assert measure_exit(report.model_copy(update={"launches": launches})) == code


# --- Measure, with real processes ---


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One real cold sample of a small program: what it printed, its state and its temp directory."""
    command = ["--", sys.executable, str(SAMPLES / "launches_once.py")]

    def measure(directory: Path) -> None:
        (directory / "temp").mkdir()
        env = {"WARP_MCP_STATE_DIR": str(directory / "state"), "TMPDIR": str(directory / "temp")}
        options = ("--samples", "1", "--label", "real", "--json", str(directory / "out.json"))
        result = probe("measure", *options, *command, env=env)
        for name, text in (("code", str(result.returncode)), ("out", result.stdout), ("err", result.stderr)):
            (directory / name).write_text(text, encoding="utf-8")

    return once(tmp_path_factory, "measured", measure)


def content(directory: Path, name: str) -> str:
    return (directory / name).read_text(encoding="utf-8")


def test_a_measurement_ends_with_exit_code_zero_and_the_report_on_standard_output(measured: Path) -> None:
    out = content(measured, "out")

    assert content(measured, "code") == "0"
    assert "You wait" in out and "What to do next" in out
    assert ESCAPE not in out + content(measured, "err")
    assert max(map(len, out.splitlines())) <= 100


def test_progress_is_on_standard_error_a_line_for_each_step(measured: Path) -> None:
    lines = content(measured, "err").splitlines()

    assert lines[0].startswith("cold run 1 of 1")
    assert any(line.startswith("warm run 1 of 1") and "left" in line for line in lines)


def test_the_json_is_written_and_kept(measured: Path) -> None:
    (kept,) = (measured / "state" / "reports").glob("*.json")

    assert content(measured, "out.json") == kept.read_text(encoding="utf-8")
    report = json.loads(content(measured, "out.json"))
    assert (report["schema"], report["label"]) == ("warp-mcp/report/1", "real")
    assert report["structure"]["builds"] == 1


def test_nothing_is_left_in_the_temp_directory(measured: Path) -> None:
    assert list((measured / "temp").iterdir()) == []


def test_two_dashes_are_not_needed_where_nothing_is_ambiguous(tmp_path: Path) -> None:
    program = tmp_path / "x.py"
    program.write_text("import sys; print(sys.argv[1:])", encoding="utf-8")

    result = probe("measure", "--samples", "1", "--json", "-", sys.executable, str(program), "--frames", "2")

    assert json.loads(result.stdout)["command"][2:] == ["--frames", "2"]


def test_a_program_without_warp_is_exit_code_six_with_a_sentence_why() -> None:
    result = probe("measure", "--samples", "1", "--", *QUICK)

    assert result.returncode == 6
    assert "Nothing of Warp was compiled, loaded or launched" in words(result.stdout)


def test_a_program_that_fails_is_exit_code_five_with_its_own_last_lines() -> None:
    result = probe(
        "measure", "--samples", "1", "--", sys.executable, "-c", "raise ValueError('tolerance exceeded')"
    )

    assert result.returncode == 5
    assert "ValueError: tolerance exceeded" in result.stdout
    assert "failed with exit code 1" in words(result.stdout)


def test_a_time_out_is_exit_code_five_and_names_the_stop_options() -> None:
    result = probe("measure", "--samples", "3", "--timeout", "1", "--", sys.executable, "-c", FOREVER)

    assert result.returncode == 5
    assert "--stop-after-launches" in result.stdout


def test_a_measurement_whose_json_cannot_be_written_is_shown_and_kept(tmp_path: Path) -> None:
    result = probe("measure", "--samples", "1", "--json", str(tmp_path / "no" / "out.json"), "--", *QUICK)

    assert result.returncode == 74
    assert "Nothing of Warp" in result.stdout
    kept = re.search(r"The result is kept in (\S+\.json)", words(result.stderr))
    assert kept and json.loads(Path(kept[1]).read_text(encoding="utf-8"))["schema"] == "warp-mcp/report/1"


def test_our_process_imports_neither_warp_nor_numpy_and_compare_no_server_either(own_state_dir: Path) -> None:
    storage.save_report(a_report())
    script = (
        "import sys\nfrom warp_mcp.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "found = [name for name in ('warp', 'numpy', 'mcp', 'psutil', 'typer') if name in sys.modules]\n"
        "print(found, file=sys.stderr)\n"
    )
    for arguments, allowed in (
        (("compare", "latest", "latest"), set[str]()),
        (("measure", "--samples", "1", "--", *QUICK), {"psutil"}),
    ):
        result = subprocess.run(
            [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
        )
        found = set(re.findall(r"'(\w+)'", result.stderr.splitlines()[-1]))
        assert found <= allowed


def test_a_reader_that_goes_away_is_no_error() -> None:
    storage.save_report(a_report())

    line = f"{shlex.join(PROBE)} compare latest latest | head -n 1"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True, check=False
    )

    assert result.stdout.startswith("Inconclusive")
    assert result.stderr == ""


def test_a_stream_that_cannot_show_a_character_shows_a_replacement() -> None:
    storage.save_report(a_report())

    result = probe("compare", "latest", "latest", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})

    assert result.returncode == 0
    assert "Inconclusive" in result.stdout


def test_a_directory_that_is_gone_is_said_and_no_traceback(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = f"cd {gone} && rmdir {gone} && {shlex.join(PROBE)} measure -- {shlex.join(QUICK)}"

    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)

    assert result.returncode == 2
    assert "The current directory is gone." in result.stderr and "Traceback" not in result.stderr


# --- Interrupted ---


def started(*arguments: str, wait_for: str) -> "subprocess.Popen[str]":
    """A running `warp-mcp`, once it has written a line that begins so on stderr."""
    process = subprocess.Popen(
        [*PROBE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith(wait_for):
            return process
    raise AssertionError(f"ended before it said: {wait_for}")


def children_of(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """Its descendants, once there are some."""
    for _ in range(100):
        found = psutil.Process(process.pid).children(recursive=True)
        if len(found) > 1:
            return found
        time.sleep(0.05)
    raise AssertionError("it started nothing")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_cleans_up_and_exits_with_130(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_state_dir: Path
) -> None:
    temp = tmp_path / "temp"
    temp.mkdir()
    monkeypatch.setenv("TMPDIR", str(temp))
    process = started("measure", "--", sys.executable, "-c", FOREVER, wait_for="cold run 1")
    children = children_of(process)

    process.send_signal(number)
    _, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert "nothing was kept" in words(err)
    assert not any(child.is_running() and child.status() != psutil.STATUS_ZOMBIE for child in children)
    assert list(temp.iterdir()) == []
    assert list(own_state_dir.rglob("*.json")) == []


def test_what_was_complete_before_an_interrupt_is_kept_and_its_place_told(tmp_path: Path) -> None:
    program = tmp_path / "third_run_never_ends.py"
    program.write_text(
        "import pathlib, time\ncount = pathlib.Path(__file__).with_suffix('.txt')\n"
        "runs = len(count.read_text()) if count.exists() else 0\ncount.write_text('x' * (runs + 1))\n"
        "time.sleep(100 if runs == 2 else 0)\n",
        encoding="utf-8",
    )
    process = started("measure", "--", sys.executable, str(program), wait_for="cold run 2")
    for _ in range(200):
        if (tmp_path / "third_run_never_ends.txt").read_text(encoding="utf-8") == "xxx":
            break
        time.sleep(0.05)

    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)

    assert process.returncode == 130
    kept = re.search(r"What was complete is kept in (\S+\.json)", words(err))
    assert kept
    report = storage.read_report(Path(kept[1]))
    assert [sample.outcome for sample in report.samples] == ["completed", "cancelled"]


def test_a_second_measurement_waits_says_so_and_can_be_interrupted() -> None:
    first = started("measure", "--", sys.executable, "-c", FOREVER, wait_for="cold run 1")
    second = started(
        "measure", "--", *QUICK, wait_for=f"Another measurement of yours is running (process {first.pid})"
    )

    second.send_signal(signal.SIGINT)
    _, err = second.communicate(timeout=30)
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=30)

    assert second.returncode == 130
    assert "Cancelled while waiting" in words(err)


# --- Terminals ---


def on_a_terminal(*arguments: str, env: Mapping[str, str]) -> str:
    """What `warp-mcp` writes to a terminal of 80 columns."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **env}
    process = subprocess.Popen([*PROBE, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    chunks: list[bytes] = []
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:
            break
        if not chunk:
            break
        chunks.append(chunk)
    os.close(master)
    process.wait(30)
    return b"".join(chunks).decode("utf-8")


def test_a_terminal_gets_colour_unless_it_is_not_wanted() -> None:
    storage.save_report(a_report())

    assert ESCAPE in on_a_terminal("compare", "latest", "latest", env={})
    assert ESCAPE not in on_a_terminal("compare", "latest", "latest", env={"NO_COLOR": "1"})
    assert ESCAPE not in on_a_terminal("compare", "latest", "latest", env={"TERM": "dumb"})


def test_a_terminal_gets_its_own_width() -> None:
    storage.save_report(a_report())

    lines = on_a_terminal("compare", "latest", "latest", env={"NO_COLOR": "1"}).splitlines()

    assert max(map(len, lines)) <= 80


def test_a_terminal_shows_a_line_that_moves_and_leaves_only_the_report() -> None:
    shown = on_a_terminal("measure", "--samples", "1", "--", *QUICK, env={})

    assert "cold run 1 of 1" in shown
    assert "\x1b[2K" in shown
    assert "Nothing of Warp was compiled" in shown
