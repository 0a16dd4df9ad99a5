"""The reference on the mechanisms: its form, and that every program in it runs and shows what is said of it.

What its table of figures holds is the benchmark's; how its sections are read is tested with the storage.
"""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.situations.measuring import Measured, Probe
from warp_mcp.analysis import thresholds
from warp_mcp.analysis.mechanisms.concurrent_loads import LOCKED_SINCE
from warp_mcp.cli.program import program
from warp_mcp.models.explanation import Section
from warp_mcp.models.mechanism import CATALOGUE, MECHANISMS
from warp_mcp.storage.references import anchor, parse

REFERENCES = Path(__file__).parents[1] / "references"
TEXT = (REFERENCES / "mechanisms.md").read_text(encoding="utf-8")
PROSE = re.sub(r"<!-- (mechanism-savings) -->.*<!-- /\1 -->", "", TEXT, flags=re.DOTALL)
"""Without the table that a benchmark prints into the document."""
WORDS = " ".join(PROSE.split())
SECTIONS = {section.slug: section for section in parse(TEXT)}

PARTS = (
    "What it is",
    "Confirmed by",
    "Ruled out by",
    "Why Warp does it",
    "The fix, least invasive first",
    "When it does not apply",
    "How the fix goes wrong",
    "What to verify afterwards",
    "Figures",
)
TOPICS = (
    "model",
    "symptoms",
    "option-deadlines",
    "module-boundaries",
    "scope",
    "module-options",
    "trade-offs",
    "behaviour",
    "figures",
    "known-unknowns",
)
STUDY = "published study, Blackwell MIG slice, Warp 1.17 development build"


class Pair(NamedTuple):
    """A program with the fault and its repair."""

    mechanism: str
    before: str
    after: str


def part(section: Section, heading: str) -> str:
    return next(one.text for one in section.parts if one.heading == heading)


def python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def sections_of_mechanisms() -> list[Section]:
    return [section for section in parse(TEXT) if section.mechanism]


