"""Cutting a text or list to the size a model can afford, and remembering that it was cut."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from warp_mcp.models.base import Model
from warp_mcp.models.report import Metric
from warp_mcp.models.summary import Figure
from warp_mcp.presentation.page import clean

LIMIT_CHARACTERS = 5_800
"""Of compact JSON: 1,450 tokens at four characters each, under the 1,500 that a result may cost."""

_STEPS = ((8, 240), (5, 160), (3, 120), (2, 80), (1, 40))
"""(entries in a list, characters in a sentence), tried until the whole fits."""

_Item = TypeVar("_Item")
_Summary = TypeVar("_Summary", bound=Model)


class Cutter:
    """Cuts lists and sentences to one step's size and remembers what was left out."""

    def __init__(self, entries: int, characters: int) -> None:
        self._entries = entries
        self._characters = characters
        self.left_out: list[str] = []

    def cut(self, name: str, items: Sequence[_Item]) -> list[_Item]:
        """The first entries of a list; the rest is counted in `left_out`."""
        rest = len(items) - self._entries
        if rest > 0:
            self.left_out.append(f"{rest} more of {name}")
        return list(items[: self._entries])

    def words(self, text: str | None) -> str:
        """A sentence, without control characters."""
        text = clean(text or "")
        return text if len(text) <= self._characters else text[: self._characters - 1] + "…"

    def sentences(self, name: str, items: Sequence[str]) -> list[str]:
        """Both: the first sentences, each cut."""
        return [self.words(item) for item in self.cut(name, items)]

    def tail(self, text: str) -> str:
        """The end of a text: a traceback says what matters last."""
        limit = 3 * self._characters
        return text if len(text) <= limit else "…" + text[-limit:]


def fitting(make: Callable[[Cutter], _Summary]) -> _Summary:
    """The largest summary that keeps to the limit."""
    summary = make(Cutter(*_STEPS[0]))
    for step in _STEPS[1:]:
        if len(summary.model_dump_json()) <= LIMIT_CHARACTERS:
            return summary
        summary = make(Cutter(*step))
    return bounded(summary, LIMIT_CHARACTERS)


def bounded(summary: _Summary, limit: int) -> _Summary:
    """The same with every text cut, where names or sentences of a report are longer than any real one."""
    for most in (400, 200, 100, 50):
        if len(summary.model_dump_json()) <= limit:
            return summary
        summary = type(summary).model_validate(_cut(summary.model_dump(), most))
    return summary


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else value[: most - 1] + "…"
    if isinstance(value, dict):
        return {key: _cut(part, most) for key, part in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_cut(part, most) for part in cast(list[Any], value)]
    return value


def figure(metric: Metric | None) -> Figure | None:
    """A metric without its single values."""
    if metric is None:
        return None
    return Figure(median=round(metric.median, 1), mad=round(metric.mad, 1), count=len(metric.values))
