"""The reference documents: complete, true of the code as far as a test can tell, and usable as they stand."""

import ast
import re
from pathlib import Path
from typing import get_args

import click
import pytest

from tests.analysis import factories
from tests.command_lines import parsed
from warp_mcp.analysis import metrics, rehearsal, thresholds
from warp_mcp.analysis.floor import PARTS
from warp_mcp.analysis.isolation import check_isolation
from warp_mcp.analysis.mechanisms.registry import EXAMINERS
from warp_mcp.analysis.outputs_distance import BUCKETS, TOLERANCES, UPPER
from warp_mcp.analysis.wall import split_wall
from warp_mcp.cli.program import COMPARE_EXITS, program
from warp_mcp.models.base import Model
from warp_mcp.models.comparison import (
    Comparison,
    KernelTimeChange,
    OutputComparison,
    OutputDifference,
    OutputsStatus,
    SteadyStatus,
    Verdict,
)
from warp_mcp.models.explanation import Explanation, Section
from warp_mcp.models.finding import Finding, FindingStatus
from warp_mcp.models.floor import Floor, FloorUse
from warp_mcp.models.lever import LeverResult
from warp_mcp.models.mechanism import CATALOGUE
from warp_mcp.models.outputs import Outputs
from warp_mcp.models.recording import PHASES, Phase
from warp_mcp.models.report import ModuleEntry, Report, SampleOutcome
from warp_mcp.models.root import CauseKind, Root, Victim
from warp_mcp.models.run import SampleRecording
from warp_mcp.models.sampling import Sampling
from warp_mcp.models.steady_state import KernelTime, SteadyState
from warp_mcp.reading.lines import WIRE_VERSION
from warp_mcp.running import PASSES
from warp_mcp.storage.references import anchor
from warp_mcp.workflows.levers import parse_lever
from warp_mcp.workflows.requests import AUTO

ROOT = Path(__file__).parents[1]
WARNINGS = ROOT / "warp_mcp" / "analysis" / "warnings"
MAKERS = ROOT / "warp_mcp" / "recorder" / "_warp_mcp_recorder" / "makers.py"
TEXT = (ROOT / "references" / "measurement.md").read_text(encoding="utf-8")
FINDINGS = "Reading the findings and rebuilds"
SAMPLES = "More samples only where they help"
OUTPUTS = "The same results: outputs"
TIMES = "The same speed: launch times"
LEVERS = "Levers: what an option would buy"
FLOOR = "The floor: what one more module costs"
WORDS = " ".join(TEXT.split())
_PARTS = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
SECTIONS = {part.partition("\n")[0]: part.partition("\n")[2] for part in _PARTS}


def part(section: str, heading: str) -> str:
    """The text under a heading within a section; the whole section where the heading is empty."""
    if not heading:
        return SECTIONS[section]
    parts = re.split(r"^### ", SECTIONS[section], flags=re.MULTILINE)[1:]
    return {one.partition("\n")[0]: one.partition("\n")[2] for one in parts}[heading]


def entries(section: str, heading: str = "") -> list[str]:
    """What a list explains: `- **`name`** …`, several names in one entry too."""
    heads = re.findall(r"^- ((?:\*\*`\w+`\*\*(?:, )?)+)", part(section, heading), re.MULTILINE)
    return [name for head in heads for name in re.findall(r"\w+", head)]


def rows(section: str, heading: str = "") -> dict[str, list[str]]:
    """The rows of tables, by the code in their first cell."""
    found = re.findall(r"^\| `([^`]+)` \|(.*)\|$", part(section, heading), re.MULTILINE)
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
                found.add(str(code.value))
    return found


def shown_commands() -> list[str]:
    """Every command line of ours in the document: lines of shell blocks, and code within sentences."""
    lines = [line.partition(" #")[0] for block in code_blocks("sh") for line in block.splitlines()]
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", TEXT, flags=re.MULTILINE | re.DOTALL))
    found = [text.strip() for text in [*lines, *inline] if re.match(r"(\w+=\S+ )*warp-mcp \w", text)]
    return list(dict.fromkeys(found))


def test_every_metric_has_exactly_one_entry() -> None:
    produced = {name for sample in samples_of_every_kind() for name in metrics.sample_figures(sample)}

    assert sorted(entries("Every metric")) == sorted([*produced, rehearsal.WAIT])


def test_every_warning_has_exactly_one_entry_and_a_next_step() -> None:
    section = SECTIONS["Reading the warnings"]

    assert sorted(entries("Reading the warnings")) == sorted(warning_codes())
    for entry in re.split(r"^- \*\*", section, flags=re.MULTILINE)[1:]:
        assert "Next: " in entry, entry


