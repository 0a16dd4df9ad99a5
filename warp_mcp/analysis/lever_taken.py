"""Whether a lever that was priced on one report holds in another: whether the program has taken it since."""

from typing import Literal, NamedTuple

from warp_mcp.models.lever import LeverResult
from warp_mcp.models.report import ModuleEntry, Report

Taken = Literal["all", "some", "none"]


class Asked(NamedTuple):
    """One option of a lever as it was typed."""

    option: str
    value: str
    module: str | None


def asked_of(lever: str) -> list[Asked]:
    """The options in the text of a lever; empty for one that sets none, or is no lever's text.

    `pkg.solver:enable_backward=false,max_unroll=4`: a module in front goes with the one option behind it.
    """
    found: list[Asked] = []
    for part in lever.split(","):
        name, equals, value = part.strip().partition("=")
        module, _, option = name.rpartition(":")
        if equals and option.strip() and option.strip() != "preload":
            found.append(Asked(option.strip(), value.strip(), module.strip() or None))
    return found


def taken(lever: LeverResult, before: Report, after: Report) -> Taken:
    """How much of a lever of `before` the modules of `after` show.

    `all`: every option of it, on every module that it moved and that is still there; `some`: on part of
    them. Building ahead is no option of a module, and never shows.
    """
    shown = [_shown(one, lever, before, after) for one in asked_of(lever.lever)]
    places = [place for option in shown for place in option]
    if not any(places):
        return "none"
    return "all" if all(places) and all(shown) else "some"


def _shown(asked: Asked, lever: LeverResult, before: Report, after: Report) -> list[bool]:
    """For each module that the option is for, whether it has the value now and had another before."""
    old = {_same(module, asked) for module in before.modules if _meant(module, asked, lever)}
    if old == {True}:
        return []  # it was so before the change
    return [_same(module, asked) for module in after.modules if _meant(module, asked, lever)]


def _meant(module: ModuleEntry, asked: Asked, lever: LeverResult) -> bool:
    reached = asked.module in (None, module.name)
    return reached and asked.option in module.options and module.name in lever.modules_moved


def _same(module: ModuleEntry, asked: Asked) -> bool:
    return _plain(module.options[asked.option]) == _plain(asked.value)


def _plain(value: str) -> str:
    return {"null": "none"}.get(value.lower(), value.lower())
