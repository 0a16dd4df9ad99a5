"""The real documents: where they are found, and that they come apart into sections."""

import re
from pathlib import Path

import pytest

from warp_mcp.models.mechanism import CATALOGUE
from warp_mcp.storage import references

ROOT = Path(__file__).parents[2]


def test_beside_the_package_they_are_found_in_an_editable_install() -> None:
    assert references.references_dir().resolve() == ROOT / "references"


def test_within_the_package_they_are_found_in_a_wheel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "warp_mcp" / "references").mkdir(parents=True)
    monkeypatch.setattr(references, "_PACKAGE", tmp_path / "warp_mcp")

    assert references.references_dir() == tmp_path / "warp_mcp" / "references"


def test_every_section_of_the_measurement_document_is_a_topic_called_by_its_anchor() -> None:
    text = (ROOT / "references" / "measurement.md").read_text(encoding="utf-8")
    anchors = re.findall(r"\]\(#(\S+)\)", text.partition("Sections:")[2].partition("\n\n")[0])

    sections = references.parse(text)

    assert [section.slug for section in sections] == anchors
    assert all(section.mechanism is None and section.parts for section in sections)


@pytest.mark.skipif(
    not (ROOT / "references" / "mechanisms.md").exists(), reason="the reference on mechanisms is not there"
)
def test_every_mechanism_has_one_section_with_parts() -> None:
    text = (ROOT / "references" / "mechanisms.md").read_text(encoding="utf-8")
    sections = [section for section in references.parse(text) if section.mechanism]

    assert sorted(section.mechanism or "" for section in sections) == sorted(one.label for one in CATALOGUE)
    assert all(len(section.parts) > 1 for section in sections)


def test_a_comment_is_no_part_of_what_is_told_but_in_code() -> None:
    text = (
        "## Figures\n\nBefore.\n\n<!-- table -->\n\n| a |\n\n```html\n<!-- kept -->\n```\n\n<!-- /table -->\n"
    )
    (section,) = references.parse(text)

    assert section.parts[0].text == "Before.\n\n| a |\n\n```html\n<!-- kept -->\n```"


def test_a_line_under_the_heading_names_the_section_and_is_not_told():
    (section,) = references.parse("## When options are fixed\n\nSlug: `option-deadlines`\n\nAt creation.\n")

    assert section.slug == "option-deadlines"
    assert section.parts[0].text == "At creation."
