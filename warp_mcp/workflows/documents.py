"""The reference documents and their sections as Markdown, for clients that read resources."""

from warp_mcp.errors import UsageError
from warp_mcp.models.explanation import Section
from warp_mcp.models.uris import DOCUMENTS, document_uri, section_uri
from warp_mcp.presentation.reference_markdown import index_markdown, section_markdown
from warp_mcp.storage.documents import anchors, document_sections, read_document
from warp_mcp.workflows.mechanism_words import called


class UnknownSection(UsageError):
    """No section is called so: exit code 2. The message names those that there are."""

    def __init__(self, asked: str, names: list[str]) -> None:
        super().__init__(
            "unknown_section", f"No section is called “{asked}”.", f"There are: {', '.join(names)}."
        )


def document(name: str) -> str:
    """A whole document, as it is installed. Raises `ProbeError`."""
    return read_document(name)


def index() -> str:
    """What can be read, section by section, with the URI of each. Raises `ProbeError`."""
    return index_markdown({name: document_sections(name) for name in DOCUMENTS})


def section(name: str, asked: str) -> str:
    """A section of a document by label (in any case), slug or unmistakable words; links lead to resources.

    Raises `UnknownSection`, or `ProbeError` when the reference is not installed.
    """
    sections = document_sections(name)
    found = called(asked, sections)
    if found is None:
        raise UnknownSection(asked, [section_name(one) for one in sections])
    return section_markdown(found, _targets(name))


def topic(asked: str) -> str:
    """As `section`, of whichever document has one that is called exactly so. Raises the same."""
    names: list[str] = []
    for document_name in DOCUMENTS:
        mine = section_names(document_name)
        if asked.lower() in map(str.lower, mine):
            return section(document_name, asked)
        names += mine
    raise UnknownSection(asked, [*DOCUMENTS, *names])


def section_name(one: Section) -> str:
    """What a section is called in URIs: a mechanism's label, else the slug."""
    return one.mechanism or one.slug


def section_names(name: str) -> list[str]:
    """What the sections of a document are called in URIs, in its order; slugs of mechanisms last."""
    sections = document_sections(name)
    return [*map(section_name, sections), *(one.slug for one in sections if one.mechanism)]


def mechanism_sizes() -> dict[str, int]:
    """Label of each mechanism that has a section, and the bytes that the section is long as a resource."""
    targets = _targets("mechanisms")
    return {
        one.mechanism: len(section_markdown(one, targets).encode())
        for one in document_sections("mechanisms")
        if one.mechanism
    }


def _targets(name: str) -> dict[str, str]:
    """What a link in a document can name, `#anchor` or `measurement.md#anchor`, to the URI that has it."""
    found: dict[str, str] = {}
    for document_name in DOCUMENTS:
        found[f"{document_name}.md"] = document_uri(document_name)
        for anchor, called_so in anchors(document_name).items():
            uri = section_uri(document_name, called_so)
            found[f"{document_name}.md#{anchor}"] = uri
            if document_name == name:
                found[f"#{anchor}"] = uri
    return found
