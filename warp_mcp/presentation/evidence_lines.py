"""The evidence of a finding as lines to read: keys as words, figures with their units, lists bounded."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from warp_mcp.presentation.numbers import duration, joined, number, percent, size
from warp_mcp.presentation.words import short

MOST_LINES = 12
MOST_IN_LIST = 6
MOST_CHARACTERS = 300
"""Of one text, three lines of a page: names and sentences may be as long as a program likes."""
_HASH = 7
"""Characters of a hash that are shown, as everywhere else."""

KEY_WORDS = {
    "where": "at",
    "rebuilds_with_other_causes_too": "rebuilds with other causes too",
    "identities": "hashes, from → to",
    "reason": "because",
}
"""Keys whose own words would not be understood."""


def evidence_lines(evidence: Mapping[str, Any], cwd: str) -> list[str]:
    """One line for each key that holds something; the rest is counted. Paths are relative to `cwd`."""
    told = [(key, words) for key, value in evidence.items() if (words := _words(key, value, cwd))]
    lines = [f"{key_words(key)}: {words}" for key, words in told[:MOST_LINES]]
    rest = len(told) - MOST_LINES
    return [*lines, f"… and {rest} more, in the report file"] if rest > 0 else lines


def key_words(key: str) -> str:
    """`generated_source_bytes` as `generated source`: the unit stands with the figure."""
    if key in KEY_WORDS:
        return KEY_WORDS[key]
    for unit in ("_ms", "_bytes", "_share"):
        key = key.removesuffix(unit)
    return key.replace("_", " ")


def _words(key: str, value: object, cwd: str) -> str:
    """A value in words; empty where there is nothing to tell."""
    if isinstance(value, Mapping):
        return _mapping(key, cast(Mapping[str, object], value), cwd)
    if isinstance(value, (list, tuple)):
        return _list(key, cast(Sequence[object], value), cwd)
    return _single(key, value, cwd)


def _single(key: str, value: object, cwd: str) -> str:
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return _figure(key, value)
    text = " ".join(str(value).split())
    if len(text) > MOST_CHARACTERS:
        text = f"{text[: MOST_CHARACTERS - 1]}…"
    if key == "identities":
        return text[:_HASH]
    return f"`{short(text, cwd)}`" if key == "where" else relative(text, cwd)


def relative(text: str, cwd: str) -> str:
    """A sentence with the paths in it relative to where the program ran."""
    folder = cwd.rstrip("/")
    return text.replace(f"{folder}/", "") if folder else text


def _figure(key: str, value: float) -> str:
    if key.endswith("_ms"):
        return duration(value)
    if key.endswith("_bytes"):
        return size(value)
    if key.endswith("_share"):
        return percent(value, 1) or "0 %"
    return number(value)


def _list(key: str, values: Sequence[object], cwd: str) -> str:
    if key == "identities" and all(isinstance(value, (list, tuple)) for value in values):
        pairs = [cast(Sequence[object], value) for value in values]
        return joined([" → ".join(_single(key, one, cwd) for one in pair) for pair in pairs], MOST_IN_LIST)
    return joined([words for value in values if (words := _words(key, value, cwd))], MOST_IN_LIST)


def _mapping(key: str, value: Mapping[str, object], cwd: str) -> str:
    pairs = [(name, words) for name, one in value.items() if (words := _words(_unit(key, name), one, cwd))]
    # Names of modules and owners are the program's own, not words of ours.
    names = str if "_by_" in key else key_words
    return joined([f"{names(name)} {words}" for name, words in pairs], MOST_IN_LIST)


def _unit(key: str, name: str) -> str:
    """Whose unit a figure within a mapping has: its own, else that of the mapping."""
    units = ("_ms", "_bytes", "_share")
    return key if key.endswith(units) and not name.endswith(units) else name
