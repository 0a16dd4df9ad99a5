"""The reference documents: complete, true of the code as far as a test can tell, and usable as they stand."""

import ast
import re
import shlex
from pathlib import Path
from typing import get_args

import click
import pytest

from tests.analysis import factories
from warp_mcp.analysis import metrics, thresholds
from warp_mcp.analysis.isolation import check_isolation
from warp_mcp.analysis.mechanisms.unexamined import QUESTIONS
from warp_mcp.analysis.wall import split_wall
from warp_mcp.cli.program import COMPARE_EXITS, program
from warp_mcp.models.comparison import Comparison, Verdict
from warp_mcp.models.finding import FindingStatus
from warp_mcp.models.recording import PHASES, Phase
from warp_mcp.models.report import Report, SampleOutcome
from warp_mcp.models.root import CauseKind
from warp_mcp.models.run import SampleRecording
from warp_mcp.reading.lines import WIRE_VERSION

ROOT = Path(__file__).parents[1]
WARNINGS = ROOT / "warp_mcp" / "analysis" / "warnings"
TEXT = (ROOT / "references" / "measurement.md").read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())
_PARTS = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
SECTIONS = {part.partition("\n")[0]: part.partition("\n")[2] for part in _PARTS}


def entries(section: str) -> list[str]:
    """What the list of a section explains: `- **`name`** …`, several names in one entry too."""
    heads = re.findall(r"^- ((?:\*\*`\w+`\*\*(?:, )?)+)", SECTIONS[section], re.MULTILINE)
    return [name for head in heads for name in re.findall(r"\w+", head)]


def rows(section: str) -> dict[str, list[str]]:
    """The rows of the tables of a section, by the code in their first cell."""
    found = re.findall(r"^\| `([^`]+)` \|(.*)\|$", SECTIONS[section], re.MULTILINE)
    return {name: [cell.strip() for cell in rest.split("|")] for name, rest in found}


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def samples_of_every_kind() -> list[SampleRecording]:
    """One that built with every phase there is, and one that built nothing."""
    phases = {name: Phase(wall_ms=1.0, cpu_ms=1.0) for name in PHASES}
    built = factories.process(loads=[factories.load(phases=phases)])
    return [factories.sample(built), factories.sample(factories.process())]


def warning_codes() -> set[str]:
    """Every `code=` of a warning in the source: constants, so that none can hide in a variable."""
    found: set[str] = set()
    for path in WARNINGS.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Warning":
                (code,) = [keyword.value for keyword in node.keywords if keyword.arg == "code"]
                assert isinstance(code, ast.Constant), f"{path.name}:{node.lineno}"
                found.add(code.value)
    return found


def shown_commands() -> list[str]:
    """Every command line of ours in the document: lines of shell blocks, and code within sentences."""
    lines = [line.partition(" #")[0] for block in code_blocks("sh") for line in block.splitlines()]
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", TEXT, flags=re.MULTILINE | re.DOTALL))
    found = [text.strip() for text in [*lines, *inline] if re.match(r"(\w+=\S+ )*warp-mcp \w", text)]
    return list(dict.fromkeys(found))


def test_every_metric_has_exactly_one_entry() -> None:
    produced = {name for sample in samples_of_every_kind() for name in metrics.sample_figures(sample)}

    assert sorted(entries("Every metric")) == sorted(produced)


def test_every_warning_has_exactly_one_entry_and_a_next_step() -> None:
    section = SECTIONS["Reading the warnings"]

    assert sorted(entries("Reading the warnings")) == sorted(warning_codes())
    for entry in re.split(r"^- \*\*", section, flags=re.MULTILINE)[1:]:
        assert "Next: " in entry, entry


def test_the_warnings_stand_in_the_order_of_a_report() -> None:
    source = (WARNINGS / "collect.py").read_text(encoding="utf-8")
    order = re.findall(r"^    (?:building|record|runs)\.(\w+),$", source, re.MULTILINE)

    assert entries("Reading the warnings") == order


def test_every_key_of_the_report_is_explained() -> None:
    keys = {field.alias or name for name, field in Report.model_fields.items()}

    assert set(entries("The report JSON")) == keys


@pytest.mark.parametrize("outcome", get_args(SampleOutcome))
def test_every_outcome_of_a_sample_is_named(outcome: str) -> None:
    assert f"`{outcome}`" in SECTIONS["The report JSON"]


def test_every_part_of_the_wall_is_named() -> None:
    parts = split_wall(samples_of_every_kind()[0])

    assert parts
    assert all(f"`{part.name}`" in SECTIONS["The report JSON"] for part in parts)