def test_the_warnings_stand_in_the_order_of_a_report() -> None:
    source = (WARNINGS / "collect.py").read_text(encoding="utf-8")
    order = re.findall(r"^    (?:building|record|runs)\.(\w+),$", source, re.MULTILINE)

    of_rehearsals = (WARNINGS / "rehearsed.py").read_text(encoding="utf-8")
    order += re.findall(r"^def (\w+)", of_rehearsals, re.MULTILINE)
    of_levers = (WARNINGS / "levers.py").read_text(encoding="utf-8")
    order += re.findall(r"^def (\w+)", of_levers, re.MULTILINE)

    assert entries("Reading the warnings") == order


def test_every_key_of_the_report_is_explained() -> None:
    keys = {field.alias or name for name, field in Report.model_fields.items()}

    assert set(entries("The report JSON")) == keys


def test_every_key_of_a_lever_is_explained() -> None:
    assert sorted(entries(LEVERS)) == sorted(LeverResult.model_fields)


def test_every_key_of_recorded_outputs_is_explained() -> None:
    assert entries(OUTPUTS) == list(Outputs.model_fields)


@pytest.mark.parametrize(
    ("section", "model"),
    [
        (OUTPUTS, OutputComparison),
        (OUTPUTS, OutputDifference),
        (TIMES, SteadyState),
        (TIMES, KernelTime),
        (TIMES, KernelTimeChange),
        (FLOOR, Floor),
        (FLOOR, FloorUse),
        (SAMPLES, Sampling),
    ],
)
def test_every_key_of_what_is_looked_at_beside_the_samples_is_named(section: str, model: type[Model]) -> None:
    assert set(model.model_fields) <= set(re.findall(r"`(\w+)`", part(section, "")))


def test_every_status_of_a_comparison_is_named() -> None:
    assert set(rows(OUTPUTS)) == set(get_args(OutputsStatus))
    assert all(f"`{status}`" in SECTIONS[TIMES] for status in get_args(SteadyStatus))
    assert all(
        f"`{end}`" in SECTIONS[SAMPLES] for end in get_args(Sampling.model_fields["stopped"].annotation)
    )


def test_every_lever_that_is_shown_can_be_typed() -> None:
    shown = [lever for lever in rows(LEVERS) if lever != AUTO]

    assert all(parse_lever(lever).text == lever for lever in shown)
    assert len(shown) == 4


def test_what_is_said_of_the_passes_is_what_is_made() -> None:
    assert PASSES == {"outputs": 2, "steady_state": 3}
    assert "in two warm passes" in WORDS and "in three warm passes" in WORDS


@pytest.mark.parametrize("outcome", get_args(SampleOutcome))
def test_every_outcome_of_a_sample_is_named(outcome: str) -> None:
    assert f"`{outcome}`" in SECTIONS["The report JSON"]


def test_every_part_of_the_wall_is_named() -> None:
    parts = split_wall(samples_of_every_kind()[0])

    assert parts
    assert all(f"`{part.name}`" in SECTIONS["The report JSON"] for part in parts)


def test_every_key_of_a_module_is_explained() -> None:
    (entry,) = re.findall(
        r"^- \*\*`modules`\*\*.*?(?=^- \*\*)", SECTIONS["The report JSON"], re.MULTILINE | re.DOTALL
    )

    assert set(ModuleEntry.model_fields) <= set(re.findall(r"`(\w+)`", entry))


def test_every_way_a_module_is_made_is_named() -> None:
    ways = set(re.findall(r"`(\w+)` \(", re.findall(r"`made` is (.*?); `owner`", WORDS)[0]))
    returns = re.findall(r"^ +return (.*)$", MAKERS.read_text(encoding="utf-8"), re.MULTILINE)

    assert ways == {way for line in returns for way in re.findall(r"\"(\w+)\"", line)}


def test_every_cause_of_a_rebuild_has_its_row() -> None:
    assert set(rows(FINDINGS, "Rebuilds")) == set(get_args(CauseKind))


def test_every_key_of_a_root_and_of_its_victims_is_explained() -> None:
    roots = part(FINDINGS, "Roots")

    assert entries(FINDINGS, "Roots") == list(Root.model_fields)
    assert all(f"`{name}`" in roots for name in Victim.model_fields)


def test_every_key_and_status_of_a_finding_is_explained() -> None:
    assert entries(FINDINGS, "Findings") == list(Finding.model_fields)
    assert all(f"- `{status}`: " in part(FINDINGS, "Findings") for status in get_args(FindingStatus))


def test_all_mechanisms_are_examined_and_stand_in_the_table_with_their_slugs() -> None:
    table = re.findall(r"^\| (CS-\d+) \| (\S+) \|", part(FINDINGS, "The thirteen mechanisms"), re.MULTILINE)

    assert table == [(one.label, one.slug) for one in CATALOGUE]
    assert [label for label, _ in table] == list(EXAMINERS)


