"""The reference documents whole, and the sections of one of them. How they are written: `references.py`."""

from warp_mcp.errors import ProbeError
from warp_mcp.models.explanation import Section
from warp_mcp.storage import references


def read_document(name: str) -> str:
    """The text of a document by the name it has in URIs: `mechanisms` or `measurement`.

    Raises `ProbeError`: it is not installed or cannot be read.
    """
    path = references.references_dir() / f"{name}.md"
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProbeError(
            "no_reference",
            f"The reference document {name} is not installed or cannot be read.",
            "Install it again: pip install --force-reinstall --no-deps warp-mcp",
        ) from error


def document_sections(name: str) -> list[Section]:
    """The sections of one document in its order. Raises `ProbeError` as `read_document` does."""
    return references.parse(read_document(name))


def anchors(name: str) -> dict[str, str]:
    """Anchor of each heading of a document to the label or slug of the section it is in.

    Raises `ProbeError` as `read_document` does.
    """
    found: dict[str, str] = {}
    for section in document_sections(name):
        called = section.mechanism or section.slug
        titles = [part.heading for part in section.parts if part.heading]
        for title in [_title(section), *titles]:
            found.setdefault(references.anchor(title), called)
    return found


def _title(section: Section) -> str:
    """A section's heading as it stands in the document."""
    if not section.mechanism:
        return section.name
    return f"{section.mechanism} {section.name}"