def test_every_cause_of_a_rebuild_has_its_row() -> None:
    assert set(rows("Reading the findings and rebuilds")) == set(get_args(CauseKind))


def test_every_status_of_a_finding_is_explained_and_those_examined_are_named() -> None:
    section = SECTIONS["Reading the findings and rebuilds"]
    (examined,) = re.findall(r"This release examines(.*?)\.", section, re.DOTALL)

    assert all(f"- `{status}`: " in section for status in get_args(FindingStatus))
    assert set(re.findall(r"CS-\d+", examined)) == {f"CS-{n}" for n in range(1, 14)} - set(QUESTIONS)


def test_every_verdict_has_its_row_with_its_exit_code() -> None:
    table = rows("The verdict")

    assert set(table) == set(get_args(Verdict))
    assert {name: int(cells[-1]) for name, cells in table.items()} == COMPARE_EXITS


@pytest.mark.parametrize(
    "claim",
    [
        f"the largest of {thresholds.BAND_PERCENT:g} % of the baseline's median",
        f"at least {thresholds.LEAST_PERCENT:g} % of the baseline's median",
        f"Compilation is under {thresholds.MINOR_PERCENT:g} % of the cold wall",
        f"at least {100 * thresholds.BUSY_SHARE:g} % of the cores busy",
        f"at least {thresholds.REDECLARED} declarations beyond its distinct kernels",
        f"more than {thresholds.HOOK_PERCENT:g} % of the cold wall",
        f"(by more than {thresholds.SOURCE_PERCENT:g} %)",
        f"(at most {thresholds.MOST_SIGNATURES} rows)",
        f"(cut after {thresholds.MOST_KERNELS};",
    ],
)
def test_thresholds_are_those_of_the_code(claim: str) -> None:
    assert claim in WORDS


def test_band_and_least_samples_are_those_of_the_code() -> None:
    assert (thresholds.BAND_MADS, thresholds.LEAST_SAMPLES) == (2.0, 3)
    assert "twice the baseline's MAD and twice the candidate's MAD" in WORDS
    assert "fewer than three completed samples" in WORDS


def test_the_isolated_variables_are_named() -> None:
    assert check_isolation(samples_of_every_kind()).ok
    for name in ("WARP_CACHE_PATH", "WARP_CACHE_ROOT", "CUDA_CACHE_PATH"):
        assert f"`{name}`" in SECTIONS["Isolation and its escapes"]


def test_the_version_of_the_wire_is_the_one_that_is_read() -> None:
    assert f"the wire version, which is {WIRE_VERSION};" in WORDS


@pytest.mark.parametrize("field", ["judged_on", "reasons", "next_checks", "timing", "environment", "modules"])
def test_fields_of_a_comparison_that_the_document_names_exist(field: str) -> None:
    assert field in Comparison.model_fields
    assert f"`{field}`" in TEXT


@pytest.mark.parametrize("line", shown_commands())
def test_every_command_line_parses(line: str) -> None:
    words = shlex.split(line)
    name, *arguments = words[words.index("warp-mcp") + 1 :]

    command = program.commands[name]
    if arguments:
        assert command.make_context(name, arguments).params


def test_the_commands_of_the_loop_are_shown() -> None:
    names = {line.split("warp-mcp ")[1].split()[0] for line in shown_commands()}

    assert {"measure", "compare", "list", "prune", "serve"} <= names


def test_options_named_within_sentences_exist() -> None:
    named = set(re.findall(r"`(--[a-z-]+)", TEXT))
    ours = {
        name
        for command in program.commands.values()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in parameter.opts
    }

    assert named
    assert named <= ours


@pytest.mark.parametrize("block", code_blocks("python"))
def test_python_in_the_document_is_valid(block: str) -> None:
    ast.parse(block)


def test_links_lead_to_sections_and_every_section_is_in_the_list() -> None:
    anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in SECTIONS}
    links = re.findall(r"\]\((\S+)\)", TEXT)
    listed = re.findall(r"\]\(#(\S+)\)", TEXT.partition("Sections:")[2].partition("\n\n")[0])

    assert {link.removeprefix("#") for link in links} <= anchors
    assert sorted(listed) == sorted(anchors)


def test_no_word_claims_an_end_of_what_can_be_done() -> None:
    assert not re.search(r"optimal|irreducible", TEXT, re.IGNORECASE)


def test_lines_fit_a_page_and_no_path_of_a_machine_is_shown() -> None:
    assert max(map(len, TEXT.splitlines())) <= 100
    assert not re.search(r"/(root|home|tmp|work|Users)/", TEXT)