def test_how_the_cost_is_made_is_said_of_every_mechanism() -> None:
    heads = re.findall(r"^- (CS-.*?):", part(FINDINGS, "How the costs are made"), re.MULTILINE)
    told = [label for head in heads for label in head.split(", ")]

    assert sorted(told) == sorted(EXAMINERS)


def test_what_a_report_adds_to_an_explanation_is_explained() -> None:
    own = set(Explanation.model_fields) - set(Section.model_fields) - set(Finding.model_fields)
    of_the_report = {"schema_", "report_id", "report_label", "cwd"}

    assert set(entries("Explaining a mechanism")) == own - of_the_report


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
        f"than {thresholds.STAKE_PERCENT:g} % of the compile wait, and more than {thresholds.STAKE_MS:g} ms",
        f"at most {thresholds.FLOOR_OF_HEADER:g} of making the precompiled header",
        f"on CUDA {thresholds.FLOOR_OF_CUDA:g} of the shortest compile",
        f"an adjoint byte counted {thresholds.ADJOINT_WEIGHT:g} times",
        f"its time less {thresholds.PARSING_OF_HEADER:g} of it for each build that used it",
        f"({1 - thresholds.LOADING_OF_PARSING:g} for each build − {thresholds.HEADER_OF_PARSING:g} for",
        f"with {thresholds.LEAST_PERCENT_INTERLEAVED:g} % in place of {thresholds.LEAST_PERCENT:g} %",
        f"signatures with under {thresholds.LEAST_TIMED} timed launches",
        f"the larger range, {thresholds.LEAST_PERCENT:g} %, two MADs of the launches and "
        f"{thresholds.LEAST_TIMED_US:g} µs",
        f"change the launch time by {100 * thresholds.MATTERS_SHARE:g} %",
        *(f"{limit:.0e} for {dtype}".replace("e-0", "e-") for dtype, limit in TOLERANCES.items()),
        f"a factor of {UPPER:.2f}",
        f"estimated from {BUCKETS} buckets",
        f"a split in `parts` ({PARTS}) adds",
    ],
)
def test_thresholds_are_those_of_the_code(claim: str) -> None:
    assert claim in WORDS


def test_band_and_least_samples_are_those_of_the_code() -> None:
    assert (thresholds.BAND_MADS, thresholds.LEAST_SAMPLES, thresholds.MOST_SAMPLES) == (2.0, 3, 9)
    assert (thresholds.BAND_RANGES, thresholds.LEAST_PASSES) == (2.0, 3)
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
    parsed(line)


def test_the_commands_of_the_loop_are_shown() -> None:
    names = {line.split("warp-mcp ")[1].split()[0] for line in shown_commands()}

    assert {"measure", "compare", "report", "explain", "ledger", "list", "prune", "serve"} <= names


def test_options_named_within_sentences_exist() -> None:
    named = set(re.findall(r"`(--[a-z-]+)", TEXT))
    commands = list(program.commands.values())
    commands += [
        one for group in commands if isinstance(group, click.Group) for one in group.commands.values()
    ]
    ours = {
        name
        for command in commands
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
    anchors = {anchor(title) for title in SECTIONS}
    parts = {anchor(title) for title in re.findall(r"^### (.*)$", TEXT, re.MULTILINE)}
    links = re.findall(r"\]\((\S+)\)", TEXT)
    listed = re.findall(r"\]\(#(\S+)\)", TEXT.partition("Sections:")[2].partition("\n\n")[0])

    assert not anchors & parts
    assert {link.removeprefix("#") for link in links if link.startswith("#")} <= anchors | parts
    assert {link for link in links if not link.startswith("#")} == {"mechanisms.md"}
    assert sorted(listed) == sorted(anchors)


@pytest.mark.parametrize(
    "shape", ["(compiled)", "(cached)", "(error)", "precompiled header", "block_dim=128"]
)
def test_the_shapes_of_warps_own_log_are_shown(shape: str) -> None:
    blocks = re.findall(r"^```text\n(.*?)^```", SECTIONS["Reading Warp's own log"], re.MULTILINE | re.DOTALL)

    assert any(shape in block for block in blocks)


def test_no_word_claims_an_end_of_what_can_be_done() -> None:
    assert not re.search(r"optimal|irreducible", TEXT, re.IGNORECASE)


def test_lines_fit_a_page_and_no_path_of_a_machine_is_shown() -> None:
    assert not [line for line in TEXT.splitlines() if len(line) > 100]
    assert not re.search(r"/(root|home|tmp|work|Users)/", TEXT)
