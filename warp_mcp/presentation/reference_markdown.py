"""A section of the reference as a Markdown document of its own, and the list of what there is to read."""

import re
from collections.abc import Mapping, Sequence

from warp_mcp.models.explanation import Section
from warp_mcp.models.uris import document_uri, section_uri

_LINK = re.compile(r"\]\(([\w.]*(?:#[\w-]+)?)\)")
_TITLES = {
    "mechanisms": "Why Warp programs start slowly: mechanisms and their repairs",
    "measurement": "Measuring: what every figure means, and when to doubt it",
}


def section_markdown(section: Section, targets: Mapping[str, str]) -> str:
    """The section under a heading of its own. `targets` has the URIs of what its links name."""
    lines = [f"# {_title(section)}", ""]
    for part in section.parts:
        lines += [f"## {part.heading}", ""] if part.heading else []
        lines += [part.text, ""] if part.text else []
    return _LINK.sub(lambda link: f"]({targets.get(link[1], link[1])})", "\n".join(lines))


def _title(section: Section) -> str:
    return f"{section.mechanism}: {section.name}" if section.mechanism else section.name


def index_markdown(documents: Mapping[str, Sequence[Section]]) -> str:
    """The documents with their sections; each line has the URI to read."""
    lines = ["# What can be read", ""]
    for name, sections in documents.items():
        lines += [f"## {_TITLES.get(name, name)}", "", f"The whole: {document_uri(name)}", ""]
        for section in sections:
            lines.append(f"- {_title(section)}: {section_uri(name, section.mechanism or section.slug)}")
        lines.append("")
    return "\n".join(lines)
