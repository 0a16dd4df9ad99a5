"""What a newcomer meets first is true: the demo, the README with its transcripts, the files beside it."""

import json
import re
from pathlib import Path

import pytest

from tests import transcripts
from tests.once import once
from warp_mcp import __version__
from warp_mcp.cli.program import COMPARE_EXITS, program

README = transcripts.README.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One real run of the demo; standard output."""

    def run(directory: Path) -> None:
        result = transcripts.run_demo(directory / "state")
        (directory / "code.txt").write_text(f"{result.returncode}\n{result.stderr}", encoding="utf-8")
        (directory / "out.txt").write_text(result.stdout, encoding="utf-8")

    directory = once(tmp_path_factory, "demo", run)
    code = (directory / "code.txt").read_text(encoding="utf-8")
    assert code.startswith("0\n"), code
    return (directory / "out.txt").read_text(encoding="utf-8")


def test_the_demo_measures_repairs_and_proves_the_repair(demo: str) -> None:
    words = " ".join(demo.split())

    assert "Improved: the candidate starts with less compilation." in words
    assert "The same launches ran on both sides." in words
    assert (
        "fixed: kernels defined after their module loaded (CS-1), options set after first load (CS-3) and "
        "backward code nobody uses (CS-10)" in words
    )
    assert "5 builds of 1 module." in words and "1 build of 1 module." in words
    assert re.search(r"__main__ cpu 5 → 1 .* moved enable_backward: True → False; fast_math", words)


def test_the_demo_shows_the_edit_and_the_commands_for_ones_own_program(demo: str) -> None:
    assert '+wp.set_module_options({"fast_math": True, "enable_backward": False})' in demo
    assert "$ warp-mcp measure --label before -- python your_program.py" in demo
    assert max(map(len, demo.splitlines())) <= 100


@pytest.mark.parametrize("name", transcripts.OF_DEMO)
def test_the_readmes_transcript_is_what_the_demo_prints(demo: str, name: str) -> None:
    written = transcripts.in_readme(README, name)

    assert transcripts.skeleton(written) == transcripts.skeleton(transcripts.transcripts(demo)[name]), (
        "run: python -m tests.transcripts"
    )


def test_a_machine_that_was_busy_changes_nothing_that_is_compared() -> None:
    quiet = transcripts.in_readme(README, "rehearsal")
    busy = quiet.replace("on this machine,", "on this machine (9.4 s\nof CPU time: it was busy),", 1)

    assert busy != quiet
    assert transcripts.skeleton(busy) == transcripts.skeleton(quiet)


def test_the_readme_shows_no_path_of_the_machine_it_was_made_on() -> None:
    assert not re.search(r"/(root|home|tmp|work|Users)/", README)


@pytest.mark.parametrize("marker", ["demo-command", "test-command"])
def test_each_of_the_two_commands_is_one_line_that_sets_everything_up(marker: str) -> None:
    block = re.search(rf"<!-- {marker} -->\n```sh\n(.*?)```", README, re.DOTALL)

    assert block is not None
    (line,) = block[1].splitlines()
    assert line.startswith("python3 -m venv .venv && .venv/bin/pip install ")


@pytest.mark.parametrize(("verdict", "code"), sorted(COMPARE_EXITS.items()))
def test_the_readmes_table_of_verdicts_has_the_real_exit_codes(verdict: str, code: int) -> None:
    assert re.search(rf"^\| {verdict} \|.*\| {code} \|$", README, re.MULTILINE)


@pytest.mark.parametrize("command", sorted(program.commands))
def test_every_command_is_in_the_readme(command: str) -> None:
    assert f"warp-mcp {command}" in README


def test_the_registry_entry_agrees_with_the_package() -> None:
    entry = json.loads((transcripts.ROOT / "server.json").read_text(encoding="utf-8"))
    project = (transcripts.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (package,) = entry["packages"]

    assert entry["version"] == package["version"] == __version__
    assert f'\nname = "{package["identifier"]}"\n' in project
    assert package["transport"] == {"type": "stdio"}
    assert len(entry["description"]) <= 100
    assert entry["name"].count("/") == 1
    assert f"<!-- mcp-name: {entry['name']} -->" in README


def test_the_changelog_has_this_version() -> None:
    changelog = (transcripts.ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert f"## [{__version__}]" in changelog
    assert "## [Unreleased]" in changelog


def test_the_two_programs_of_the_demo_have_the_same_kernels() -> None:
    folder = Path(transcripts.warp_mcp.__file__).parent / "demo"
    sources = [(folder / side / "simulate.py").read_text(encoding="utf-8") for side in ("faulty", "repaired")]
    kernels = [re.findall(r"@wp\.kernel\n.*?\n\n", source, re.DOTALL) for source in sources]

    assert kernels[0] == kernels[1]
    assert len(kernels[0]) == 4
