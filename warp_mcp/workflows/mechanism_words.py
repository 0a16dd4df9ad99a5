"""Which section of the reference a user means by some words. Knows nothing of reports.

A score says how much of what was asked is in a section's slug, name and symptoms: each asked word counts by
how few sections have it, and by how like it is to the section's word (`difflib`), so that `option` finds
`options`, and a misspelt word is still found.
"""

import re
from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from warp_mcp.models.explanation import Section

SYMPTOMS = {
    "CS-1": (
        "kernel_added kernel_redefined rebuilt launch kernel added redefined later closure "
        "factory loop jit hashes"
    ),
    "CS-2": "warm second run compiles every time again clear_kernel_cache cleared kernel_cache_dir persist",
    "CS-3": "option_changed rebuilt option change setting config late fast_math set_module_options",
    "CS-4": "wp.map map lambda fem integrand many small tiny modules one kernel each split too much",
    "CS-5": "same module built again block size block_dim launch_tiled tile threads",
    "CS-6": "overload_added rebuilt new argument types type dtype overload added generic kernel precision",
    "CS-7": "lto link tile matmul gemm fft cholesky libmathdx enable_mathdx_gemm slow",
    "CS-8": "failed to find module forward kernel race threads max_workers parallel load",
    "CS-9": "hash named module for each kernel unique factory default argument",
    "CS-10": "tape nobody uses adjoint gradient gradients differentiable enable_backward unused",
    "CS-11": "large big generated source loops unrolled unrolling max_unroll",
    "CS-12": "first module slow pch headers use_precompiled_headers",
    "CS-13": "modules compile one after another serially parallel force_load idle cores",
}
"""Words in which users tell what they see, by label. They lead to a section and are never shown."""

LIKE = 0.8
"""Two words are taken for the same from this ratio on: `rebuilt` and `rebuild` have 0.86."""
LEAST = 0.5
"""Share of what was asked that a section must hold to be meant."""
LEAD = 0.1
"""How far it must be before the next one: less is a guess between two."""
_TIE = 1e-9

_LABEL = re.compile(r"(?:cs)?[\s_-]*0*(\d+)", re.IGNORECASE | re.ASCII)
_EMPTY = frozenset("a an the of to in on at is are was were it its and or my i too again for with".split())


MOST_CHARACTERS = 200
"""Of what is asked: more is no name, and comparing spellings takes the square of its length."""


def called(asked: str, sections: Sequence[Section]) -> Section | None:
    """The section of this label (`cs5`, `CS-5`, `5`), slug, name, or unmistakable words; else `None`."""
    asked = asked[:MOST_CHARACTERS]
    label = _LABEL.fullmatch(asked.strip())
    if label:
        return next((one for one in sections if one.mechanism == f"CS-{label[1]}"), None)
    exact = " ".join(asked.lower().split())
    for section in sections:
        plain = exact.replace("_", "-").replace(" ", "-")
        if plain == section.slug or exact == section.name.lower():
            return section
    return _unmistakable(asked, sections)


def _unmistakable(asked: str, sections: Sequence[Section]) -> Section | None:
    scores = _scores(asked, sections)
    ranked = sorted(range(len(sections)), key=lambda index: -scores[index])
    if not ranked or scores[ranked[0]] < LEAST:
        return None
    if len(ranked) > 1 and scores[ranked[0]] - scores[ranked[1]] < LEAD - _TIE:
        return None
    return sections[ranked[0]]


def nearest(asked: str, sections: Sequence[Section], count: int = 3) -> list[Section]:
    """The sections that come closest, the closest first; where words tell nothing, by spelling alone."""
    asked = asked[:MOST_CHARACTERS]
    scores = _scores(asked, sections)
    spelling = [_spelling(asked, section) for section in sections]
    order = sorted(range(len(sections)), key=lambda index: (-scores[index], -spelling[index]))
    return [sections[index] for index in order[:count]]


def _spelling(asked: str, section: Section) -> float:
    names = (section.mechanism or "", section.slug, section.name)
    return max(_ratio(asked.strip().lower(), name.lower()) for name in names)


def _scores(asked: str, sections: Sequence[Section]) -> list[float]:
    """For each section the share, 0 to 1, of what was asked that it holds."""
    words = _words(asked)
    vocabularies = [_vocabulary(section) for section in sections]
    likeness = [[_likeness(word, vocabulary) for word in words] for vocabulary in vocabularies]
    weights = [1 / max(1, sum(1 for row in likeness if row[n] > 0)) for n in range(len(words))]
    whole = sum(weights)
    return [
        sum(weight * like for weight, like in zip(weights, row, strict=True)) / whole if whole else 0.0
        for row in likeness
    ]


def _vocabulary(section: Section) -> set[str]:
    symptoms = SYMPTOMS.get(section.mechanism or "", "")
    return set(_words(f"{section.mechanism or ''} {section.slug} {section.name} {symptoms}"))


def _likeness(word: str, vocabulary: Collection[str]) -> float:
    best = max((_ratio(word, other) for other in vocabulary), default=0.0)
    return best if best >= LIKE else 0.0


def _ratio(one: str, other: str) -> float:
    return 1.0 if one == other else SequenceMatcher(None, one, other).ratio()


def _words(text: str) -> list[str]:
    found = re.findall(r"\w+", text.lower())
    return list(dict.fromkeys(word for word in found if word not in _EMPTY))
