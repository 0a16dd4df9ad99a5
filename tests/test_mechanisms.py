"""The reference on the mechanisms: its form, and that what it says of the code is true of it.

Its programs are run by `tests/tier2/reference_programs.py`, which takes minutes.
"""

import ast
import re

import pytest

from tests.command_lines import parsed
from tests.mechanisms_document import (
    PAIRS,
    PARTS,
    REFERENCES,
    TEXT,
    part,
    python_blocks,
    sections_of_mechanisms,
)
from warp_mcp.analysis import thresholds
from warp_mcp.analysis.mechanisms.concurrent_loads import LOCKED_SINCE
from warp_mcp.models.explanation import Section
from warp_mcp.models.mechanism import CATALOGUE, MECHANISMS
from warp_mcp.storage.references import anchor, parse

PROSE = re.sub(r"<!-- (mechanism-savings) -->.*<!-- /\1 -->", "", TEXT, flags=re.DOTALL)
"""Without the table that a benchmark prints into the document."""
WORDS = " ".join(PROSE.split())
SECTIONS = {section.slug: section for section in parse(TEXT)}
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


def shown_commands() -> list[str]:
    """Every command line of ours in the document: lines of shell blocks, and code within sentences."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL))
    lines = [line.strip() for line in [*"".join(blocks).splitlines(), *inline]]
    return list(dict.fromkeys(line for line in lines if line.startswith("warp-mcp ")))


def test_there_is_a_pair_for_every_mechanism() -> None:
    assert list(dict.fromkeys(pair.mechanism for pair in PAIRS)) == list(MECHANISMS)


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
    assert parsed(line)


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