def pairs() -> list[Pair]:
    """Every pair of the document, in its order; each `# before` has to be followed by its `# after`."""
    found: list[Pair] = []
    for section in sections_of_mechanisms():
        blocks = [
            block for block in python_blocks(part(section, PARTS[4])) if re.match("# (before|after)\n", block)
        ]
        assert [block.partition("\n")[0] for block in blocks] == ["# before", "# after"] * (len(blocks) // 2)
        label = section.mechanism or ""
        found += [Pair(label, *blocks[n : n + 2]) for n in range(0, len(blocks), 2)]
    return found


PAIRS = pairs()
OTHER_PROGRAMS = [block for block in python_blocks(TEXT) if not re.match("# (before|after)\n", block)]


def shown_commands() -> list[str]:
    """Every command line of ours in the document: lines of shell blocks, and code within sentences."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL))
    lines = [line.strip() for line in [*"".join(blocks).splitlines(), *inline]]
    return list(dict.fromkeys(line for line in lines if line.startswith("warp-mcp ")))


# --- what a report shows of each mechanism, beside the finding on it ---------------------------------


def caused(*kinds: str) -> Callable[[Measured], bool]:
    return lambda measured: any(cause["kind"] in kinds for cause in measured.causes())


def one_kernel_modules(measured: Measured, *, unique: bool) -> int:
    return sum(
        module["kernel_count"] == 1 and (module["made"] == "unique") == unique
        for module in measured.modules()
    )


def at_several_block_dims(measured: Measured) -> bool:
    dims: dict[str, set[int]] = {}
    for module in measured.modules():
        dims.setdefault(module["name"], set()).add(module["block_dim"])
    return any(len(found) > 1 for found in dims.values())


def peak(measured: Measured) -> int:
    return measured.sample["peak_builds"]


def against_the_header(measured: Measured) -> bool:
    """A header for a single CPU module, or none for several."""
    return (measured.report["structure"]["header_builds"] > 0) == (measured.builds() == 1)


SIGNALS: dict[str, Callable[[Measured], bool]] = {
    "CS-1": caused("kernel_added", "kernel_redefined"),
    "CS-2": lambda measured: bool(measured.report["structure"]["warm_compiled"]),
    "CS-3": caused("option_changed"),
    "CS-4": lambda measured: one_kernel_modules(measured, unique=False) > 1,
    "CS-5": at_several_block_dims,
    "CS-6": caused("overload_added"),
    "CS-7": lambda measured: measured.report["structure"]["lto_artifacts"] > 0,
    "CS-8": lambda measured: peak(measured) > 1,
    "CS-9": lambda measured: one_kernel_modules(measured, unique=True) > 1,
    "CS-10": lambda measured: any(module["adjoint_bytes"] for module in measured.modules()),
    "CS-11": lambda measured: any(module["unrolled_bytes"] for module in measured.modules()),
    "CS-12": against_the_header,
    "CS-13": lambda measured: measured.builds() > 1 and peak(measured) == 1,
}


def measured(root: Path, code: str) -> Measured:
    """What the probe reports of a program of the document, run under one name for either side."""
    root.mkdir()
    (root / "program.py").write_text(code, encoding="utf-8")
    found = Probe(root).measure(sys.executable, "program.py", cwd=root)
    assert found.sample["outcome"] == "completed", found.text
    return found


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{n}-{pair.mechanism}" for n, pair in enumerate(PAIRS)])
def test_the_first_program_of_a_pair_shows_the_signal_and_the_second_does_not(
    pair: Pair, tmp_path: Path
) -> None:
    before, after = measured(tmp_path / "before", pair.before), measured(tmp_path / "after", pair.after)

    assert before.finding(pair.mechanism)["status"] == "fired"
    assert after.finding(pair.mechanism)["status"] == "ruled_out"
    assert (SIGNALS[pair.mechanism](before), SIGNALS[pair.mechanism](after)) == (True, False)
    assert before.launches["sequence_sha256"] == after.launches["sequence_sha256"]


@pytest.mark.parametrize("code", OTHER_PROGRAMS, ids=range(len(OTHER_PROGRAMS)))
def test_every_other_program_runs_to_its_end(code: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(code, encoding="utf-8")

    process = subprocess.run(
        [sys.executable, str(path)],
        env={**os.environ, "WARP_CACHE_PATH": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=280,
        check=False,
    )

    assert process.returncode == 0, process.stderr


def test_there_is_a_pair_for_every_mechanism() -> None:
    assert list(dict.fromkeys(pair.mechanism for pair in PAIRS)) == list(MECHANISMS) == list(SIGNALS)


# --- form ------------------------------------------------------------------------------------------


def test_every_mechanism_has_its_section_in_the_order_of_the_numbers() -> None:
    found = [(section.mechanism, section.slug, section.name) for section in sections_of_mechanisms()]

    assert found == [tuple(one) for one in CATALOGUE]


@pytest.mark.parametrize("one", CATALOGUE, ids=MECHANISMS)
def test_heading_and_slug_of_a_mechanism_are_those_of_the_catalogue(one: tuple[str, str, str]) -> None:
    label, slug, name = one

    assert f"\n## {label} {name[0].upper()}{name[1:]}\n\nSlug: `{slug}`\n" in TEXT


@pytest.mark.parametrize("section", sections_of_mechanisms(), ids=MECHANISMS)
def test_a_mechanism_has_all_parts_in_order_with_text_in_each(section: Section) -> None:
    parts = [one for one in section.parts if one.heading]

    assert [one.heading for one in parts] == list(PARTS)
    assert all(one.text.strip() for one in parts)


@pytest.mark.parametrize("section", sections_of_mechanisms(), ids=MECHANISMS)
def test_figures_name_their_machine_and_the_table(section: Section) -> None:
    figures = " ".join(part(section, "Figures").split())

    assert "](#figures-measured-for-this-project)" in figures
    assert f"{section.mechanism} of [the table]" in figures
    assert "[P]" not in figures or f"[P] {STUDY}" in figures
    assert all("[M]" not in entry or "Warp 1." in entry for entry in figures.split("- "))


@pytest.mark.parametrize("slug", TOPICS)
def test_every_topic_has_a_section(slug: str) -> None:
    assert SECTIONS[slug].mechanism is None
    assert f"Slug: `{slug}`" in TEXT


def test_the_place_of_the_measured_table_is_marked() -> None:
    _, _, figures = TEXT.partition("\n## Figures measured for this project\n")

    assert figures.partition("\n## ")[0].count("mechanism-savings -->") == 2


def headings(text: str) -> list[str]:
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [anchor(title) for title in re.findall(r"^## (.*)$", outside, re.MULTILINE)]


def test_links_lead_to_sections_of_the_two_documents() -> None:
    known = {"#" + one for one in headings(TEXT)} | {"measurement.md"}
    known |= {
        "measurement.md#" + one
        for one in headings((REFERENCES / "measurement.md").read_text(encoding="utf-8"))
    }

    assert set(re.findall(r"\]\(([^)\s]+)\)", TEXT)) <= known


def test_every_section_is_in_the_list_at_the_top() -> None:
    listed = re.findall(r"\]\(#(\S+)\)", TEXT.partition("Sections:")[2].partition("\n\n")[0])

    assert listed == headings(TEXT)


def test_every_symptom_leads_to_a_section() -> None:
    rows = re.findall(r"^\| .* \| (.*) \|$", part(SECTIONS["symptoms"], ""), re.MULTILINE)[1:]
    named = {label for row in rows for label in re.findall(r"CS-\d+", row)}

    assert named == set(MECHANISMS)
    assert all(re.search(r"CS-\d+|\]\(", row) for row in rows)


def test_lines_fit_a_page_and_no_path_of_a_machine_is_shown() -> None:
    assert max(map(len, PROSE.splitlines())) <= 100
    assert not re.search(r"/(root|home|tmp|work|Users)/", TEXT)


def test_no_word_claims_an_end_of_what_can_be_done() -> None:
    assert not re.search(r"optimal|irreducible|necessary|as fast as", TEXT, re.IGNORECASE)


@pytest.mark.parametrize("line", shown_commands())
def test_every_command_line_parses(line: str) -> None:
    words = shlex.split(line)

    assert program.commands[words[1]].make_context(words[1], words[2:]).params


@pytest.mark.parametrize("block", python_blocks(TEXT), ids=range(len(python_blocks(TEXT))))
def test_python_in_the_document_is_valid(block: str) -> None:
    ast.parse(block)


@pytest.mark.parametrize(
    "claim",
    [
        f"more than {thresholds.STAKE_MS:g} ms and more than {thresholds.STAKE_PERCENT:g} % of the compile",
        f"at most {thresholds.FLOOR_OF_HEADER:g} of what making the precompiled header took",
        f"on CUDA {thresholds.FLOOR_OF_CUDA:g} of the shortest compile",
        f"an adjoint byte counted {thresholds.ADJOINT_WEIGHT:g} times",
        f"less {thresholds.PARSING_OF_HEADER:g} of it for each build that used it",
        f"Fixed in {'.'.join(map(str, LOCKED_SINCE))}.0",
    ],
)
def test_thresholds_and_releases_are_those_of_the_code(claim: str) -> None:
    assert claim in WORDS


def test_evidence_that_the_document_names_is_in_the_code_of_the_findings() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for path in (REFERENCES.parent / "warp_mcp" / "analysis" / "mechanisms").glob("*.py")
    )
    named = set(re.findall(r"`evidence\.(\w+)`", TEXT))

    assert named
    assert {name for name in named if f'"{name}"' not in code} == set()
