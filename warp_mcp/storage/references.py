"""The reference documents that come with the package: found, and taken apart into sections.

The only file that knows how they are written. A section begins at `## `, a part of it at `### `; a section
whose heading begins with a mechanism's label (`## CS-5 …`) is that mechanism's. Every other one is a topic,
called as the line "Slug: `…`" under its heading says, or by the anchor that its heading has. What stands
before the first section belongs to none. Lines within a code fence are never headings.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from warp_mcp.errors import ProbeError
from warp_mcp.models.explanation import Part, Section
from warp_mcp.models.mechanism import CATALOGUE

DOCUMENTS = ("mechanisms.md", "measurement.md")
"""In the order in which their sections are listed; a slug that two share is the first one's."""

_PACKAGE = Path(__file__).parents[1]
_LABEL = re.compile(r"`?(CS-\d+)\b`?")
_SLUG = re.compile(r"Slug: `([\w-]+)`\s*(?:\n|$)")
_COMMENT = re.compile(r"\s*<!--.*-->\s*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BY_LABEL = {one.label: one for one in CATALOGUE}


def references_dir() -> Path:
    """`warp_mcp/references` in a wheel; `references` beside the package in an editable install."""
    packed = _PACKAGE / "references"
    return packed if packed.is_dir() else _PACKAGE.parent / "references"


def read_sections() -> list[Section]:
    """The sections of all documents that are there, in their order; each slug once.

    Raises `ProbeError`: there is no document, or one cannot be read.
    """
    paths = [path for name in DOCUMENTS if (path := references_dir() / name).is_file()]
    if not paths:
        raise ProbeError(
            "no_reference",
            f"The reference is not in {references_dir()}: this installation of warp-mcp is not whole.",
            "Install it again: pip install --force-reinstall --no-deps warp-mcp",
        )
    found: dict[str, Section] = {}
    for path in paths:
        text = _text(path)
        for section in [*parse(text), whole(path.stem, text)]:
            found.setdefault(section.slug, section)
    return list(found.values())


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProbeError(
            "no_reference", f"{path} cannot be read: {error}.", "Check its permissions, or install again."
        ) from error


def parse(text: str) -> list[Section]:
    """The sections of one document."""
    return [_section(title, lines) for title, lines in _split(text.splitlines(), "## ") if title is not None]


def whole(slug: str, text: str) -> Section:
    """A document as one section, its sections the parts: the way to it for who cannot read resources."""
    title = text.partition("\n")[0].removeprefix("# ").strip()
    parts = [
        Part(heading=heading or "", text="\n".join(lines).strip("\n"))
        for heading, lines in _split(text.splitlines()[1:], "## ")
    ]
    return Section(mechanism=None, slug=slug, name=title, parts=parts)


def _section(title: str, lines: list[str]) -> Section:
    parts = [
        Part(heading=heading or "", text="\n".join(body).strip("\n"))
        for heading, body in _split(lines, "### ")
    ]
    parts, slug = _without_slug(parts)
    label = _LABEL.match(title)
    mechanism = _BY_LABEL.get(label[1]) if label else None
    return Section(
        mechanism=mechanism.label if mechanism else None,
        slug=mechanism.slug if mechanism else slug or anchor(title),
        name=mechanism.name if mechanism else title,
        parts=[part for part in parts if part.heading or part.text.strip()],
    )


def _without_slug(parts: list[Part]) -> tuple[list[Part], str | None]:
    """The parts without the line that names the section, and that name."""
    first = _SLUG.match(parts[0].text) if parts and not parts[0].heading else None
    if first is None:
        return parts, None
    rest = Part(heading="", text=parts[0].text[first.end() :].strip("\n"))
    return [rest, *parts[1:]], first[1]


def anchor(title: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")


def _split(lines: list[str], mark: str) -> Iterator[tuple[str | None, list[str]]]:
    """What stands under each heading that begins with `mark`; first, under `None`, what stands before."""
    title: str | None = None
    body: list[str] = []
    fence = ""
    for line in lines:
        opening = _FENCE.match(line)
        if fence:
            if opening and opening[1].startswith(fence):
                fence = ""
        elif opening:
            fence = opening[1]
        elif _COMMENT.fullmatch(line):
            # With the blank line before it: a comment marks a place for a program, and says nothing.
            del body[len(body) - (bool(body) and not body[-1].strip()) :]
            continue
        elif line.startswith(mark):
            yield title, body
            title, body = line.removeprefix(mark).strip(), []
            continue
        body.append(line)
    yield title, body
